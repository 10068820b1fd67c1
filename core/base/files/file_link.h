/*
 * Links to a program's file, put in place of older ones and of nothing else.
 */
#ifndef CORE_BASE_FILES_FILE_LINK_H
#define CORE_BASE_FILES_FILE_LINK_H

#include <stdbool.h>

#include "core/base/error.h"

/* Whose the links are. */
struct file_link_target {
	const char *file; /* canonical path of the program */
	const char *mark; /* a text that each version of the program, and no
			     other, holds */
	bool symbolic;	  /* else hard links */
};

/*
 * Whether the path leads to the program: to its file, or to a copy or another
 * version of it.
 */
bool file_link_is_ours(const struct file_link_target *, const char *path);

/*
 * 0 where a link may stand at DIR/NAME: there is nothing, or what leads to the
 * program.  A symbolic link to nowhere counts where it names a file of the
 * program's name.
 */
int file_link_check(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/*
 * Make DIR/NAME a link to the program, in place of any other file.  The
 * program's own file stays as it is.
 */
int file_link_make(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

/*
 * Make DIR/NAME a copy of the program's file, on whatever file system that is,
 * unless it is the file itself.  NAME may hold directories, which are made.
 */
int file_link_copy(const struct file_link_target *, const char *dir,
    const char *name, struct error *);

#endif
