/*
 * The caller's side of gRPC: one connection to a server, over TCP or a unix
 * socket, which one thread uses.  rpc_stream.h has the calls.
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
	const char *path;	 /* of a unix socket instead */
	int64_t connect_ms;	 /* for the name, the connection and the
				    server's first word */
	int64_t silence_ms;	 /* then a PING asks whether it is there, 0:
				    never ... */
	int64_t answer_ms;	 /* ... and it has so long, 0: 20 s */
	size_t message_bytes;	 /* of an answer; 0: 64 MiB */
};

/*
 * NULL, ERROR_TIMED_OUT: the server is dead, refuses, or speaks something else,
 * in V-IPU's words, with the reason in a second line.
 */
struct rpc_client *rpc_client_open(const struct rpc_client_options *,
    struct error *);
/* The same over a connected socket, which is the client's from now on; the
   options say how to call it. */
struct rpc_client *rpc_client_adopt(int fd, const struct rpc_client_options *,
    struct error *);
/*
 * V-IPU's words for a server that does not answer, WHERE being HOST:PORT or a
 * path, and why in a second line.  Returns -1.
 */
int rpc_client_unreachable(const char *where, const char *why, struct error *);
/* Its streams are dropped before.  NULL is fine. */
void rpc_client_close(struct rpc_client *);

/*
 * Another process, which was forked, has the connection from now on: here
 * nothing more is said to the server, and what is left to do is to drop the
 * streams and to close the client.
 */
void rpc_client_abandon(struct rpc_client *);

/*
 * The descriptor that the server passed last over a unix socket, close-on-exec,
 * which is the caller's then; -1: none.
 */
int rpc_client_take_passed(struct rpc_client *);

/*
 * A server asks who is silent, by a PING: a connection that is kept for long
 * has to be served, or the server takes its end for dead (rpc_limits.h).
 *
 * For who waits for more than this: poll(2) the descriptor for reading until
 * the moment (INT64_MAX: none), then call rpc_client_serve(), which does not
 * wait.  -1: the connection is lost, ERROR_UNAVAILABLE.
 */
int rpc_client_fd(const struct rpc_client *);
int64_t rpc_client_due_ms(const struct rpc_client *);
int rpc_client_serve(struct rpc_client *, struct error *);

#endif
