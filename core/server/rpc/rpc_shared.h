/*
 * A reference-counted answer, encoded once for many calls.
 */
#ifndef CORE_SERVER_RPC_RPC_SHARED_H
#define CORE_SERVER_RPC_RPC_SHARED_H

#include <stddef.h>

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

#endif
