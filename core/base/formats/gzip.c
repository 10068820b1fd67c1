/*
 * Unpacks untrusted gzip data with zlib.
 */
#include "core/base/formats/encoding.h"

#include <stdlib.h>
#include <zlib.h>

#include "core/base/alloc.h"

enum { GZIP_WINDOW = 15 + 16 }; /* zlib: accept only the gzip format. */

uint8_t *
gzip_unpack(const char *name, const uint8_t *file, size_t file_size,
    size_t limit, size_t *size, struct error *e)
{
	z_stream z = { 0 };
	size_t room = 1 << 20;
	uint8_t *out = xmalloc(room);
	const char *message;
	int status;

	z.next_in = (Bytef *)(uintptr_t)file;
	z.avail_in = (uInt)file_size;
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK) {
		free(out);
		(void)error_set(e, "%s: cannot set up decompression", name);
		return NULL;
	}
	/* Room for one byte more than allowed reveals data that is too long. */
	do {
		if (z.total_out == room) {
			room = room > limit / 2 ? limit + 1 : room * 2;
			out = xreallocarray(out, room, 1);
		}
		z.next_out = out + z.total_out;
		z.avail_out = (uInt)(room - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
	} while (status == Z_OK && z.total_out <= limit &&
	    (z.avail_in > 0 || z.avail_out == 0));
	*size = z.total_out;
	message = z.msg;
	if (status == Z_STREAM_END && z.avail_in == 0 && *size <= limit) {
		(void)inflateEnd(&z);
		return out;
	}
	if (*size > limit)
		(void)error_set(e, "%s: more than %zu bytes", name, limit);
	else if (status == Z_STREAM_END)
		(void)error_set(e,
		    "%s: %u bytes after the end of the compressed data", name,
		    z.avail_in);
	else if (status == Z_OK || status == Z_BUF_ERROR)
		(void)error_set(e,
		    "%s: truncated: the compressed data end early", name);
	else
		(void)error_set(e, "%s: damaged: %s", name,
		    message != NULL ? message : "not gzip data");
	(void)inflateEnd(&z);
	free(out);
	return NULL;
}
