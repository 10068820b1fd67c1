/*
 * The client's side of gRPC: one connection to a server, over TCP or a unix
 * socket, for one thread.  rpc.h has the calls.
 *
 *	c = rpc_client_open(&options, e);
 *	rpc_stream_call(c, "/virmgrpc.VersionService/GetVersion", NULL, 5000,
 *	    "", 0, &answer, &size, e);
 *	rpc_client_close(c);
 */
#ifndef CORE_SERVER_RPC_RPC_CLIENT_H
#define CORE_SERVER_RPC_RPC_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

struct rpc_client;

struct rpc_client_options {
	const char *host, *port; /* a name or a number, no brackets */
	const char *path;	 /* a unix socket instead; or NULL */
	int64_t connect_ms;	 /* for name lookup, connection and the server's
				    first bytes */
	int64_t silence_ms;	 /* silence before a PING to the server; 0:
				    never */
	int64_t answer_ms;	 /* time to answer a PING; 0: 20 s */
	size_t message_bytes;	 /* limit of an answer; 0: 64 MiB */
};

/* Connect to a server.  NULL, always ERROR_TIMED_OUT: it does not answer,
   refuses, or speaks another protocol.  The error has V-IPU's words, with the
   reason in a second line. */
struct rpc_client *rpc_client_open(const struct rpc_client_options *,
    struct error *);
/* Do the same over a connected socket.  The client owns the socket; after a
   failure it is closed.  The options' host and port, or path, only name the
   server in messages. */
struct rpc_client *rpc_client_adopt(int fd, const struct rpc_client_options *,
    struct error *);
/* Set V-IPU's error for a server that does not answer, ERROR_TIMED_OUT; `where`
   is HOST:PORT or a path, and `why` the second line.  Returns -1. */
int rpc_client_unreachable(const char *where, const char *why, struct error *);
/* Close the client; drop its streams before.  NULL is fine. */
void rpc_client_close(struct rpc_client *);

/* Leave the connection to a forked process.  From then on this process sends
   nothing; it may only drop its streams and close the client. */
void rpc_client_abandon(struct rpc_client *);

/* Take the last descriptor that the server passed over a unix socket,
   close-on-exec; the caller owns it.  -1: none. */
int rpc_client_take_passed(struct rpc_client *);

/*
 * Serve a connection between calls: the server sends PINGs to silent clients,
 * and closes the connection if they do not answer (rpc_limits.h).
 *
 * For a caller that waits for other events too: poll(2) the descriptor for
 * reading until the due time (INT64_MAX: none), then call rpc_client_serve(),
 * which does not wait.  -1: the connection is lost, ERROR_UNAVAILABLE.
 */
int rpc_client_fd(const struct rpc_client *);
int64_t rpc_client_due_ms(const struct rpc_client *);
int rpc_client_serve(struct rpc_client *, struct error *);

#endif
