/*
 * gRPC over HTTP/2 (nghttp2) with protocol buffers (nanopb).  A server handles
 * all calls in one thread (rpc_server.h, rpc_call.h); a client's calls are
 * streams of one connection (rpc_client.h).  It knows nothing of IPUs.
 *
 * Read rpc_call.h first for a server, rpc_stream_call() for a client.
 */
#ifndef CORE_SERVER_RPC_RPC_H
#define CORE_SERVER_RPC_RPC_H

#include <pb.h>

#include "core/server/rpc/rpc_call.h"	  /* a call, at the server */
#include "core/server/rpc/rpc_client.h"	  /* a connection to a server */
#include "core/server/rpc/rpc_limits.h"	  /* limits of a peer */
#include "core/server/rpc/rpc_loop.h"	  /* waiting for events */
#include "core/server/rpc/rpc_metadata.h" /* headers of a call */
#include "core/server/rpc/rpc_server.h"	  /* a server */
#include "core/server/rpc/rpc_shared.h"	  /* an answer for many calls */
#include "core/server/rpc/rpc_status.h"	  /* codes of both sides */

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
/* Queue a copy of a message, and send what the socket takes now. */
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
/* Free the service; the server that has its methods must be freed before.  NULL
   is fine. */
void rpc_health_free(struct rpc_health *);

/* Fill rows of the table of methods. */
void rpc_health_methods(struct rpc_health *,
    struct rpc_method[RPC_HEALTH_METHODS]);

/* Set whether all the services serve.  A change is sent to their watchers. */
void rpc_health_set(struct rpc_health *, bool is_serving);

#endif
