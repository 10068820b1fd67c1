/*
 * gRPC over HTTP/2 (nghttp2) with protocol buffers (nanopb).  A server handles
 * all calls in one thread; a client's calls are streams of one connection.
 *
 * Read rpc_call.h first for a server, rpc_stream_call() for a client.
 */
#ifndef CORE_SERVER_RPC_RPC_H
#define CORE_SERVER_RPC_RPC_H

#include <pb.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_answer.h"
#include "core/server/rpc/rpc_call.h"	/* a call, at the server */
#include "core/server/rpc/rpc_limits.h" /* limits of a peer */
#include "core/server/rpc/rpc_loop.h"	/* waiting for events */
#include "core/server/rpc/rpc_status.h" /* codes of both sides */

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
 * A misbehaving peer does not disturb others: see rpc_limits.h.
 */

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
   need more; if that is not allowed, it accepts fewer.  NULL: no resources. */
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
 * it at most once.  Returns 0 or -1.
 */
int rpc_server_listen_unix(struct rpc_server *, const char *directory,
    const char *name, mode_t, struct error *);

/* Serve a connected, non-blocking socket, which the server then owns, also
   after a failure.  -1: ERROR_NO_ROOM, too many connections; or no memory. */
int rpc_server_adopt(struct rpc_server *, int fd, struct error *);

/* Wait at most wait_ms (negative: no limit), and handle events.  Returns false
   once the server was stopped and no connection is left. */
bool rpc_server_turn(struct rpc_server *, int64_t wait_ms);

/* Stop gracefully: stop listening, answer pending calls, end streams.  After
   `stop_ms` (rpc_limits.h) the remaining connections are closed.  Go on with
   rpc_server_turn() until it returns false. */
void rpc_server_stop(struct rpc_server *);

/* Return the loop, for timers and descriptors of the owner (rpc_loop.h). */
struct rpc_loop *rpc_server_loop(struct rpc_server *);

/* Write a sentence if strangers (not yet known as users), or the peers of one
   address or uid, have nearly all places that they may have; else "". */
enum { RPC_SERVER_SHORTAGE_SIZE = 160 };
void rpc_server_shortage(struct rpc_server *,
    char text[RPC_SERVER_SHORTAGE_SIZE]);

/* Return statistics: connections, and bytes held by calls. */
size_t rpc_server_connections(const struct rpc_server *);
size_t rpc_server_held(const struct rpc_server *);

/*
 * The client's side of gRPC: one connection to a server, over TCP or a unix
 * socket, for one thread.
 *
 *	c = rpc_client_open(&options, e);
 *	rpc_stream_call(c, "/virmgrpc.VersionService/GetVersion", NULL, 5000,
 *	    "", 0, &answer, &size, e);
 *	rpc_client_close(c);
 */

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
/* Do the same over a connected socket, which the client owns, also after a
   failure.  The options' host and port, or path, only appear in messages. */
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
 * reading until the due time of clock_monotonic_ms() (INT64_MAX: none), then
 * call rpc_client_serve(), which does not wait.  -1: the connection is lost,
 * ERROR_UNAVAILABLE.
 */
int rpc_client_fd(const struct rpc_client *);
int64_t rpc_client_due_ms(const struct rpc_client *);
int rpc_client_serve(struct rpc_client *, struct error *);

/* ---- messages ---- */

/*
 * Protocol buffers: bytes and the structs that the build generates from
 * config/sdk/proto (virmgrpc.pb.h and others).  Texts and lists in them are
 * allocated; a NULL text is "".
 *
 *	virmgrpc_VersionReply	reply = virmgrpc_VersionReply_init_zero;
 *
 *	reply.version = version;
 *	rpc_message_reply(call, virmgrpc_VersionReply_fields, &reply);
 */

/*
 * Decode untrusted bytes into the struct: the old content is overwritten, not
 * freed, and rpc_message_release() frees the new one.  -1, ERROR_INVALID: not
 * such a message, or a text is not UTF-8; then nothing needs a release.
 */
int rpc_message_decode(const pb_msgdesc_t *, const void *bytes, size_t size,
    void *message, struct error *);
