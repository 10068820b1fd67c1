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

#include <stdbool.h>

#include "core/server/rpc/rpc_internal.h"

/* Begin without connections. */
void rpc_places_init(struct rpc_host *);

/* Make room for a peer.  False, with the reason for a log: there is none. */
bool rpc_places_make(struct rpc_host *, const struct rpc_peer *,
    const char **reason);

/* Return a peer of the address with most connections, and their number, if
   strangers or that address have nearly all places that they may have; else
   NULL. */
const struct rpc_peer *rpc_places_crowd(struct rpc_host *, unsigned *most);

/* Count a connection, or no longer; note that its peer is a user. */
void rpc_places_take(struct rpc_connection *);
void rpc_places_leave(struct rpc_connection *);
void rpc_places_trust(struct rpc_connection *);

/*
 * While calls hold too much memory, close the connection that holds most: a
 * stranger's, where strangers hold half of it.  The connection `busy` is being
 * read, or NULL; it is not freed before its turn ends.  False: too much is held
 * by that one.
 */
bool rpc_places_shed(struct rpc_host *, struct rpc_connection *busy);

#endif
