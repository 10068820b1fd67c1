/*
 * Links to a program's file, which replace older links but nothing else.
 */
#ifndef CORE_BASE_FILES_FILE_LINK_H
#define CORE_BASE_FILES_FILE_LINK_H

#include <stdbool.h>

#include "core/base/error.h"

/* The program that the links lead to. */
struct file_link_target {
	const char *file; /* canonical path of the program */
	const char *mark; /* text that every version of this program contains,
			     and no other program */
	bool symbolic;	  /* false: hard links */
};

/* Return true if the path leads to the program: its file, a copy, or another
   version. */
bool file_link_is_ours(const struct file_link_target *, const char *path);

/* Check that DIR/NAME may become a link: it is missing, or file_link_is_ours().
   A dangling symbolic link counts if its target has the name of the program's
   file. */
int file_link_check(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/* Make DIR/NAME a link to the program, replacing any other file, unchecked.
   The program's file itself stays. */
int file_link_make(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/* Make DIR/NAME a copy of the program's file, on any file system, unless it is
   that file or a hard link to it.  NAME may contain directories, which are
   made. */
int file_link_copy(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

#endif
