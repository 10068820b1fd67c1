/*
 * Links to a program's file, which replace older links but nothing else.
 */
#ifndef CORE_BASE_FILES_FILE_LINK_H
#define CORE_BASE_FILES_FILE_LINK_H

#include <stdbool.h>
#include <stddef.h>

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

/*
 * Output files that a user named, as with --save FILE: the place is found, and
 * an unwritable one refused, before the work that fills the file.
 *
 * A symbolic link is followed and its target replaced: the link stays.  A link
 * of another user in a directory that all may write, such as /tmp, is refused,
 * because it would make root write where that user wants.
 */

enum output_kind {
	/* Read again later, such as a check-point: regular files only. */
	OUTPUT_KEPT,
	/* For another program: a character device or a FIFO is written to, also
	   /dev/stdout and a shell's >(command). */
	OUTPUT_STREAM
};

/*
 * Refuse early what output_file_write() would refuse: a directory, a socket, a
 * block device, for OUTPUT_KEPT any device or FIFO, an unwritable directory, a
 * link to itself.  Leaves no file.  The error does not name the path: the
 * caller adds its option and the path.
 */
int output_file_check(const char *path, enum output_kind, struct error *);

/*
 * Replace a regular file, keeping its mode and if possible its owner, or make
 * it (0600, in a shared directory 0660, see directory_is_shared()).  The file
 * is complete or unchanged.  The new text is written to a locked temporary
 * file, ".NAME.XXXXXX.tmp", beside it; such files of killed writers are
 * removed.  A device is opened and written to; so is a FIFO, once it has a
 * reader.  -1: "cannot write PATH: REASON"; with ERROR_UNCONFIRMED the new file
 * is there.
 */
int output_file_write(const char *path, enum output_kind, const char *text,
    size_t size, struct error *);

#endif
