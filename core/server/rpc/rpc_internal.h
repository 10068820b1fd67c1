/*
 * What the files of a server share: a host, its connections, their calls.  For
 * rpc_call.c, rpc_connection.c and rpc_server.c alone.
 */
#ifndef CORE_SERVER_RPC_RPC_INTERNAL_H
#define CORE_SERVER_RPC_RPC_INTERNAL_H

#include <bsd/sys/queue.h>
#include <nghttp2/nghttp2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc_answer.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_frame.h"
#include "core/server/rpc/rpc_limits.h"
#include "core/server/rpc/rpc_loop.h"
#include "core/server/rpc/rpc_metadata.h"
#include "core/server/rpc/rpc_pool.h"

/* What all connections of a server share. */
struct rpc_host {
	const struct rpc_method *methods;
	size_t method_count;
	struct rpc_limits limits;
	void *owner;
	/* A peer misbehaves: one sentence; NULL: nobody wants to know. */
	void (*trouble)(void *owner, const struct rpc_peer *, const char *text);
	struct rpc_loop loop;
	nghttp2_session_callbacks *callbacks;
	nghttp2_option *option;
	struct rpc_pool pool; /* of all sessions */
	/* The one that was silent longest first. */
	TAILQ_HEAD(, rpc_connection) connections;
	TAILQ_HEAD(, rpc_connection) dirty;	   /* have something to send */
	TAILQ_HEAD(, rpc_connection) light, heavy; /* see rpc_turns.h */
	int64_t turn_ns, clock_ns;
	bool has_turn;
	size_t count; /* of connections */
	size_t held;  /* bytes, of all calls */
	bool is_stopping;
};

struct rpc_connection {
	TAILQ_ENTRY(rpc_connection) link, dirty_link, turn_link;
	struct rpc_host *host;
	struct rpc_peer peer;
	struct rpc_watch watch; /* with its descriptor */
	nghttp2_session *session;
	struct send_queue out;
	TAILQ_HEAD(, rpc_call) calls;
	TAILQ_HEAD(, rpc_call) waiting; /* for their turn */
	int64_t spent_ns, spent_at_ns;
	size_t held; /* also what others share */
	struct rpc_meter meter;
	struct rpc_times times;
	struct rpc_timer timer;
	bool is_heavy, is_dirty;
	bool is_over; /* it is to be closed */
	bool has_complained;
};

struct rpc_call {
	TAILQ_ENTRY(rpc_call) link, turn_link;
	struct rpc_connection *connection;
	int32_t stream;
	const struct rpc_method *method; /* NULL: not known yet */
	struct rpc_metadata metadata;
	size_t header_bytes;
	int http_status; /* to refuse it with, 0: none */
	bool is_post, is_grpc, is_bad_timeout;
	char path[128]; /* "": none, or longer */
	int64_t deadline_ms;
	struct rpc_frame request;
	struct rpc_answer answer;
	struct rpc_timer timer;
	int64_t partial_ms;  /* since when a message is not whole; -1: none
				is */
	int64_t progress_ms; /* the caller took something */
	size_t held;	     /* of its own */
	size_t seen;	     /* and what it shares */
	void *data;
	bool has_message; /* whole, of a unary call */
	bool is_waiting;  /* for its turn */
	bool is_taken;	  /* `take` has seen it */
	bool is_taking;	  /* `take` reads its message */
	bool is_done;	  /* the service has ended it */
	bool is_answered; /* the headers are submitted */
	enum rpc_status status;
	char *text; /* of the status, escaped */
	char exact[RPC_STATUS_EXACT_SIZE];
};

/* A call that begins with the headers of a stream, and its end. */
struct rpc_call *rpc_call_new(struct rpc_connection *, int32_t stream);
void rpc_call_free(struct rpc_call *);

/* A header; then all of them are there. */
void rpc_call_header(struct rpc_call *, const uint8_t *name, size_t name_size,
    const uint8_t *value, size_t value_size);
void rpc_call_open(struct rpc_call *);
/* Bytes of messages; then there are no more. */
void rpc_call_feed(struct rpc_call *, const uint8_t *bytes, size_t size);
void rpc_call_half_close(struct rpc_call *);
/* Its turn has come; nobody waits for it any more: tell the service. */
void rpc_call_serve(struct rpc_call *);
void rpc_call_abandon(struct rpc_call *, enum rpc_end);

#endif
