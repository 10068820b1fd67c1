/*
 * An answer that many calls give, encoded once: it is counted, and goes with
 * the last one who has it.
 */
#ifndef CORE_SERVER_RPC_RPC_SHARED_H
#define CORE_SERVER_RPC_RPC_SHARED_H

#include <stddef.h>

struct rpc_shared;

/* A copy of the message, with one holder: the caller, who drops it.  NULL is
   fine there. */
struct rpc_shared *rpc_shared_new(const void *bytes, size_t size);
void rpc_shared_drop(struct rpc_shared *);

/* The bytes on the wire, with the prefix of a message. */
const unsigned char *rpc_shared_bytes(const struct rpc_shared *, size_t *size);

/*
 * A call holds it, and does no longer.  The bytes count as held by a server,
 * whose sum this is, while any call has them.
 */
void rpc_shared_take(struct rpc_shared *, size_t *held);
void rpc_shared_give_back(struct rpc_shared *, size_t *held);

#endif
