/*
 * Limits on the resources and time that a peer may use.  Pure: the time is a
 * parameter, in ms of clock_monotonic_ms().
 */
#ifndef CORE_SERVER_RPC_RPC_LIMITS_H
#define CORE_SERVER_RPC_RPC_LIMITS_H

#include <bsd/sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of limits; a server's default is rpc_limits_default. */
struct rpc_limits {
	size_t message_bytes; /* limit of a message of a request */
	size_t entries;	      /* in all lists of a request, which take more
				 memory than bytes of the message */
	size_t header_bytes;  /* limit per call: names, values and 32 each, as
				 RFC 9113 6.5.2 counts */
	uint32_t streams;     /* concurrent calls of a connection */
	size_t connections;
	size_t peer_connections; /* of one address or uid, but no limit for
				    root and this server's uid */
	size_t kept_for_users;	 /* of `connections`: not for strangers */
	size_t kept_for_root;	 /* of kept_for_users: for root and this uid */
	size_t connection_bytes; /* messages of its calls, except shared
				    answers */
	size_t held_bytes;	 /* messages of all calls, in both directions */
	int64_t greeting_ms;	 /* until the peer's SETTINGS arrive */
	int64_t request_ms;   /* from the first byte of a message to its last */
	int64_t send_ms;      /* while bytes wait and the peer takes none */
	int64_t silence_ms;   /* silence before a PING */
	int64_t answer_ms;    /* time to answer a PING */
	int64_t stop_ms;      /* for calls when the server stops */
	int64_t frames;	      /* burst of frames without a message */
	int64_t frames_per_s; /* rate of such frames */
};

extern const struct rpc_limits rpc_limits_default;

/* Set a lower number of connections, and reduce the three limits after it in
   proportion. */
void rpc_limits_shrink(struct rpc_limits *, size_t connections);

/* Frame budget of a peer: a leaky bucket. */
struct rpc_meter {
	int64_t used;	  /* thousandths of a frame, as of since_ms */
	int64_t since_ms; /* at first the time of opening */
};

/* Count a frame without a message.  Returns false over the limit. */
bool rpc_limits_spend(const struct rpc_limits *, struct rpc_meter *,
    int64_t now_ms);

/* Time that the server worked for a peer: `ns`, as of the time `at_ns` of
   clock_monotonic_ns().  It drains with time. */
struct rpc_spent {
	int64_t ns, at_ns;
};

/* The connections of an address or uid together. */
struct rpc_origin {
	unsigned connections;
	TAILQ_HEAD(, rpc_connection) silent; /* all, longest silent first */
	struct rpc_spent spent;
	int64_t user_ns; /* when a user showed who it is; 0: none has */
};

enum {
	RPC_LIMITS_ORIGINS =
	    4096, /* a power of two; some share one by chance */
	RPC_LIMITS_CLASSES =
	    4 /* queues of waiting peers, see rpc_connection.h */
};

/* Times of a connection's events; -1: has not happened. */
struct rpc_times {
	int64_t opened_ms;
	int64_t greeted_ms; /* its SETTINGS came */
	int64_t heard_ms;   /* its last whole frame */
	int64_t asked_ms;   /* our last PING, if unanswered */
	int64_t stuck_ms;   /* last progress with bytes to send */
};

enum rpc_due {
	RPC_DUE_NOTHING,
	RPC_DUE_ASK,	  /* send a PING */
	RPC_DUE_GREETING, /* close it for this or the following reasons */
	RPC_DUE_SEND,
	RPC_DUE_ANSWER
};

/* Return the action due now; without one, *next_ms is when to look again
   (INT64_MAX: never). */
enum rpc_due rpc_limits_look(const struct rpc_limits *,
    const struct rpc_times *, int64_t now_ms, int64_t *next_ms);

/* Return the reason to close a connection for a log, such as "it does not
   answer"; NULL for RPC_DUE_NOTHING and RPC_DUE_ASK. */
const char *rpc_limits_reason(enum rpc_due);

#endif
