/*
 * Two queues of connections, each with a queue of its calls.  A connection's
 * spent time is recorded as of a moment, and drains from then on.
 */
#include "core/server/rpc/rpc_turns.h"

#include "core/base/clock.h"

enum {
	TURN_NS = 2 * 1000 * 1000,
	SHARE_NS = 10 * 1000 * 1000, /* burst that a peer may use ... */
	SHARE_PART = 10		     /* ... and its fraction of the time */
};

void
rpc_turns_init(struct rpc_host *h)
{
	TAILQ_INIT(&h->light);
	TAILQ_INIT(&h->heavy);
	rpc_turns_begin(h);
}

/* The server may sleep before the next request. */
void
rpc_turns_begin(struct rpc_host *h)
{
	h->has_turn = false;
}

void
rpc_turns_take(struct rpc_host *h)
{
	if (!h->has_turn)
		h->turn_ns = h->clock_ns = clock_monotonic_ns();
	h->has_turn = true;
}

static bool
turns_is_over(const struct rpc_host *h)
{
	return h->clock_ns - h->turn_ns >= TURN_NS;
}

/* Return a peer's used time, less what has drained. */
static int64_t
turns_level(const struct rpc_connection *c)
{
	const int64_t back = (c->host->clock_ns - c->spent_at_ns) / SHARE_PART;

	return c->spent_ns > back ? c->spent_ns - back : 0;
}

bool
rpc_turns_is_due(struct rpc_connection *c)
{
	rpc_turns_take(c->host);
	return !turns_is_over(c->host) && TAILQ_EMPTY(&c->waiting) &&
	    turns_level(c) < SHARE_NS;
}

void
rpc_turns_spend(struct rpc_connection *c)
{
	struct rpc_host *h = c->host;
	const int64_t before_ns = h->clock_ns;

	h->clock_ns = clock_monotonic_ns();
	c->spent_ns = turns_level(c) + h->clock_ns - before_ns;
	c->spent_at_ns = h->clock_ns;
}

/* Queue it after all others of its class. */
static void
turns_join(struct rpc_connection *c)
{
	c->is_heavy = turns_level(c) >= SHARE_NS;
	if (c->is_heavy)
		TAILQ_INSERT_TAIL(&c->host->heavy, c, turn_link);
	else
		TAILQ_INSERT_TAIL(&c->host->light, c, turn_link);
}

static void
turns_leave(struct rpc_connection *c)
{
	if (c->is_heavy)
		TAILQ_REMOVE(&c->host->heavy, c, turn_link);
	else
		TAILQ_REMOVE(&c->host->light, c, turn_link);
}

void
rpc_turns_wait(struct rpc_call *call)
{
	struct rpc_connection *c = call->connection;

	if (TAILQ_EMPTY(&c->waiting))
		turns_join(c);
	TAILQ_INSERT_TAIL(&c->waiting, call, turn_link);
	call->is_waiting = true;
}

void
rpc_turns_forget(struct rpc_call *call)
{
	struct rpc_connection *c = call->connection;

	if (!call->is_waiting)
		return;
	call->is_waiting = false;
	TAILQ_REMOVE(&c->waiting, call, turn_link);
	if (TAILQ_EMPTY(&c->waiting))
		turns_leave(c);
}

struct rpc_call *
rpc_turns_next(struct rpc_host *h)
{
	struct rpc_connection *c = TAILQ_FIRST(&h->light);
	struct rpc_call *call;

	if (c == NULL)
		c = TAILQ_FIRST(&h->heavy);
	if (c == NULL)
		return NULL;
	rpc_turns_take(h);
	if (turns_is_over(h))
		return NULL;
	call = TAILQ_FIRST(&c->waiting);
	TAILQ_REMOVE(&c->waiting, call, turn_link);
	call->is_waiting = false;
	turns_leave(c);
	if (!TAILQ_EMPTY(&c->waiting))
		turns_join(c);
	return call;
}

bool
rpc_turns_is_empty(const struct rpc_host *h)
{
	return TAILQ_EMPTY(&h->light) && TAILQ_EMPTY(&h->heavy);
}
