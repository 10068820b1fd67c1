/*
 * The framing of gRPC: the first byte says how the rest is cut into pieces;
 * however that is, the same messages come out.
 */
#include <string.h>

#include "core/server/rpc/rpc_frame.h"
#include "tests/fuzz/fuzz.h"

enum { MOST = 300 };

/* A sum of the messages, and how it ended. */
static unsigned
sum(const uint8_t *data, size_t size, size_t piece)
{
	struct rpc_frame f;
	unsigned result = 1;
	size_t at = 0, used, n, i;
	int whole = 0;

	rpc_frame_init(&f, MOST);
	while (at < size && whole != -1) {
		n = size - at < piece ? size - at : piece;
		whole = rpc_frame_take(&f, data + at, n, &used, NULL);
		require(used <= n && (used == n || whole != 0));
		require(f.room <= MOST);
		at += used;
		if (whole != 1)
			continue;
		require(!rpc_frame_is_partial(&f) && f.size <= MOST);
		result = result * 31 + (unsigned)f.size;
		for (i = 0; i < f.size; i++)
			result = result * 31 + f.bytes[i];
	}
	result = result * 31 + (whole == -1);
	rpc_frame_release(&f);
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	require(sum(data + 1, size - 1, (size_t)data[0] + 1) ==
	    sum(data + 1, size - 1, size));
	return 0;
}
