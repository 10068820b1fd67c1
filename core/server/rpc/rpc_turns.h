/*
 * Fair order of requests.  In one thread, where a request may take
 * milliseconds, a peer with many of them would delay all others.
 *
 * In each turn of the server, requests are served on arrival for 2 ms.  Later
 * ones wait, and so do all of a peer that recently took more than its share.
 * The next turns serve one waiting request per peer: first of light peers at
 * light addresses (or uids), then of light peers at other addresses, then of
 * the rest.  For rpc_call.c, rpc_connection.c and rpc_server.c only.
 */
#ifndef CORE_SERVER_RPC_RPC_TURNS_H
#define CORE_SERVER_RPC_RPC_TURNS_H

#include "core/server/rpc/rpc_internal.h"

/* Begin with empty queues. */
void rpc_turns_init(struct rpc_host *);

/* Begin a turn; its time starts with the next request. */
void rpc_turns_begin(struct rpc_host *);

/* _is_due: return true if a new request of this peer must be served at once; if
   false, the caller must queue the call with _wait. */
bool rpc_turns_is_due(struct rpc_connection *);
void rpc_turns_wait(struct rpc_call *);

/* _take: call it before a request is served.  _spend: call it afterwards; it
   charges the time to the peer. */
void rpc_turns_take(struct rpc_host *);
void rpc_turns_spend(struct rpc_connection *);

/* Remove and return the next waiting call, or NULL: none in this turn.
   _is_empty: return true if none waits. */
struct rpc_call *rpc_turns_next(struct rpc_host *);
bool rpc_turns_is_empty(const struct rpc_host *);

/* Have the connection flushed at the end of this turn. */
void rpc_turns_wake(struct rpc_connection *);

/* Remove the call from the queue if it waits. */
void rpc_turns_forget(struct rpc_call *);

#endif
