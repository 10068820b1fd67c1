/*
 * Memory for the many small and short-lived pieces of HTTP/2 calls.  A block
 * that is given back is kept for the next one of its size, up to a limit; the C
 * library, which is written for small memory, would give pages back to the
 * system and fetch them again for each handful of calls.  One thread.
 */
#ifndef CORE_SERVER_RPC_RPC_POOL_H
#define CORE_SERVER_RPC_RPC_POOL_H

#include <nghttp2/nghttp2.h>

#include <stddef.h>

enum {
	RPC_POOL_STEP = 64,	       /* sizes are multiples of it */
	RPC_POOL_CLASSES = 32,	       /* larger ones are not kept */
	RPC_POOL_KEPT_MAX = 512 * 1024 /* bytes that wait */
};

struct rpc_pool_block;

struct rpc_pool {
	struct rpc_pool_block *kept[RPC_POOL_CLASSES];
	size_t kept_bytes;
	nghttp2_mem mem; /* for sessions; as long as the pool */
};

/* Nothing is kept yet. */
void rpc_pool_init(struct rpc_pool *);
/* Every block was given back. */
void rpc_pool_release(struct rpc_pool *);

#endif
