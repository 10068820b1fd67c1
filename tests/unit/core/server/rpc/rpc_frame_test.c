/* Messages in the bytes of a stream, however these are cut. */
#include "core/server/rpc/rpc_frame.h"

#include <stdio.h>

#include "tests/unit/tap.h"

/* Three messages: "ab", "" and "c". */
static const unsigned char three[] = { 0, 0, 0, 0, 2, 'a', 'b', 0, 0, 0, 0, 0,
	0, 0, 0, 0, 1, 'c' };

/* In pieces of so many bytes: the messages, each with a "/" behind it. */
static const char *
cut(size_t piece)
{
	static char got[64];
	struct rpc_frame f;
	size_t at = 0, used, n, length = 0;
	int whole;

	rpc_frame_init(&f, 10);
	while (at < sizeof(three)) {
		n = sizeof(three) - at < piece ? sizeof(three) - at : piece;
		whole = rpc_frame_take(&f, three + at, n, &used, NULL);
		at += used;
		if (whole == -1)
			break;
		if (whole == 1)
			length += (size_t)snprintf(got + length,
			    sizeof(got) - length, "%.*s/", (int)f.size,
			    (const char *)f.bytes);
	}
	ok(!rpc_frame_is_partial(&f), "nothing is left");
	rpc_frame_release(&f);
	return got;
}

/* What one prefix brings, with `max` 10: the code, or ERROR_NONE. */
static enum error_code
refused(int flag, unsigned size)
{
	const unsigned char prefix[] = { (unsigned char)flag,
		(unsigned char)(size >> 24), (unsigned char)(size >> 16),
		(unsigned char)(size >> 8), (unsigned char)size };
	struct rpc_frame f;
	struct error e = { .code = ERROR_NONE };
	size_t used;

	rpc_frame_init(&f, 10);
	(void)rpc_frame_take(&f, prefix, sizeof(prefix), &used, &e);
	is_int((long long)f.room, 0, "a prefix takes no memory");
	rpc_frame_release(&f);
	return e.code;
}

static void
test_pieces(void)
{
	size_t piece;

	for (piece = 1; piece <= sizeof(three); piece++)
		is_str(cut(piece), "ab//c/", "three messages in pieces");
}

static void
test_growth(void)
{
	static unsigned char big[40000];
	struct rpc_frame f;
	struct error e;
	size_t used;

	rpc_frame_init(&f, sizeof(big));
	rpc_frame_put(big, sizeof(big) - RPC_FRAME_PREFIX);
	is_int(rpc_frame_take(&f, big, 1000, &used, &e), 0, "a part of it");
	ok(rpc_frame_is_partial(&f), "it is not whole");
	ok(f.room <= 2000, "memory grows with what has come");
	is_int(rpc_frame_take(&f, big + 1000, sizeof(big) - 1000, &used, &e), 1,
	    "the rest of it");
	is_int((long long)used, sizeof(big) - 1000, "all of it was taken");
	is_int((long long)f.size, sizeof(big) - RPC_FRAME_PREFIX, "its size");
	is_int(rpc_frame_take(&f, three, sizeof(three), &used, &e), 1,
	    "another one");
	ok(f.room < 1000, "large memory comes back");
	rpc_frame_release(&f);
}

int
main(void)
{
	test_pieces();
	is_int(refused(0, 10), ERROR_NONE, "the longest message");
	is_int(refused(0, 11), ERROR_NO_ROOM, "one that is longer");
	is_int(refused(0, 0xffffffff), ERROR_NO_ROOM, "the longest prefix");
	is_int(refused(1, 1), ERROR_UNSUPPORTED, "a compressed one");
	is_int(refused(2, 1), ERROR_DAMAGED, "an unknown flag");
	test_growth();
	return tap_done();
}
