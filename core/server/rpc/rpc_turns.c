/*
 * Queues of connections, each with a queue of its calls.
 */
#include "core/server/rpc/rpc_connection.h"

#include "core/base/clock.h"

enum {
	TURN_NS = 2 * 1000 * 1000,
	SHARE_NS = 10 * 1000 * 1000, /* burst that a peer may use ... */
	SHARE_PART = 10		     /* ... and its fraction of the time */
};

/* How long an address counts as a user's after a user showed a key there. */
#define KNOWN_NS (INT64_C(600) * 1000 * 1000 * 1000)

/* Queues, the first to be served first. */
enum { USER, USER_AT_HEAVY, STRANGER, HEAVY };

void
rpc_turns_init(struct rpc_host *h)
{
	int i;

	for (i = 0; i < RPC_LIMITS_CLASSES; i++)
		TAILQ_INIT(&h->queues[i]);
	rpc_turns_begin(h);
}

/* The server may sleep before the next request. */
void
rpc_turns_begin(struct rpc_host *h)
{
	h->has_turn = false;
	h->served = 0;
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

/* Return the used time, less what has drained. */
static int64_t
turns_level(const struct rpc_host *h, const struct rpc_spent *s)
{
	const int64_t back = (h->clock_ns - s->at_ns) / SHARE_PART;

	return s->ns > back ? s->ns - back : 0;
}

bool
rpc_turns_is_due(struct rpc_connection *c)
{
	rpc_turns_take(c->host);
	return !turns_is_over(c->host) && TAILQ_EMPTY(&c->waiting) &&
	    turns_level(c->host, &c->spent) < SHARE_NS;
}

static void
turns_charge(const struct rpc_host *h, struct rpc_spent *s, int64_t ns)
{
	s->ns = turns_level(h, s) + ns;
	s->at_ns = h->clock_ns;
}

void
rpc_turns_spend(struct rpc_connection *c)
{
	struct rpc_host *h = c->host;
	const int64_t before_ns = h->clock_ns;

	h->clock_ns = clock_monotonic_ns();
	turns_charge(h, &c->spent, h->clock_ns - before_ns);
	turns_charge(h, &c->origin->spent, h->clock_ns - before_ns);
}

/* Return the queue of a connection. */
static int
turns_class(const struct rpc_connection *c)
{
	const struct rpc_host *h = c->host;
	const struct rpc_origin *o = c->origin;
	const bool is_known = !c->is_stranger ||
	    (o->user_ns != 0 && h->clock_ns - o->user_ns < KNOWN_NS),
		   is_light = turns_level(h, &o->spent) < SHARE_NS;

	if (turns_level(h, &c->spent) >= SHARE_NS)
		return HEAVY;
	if (is_known)
		return is_light ? USER : USER_AT_HEAVY;
	return is_light ? STRANGER : HEAVY;
}

/* Queue it after all others of its class. */
static void
turns_join(struct rpc_connection *c)
{
	c->class = turns_class(c);
	TAILQ_INSERT_TAIL(&c->host->queues[c->class], c, turn_link);
}

static void
turns_leave(struct rpc_connection *c)
{
	TAILQ_REMOVE(&c->host->queues[c->class], c, turn_link);
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

static struct rpc_connection *
turns_first(const struct rpc_host *h)
{
	struct rpc_connection *c = NULL;
	int i;

	for (i = 0; i < RPC_LIMITS_CLASSES && c == NULL; i++)
		c = TAILQ_FIRST(&h->queues[i]);
	return c;
}

/* Return the first of a class that was not served in this turn; or NULL. */
static struct rpc_connection *
turns_missed(const struct rpc_host *h)
{
	struct rpc_connection *c = NULL;
	int i;

	for (i = 0; i < RPC_LIMITS_CLASSES && c == NULL; i++)
		if ((h->served & 1U << i) == 0)
			c = TAILQ_FIRST(&h->queues[i]);
	return c;
}

struct rpc_call *
rpc_turns_next(struct rpc_host *h)
{
	struct rpc_connection *c = turns_first(h);
	struct rpc_call *call;

	if (c == NULL)
		return NULL;
	rpc_turns_take(h);
	if (turns_is_over(h))
		c = turns_missed(h);
	if (c == NULL)
		return NULL;
	h->served |= 1U << c->class;
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
	return turns_first(h) == NULL;
}

void
rpc_turns_wake(struct rpc_connection *c)
{
	if (!c->is_dirty)
		TAILQ_INSERT_TAIL(&c->host->dirty, c, dirty_link);
	c->is_dirty = true;
}
