/*
 * Shared by the files of a server: a host, its connections and their calls.
 */
#ifndef CORE_SERVER_RPC_RPC_INTERNAL_H
#define CORE_SERVER_RPC_RPC_INTERNAL_H

#include <bsd/sys/queue.h>

#include "core/process/process.h"
#include "core/server/rpc/rpc_answer.h"
#include "core/server/rpc/rpc_call.h"
#include "core/server/rpc/rpc_frame.h"
#include "core/server/rpc/rpc_limits.h"
#include "core/server/rpc/rpc_loop.h"
#include "core/server/rpc/rpc_status.h"

/* State shared by all connections of a server. */
struct rpc_host {
	const struct rpc_method *methods;
	size_t method_count;
	struct rpc_limits limits;
	void *owner; /* for trouble() */
	/* Report a misbehaving peer in one sentence; or NULL. */
	void (*trouble)(void *owner, const struct rpc_peer *, const char *text);
	struct rpc_loop loop;
	nghttp2_session_callbacks *callbacks;
	nghttp2_option *option;
	struct rpc_pool pool; /* memory of all sessions */
	/* Longest silent first. */
	TAILQ_HEAD(, rpc_connection) connections;
	TAILQ_HEAD(, rpc_connection) dirty; /* with bytes to send */
	TAILQ_HEAD(, rpc_connection) queues[RPC_LIMITS_CLASSES]; /* of turns */
	int64_t turn_ns, clock_ns; /* start of this turn; time last read */
	bool has_turn;		   /* this turn has started */
	unsigned served;	   /* bits of the queues served in it */
	size_t count;		   /* number of connections */
	size_t strangers;	   /* how many of them, see rpc_connection.h */
	struct rpc_origin origins[RPC_LIMITS_ORIGINS]; /* by a hash of them */
	uint64_t seed;				       /* of that hash */
	size_t held;				       /* bytes of all calls */
	size_t leaving; /* known part of them that this turn's end frees */
	bool is_stopping;
};

struct rpc_connection {
	TAILQ_ENTRY(rpc_connection) link, origin_link, dirty_link, turn_link;
	struct rpc_host *host;
	struct rpc_peer peer;
	struct rpc_watch watch; /* with its descriptor */
	nghttp2_session *session;
	struct send_queue out;
	TAILQ_HEAD(, rpc_call) calls;
	TAILQ_HEAD(, rpc_call) waiting; /* for their turn */
	struct rpc_origin *origin;
	struct rpc_spent spent; /* time used */
	size_t held;		/* bytes of its calls, with shared answers */
	size_t owned;		/* the same without shared answers */
	struct rpc_meter meter; /* of its frames */
	struct rpc_times times;
	struct rpc_timer timer; /* for rpc_limits_look() */
	int class;		/* index of its queue of turns */
	bool is_dirty;		/* it is in the queue `dirty` */
	bool is_over;		/* to be closed */
	bool is_stranger;    /* no caller was known yet, see rpc_connection.h */
	bool has_complained; /* trouble() was called */
};

struct rpc_call {
	TAILQ_ENTRY(rpc_call) link, turn_link;
	struct rpc_connection *connection;
	int32_t stream;
	const struct rpc_method *method; /* NULL: unknown yet */
	struct rpc_metadata metadata;
	size_t header_bytes;
	int http_status; /* status of a refusal by HTTP, or 0 */
	bool is_post, is_grpc, is_bad_timeout; /* by its headers */
	char path[128];			       /* "": missing or too long */
	int64_t deadline_ms;		       /* INT64_MAX: none */
	struct rpc_frame request;
	struct rpc_answer answer;
	struct rpc_timer timer; /* for the next of its time limits */
	int64_t partial_ms;	/* start of an incomplete message, or -1 */
	int64_t progress_ms;	/* when bytes were last sent; -1: none wait */
	size_t held;		/* private bytes */
	size_t seen;		/* including shared ones */
	void *data;		/* the service's */
	bool has_message;	/* complete, of a unary call */
	bool is_waiting;	/* for its turn */
	bool is_taken;		/* the service has the call */
	bool is_taking;		/* `take` is running */
	bool is_done;		/* the service has ended it */
	bool is_answered;	/* headers are submitted */
	enum rpc_status status;
	char *text;			   /* escaped text of the status */
	char exact[RPC_STATUS_EXACT_SIZE]; /* see rpc_status_put_exact() */
};

/* Begin a call when a stream's first headers come; free it. */
struct rpc_call *rpc_call_new(struct rpc_connection *, int32_t stream);
void rpc_call_free(struct rpc_call *);

/* Add a header; after the last one, check them all, and open or refuse. */
void rpc_call_header(struct rpc_call *, const uint8_t *name, size_t name_size,
    const uint8_t *value, size_t value_size);
void rpc_call_open(struct rpc_call *);
/* Add message bytes; note that no more follow.  The service may be called. */
void rpc_call_feed(struct rpc_call *, const uint8_t *bytes, size_t size);
void rpc_call_half_close(struct rpc_call *);
/* rpc_call_serve(): give the complete message to the service.
   rpc_call_abandon(): tell the service, if it has the call, why it ends; the
   caller then finishes or frees the call. */
void rpc_call_serve(struct rpc_call *);
void rpc_call_abandon(struct rpc_call *, enum rpc_end);

#endif
