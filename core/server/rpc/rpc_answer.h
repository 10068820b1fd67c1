/*
 * The bytes of a call's answers that wait to be sent: its own, or an answer
 * that it shares with others.
 */
#ifndef CORE_SERVER_RPC_RPC_ANSWER_H
#define CORE_SERVER_RPC_RPC_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "core/server/rpc/rpc_shared.h"

/* All 0: nothing waits. */
struct rpc_answer {
	unsigned char *bytes;
	size_t begin, end, room;
	struct rpc_shared *shared; /* NULL: they are its own */
};

/* Keep a message with its prefix; or the shared one, where nothing waits, which
   counts in *held. */
void rpc_answer_put(struct rpc_answer *, const void *bytes, size_t size);
void rpc_answer_share(struct rpc_answer *, struct rpc_shared *, size_t *held);

/* Take at most so many bytes of what waits. */
size_t rpc_answer_take(struct rpc_answer *, uint8_t *to, size_t room);
size_t rpc_answer_waiting(const struct rpc_answer *);

/* Nothing of it is sent any more. */
void rpc_answer_release(struct rpc_answer *, size_t *held);

#endif
