/*
 * The waiting bytes of a call's answers: private ones, or a shared answer.
 */
#ifndef CORE_SERVER_RPC_RPC_ANSWER_H
#define CORE_SERVER_RPC_RPC_ANSWER_H

#include <stddef.h>
#include <stdint.h>

/*
 * A reference-counted answer, encoded once for many calls.
 */

struct rpc_shared;

/* _new: copy a message into an answer with one reference, the caller's.  _drop:
   drop a reference; the last one frees the answer.  NULL is fine. */
struct rpc_shared *rpc_shared_new(const void *bytes, size_t size);
void rpc_shared_drop(struct rpc_shared *);

/* Return the bytes for the wire, including gRPC's prefix. */
const unsigned char *rpc_shared_bytes(const struct rpc_shared *, size_t *size);

/* _take: add a reference for a call; the caller keeps its own.  _give_back:
   drop a call's reference.  *held, the sum of a server, includes the answer's
   bytes once while at least one call has a reference. */
void rpc_shared_take(struct rpc_shared *, size_t *held);
void rpc_shared_give_back(struct rpc_shared *, size_t *held);

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
