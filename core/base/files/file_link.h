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

/* Return true if the path, through symbolic links, leads to the program: its
   file, or another file with the mark (a copy or another version). */
bool file_link_is_ours(const struct file_link_target *, const char *path);

/* Check that DIR/NAME may become a link. 0: it is missing; or
   file_link_is_ours(); or it is a dangling symbolic link to a file with the
   name of the program's file.  -1: it belongs to another program, or cannot be
   examined. */
int file_link_check(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/* Make DIR/NAME a link to the program.  Replaces any other file there without
   file_link_check(), which the caller must call before.  Does nothing if
   DIR/NAME is the program's file itself. */
int file_link_make(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/* Make DIR/NAME a copy of the program's file, also on another file system; it
   replaces any other file there.  Does nothing if DIR/NAME is that file or a
   hard link to it.  NAME may contain directories, which are made. */
int file_link_copy(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

#endif
