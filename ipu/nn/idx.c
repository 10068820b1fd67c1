/*
 * Parses untrusted bytes in the IDX format of the MNIST files: 00 00 08 N
 * (unsigned bytes, N dimensions), N sizes of 32 bits, most significant byte
 * first, then the bytes.  Source: LeCun, Cortes, Burges: The MNIST database.
 */
#include "ipu/nn/nn.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/formats/encoding.h"

enum {
	HEADER_SIZE = 4,   /* plus 4 for each dimension */
	UNSIGNED_BYTES = 8 /* the type in the magic number */
};

/* Read a size, most significant byte first. */
static uint32_t
big_endian(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	    (uint32_t)b[2] << 8 | b[3];
}

/*
 * The header is 00 00 08 N and N sizes; for the images of the MNIST test set:
 *
 *	00 00 08 03 | 00 00 27 10 | 00 00 00 1c | 00 00 00 1c | pixels
 *	              10,000        28            28
 */
int
idx_parse(struct idx *idx, const char *name, const uint8_t *file, size_t size,
    int dimensions, struct error *e)
{
	const size_t header = HEADER_SIZE + 4 * (size_t)dimensions;
	int i;

	assert(dimensions > 0 && dimensions <= IDX_DIMENSIONS_MAX);
	if (size < header)
		return error_set(e,
		    "%s: truncated: it has %zu bytes, but the header alone "
		    "needs %zu",
		    name, size, header);
	if (file[0] != 0 || file[1] != 0 || file[2] != UNSIGNED_BYTES ||
	    file[3] != dimensions)
		return error_set(e,
		    "%s: not an IDX file of unsigned bytes in %d dimension%s: "
		    "its magic number is %08x, but must be %08x",
		    name, dimensions, dimensions == 1 ? "" : "s",
		    big_endian(file),
		    (unsigned)(UNSIGNED_BYTES << 8 | dimensions));
	*idx = (struct idx){ .dimensions = dimensions, .count = 1 };
	for (i = 0; i < dimensions; i++) {
		idx->sizes[i] = big_endian(file + HEADER_SIZE + 4 * i);
		if (idx->sizes[i] == 0)
			return error_set(e, "%s: dimension %d is 0", name, i);
		if (__builtin_mul_overflow(idx->count, idx->sizes[i],
			&idx->count))
			return error_set(e,
			    "%s: its sizes are too large for any memory", name);
	}
	if (size - header < idx->count)
		return error_set(e,
		    "%s: truncated: it has %zu bytes of data, but the header "
		    "says %zu",
		    name, size - header, idx->count);
	if (size - header > idx->count)
		return error_set(e, "%s: %zu bytes follow the end of the data",
		    name, size - header - idx->count);
	idx->bytes = file + header;
	return 0;
}

uint8_t *
idx_unpack(const char *name, const uint8_t *file, size_t file_size,
    size_t limit, size_t *size, struct error *e)
{
	uint8_t *out;

	if (file_size >= 2 && file[0] == 0x1f && file[1] == 0x8b)
		return gzip_unpack(name, file, file_size, limit, size, e);
	if (file_size > limit) {
		(void)error_set(e, "%s: more than %zu bytes", name, limit);
		return NULL;
	}
	out = xmalloc(file_size + 1);
	memcpy(out, file, file_size);
	*size = file_size;
	return out;
}
