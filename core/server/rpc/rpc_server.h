/*
 * A gRPC server: HTTP/2 in clear text with prior knowledge, on TCP addresses
 * and unix sockets, in one thread.
 *
 *	s = rpc_server_new(&options, e);
 *	rpc_server_listen_tcp(s, "127.0.0.1", 8090, e);
 *	while (rpc_server_turn(s, -1))
 *		...
 *	rpc_server_free(s);
 *
 * Whatever a peer sends, the others go on: see rpc_limits.h.  SIGPIPE is not
 * raised.
 */
#ifndef CORE_SERVER_RPC_RPC_SERVER_H
#define CORE_SERVER_RPC_RPC_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_limits.h"
#include "core/server/rpc/rpc_loop.h"

struct rpc_server;

struct rpc_server_options {
	const struct rpc_method *methods; /* the caller keeps them */
	size_t method_count;
	const struct rpc_limits *limits; /* NULL: rpc_limits_default */
	void *owner;			 /* for trouble() */
	/* A peer misbehaves, once for each connection, in one sentence that has
	   nothing of the peer's own bytes; NULL: nobody wants to know. */
	void (*trouble)(void *owner, const struct rpc_peer *, const char *text);
};

/* NULL: the system has no room. */
struct rpc_server *rpc_server_new(const struct rpc_server_options *,
    struct error *);

/* Close all that is open, whatever is in flight.  NULL is fine. */
void rpc_server_free(struct rpc_server *);

/*
 * Listen on a numeric address; port 0: one that is free.  The port, or -1:
 * ERROR_INVALID, not an address; ERROR_BUSY, another listens there;
 * ERROR_DENIED.  May be called for many.
 */
int rpc_server_listen_tcp(struct rpc_server *, const char *address, int port,
    struct error *);

/*
 * Listen on a socket at `name` in a directory that is this user's, with these
 * rights.  What is there is replaced: the caller holds a lock that no other
 * server runs.  It is removed when the server stops.  One at most.
 */
int rpc_server_listen_unix(struct rpc_server *, const char *directory,
    const char *name, mode_t, struct error *);

/* Serve a connected socket, which is the server's from now on. */
int rpc_server_adopt(struct rpc_server *, int fd, struct error *);

/*
 * Wait at most so long (negative: as long as it takes), serve what has come.
 * False: it was stopped and all is answered.
 */
bool rpc_server_turn(struct rpc_server *, int64_t wait_ms);

/*
 * Stop well: listen no more, answer what is in flight, end streams; after the
 * limit `stop_ms` the rest is given up.
 */
void rpc_server_stop(struct rpc_server *);

/* Timers and descriptors of the owner: see rpc_loop.h and rpc_timer.h. */
struct rpc_loop *rpc_server_loop(struct rpc_server *);

/* For who tells how it is: connections, and bytes that calls hold. */
size_t rpc_server_connections(const struct rpc_server *);
size_t rpc_server_held(const struct rpc_server *);

#endif
