/*
 * A peer's connection to a server: turns the bytes of HTTP/2 into calls and
 * back.  Called by rpc_server.c only; never blocks.
 */
#ifndef CORE_SERVER_RPC_RPC_CONNECTION_H
#define CORE_SERVER_RPC_RPC_CONNECTION_H

#include "core/server/rpc/rpc_internal.h"

/* Make, or free, the nghttp2 objects that all connections share.  -1: out of
   memory. */
int rpc_connection_prepare(struct rpc_host *, struct error *);
void rpc_connection_forget(struct rpc_host *);

/* Take over and watch a non-blocking descriptor; rpc_connection_close() or a
   flush frees the connection.  NULL: that failed, and the descriptor is
   closed. */
struct rpc_connection *rpc_connection_new(struct rpc_host *, int fd,
    const struct rpc_peer *, struct error *);

/* Send as many bytes as the socket takes.  Then closes and frees a connection
   that is over. */
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

#endif
