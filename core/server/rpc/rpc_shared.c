/*
 * A reference-counted answer.  Calls are counted apart from other holders,
 * because only bytes that a call holds count in the server's sum.
 */
#include "core/server/rpc/rpc_answer.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc_frame.h"

struct rpc_shared {
	size_t holders; /* freed at 0 */
	size_t calls;	/* how many of the holders are calls */
	size_t size;
	unsigned char bytes[];
};

struct rpc_shared *
rpc_shared_new(const void *bytes, size_t size)
{
	struct rpc_shared *s = xmalloc(sizeof(*s) + RPC_FRAME_PREFIX + size);

	s->holders = 1;
	s->calls = 0;
	s->size = RPC_FRAME_PREFIX + size;
	rpc_frame_put(s->bytes, size);
	if (size > 0)
		memcpy(s->bytes + RPC_FRAME_PREFIX, bytes, size);
	return s;
}

void
rpc_shared_drop(struct rpc_shared *s)
{
	if (s != NULL && --s->holders == 0)
		free(s);
}

const unsigned char *
rpc_shared_bytes(const struct rpc_shared *s, size_t *size)
{
	*size = s->size;
	return s->bytes;
}

void
rpc_shared_take(struct rpc_shared *s, size_t *held)
{
	s->holders++;
	if (s->calls++ == 0)
		*held += s->size;
}

void
rpc_shared_give_back(struct rpc_shared *s, size_t *held)
{
	if (--s->calls == 0)
		*held -= s->size;
	rpc_shared_drop(s);
}
