/*
 * All that comes from a descriptor: a file, a pipe, a socket.
 */
#ifndef CORE_BASE_FILES_STREAM_H
#define CORE_BASE_FILES_STREAM_H

#include <stddef.h>

#include "core/base/error.h"

/*
 * What is left of it up to its end, as a NUL-terminated text of *size bytes,
 * NUL bytes kept, which the caller frees.  NULL: it cannot be read, or there
 * are more than `limit` bytes (ERROR_INVALID); the error calls it `name`.  The
 * descriptor stays open.
 */
char	*stream_read(int fd, const char *name, size_t limit, size_t *size,
	    struct error *);

#endif
