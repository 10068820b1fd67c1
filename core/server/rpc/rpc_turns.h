/*
 * Whose request is served next, where not all can be at once.  There is one
 * thread, and a request may take milliseconds: a peer with many of them would
 * keep all others waiting.
 *
 * In a turn of the server requests are served as they come for TURN_NS; then
 * they wait, and so do all of a peer that took more than its share lately.
 * Those who wait are served in the next turns, one request each, peers first
 * that took little.  For rpc_call.c, rpc_connection.c and rpc_server.c alone.
 */
#ifndef CORE_SERVER_RPC_RPC_TURNS_H
#define CORE_SERVER_RPC_RPC_TURNS_H

#include <stdbool.h>

#include "core/server/rpc/rpc_internal.h"

/* Nobody waits. */
void rpc_turns_init(struct rpc_host *);

/* The time for requests begins with the next one. */
void rpc_turns_begin(struct rpc_host *);

/* Whether a request that has come now is served at once; else it waits. */
bool rpc_turns_is_due(struct rpc_connection *);
void rpc_turns_wait(struct rpc_call *);

/* One is served, and was: what that took counts as its peer's. */
void rpc_turns_take(struct rpc_host *);
void rpc_turns_spend(struct rpc_connection *);

/* The one to be served now, which waits no longer.  NULL: none in this turn. */
struct rpc_call *rpc_turns_next(struct rpc_host *);
bool rpc_turns_is_empty(const struct rpc_host *);

/* The call waits no longer, whether it did or not. */
void rpc_turns_forget(struct rpc_call *);

#endif
