/*
 * gRPC messages in the bytes of a stream: each has a prefix of five bytes, a
 * flag (1: compressed, not supported) and its big-endian length.
 *
 *	00 00 00 00 02 | 08 01 | 00 00 00 00 00 | ...
 *
 * Bytes arrive in pieces of any size.  Memory grows with what has arrived, not
 * with the announced length.
 */
#ifndef CORE_SERVER_RPC_RPC_FRAME_H
#define CORE_SERVER_RPC_RPC_FRAME_H

#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

enum { RPC_FRAME_PREFIX = 5 };

struct rpc_frame {
	size_t max; /* limit of a message's bytes */
	unsigned char prefix[RPC_FRAME_PREFIX];
	size_t prefix_size;   /* received bytes of it */
	unsigned char *bytes; /* the message; may be NULL if it is empty */
	/* Bytes of the message: announced, received and allocated. */
	size_t size, got, room;
};

/* _init: begin without bytes.  _release: free the memory; the frame is then
   empty and may be used again. */
void rpc_frame_init(struct rpc_frame *, size_t max);
void rpc_frame_release(struct rpc_frame *);

/*
 * Take bytes until one message is complete; *used is the number taken, and the
 * caller passes the rest again.  1: the message is in the frame's `bytes` and
 * `size` until the next call; 0: all bytes are taken, and it is incomplete; -1,
 * and the stream must end: longer than `max` (ERROR_NO_ROOM), compressed
 * (ERROR_UNSUPPORTED), or an unknown flag (ERROR_DAMAGED).
 */
int rpc_frame_take(struct rpc_frame *, const void *bytes, size_t size,
    size_t *used, struct error *);

/* Return true if a message has begun but is incomplete. */
bool rpc_frame_is_partial(const struct rpc_frame *);

/* Write the prefix of a message of `size` bytes. */
void rpc_frame_put(unsigned char prefix[RPC_FRAME_PREFIX], size_t size);

/* Return an HTTP/2 header that points to both texts; submitting copies them. */
nghttp2_nv rpc_frame_header(const char *name, const char *value);

/*
 * Memory for the many small, short-lived objects of HTTP/2 calls.  Freed blocks
 * are kept for reuse by size, up to a limit.  The C library, built for small
 * memory, would return and fetch pages for each handful of calls.  For one
 * thread.
 */

enum {
	RPC_POOL_CLASSES = 32,	       /* number of sizes that are kept */
	RPC_POOL_KEPT_MAX = 512 * 1024 /* bytes of kept blocks */
};

struct rpc_pool_block;

struct rpc_pool {
	struct rpc_pool_block *kept[RPC_POOL_CLASSES]; /* a list per size */
	size_t kept_bytes;
	nghttp2_mem mem; /* allocator for sessions, valid as long as the pool */
};

/* Begin without kept blocks; the pool must not move, as `mem` refers to it. */
void rpc_pool_init(struct rpc_pool *);
/* Free the kept blocks; all blocks must have been given back. */
void rpc_pool_release(struct rpc_pool *);

#endif
