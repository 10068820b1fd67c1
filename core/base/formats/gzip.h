/*
 * What gzip(1) has compressed.
 */
#ifndef CORE_BASE_FORMATS_GZIP_H
#define CORE_BASE_FORMATS_GZIP_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/*
 * The bytes of one gzip member that is the whole file.  The caller frees them.
 * NULL, with `name` in the reason: damaged or truncated data, a second member
 * or other bytes behind the first, more than `limit` bytes.
 */
uint8_t	*gzip_unpack(const char *name, const uint8_t *file, size_t file_size,
	    size_t limit, size_t *size, struct error *);

#endif
