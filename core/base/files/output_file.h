/*
 * Output files that a user named, as with --save FILE: the place is found, and
 * an unwritable one refused, before the work that fills the file.
 *
 * A symbolic link is followed and its target replaced: the link stays.  A link
 * of another user in a directory that all may write, such as /tmp, is refused,
 * because it would make root write where that user wants.
 */
#ifndef CORE_BASE_FILES_OUTPUT_FILE_H
#define CORE_BASE_FILES_OUTPUT_FILE_H

#include <stddef.h>

#include "core/base/error.h"

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
 * removed.  A device or FIFO is opened and written to.  -1: "cannot write PATH:
 * REASON"; with ERROR_UNCONFIRMED the new file is there.
 */
int output_file_write(const char *path, enum output_kind, const char *text,
    size_t size, struct error *);

#endif
