/*
 * One connection of a peer to a server: bytes of HTTP/2 become calls, what
 * calls submit becomes bytes.  For rpc_server.c alone; nothing here waits.
 */
#ifndef CORE_SERVER_RPC_RPC_CONNECTION_H
#define CORE_SERVER_RPC_RPC_CONNECTION_H

#include "core/base/error.h"
#include "core/server/rpc/rpc_internal.h"

/* What all connections of a host need of nghttp2.  -1: it has no memory. */
int rpc_connection_prepare(struct rpc_host *, struct error *);
void rpc_connection_forget(struct rpc_host *);

/*
 * The descriptor, which does not wait, is the connection's from now on, and is
 * watched.  NULL: the system refuses; the descriptor is closed.
 */
struct rpc_connection *rpc_connection_new(struct rpc_host *, int fd,
    const struct rpc_peer *, struct error *);

/* Send what its calls have submitted, as far as it goes.  Where it is over
   behind that, it is closed and freed. */
void rpc_connection_flush(struct rpc_connection *);

/* Take no more calls; those that are there go on, streams are ended. */
void rpc_connection_stop(struct rpc_connection *);

/* The same for one that asks nothing and is to make room, and for one that is
   not let in: they are told, as far as they listen. */
void rpc_connection_dismiss(struct rpc_connection *, const char *reason);
void rpc_connection_refuse(int fd);

/* Abandon all calls, with a reason for the log (NULL: none), and free it. */
void rpc_connection_close(struct rpc_connection *, const char *reason);

#endif
