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
 * A misbehaving peer does not disturb others: see rpc_limits.h.  SIGPIPE is not
 * raised.
 */
#ifndef CORE_SERVER_RPC_RPC_SERVER_H
#define CORE_SERVER_RPC_RPC_SERVER_H

#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_limits.h"
#include "core/server/rpc/rpc_loop.h"

struct rpc_server;

struct rpc_server_options {
	const struct rpc_method *methods; /* not copied */
	size_t method_count;
	const struct rpc_limits *limits; /* copied; NULL: rpc_limits_default */
	void *owner;			 /* for trouble() */
	/* Report a misbehaving peer, once per connection, in a sentence without
	   the peer's bytes; or NULL. */
	void (*trouble)(void *owner, const struct rpc_peer *, const char *text);
};

/* Make a server.  Raises this process's limit of descriptors if its connections
   need more; if that is not allowed, it accepts fewer.  NULL: out of system
   resources. */
struct rpc_server *rpc_server_new(const struct rpc_server_options *,
    struct error *);

/* Close everything at once, and free it.  NULL is fine. */
void rpc_server_free(struct rpc_server *);

/*
 * Listen on a numeric address; port 0: any free one.  Returns the port, or -1:
 * ERROR_INVALID, not an address, or the server listens on 16 already;
 * ERROR_BUSY, in use; ERROR_DENIED.  May be called repeatedly.
 */
int rpc_server_listen_tcp(struct rpc_server *, const char *address, int port,
    struct error *);

/*
 * Listen on a socket `name` with this mode, in a directory of this user.  An
 * existing socket of that name is removed, so the caller must hold a lock that
 * excludes other servers.  The socket is removed when the server stops.  Call
 * it at most once.
 */
int rpc_server_listen_unix(struct rpc_server *, const char *directory,
    const char *name, mode_t, struct error *);

/* Serve a connected, non-blocking socket, which the server then owns, also
   after a failure.  -1: too many connections (ERROR_NO_ROOM), or out of
   resources. */
int rpc_server_adopt(struct rpc_server *, int fd, struct error *);

/* Wait at most wait_ms (negative: no limit), and handle events.  Returns false
   once the server was stopped and no connection is left. */
bool rpc_server_turn(struct rpc_server *, int64_t wait_ms);

/* Stop gracefully: stop listening, answer pending calls, end streams.  After
   `stop_ms` (rpc_limits.h) the remaining connections are closed.  Go on with
   rpc_server_turn() until it returns false. */
void rpc_server_stop(struct rpc_server *);

/* Return the loop, for timers and descriptors of the owner (rpc_loop.h,
   rpc_timer.h). */
struct rpc_loop *rpc_server_loop(struct rpc_server *);

/* Write a sentence if strangers (not yet known as users), or the peers of one
   address or uid, have nearly all places that they may have; else "". */
enum { RPC_SERVER_SHORTAGE_SIZE = 160 };
void rpc_server_shortage(struct rpc_server *,
    char text[RPC_SERVER_SHORTAGE_SIZE]);

/* Return statistics: connections, and bytes held by calls. */
size_t rpc_server_connections(const struct rpc_server *);
size_t rpc_server_held(const struct rpc_server *);

#endif
