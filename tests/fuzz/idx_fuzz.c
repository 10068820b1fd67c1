/*
 * An IDX file, perhaps compressed.  What is accepted holds exactly its
 * header's sizes, inside the bytes that were unpacked; what is refused has a
 * reason.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ipu/nn/nn.h"
#include "tests/fuzz/fuzz.h"

enum { LIMIT = 1 << 20 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct idx idx;
	struct error e = { .text = "" };
	uint8_t *bytes;
	size_t unpacked, count = 1;
	int i;

	if (size == 0)
		return 0;
	/* The first byte chooses how many dimensions are wanted. */
	bytes = idx_unpack("f", data + 1, size - 1, LIMIT, &unpacked, &e);
	if (bytes == NULL) {
		require(e.text[0] != '\0');
		return 0;
	}
	require(unpacked <= LIMIT);
	if (idx_parse(&idx, "f", bytes, unpacked,
		data[0] % IDX_DIMENSIONS_MAX + 1, &e) == -1) {
		require(e.text[0] != '\0');
		free(bytes);
		return 0;
	}
	for (i = 0; i < idx.dimensions; i++)
		count *= idx.sizes[i];
	require(idx.count == count);
	require(idx.bytes + count == bytes + unpacked);
	free(bytes);
	return 0;
}
