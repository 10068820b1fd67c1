/* Timers fire in order, once, and may set and clear each other. */
#include "core/server/rpc/rpc_loop.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/tap.h"

enum { TIMERS = 4 };

struct named {
	struct rpc_timer timer;
	const char *name;
	struct rpc_timers *all;
	struct rpc_timer *clears; /* another one; NULL: none */
	bool again;		  /* it sets itself at once */
};

static char fired[64];

static void
fire(void *context)
{
	struct named *n = context;
	const size_t length = strlen(fired);

	(void)snprintf(fired + length, sizeof(fired) - length, "%s", n->name);
	if (n->clears != NULL)
		rpc_timer_clear(n->all, n->clears);
	if (n->again)
		rpc_timer_set(n->all, &n->timer, n->timer.due_ms);
}

/* What fires until the moment. */
static const char *
until(struct rpc_timers *all, int64_t now_ms)
{
	fired[0] = '\0';
	rpc_timer_fire(all, now_ms);
	return fired;
}

int
main(void)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct rpc_timers all;
	struct named n[TIMERS] = { { .name = NULL } };
	int i;

	rpc_timer_init(&all);
	is_int(rpc_timer_next(&all), INT64_MAX, "none is set");
	for (i = 0; i < TIMERS; i++) {
		n[i].name = names[i];
		n[i].all = &all;
		n[i].timer.fire = fire;
		n[i].timer.context = &n[i];
		rpc_timer_set(&all, &n[i].timer, 10 - i);
	}
	is_int(rpc_timer_next(&all), 7, "the first one");
	is_str(until(&all, 6), "", "none is due");
	is_str(until(&all, 8), "dc", "two are due");
	is_str(until(&all, 8), "", "each fires once");
	rpc_timer_set(&all, &n[0].timer, 5);
	is_str(until(&all, 9), "ab", "one was set again");
	rpc_timer_set(&all, &n[0].timer, INT64_MAX);
	is_int(rpc_timer_next(&all), INT64_MAX, "never is not set");
	for (i = 0; i < TIMERS; i++)
		rpc_timer_set(&all, &n[i].timer, 20);
	rpc_timer_clear(&all, &n[1].timer);
	is_int((long long)strlen(until(&all, 20)), 3, "one was cleared");
	rpc_timer_set(&all, &n[0].timer, 30);
	rpc_timer_set(&all, &n[1].timer, 31);
	n[0].clears = &n[1].timer;
	is_str(until(&all, 40), "a", "one clears another");
	n[2].again = true;
	rpc_timer_set(&all, &n[2].timer, 50);
	is_str(until(&all, 60), "c", "one that sets itself waits for a turn");
	is_str(until(&all, 60), "c", "and fires then");
	return tap_done();
}
