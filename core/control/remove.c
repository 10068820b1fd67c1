/*
 * Removing a partition for a user; tick.c removes expired ones.
 */

#include "core/control/control.h"

#include "core/control/controller_internal.h"
#include "core/control/lifecycle.h"
#include "core/control/tick.h"
#include "core/pod/pod.h"

/* Return its duration, that of the slowest machine: 0 unless one was made slow,
   or by force. */
static int64_t
takes_ms(const struct snapshot *s, const struct partition *p, bool force)
{
	struct machines machines;

	if (force)
		return 0;
	lifecycle_look(&s->pod, p, &machines);
	return machines.takes_ms;
}

/* Remove, under the lock.  A removal that takes time hides the partition from
   programs; tick.c completes it when it is due.  1: not yet complete. */
static int
remove_locked(struct controller *c, const struct snapshot *s,
    const struct partition *p, bool force, struct error *e)
{
	struct moment m = { .ms = c->now_ms(),
		.takes_ms = takes_ms(s, p, force) };
	struct partition going = *p;

	if (m.takes_ms == 0) {
		if (discard_partition(c, &s->pod, p, NULL, force, e) != 0)
			return -1;
		if (force)
			hold_take_away(c, &s->pod, p);
		return 0;
	}
	/* Another process is removing it: wait for that. */
	if (p->state == PS_REMOVED)
		return 1;
	(void)lifecycle_apply(&going, EVENT_REMOVE, &m);
	tick_expect(c, &going);
	return discard_partition(c, &s->pod, p, &going, false, e) == 0 ? 1 : -1;
}

/* Return the partition's index, under the lock, or -1. */
static int
remove_find(struct controller *c, const struct snapshot *s, const char *name,
    const struct partition *expected, struct error *e)
{
	int found = login_find_change(c, s, name, e);

	if (found == -1 || expected == NULL ||
	    identity_is_same(&s->partitions[found], expected))
		return found;
	return error_set_code(e, ERROR_NOT_FOUND,
	    "partition %s was removed, and a new partition has its name; the "
	    "new one stays",
	    name);
}

/* Any partition of that name, or exactly `expected`.  1: not yet complete. */
int
remove_embedded(struct controller *c, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *e)
{
	struct snapshot snapshot;
	const struct partition *p;
	int found, status = 0;

	if (transaction_begin(c, &snapshot, e) != 0)
		return -1;
	found = remove_find(c, &snapshot, name, expected, e);
	if (found == -1) {
		transaction_end(c, &snapshot);
		return -1;
	}
	p = &snapshot.partitions[found];
	if (!force)
		status = hold_all(c, &snapshot, p, e);
	if (status == 0)
		status = remove_locked(c, &snapshot, p, force, e);
	if (!force)
		hold_release(c, &snapshot, p);
	*removed = *p;
	/* For processes that wait for IPUs. */
	if (status == 0 && registry_due(&c->state.registry) != 0)
		(void)tick_run(c, &snapshot, NULL);
	transaction_end(c, &snapshot);
	return status;
}

int
remove_begin(struct controller *c, const char *name, bool force,
    struct partition *removed, struct error *e)
{
	return c->operations->remove(c, name, NULL, force, removed, e);
}

int
remove_begin_same(struct controller *c, const struct partition *p, bool force,
    struct partition *removed, struct error *e)
{
	return c->operations->remove(c, p->name, p, force, removed, e);
}

/* Remove, and wait until it is gone. */
static int
remove_and_wait(struct controller *c, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *e)
{
	struct partition before;
	int status = c->operations->remove(c, name, expected, force, &before,
	    e);

	if (status != -1 && removed != NULL)
		*removed = before;
	return status == 1 ? wait_removed(c, &before, e) : status;
}

int
remove_partition(struct controller *c, const char *name, bool force,
    struct partition *removed, struct error *e)
{
	return remove_and_wait(c, name, NULL, force, removed, e);
}

int
remove_same(struct controller *c, const struct partition *p, struct error *e)
{
	return remove_and_wait(c, p->name, p, false, NULL, e);
}

int
remove_check(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	return c->operations->check_unused(c, s, p, e);
}
