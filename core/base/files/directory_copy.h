/*
 * Copying files and directories with all that is below them.
 */
#ifndef CORE_BASE_FILES_DIRECTORY_COPY_H
#define CORE_BASE_FILES_DIRECTORY_COPY_H

#include "core/base/error.h"

/*
 * Copy `name` in the open directory to `to_name` in the other one: a regular
 * file in place of one that is there, a directory into one that is there, a
 * symbolic link as the link it is.  Modes come along, owners do not; anything
 * else, as a socket, is passed over.  -1: what could not be read or written,
 * with its name; what was copied before it stays.
 */
int	directory_copy(int from, const char *name, int to,
	    const char *to_name, struct error *);

#endif
