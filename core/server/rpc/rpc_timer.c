/*
 * Timers in a tree, the first on the left.
 */
#include "core/server/rpc/rpc_loop.h"

#include <stddef.h>

static int
timer_compare(const struct rpc_timer *a, const struct rpc_timer *b)
{
	if (a->due_ms != b->due_ms)
		return a->due_ms < b->due_ms ? -1 : 1;
	return (a > b) - (a < b);
}

RB_GENERATE_INTERNAL(rpc_timers, rpc_timer, link, timer_compare,
    __attribute__((unused)) static)

void
rpc_timer_init(struct rpc_timers *all)
{
	RB_INIT(all);
}

void
rpc_timer_clear(struct rpc_timers *all, struct rpc_timer *t)
{
	if (t->is_set)
		(void)RB_REMOVE(rpc_timers, all, t);
	t->is_set = false;
}

void
rpc_timer_set(struct rpc_timers *all, struct rpc_timer *t, int64_t due_ms)
{
	if (t->is_set && t->due_ms == due_ms)
		return;
	rpc_timer_clear(all, t);
	t->due_ms = due_ms;
	if (due_ms == INT64_MAX)
		return;
	(void)RB_INSERT(rpc_timers, all, t);
	t->is_set = true;
}

int64_t
rpc_timer_next(struct rpc_timers *all)
{
	const struct rpc_timer *first = RB_MIN(rpc_timers, all);

	return first == NULL ? INT64_MAX : first->due_ms;
}

/*
 * A timer that is set again at once would fire for ever, so due timers are
 * counted before the first fires.  A fired timer may clear others, so each is
 * the first of those left.
 */
void
rpc_timer_fire(struct rpc_timers *all, int64_t now_ms)
{
	struct rpc_timer *t;
	size_t count = 0;

	RB_FOREACH(t, rpc_timers, all) {
		if (t->due_ms > now_ms)
			break;
		count++;
	}
	for (; count > 0; count--) {
		t = RB_MIN(rpc_timers, all);
		if (t == NULL || t->due_ms > now_ms)
			break;
		rpc_timer_clear(all, t);
		t->fire(t->context);
	}
}
