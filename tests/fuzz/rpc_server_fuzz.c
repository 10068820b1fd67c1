/*
 * What a peer sends to a server of gRPC.  Each step is a byte, and bytes that
 * it takes: raw bytes, a frame, the headers of a call, a late answer, a look at
 * what came back.  Whatever comes, nothing is touched that is not there, and
 * when the peer is gone nothing of it is left.
 */
#include <sys/socket.h>

#include <string.h>
#include <unistd.h>

#include "core/server/rpc/rpc.h"
#include "tests/fuzz/fuzz.h"

enum { KEPT = 8, OWN = 3, METHODS = OWN + RPC_HEALTH_METHODS, END_HEADERS = 4 };

/* Calls that wait for an answer. */
static struct rpc_call *kept[KEPT];

static void
keep(struct rpc_call *call, const void *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < KEPT; i++)
		if (kept[i] == NULL) {
			kept[i] = call;
			return;
		}
	rpc_call_reply(call, bytes, size);
}

static void
forget(struct rpc_call *call, enum rpc_end why)
{
	size_t i;

	(void)why;
	for (i = 0; i < KEPT; i++)
		if (kept[i] == call)
			kept[i] = NULL;
}

static void
echo(struct rpc_call *call, const void *bytes, size_t size)
{
	rpc_call_reply(call, bytes, size);
}

static void
stream(struct rpc_call *call, const void *bytes, size_t size)
{
	if (size == 3)
		rpc_call_finish(call, RPC_ABORTED, rpc_call_path(call));
	else
		rpc_call_send(call, bytes, size);
}

static struct rpc_method methods[METHODS] = {
	{ .path = "/a/Echo", .take = echo },
	{ .path = "/a/Keep", .take = keep, .end = forget },
	{ .path = "/a/Stream",
	    .is_stream = true,
	    .take = stream,
	    .end = forget },
};

/* The input, from the front. */
struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t
next(struct input *in)
{
	if (in->left == 0)
		return 0;
	in->left--;
	return *in->at++;
}

static const uint8_t *
take(struct input *in, size_t *size)
{
	const uint8_t *at = in->at;

	*size = next(in);
	at = in->at;
	if (*size > in->left)
		*size = in->left;
	in->at += *size;
	in->left -= *size;
	return at;
}

static void
put(int fd, const void *bytes, size_t size)
{
	(void)!send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void
frame(int fd, uint8_t type, uint8_t flags, uint8_t number, const void *bytes,
    size_t size)
{
	const uint8_t head[9] = { 0, (uint8_t)(size >> 8), (uint8_t)size, type,
		flags, 0, 0, 0, number };

	put(fd, head, sizeof(head));
	put(fd, bytes, size);
}

/* Headers of a call of one of the methods, and more that the input says. */
static void
call(int fd, struct input *in)
{
	const uint8_t how = next(in), flags = next(in);
	const char *path = methods[how % METHODS].path;
	const size_t length = strlen(path);
	uint8_t block[512];
	size_t n = 0, size;
	const uint8_t *rest;

	memcpy(block, "\x83\x86\x01\x01x\x04", 6);
	n = 6;
	block[n++] = (uint8_t)length;
	memcpy(block + n, path, length);
	n += length;
	memcpy(block + n,
	    "\x0f\x10\x10"
	    "application/grpc",
	    19);
	n += 19;
	rest = take(in, &size);
	memcpy(block + n, rest, size);
	frame(fd, 1, (flags & 1) | END_HEADERS, (uint8_t)(how | 1), block,
	    n + size);
}

static void
answer(struct input *in)
{
	static const char bytes[256 * 64];
	const uint8_t how = next(in);
	struct rpc_call *c = kept[how % KEPT];

	if (c == NULL)
		return;
	kept[how % KEPT] = NULL;
	if (how >= 128)
		rpc_call_finish(c, (enum rpc_status)(how % 17), "a\n%");
	else
		rpc_call_reply(c, bytes, how * (size_t)64);
}

static void
step(struct rpc_server *s, int fd, struct input *in)
{
	static char bytes[65536];
	const uint8_t what = next(in), type = next(in);
	const uint8_t *data;
	size_t size;

	switch (what % 8) {
	case 0:
		data = take(in, &size);
		put(fd, data, size);
		break;
	case 1:
	case 2:
	case 3:
		data = take(in, &size);
		frame(fd, what % 8 == 1 ? type % 12 : 0, what / 8, type | 1,
		    data, size);
		break;
	case 4:
	case 5:
		call(fd, in);
		break;
	case 6:
		answer(in);
		break;
	default:
		(void)!recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		break;
	}
	(void)rpc_server_turn(s, 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const services[] = { "a", NULL };
	static const char preface[] =
	    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
	const struct rpc_server_options options = { .methods = methods,
		.method_count = METHODS };
	struct rpc_health *health = rpc_health_new(services);
	struct rpc_server *s;
	struct input in = { .at = data, .left = size };
	int fds[2];

	rpc_health_methods(health, &methods[OWN]);
	s = rpc_server_new(&options, NULL);
	require(s != NULL &&
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
	    rpc_server_adopt(s, fds[0], NULL) == 0);
	if (next(&in) % 8 != 0)
		put(fds[1], preface, sizeof(preface) - 1);
	while (in.left > 0)
		step(s, fds[1], &in);
	if (size % 2 == 0)
		rpc_server_stop(s);
	(void)close(fds[1]);
	while (rpc_server_connections(s) > 0)
		(void)rpc_server_turn(s, 0);
	require(rpc_server_held(s) == 0);
	rpc_server_free(s);
	rpc_health_free(health);
	return 0;
}
