/*
 * Messages of gRPC within the bytes of a stream: each has a prefix of five, a
 * flag (1: compressed, which is not taken here) and its length, big endian.
 *
 *	00 00 00 00 02 | 08 01 | 00 00 00 00 00 | ...
 *
 * Bytes come in pieces of any size.  Memory grows with what has come, not with
 * what a prefix promises.
 */
#ifndef CORE_SERVER_RPC_RPC_FRAME_H
#define CORE_SERVER_RPC_RPC_FRAME_H

#include <nghttp2/nghttp2.h>

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { RPC_FRAME_PREFIX = 5 };

struct rpc_frame {
	size_t max; /* bytes of a message */
	unsigned char prefix[RPC_FRAME_PREFIX];
	size_t prefix_size;   /* what has come of it */
	unsigned char *bytes; /* the message */
	size_t size, got, room;
};

/* Nothing has come yet; and give its memory back. */
void rpc_frame_init(struct rpc_frame *, size_t max);
void rpc_frame_release(struct rpc_frame *);

/*
 * Take bytes until a message is whole; *used: how many were taken.  1: it
 * stands in `bytes` and `size` until the next call; 0: all were taken; -1: it
 * is longer than `max` (ERROR_NO_ROOM), compressed (ERROR_UNSUPPORTED), or has
 * a flag that is unknown (ERROR_DAMAGED).
 */
int rpc_frame_take(struct rpc_frame *, const void *bytes, size_t size,
    size_t *used, struct error *);

/* Whether a message has begun and is not whole. */
bool rpc_frame_is_partial(const struct rpc_frame *);

/* Write the prefix of a message of so many bytes. */
void rpc_frame_put(unsigned char prefix[RPC_FRAME_PREFIX], size_t size);

/* A header of HTTP/2 as nghttp2 takes it.  Both texts stay the caller's, and
   are only copied. */
nghttp2_nv rpc_frame_header(const char *name, const char *value);

#endif
