/*
 * The bytes of a call's answers that wait to be sent: private ones, or a shared
 * answer.
 */
#ifndef CORE_SERVER_RPC_RPC_ANSWER_H
#define CORE_SERVER_RPC_RPC_ANSWER_H

#include <stdint.h>

#include "core/server/rpc/rpc_shared.h"

/* All 0: empty. */
struct rpc_answer {
	unsigned char *bytes;
	size_t begin, end, room;
	struct rpc_shared *shared; /* NULL: `bytes` are used */
};

/* Append a copy of a message, and put gRPC's prefix before it.  Call it only
   without a shared answer. */
void rpc_answer_put(struct rpc_answer *, const void *bytes, size_t size);
/* Set a shared answer, and add a reference to it, which counts its bytes in
   *held (rpc_shared_take()); the caller keeps its own reference.  The answer
   must be empty: waiting bytes would be lost. */
void rpc_answer_share(struct rpc_answer *, struct rpc_shared *, size_t *held);

/* Move at most `room` waiting bytes to `to`, and return their number. */
size_t rpc_answer_take(struct rpc_answer *, uint8_t *to, size_t room);
/* Return how many bytes wait. */
size_t rpc_answer_waiting(const struct rpc_answer *);

/* Discard the waiting bytes, and drop the reference to a shared answer. */
void rpc_answer_release(struct rpc_answer *, size_t *held);

#endif
