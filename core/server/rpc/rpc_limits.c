/*
 * The limits of peers as rules.
 */
#include "core/server/rpc/rpc_limits.h"

const struct rpc_limits rpc_limits_default = {
	/* A pod of 65,536 IPUs with 4,096 partitions, twice. */
	.message_bytes = 4 * 1024 * 1024,
	.entries = 65536, /* a pod has no more IPUs */
	.header_bytes = 16 * 1024,
	.streams = 100,
	.connections = 4096,
	.peer_connections = 1024,
	.kept_for_users = 512,
	.kept_for_root = 64,
	.connection_bytes = 16 * 1024 * 1024,
	.held_bytes = 64 * 1024 * 1024,
	.greeting_ms = 10 * 1000,
	.request_ms = 20 * 1000,
	.send_ms = 20 * 1000,
	.silence_ms = 60 * 1000,
	.answer_ms = 20 * 1000,
	.stop_ms = 10 * 1000,
	.frames = 10000,
	.frames_per_s = 1000,
};

void
rpc_limits_shrink(struct rpc_limits *l, size_t connections)
{
	l->peer_connections = l->peer_connections * connections /
	    l->connections;
	l->kept_for_users = l->kept_for_users * connections / l->connections;
	l->kept_for_root = l->kept_for_root * connections / l->connections;
	l->connections = connections;
}

bool
rpc_limits_spend(const struct rpc_limits *l, struct rpc_meter *m,
    int64_t now_ms)
{
	/* Frames a second are thousandths of a frame a millisecond. */
	m->used -= (now_ms - m->since_ms) * l->frames_per_s;
	m->since_ms = now_ms;
	if (m->used < 0)
		m->used = 0;
	m->used += 1000;
	return m->used <= l->frames * 1000;
}

/* Return `due` if the time has passed; else look again then. */
static enum rpc_due
limits_by(int64_t moment_ms, enum rpc_due due, int64_t now_ms, int64_t *next_ms)
{
	if (now_ms >= moment_ms)
		return due;
	if (moment_ms < *next_ms)
		*next_ms = moment_ms;
	return RPC_DUE_NOTHING;
}

enum rpc_due
rpc_limits_look(const struct rpc_limits *l, const struct rpc_times *t,
    int64_t now_ms, int64_t *next_ms)
{
	enum rpc_due due = RPC_DUE_NOTHING;

	*next_ms = INT64_MAX;
	if (t->stuck_ms != -1)
		due = limits_by(t->stuck_ms + l->send_ms, RPC_DUE_SEND, now_ms,
		    next_ms);
	if (due != RPC_DUE_NOTHING)
		return due;
	if (t->greeted_ms == -1)
		return limits_by(t->opened_ms + l->greeting_ms,
		    RPC_DUE_GREETING, now_ms, next_ms);
	if (t->asked_ms != -1)
		return limits_by(t->asked_ms + l->answer_ms, RPC_DUE_ANSWER,
		    now_ms, next_ms);
	return limits_by(t->heard_ms + l->silence_ms, RPC_DUE_ASK, now_ms,
	    next_ms);
}

const char *
rpc_limits_reason(enum rpc_due due)
{
	switch (due) {
	case RPC_DUE_GREETING:
		return "it did not begin to speak HTTP/2 in time";
	case RPC_DUE_SEND:
		return "it does not read what is sent to it";
	case RPC_DUE_ANSWER:
		return "it does not answer";
	default:
		return NULL;
	}
}
