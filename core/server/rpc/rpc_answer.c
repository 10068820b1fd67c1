/*
 * The bytes of a call's answers that wait to be sent.
 */
#include "core/server/rpc/rpc_answer.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc_frame.h"

enum { ANSWER_ROOM = 256 };

void
rpc_answer_put(struct rpc_answer *a, const void *bytes, size_t size)
{
	const size_t more = RPC_FRAME_PREFIX + size;
	size_t room = a->room;

	if (a->begin > 0) {
		memmove(a->bytes, a->bytes + a->begin, a->end - a->begin);
		a->end -= a->begin;
		a->begin = 0;
	}
	if (room < a->end + more) {
		/* Most calls have only one answer, so allocate no more for a
		   large one. */
		room = a->end == 0 && more > ANSWER_ROOM ? more :
		    room == 0				 ? ANSWER_ROOM :
							   room;
		while (room < a->end + more)
			room *= 2;
		a->bytes = xreallocarray(a->bytes, room, 1);
		a->room = room;
	}
	rpc_frame_put(a->bytes + a->end, size);
	if (size > 0)
		memcpy(a->bytes + a->end + RPC_FRAME_PREFIX, bytes, size);
	a->end += more;
}

void
rpc_answer_share(struct rpc_answer *a, struct rpc_shared *s, size_t *held)
{
	(void)rpc_shared_bytes(s, &a->end);
	a->begin = 0;
	a->shared = s;
	rpc_shared_take(s, held);
}

size_t
rpc_answer_take(struct rpc_answer *a, uint8_t *to, size_t room)
{
	const unsigned char *bytes = a->bytes;
	size_t n = rpc_answer_waiting(a), size;

	if (n > room)
		n = room;
	if (a->shared != NULL)
		bytes = rpc_shared_bytes(a->shared, &size);
	if (n > 0)
		memcpy(to, bytes + a->begin, n);
	a->begin += n;
	return n;
}

size_t
rpc_answer_waiting(const struct rpc_answer *a)
{
	return a->end - a->begin;
}

void
rpc_answer_release(struct rpc_answer *a, size_t *held)
{
	if (a->shared != NULL)
		rpc_shared_give_back(a->shared, held);
	free(a->bytes);
	*a = (struct rpc_answer){ .bytes = NULL };
}
