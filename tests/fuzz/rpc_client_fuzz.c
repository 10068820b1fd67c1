/*
 * What a server sends to our client: raw bytes behind its SETTINGS and a call,
 * or in place of them, and then the end.  Whatever it is, the client comes back
 * with an answer or a reason.
 */
#include <sys/socket.h>

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "core/server/rpc/rpc.h"
#include "tests/fuzz/fuzz.h"

enum { INPUT_MAX = 64 * 1024, MESSAGE_MAX = 4096 };

/* A call, which the input answers. */
static void
call(struct rpc_client *c, int server, const uint8_t *data, size_t size)
{
	struct error e = { .code = ERROR_NONE };
	struct rpc_stream *s = rpc_stream_begin(c, "/a/Stream", NULL, 1000, &e);
	const unsigned char *bytes;
	size_t got;

	require(s != NULL);
	rpc_stream_send(s, "x", 1);
	require(write(server, data, size) == (ssize_t)size &&
	    shutdown(server, SHUT_WR) == 0);
	while (rpc_stream_receive(s, -1, &bytes, &got, &e) == RPC_MESSAGE)
		require(got <= MESSAGE_MAX);
	rpc_stream_drop(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Its SETTINGS: else the client goes away at once. */
	static const char settings[] = "\0\0\0\4\0\0\0\0\0";
	const struct rpc_client_options o = { .host = "fuzz",
		.port = "1",
		.connect_ms = 1000,
		.message_bytes = MESSAGE_MAX };
	const bool greets = size > 0 && data[0] % 8 != 0;
	struct rpc_client *c;
	struct error e = { .code = ERROR_NONE };
	int fds[2];

	if (size == 0 || size > INPUT_MAX)
		return 0;
	require(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	if (greets)
		require(write(fds[1], settings, sizeof(settings) - 1) ==
		    sizeof(settings) - 1);
	else
		require(write(fds[1], data + 1, size - 1) ==
			(ssize_t)size - 1 &&
		    shutdown(fds[1], SHUT_WR) == 0);
	c = rpc_client_adopt(fds[0], &o, &e);
	require(c != NULL || (!greets && e.code == ERROR_TIMED_OUT));
	if (greets)
		call(c, fds[1], data + 1, size - 1);
	rpc_client_close(c);
	(void)close(fds[1]);
	return 0;
}
