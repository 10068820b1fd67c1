/*
 * gRPC over HTTP/2, by nghttp2, with messages by nanopb: a server, whose calls
 * are handled by one thread in turn (rpc_server.h, rpc_call.h), and a client,
 * whose calls are streams of one connection (rpc_client.h).  It knows nothing
 * of IPUs.
 *
 * Read rpc_call.h first for a server, rpc_stream_call() for a client.
 */
#ifndef CORE_SERVER_RPC_RPC_H
#define CORE_SERVER_RPC_RPC_H

#include <pb.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/server/rpc/rpc_call.h"	  /* a call, at the server */
#include "core/server/rpc/rpc_client.h"	  /* a connection to a server */
#include "core/server/rpc/rpc_limits.h"	  /* what a server allows */
#include "core/server/rpc/rpc_loop.h"	  /* waiting for events */
#include "core/server/rpc/rpc_metadata.h" /* headers of a call */
#include "core/server/rpc/rpc_server.h"	  /* a server */
#include "core/server/rpc/rpc_shared.h"	  /* an answer for many calls */
#include "core/server/rpc/rpc_status.h"	  /* codes of both sides */

/* ---- messages ---- */

/*
 * Messages of protocol buffers: bytes and the structs that the build makes of
 * config/sdk/proto (virmgrpc.pb.h and its kin), by nanopb.  Texts and lists in
 * them are allocated; a text that is NULL is "".
 *
 *	virmgrpc_VersionReply	reply = virmgrpc_VersionReply_init_zero;
 *
 *	reply.version = version;
 *	rpc_message_reply(call, virmgrpc_VersionReply_fields, &reply);
 */

/*
 * Fill the struct, whose content is lost, from bytes of anybody.  -1,
 * ERROR_INVALID: they are not such a message, or a text in it is not UTF-8;
 * then there is nothing to release.
 */
int rpc_message_decode(const pb_msgdesc_t *, const void *bytes, size_t size,
    void *message, struct error *);
/* Free what the struct points to. */
void rpc_message_release(const pb_msgdesc_t *, void *message);

/* A text of the caller's for a message that is only encoded: it is not written
   to, and the message is not for rpc_message_release(). */
char *rpc_message_text(const char *);
/* The bytes, which the caller frees.  NULL, ERROR_INVALID: a text in it is not
   UTF-8. */
unsigned char *rpc_message_encode(const pb_msgdesc_t *, const void *message,
    size_t *size, struct error *);

/* At the server: the request of a call.  -1: the call was refused for it. */
int rpc_message_take(struct rpc_call *, const pb_msgdesc_t *, const void *bytes,
    size_t size, void *message);
/* And its answer: rpc_call_reply(), or a message of a stream. */
void rpc_message_reply(struct rpc_call *, const pb_msgdesc_t *,
    const void *message);
void rpc_message_send(struct rpc_call *, const pb_msgdesc_t *,
    const void *message);

/* ---- calls of a client ---- */

/*
 * Calls of a client, each on a stream of its connection.
 *
 * Codes of errors: what the server answered, by rpc_status_get_exact();
 * ERROR_TIMED_OUT, the time is over; ERROR_UNAVAILABLE, the connection is lost,
 * after which each call fails so.
 */
struct rpc_stream;

/*
 * Ask and wait for the answer, which the caller frees.  `metadata` ends with a
 * NULL name, or is NULL.  timeout_ms is told to the server as well; 0: none.
 */
int rpc_stream_call(struct rpc_client *, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    const void *bytes, size_t size, unsigned char **answer, size_t *answer_size,
    struct error *);

/* A call of many messages; nothing is waited for.  NULL: no connection. */
struct rpc_stream *rpc_stream_begin(struct rpc_client *, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    struct error *);
void rpc_stream_send(struct rpc_stream *, const void *bytes, size_t size);
/* There will be no more of them. */
void rpc_stream_half_close(struct rpc_stream *);

enum rpc_received {
	RPC_FAILED = -1, /* it has ended, as the error says */
	RPC_ENDED,	 /* it has ended well */
	RPC_MESSAGE,	 /* *bytes, until the next call */
	RPC_NOTHING	 /* in the time */
};

/* Wait at most so long (negative: as long as it takes) for a message. */
enum rpc_received rpc_stream_receive(struct rpc_stream *, int64_t wait_ms,
    const unsigned char **bytes, size_t *size, struct error *);
/* Give it up, where it has not ended, and free it.  NULL is fine. */
void rpc_stream_drop(struct rpc_stream *);

/* ---- health ---- */

/*
 * The service grpc.health.v1.Health: whether the server serves, for probes.
 *
 * Source: grpc.io, the health checking protocol; config/sdk/proto/health.proto.
 */
enum { RPC_HEALTH_METHODS = 2 };

struct rpc_health;

/*
 * For these services, whose list ends with NULL and is the caller's, and for
 * "", the whole server.  It serves from the beginning.
 */
struct rpc_health *rpc_health_new(const char *const *services);
/* The server that has its methods is gone before.  NULL is fine. */
void rpc_health_free(struct rpc_health *);

/* Fill rows of the table of methods. */
void rpc_health_methods(struct rpc_health *,
    struct rpc_method[RPC_HEALTH_METHODS]);

/* From now on all of them serve, or none; who watches learns it. */
void rpc_health_set(struct rpc_health *, bool is_serving);

#endif
