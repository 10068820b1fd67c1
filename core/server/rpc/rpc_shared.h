/*
 * A reference-counted answer, encoded once for many calls.
 */
#ifndef CORE_SERVER_RPC_RPC_SHARED_H
#define CORE_SERVER_RPC_RPC_SHARED_H

#include <stddef.h>

struct rpc_shared;

/* Copy a message, with one reference; drop a reference (or NULL), the last of
   which frees the answer. */
struct rpc_shared *rpc_shared_new(const void *bytes, size_t size);
void rpc_shared_drop(struct rpc_shared *);

/* Return the bytes for the wire, including gRPC's prefix. */
const unsigned char *rpc_shared_bytes(const struct rpc_shared *, size_t *size);

/* Add a reference for a call, or drop it.  The bytes count once in the server's
   sum *held while any call has them. */
void rpc_shared_take(struct rpc_shared *, size_t *held);
void rpc_shared_give_back(struct rpc_shared *, size_t *held);

#endif
