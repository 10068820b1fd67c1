/*
 * Files that a user named, as with --save FILE: where to write is found, and
 * what cannot be written is refused, before the work that fills the file.
 *
 * A symbolic link is followed, and its target is replaced: the link stays.  One
 * that another user put into a directory that everybody may write, as /tmp, is
 * refused: root would write where that user wants.
 */
#ifndef CORE_BASE_FILES_OUTPUT_FILE_H
#define CORE_BASE_FILES_OUTPUT_FILE_H

#include <stddef.h>

#include "core/base/error.h"

enum output_kind {
	/* Read again later, as a check-point: a regular file only. */
	OUTPUT_KEPT,
	/* For another program: a character device or a FIFO is written into,
	   also /dev/stdout and what a shell's >(command) gives. */
	OUTPUT_STREAM
};

/*
 * Refuse now what output_file_write() would refuse later: a directory, a
 * socket, a block device, with OUTPUT_KEPT any device and FIFO, a directory
 * that cannot be written, a link to itself.  Nothing stays behind.  The text
 * does not name the path: the caller puts its option and the path before it.
 */
int output_file_check(const char *path, enum output_kind, struct error *);

/*
 * Put `size` bytes in place of a regular file, which keeps its mode, or make it
 * (0600, in a shared directory 0660, see file_is_shared()): it is complete or
 * as it was.  The new text has a temporary name, ".NAME.XXXXXX.tmp" beside the
 * file, and is locked while it has that; those of the same name that a killed
 * writer left are removed.  -1: "cannot write PATH: REASON".
 */
int output_file_write(const char *path, enum output_kind, const char *text,
    size_t size, struct error *);

#endif
