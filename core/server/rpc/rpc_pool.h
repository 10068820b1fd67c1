/*
 * Memory for the many small, short-lived objects of HTTP/2 calls.  Freed blocks
 * are kept for reuse by size, up to a limit.  The C library, built for small
 * memory, would return and fetch pages for each handful of calls.  For one
 * thread.
 */
#ifndef CORE_SERVER_RPC_RPC_POOL_H
#define CORE_SERVER_RPC_RPC_POOL_H

#include <nghttp2/nghttp2.h>

#include <stddef.h>

enum {
	RPC_POOL_STEP = 64,	       /* sizes are multiples of it */
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
