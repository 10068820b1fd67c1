/*
 * A change of the state from beginning to end, and reading the state.  Both
 * first apply the events that are due.
 *
 * lock -> snapshot -> what is due -> the change itself -> unlock
 */

#include "core/control/control.h"

#include "core/control/controller_internal.h"
#include "core/control/tick.h"
#include "core/state/state.h"

enum { LOCK_LOOK_MS = 300 }; /* wait of a process that only reads the state */

/* Whether an automatic event is due. */
static bool
transaction_time_is_due(const struct controller *c)
{
	int64_t due_ms = registry_due(&c->state.registry);

	return due_ms != 0 && due_ms <= c->now_ms();
}

/* First apply due events and remove what dead owners left, so that the change
   is checked against the present state. */
static int
begin_within(struct controller *c, struct snapshot *s, int64_t limit_ms,
    struct error *e)
{
	int status = 0;

	if (state_lock_within(&c->state, limit_ms, e) != 0)
		return -1;
	if (snapshot_take_locked(&c->state, s, e) != 0) {
		state_unlock(&c->state);
		return -1;
	}
	if (transaction_time_is_due(c))
		status = tick_advance(c, s, NULL);
	if (status == 0)
		status = tick_abandoned(c, s, NULL);
	if (status == 0)
		return 0;
	/*
	 * The disk may be full.  The events stay due; the caller's change, such
	 * as removing a partition, may be the remedy.  The lock brings the
	 * mirror in step.
	 */
	transaction_end(c, s);
	if (state_lock_within(&c->state, limit_ms, e) != 0)
		return -1;
	if (snapshot_take_locked(&c->state, s, e) == 0)
		return 0;
	state_unlock(&c->state);
	return -1;
}

int
transaction_begin(struct controller *c, struct snapshot *s, struct error *e)
{
	return begin_within(c, s, LOCK_PATIENTLY, e);
}

void
transaction_end(struct controller *c, struct snapshot *snapshot)
{
	snapshot_release(snapshot);
	state_unlock(&c->state);
}

/* Readers do not wait long for a change. */
int
transaction_catch_up(struct controller *c)
{
	struct snapshot s;

	if (begin_within(c, &s, LOCK_LOOK_MS, NULL) != 0)
		return -1;
	transaction_end(c, &s);
	return 0;
}

/* Apply due events if this process may write; if that fails, show the registry
   as it is. */
int
transaction_embedded_list(struct controller *c, struct snapshot *snapshot,
    struct error *e)
{
	if (c->state.lock_fd != -1 &&
	    (transaction_time_is_due(c) ||
		owner_lock_any_gone(&c->state.registry)))
		(void)transaction_catch_up(c);
	if (snapshot_take(&c->state.registry, snapshot, e) != 0)
		return -1;
	if (login_limit(c, snapshot, e) == 0)
		return 0;
	snapshot_release(snapshot);
	return -1;
}

int
transaction_list(struct controller *c, struct snapshot *snapshot,
    struct error *e)
{
	return c->operations->list(c, snapshot, e);
}

int
transaction_list_partitions(struct controller *c, bool agents,
    struct snapshot *snapshot, struct error *e)
{
	return c->operations->list_partitions(c, agents, snapshot, e);
}
