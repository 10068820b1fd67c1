/*
 * The places of a server's connections, and which of them go when places or
 * memory are short.  A stranger is a peer that has not shown yet that it is a
 * user: its idle connections go first, the one that was silent longest before
 * the others.  For rpc_call.c, rpc_connection.c and rpc_server.c only.
 *
 *	root, the server's own user	all places
 *	users				all but those that are kept for root
 *	strangers			all but those that are kept for users
 *	one address or uid		peer_connections of them
 */
#ifndef CORE_SERVER_RPC_RPC_PLACES_H
#define CORE_SERVER_RPC_RPC_PLACES_H

#include "core/server/rpc/rpc_internal.h"

/* Begin without connections. */
void rpc_places_init(struct rpc_host *);

/* Find a place for a peer.  *leaving is the connection that must be dismissed
   for it, or NULL.  Returns false if all places are taken.  *reason is for the
   log: why the connection must leave, or the peer gets no place. */
bool rpc_places_find(struct rpc_host *, const struct rpc_peer *,
    struct rpc_connection **leaving, const char **reason);

/* Log a misbehaving peer, only once.  _give_up also has its connection closed
   at the end of this turn. */
void rpc_places_complain(struct rpc_connection *, const char *reason);
void rpc_places_give_up(struct rpc_connection *, const char *reason);

/* Find the address with most connections.  Return one of its peers if it, or
   the strangers together, have nearly all places that they may have; else NULL.
   *most, which must be 0 before, is set to its number of connections. */
const struct rpc_peer *rpc_places_crowd(struct rpc_host *, unsigned *most);

/* Count a new connection; count it no longer; note that its peer is a user. */
void rpc_places_take(struct rpc_connection *);
void rpc_places_leave(struct rpc_connection *);
void rpc_places_trust(struct rpc_connection *);

/* While calls hold more than limits.held_bytes, give up the connection that
   holds most; if strangers hold more than half the limit, the stranger's that
   holds most.  It is freed at the end of this turn. */
void rpc_places_shed(struct rpc_host *);

#endif
