/*
 * IDX, the format of the MNIST files: a magic number 00 00 08 N (unsigned
 * bytes, N dimensions), N sizes of 32 bits, most significant byte first, then
 * the bytes.  A file may be compressed with gzip.
 *
 * Source: LeCun, Cortes, Burges: The MNIST database.
 */
#ifndef IPU_NN_IDX_H
#define IPU_NN_IDX_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { IDX_DIMENSIONS_MAX = 4 };

struct idx {
	int		 dimensions;
	uint32_t	 sizes[IDX_DIMENSIONS_MAX];
	const uint8_t	*bytes;			/* the product of the sizes */
	size_t		 count;
};

/*
 * Read the bytes of a file that is not compressed; `bytes` then points into
 * them.  Refused, with `name` in the reason: another magic or number of
 * dimensions, too short, bytes behind the end.
 */
int	idx_parse(struct idx *, const char *name, const uint8_t *file,
	    size_t size, int dimensions, struct error *);

/*
 * The file's bytes, decompressed if they begin as gzip does.  The caller
 * frees them.  Refused: damaged or truncated data, a second member or other
 * bytes behind the first, more than `limit` bytes.
 */
uint8_t	*idx_unpack(const char *name, const uint8_t *file, size_t file_size,
	    size_t limit, size_t *size, struct error *);

#endif