/* Free everything that the struct points to. */
void rpc_message_release(const pb_msgdesc_t *, void *message);

/* Use the caller's text in a message that is only encoded.  It is not modified,
   and the message must not be passed to rpc_message_release(). */
char *rpc_message_text(const char *);
/* Encode; the caller frees it.  NULL, ERROR_INVALID: a text is not UTF-8. */
unsigned char *rpc_message_encode(const pb_msgdesc_t *, const void *message,
    size_t *size, struct error *);

/* Decode a call's request at the server; the caller releases the message.  -1,
   with nothing to release: ERROR_INVALID, or ERROR_NO_ROOM for too long lists.
   After -1 of rpc_message_take() the call has been refused and ended. */
int rpc_message_read(const struct rpc_call *, const pb_msgdesc_t *,
    const void *bytes, size_t size, void *message, struct error *);
int rpc_message_take(struct rpc_call *, const pb_msgdesc_t *, const void *bytes,
    size_t size, void *message);
/* Encode a message, which stays the caller's.  rpc_message_reply(): answer with
   it and end the call; rpc_message_send(): send it as one of a stream.  If a
   text is not UTF-8, the call ends with RPC_INTERNAL instead. */
void rpc_message_reply(struct rpc_call *, const pb_msgdesc_t *,
    const void *message);
void rpc_message_send(struct rpc_call *, const pb_msgdesc_t *,
    const void *message);

/* ---- calls of a client ---- */

/*
 * Calls of a client, each on a stream of its connection.
 *
 * Error codes: the server's, by rpc_status_get_exact(); ERROR_TIMED_OUT;
 * ERROR_UNAVAILABLE for a lost connection, on which all later calls fail too;
 * ERROR_DAMAGED for an incomplete answer; those of rpc_frame_take().
 */
struct rpc_stream;

/* Call and wait for the answer, which the caller frees (NULL after -1).
   `metadata` ends with a NULL name, or is NULL.  The call ends after
   timeout_ms, which the server is told; 0: unlimited. */
int rpc_stream_call(struct rpc_client *, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    const void *bytes, size_t size, unsigned char **answer, size_t *answer_size,
    struct error *);

/* Begin a call of many messages without waiting; rpc_stream_drop() frees it.
   NULL: the connection is lost. */
struct rpc_stream *rpc_stream_begin(struct rpc_client *, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    struct error *);
/* Queue a copy of a message, and send as much as the socket takes now.  Only
   rpc_stream_receive() reports a failure. */
void rpc_stream_send(struct rpc_stream *, const void *bytes, size_t size);
/* Announce that no more messages follow. */
void rpc_stream_half_close(struct rpc_stream *);

enum rpc_received {
	RPC_FAILED = -1, /* ended as the error says */
	RPC_ENDED,	 /* ended with status OK */
	RPC_MESSAGE,	 /* in *bytes, until the next rpc_stream_receive() */
	RPC_NOTHING	 /* no message came within the time */
};

/* Wait for a message, at most wait_ms (negative: no limit). */
enum rpc_received rpc_stream_receive(struct rpc_stream *, int64_t wait_ms,
    const unsigned char **bytes, size_t *size, struct error *);
/* Cancel the call if it has not ended, and free it.  NULL is fine. */
void rpc_stream_drop(struct rpc_stream *);

/* ---- health ---- */

/*
 * The service grpc.health.v1.Health tells probes whether the server is serving.
 *
 * Source: grpc.io, the health checking protocol; config/sdk/proto/health.proto.
 */
enum { RPC_HEALTH_METHODS = 2 };

struct rpc_health;

/* Report on these services and on "", the whole server; at first all serve.
   The list ends with NULL, is not copied, and must outlive the service. */
struct rpc_health *rpc_health_new(const char *const *services);
/* Free the service, or NULL; free the server that has its methods before. */
void rpc_health_free(struct rpc_health *);

/* Fill rows of the table of methods. */
void rpc_health_methods(struct rpc_health *,
    struct rpc_method[RPC_HEALTH_METHODS]);

/* Set whether all the services serve.  A change is sent to their watchers. */
void rpc_health_set(struct rpc_health *, bool is_serving);

#endif
