/*
 * gRPC framing: from bytes to messages.
 */
#include "core/server/rpc/rpc_frame.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { FIRST_BYTES = 256, KEPT_BYTES = 16 * 1024 };

void
rpc_frame_init(struct rpc_frame *f, size_t max)
{
	*f = (struct rpc_frame){ .max = max };
}

void
rpc_frame_release(struct rpc_frame *f)
{
	free(f->bytes);
	f->bytes = NULL;
	f->room = f->size = f->got = f->prefix_size = 0;
}

/* Interpret the complete prefix. */
static int
rpc_frame_begin(struct rpc_frame *f, struct error *e)
{
	const unsigned char *p = f->prefix;

	f->size = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 |
	    p[4];
	f->got = 0;
	if (p[0] == 1)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "the message is compressed; send it with grpc-encoding "
		    "identity");
	if (p[0] != 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "the prefix of a message begins with %d, not with 0", p[0]);
	if (f->size > f->max)
		return error_set_code(e, ERROR_NO_ROOM,
		    "the message has %zu bytes; the limit is %zu", f->size,
		    f->max);
	return 0;
}

/* Make room for more bytes, at least doubling it. */
static void
rpc_frame_grow(struct rpc_frame *f, size_t more)
{
	size_t room = f->room == 0 ? FIRST_BYTES : f->room;

	while (room < f->got + more)
		room *= 2;
	if (room > f->size)
		room = f->size;
	if (room > f->room) {
		f->bytes = xreallocarray(f->bytes, room, 1);
		f->room = room;
	}
}

/* Discard the previous message, and a large buffer. */
static void
rpc_frame_restart(struct rpc_frame *f)
{
	if (f->prefix_size < RPC_FRAME_PREFIX || f->got < f->size)
		return;
	if (f->room > KEPT_BYTES)
		rpc_frame_release(f);
	f->prefix_size = 0;
}

int
rpc_frame_take(struct rpc_frame *f, const void *bytes, size_t size,
    size_t *used, struct error *e)
{
	const unsigned char *at = bytes;
	size_t n;

	*used = 0;
	if (size == 0)
		return 0;
	rpc_frame_restart(f);
	if (f->prefix_size < RPC_FRAME_PREFIX) {
		n = RPC_FRAME_PREFIX - f->prefix_size;
		if (n > size)
			n = size;
		memcpy(f->prefix + f->prefix_size, at, n);
		f->prefix_size += n;
		*used = n;
		if (f->prefix_size < RPC_FRAME_PREFIX)
			return 0;
		if (rpc_frame_begin(f, e) != 0)
			return -1;
	}
	n = f->size - f->got;
	if (n > size - *used)
		n = size - *used;
	if (n > 0) {
		rpc_frame_grow(f, n);
		memcpy(f->bytes + f->got, at + *used, n);
	}
	f->got += n;
	*used += n;
	return f->got == f->size;
}

bool
rpc_frame_is_partial(const struct rpc_frame *f)
{
	return f->prefix_size > 0 &&
	    (f->prefix_size < RPC_FRAME_PREFIX || f->got < f->size);
}

void
rpc_frame_put(unsigned char prefix[RPC_FRAME_PREFIX], size_t size)
{
	const uint32_t n = (uint32_t)size;

	prefix[0] = 0;
	prefix[1] = (unsigned char)(n >> 24);
	prefix[2] = (unsigned char)(n >> 16);
	prefix[3] = (unsigned char)(n >> 8);
	prefix[4] = (unsigned char)n;
}

nghttp2_nv
rpc_frame_header(const char *name, const char *value)
{
	union {
		const char *text;
		uint8_t *bytes;
	} n = { .text = name }, v = { .text = value };

	return (nghttp2_nv){ .name = n.bytes,
		.namelen = strlen(name),
		.value = v.bytes,
		.valuelen = strlen(value) };
}
