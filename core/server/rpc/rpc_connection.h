/*
 * A peer's connection to a server: turns the bytes of HTTP/2 into calls and
 * back.  Called by rpc_server.c only; never blocks.
 */
#ifndef CORE_SERVER_RPC_RPC_CONNECTION_H
#define CORE_SERVER_RPC_RPC_CONNECTION_H

#include "core/server/rpc/rpc_internal.h"

/* Make, or free, the nghttp2 objects of all connections.  -1: no memory. */
int rpc_connection_prepare(struct rpc_host *, struct error *);
void rpc_connection_forget(struct rpc_host *);

/* Take over and watch a non-blocking descriptor; rpc_connection_close() or a
   flush frees the connection.  NULL: it failed, and closed the descriptor. */
struct rpc_connection *rpc_connection_new(struct rpc_host *, int fd,
    const struct rpc_peer *, struct error *);

/* Send as many bytes as the socket takes.  Then closes and frees the
   connection if it is over, or HTTP/2 has ended, or the server stops and no
   call is left. */
void rpc_connection_flush(struct rpc_connection *);

/* Accept no more calls, end calls of streaming methods (RPC_UNAVAILABLE), and
   let other calls finish. */
void rpc_connection_stop(struct rpc_connection *);

/* Tell the peer to go, and close at once: an idle connection that must make
   room (freed; reason: for the log), or a descriptor that is not admitted. */
void rpc_connection_dismiss(struct rpc_connection *, const char *reason);
void rpc_connection_refuse(int fd);

/* Close the connection at once, with a reason for the log (or NULL): abandon
   its calls, and free it. */
void rpc_connection_close(struct rpc_connection *, const char *reason);

/*
 * The places of a server's connections, and which of them go when places or
 * memory are short.  A stranger is a peer that has not shown yet that it is a
 * user: its idle connections go first, the one that was silent longest before
 * the others.  For rpc_call.c, rpc_connection.c and rpc_server.c only.
 *
 *	root, the server's own user	all places
 *	users				all but those that are kept for root
 *	strangers			all but those kept for users or root
 *	one address or uid		peer_connections of them
 */

/* Begin without connections. */
void rpc_places_init(struct rpc_host *);

/* Find a place for a peer.  *leaving is the connection that must be dismissed
   for it, or NULL.  Returns false if all places are taken.  *reason is for the
   log: why the connection must leave, or the peer gets no place. */
bool rpc_places_find(struct rpc_host *, const struct rpc_peer *,
    struct rpc_connection **leaving, const char **reason);

/* Report a misbehaving peer to trouble(), once per connection.  _give_up also
   has its connection closed at the end of this turn. */
void rpc_places_complain(struct rpc_connection *, const char *reason);
void rpc_places_give_up(struct rpc_connection *, const char *reason);

/* Find the address with most connections.  Return one of its peers if it, or
   the strangers together, have nearly all places that they may have; else NULL.
   *most, which must be 0 before, is set to its number of connections. */
const struct rpc_peer *rpc_places_crowd(struct rpc_host *, unsigned *most);

/* Count a new connection; note that it has just sent something, or that its
   peer is a user; stop counting it. */
void rpc_places_take(struct rpc_connection *);
void rpc_places_hear(struct rpc_connection *);
void rpc_places_trust(struct rpc_connection *);
void rpc_places_leave(struct rpc_connection *);

/* While calls hold more than limits.held_bytes, give up the connection that
   holds most; if strangers hold more than half the limit, the stranger's that
   holds most.  It is freed at the end of this turn. */
void rpc_places_shed(struct rpc_host *);

/*
 * Fair order of requests.  In one thread, a peer with many requests that take
 * milliseconds would delay all others.
 *
 * In each turn of the server, requests are served on arrival for 2 ms.  Later
 * ones wait, and so do all of a connection that recently took more than its
 * share, a heavy one.  Then waiting requests are served for 2 ms, one per
 * connection, at least one of each class: of users, and of newcomers where a
 * user was lately; of both from heavy addresses (or uids); of strangers; of the
 * rest.  For rpc_call.c, rpc_connection.c and rpc_server.c only.
 */

/* Begin with empty queues. */
void rpc_turns_init(struct rpc_host *);

/* Begin a turn; its time starts with the next request. */
void rpc_turns_begin(struct rpc_host *);

/* _is_due: return true if a new request of this peer must be served at once; if
   false, the caller must queue the call with _wait. */
bool rpc_turns_is_due(struct rpc_connection *);
void rpc_turns_wait(struct rpc_call *);

/* Call _take before a request is served, and _spend after it, which charges the
   time to the peer. */
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
