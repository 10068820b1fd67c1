/*
 * What a peer may cost, and how long it may keep others waiting.  Pure rules:
 * the time is a parameter, in ms of clock_monotonic_ms().
 */
#ifndef CORE_SERVER_RPC_RPC_LIMITS_H
#define CORE_SERVER_RPC_RPC_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One set of them; rpc_limits_default() is what a server takes. */
struct rpc_limits {
	size_t message_bytes; /* of a request or an answer to us */
	size_t header_bytes;  /* of a call: names, values and 32 each, as RFC
				 9113 6.5.2 counts */
	uint32_t streams;     /* calls at a time on a connection */
	size_t connections;
	size_t held_bytes;    /* messages of all calls of all connections,
				 coming and going */
	int64_t greeting_ms;  /* until its SETTINGS are there */
	int64_t request_ms;   /* from the first byte of a message to its last */
	int64_t send_ms;      /* with bytes to send and none taken */
	int64_t silence_ms;   /* then it is asked with a PING ... */
	int64_t answer_ms;    /* ... and has so long */
	int64_t stop_ms;      /* for calls when the server stops */
	int64_t frames;	      /* frames that bring no message: so many at once
				 ... */
	int64_t frames_per_s; /* ... and so many each second */
};

extern const struct rpc_limits rpc_limits_default;

/* Frames that a peer may send now: a bucket that fills. */
struct rpc_meter {
	int64_t used; /* thousandths of a frame */
	int64_t since_ms;
};

/* Take one frame.  False: there were too many. */
bool rpc_limits_spend(const struct rpc_limits *, struct rpc_meter *,
    int64_t now_ms);

/* What a connection has been doing; -1: it has not, or does not wait. */
struct rpc_times {
	int64_t opened_ms;
	int64_t greeted_ms; /* its SETTINGS came */
	int64_t heard_ms;   /* its last whole frame */
	int64_t asked_ms;   /* our PING, and no whole frame since */
	int64_t stuck_ms;   /* it has taken nothing since, and should */
};

enum rpc_due {
	RPC_DUE_NOTHING,
	RPC_DUE_ASK,	  /* send a PING */
	RPC_DUE_GREETING, /* close it: each is a reason */
	RPC_DUE_SEND,
	RPC_DUE_ANSWER
};

/* What is to be done now, and in *next_ms when to look again. */
enum rpc_due rpc_limits_look(const struct rpc_limits *,
    const struct rpc_times *, int64_t now_ms, int64_t *next_ms);

/* The reason, for a log: "it took nothing for 20 s"; NULL: there is none. */
const char *rpc_limits_reason(enum rpc_due);

#endif
