/*
 * Lists of kept blocks, by size.
 */
#include "core/server/rpc/rpc_frame.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RPC_POOL_STEP = 64 }; /* sizes are multiples of it */

/* Precedes each block. */
struct rpc_pool_block {
	alignas(max_align_t) size_t class;
	struct rpc_pool_block *next; /* among kept blocks */
};

static size_t
pool_bytes(size_t class)
{
	return sizeof(struct rpc_pool_block) + (class + 1) * RPC_POOL_STEP;
}

static void *
pool_malloc(size_t size, void *context)
{
	struct rpc_pool *p = context;
	size_t class = size == 0 ? 0 : (size - 1) / RPC_POOL_STEP;
	struct rpc_pool_block *b;

	if (size > SIZE_MAX / 2)
		return NULL;
	if (class < RPC_POOL_CLASSES && (b = p->kept[class]) != NULL) {
		p->kept[class] = b->next;
		p->kept_bytes -= pool_bytes(class);
		return b + 1;
	}
	if ((b = malloc(pool_bytes(class))) == NULL)
		return NULL;
	b->class = class;
	return b + 1;
}

static void
pool_free(void *memory, void *context)
{
	struct rpc_pool *p = context;
	struct rpc_pool_block *b = memory;

	if (b == NULL)
		return;
	b--;
	if (b->class >= RPC_POOL_CLASSES ||
	    p->kept_bytes + pool_bytes(b->class) > RPC_POOL_KEPT_MAX) {
		free(b);
		return;
	}
	b->next = p->kept[b->class];
	p->kept[b->class] = b;
	p->kept_bytes += pool_bytes(b->class);
}

static void *
pool_calloc(size_t count, size_t size, void *context)
{
	void *memory;

	if (size != 0 && count > SIZE_MAX / 2 / size)
		return NULL;
	memory = pool_malloc(count * size, context);
	return memory == NULL ? NULL : memset(memory, 0, count * size);
}

/* A block stays in place if the new size fits. */
static void *
pool_realloc(void *memory, size_t size, void *context)
{
	const struct rpc_pool_block *b = memory;
	size_t room;
	void *more;

	if (b == NULL)
		return pool_malloc(size, context);
	room = ((b - 1)->class + 1) * RPC_POOL_STEP;
	if (size <= room)
		return memory;
	if ((more = pool_malloc(size, context)) == NULL)
		return NULL;
	memcpy(more, memory, room);
	pool_free(memory, context);
	return more;
}

void
rpc_pool_init(struct rpc_pool *p)
{
	memset(p, 0, sizeof(*p));
	p->mem = (nghttp2_mem){ p, pool_malloc, pool_free, pool_calloc,
		pool_realloc };
}

void
rpc_pool_release(struct rpc_pool *p)
{
	struct rpc_pool_block *b;
	size_t class;

	for (class = 0; class < RPC_POOL_CLASSES; class ++)
		while ((b = p->kept[class]) != NULL) {
			p->kept[class] = b->next;
			free(b);
		}
	p->kept_bytes = 0;
}
