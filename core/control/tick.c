/*
 * The embedded controller's clock: there is no process that waits, so whoever
 * opens the state lets happen first what was due since.  The registry says
 * when that is (registry_due()).
 *
 * advance.c decides on a snapshot what happens and in which order; this file
 * does it to the state.  Read lifecycle.h first, then advance.c.
 */
#include "core/control/tick.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* What the outside of a pass is here. */
struct tick {
	struct controller *controller;
	struct snapshot *snapshot;
	const struct partition *unstored; /* one that is being made */
	struct error *error;
};

/* ---- a pass over the state ---- */

/* Its files are gone already, if any were there; they come back if it stays. */
static int
tick_discard(struct tick *t, const struct partition *p, bool removed)
{
	const struct pod *pod = &t->snapshot->pod;
	struct error reason;

	if (discard_partition(t->controller, pod, p, NULL, true, &reason) == 0)
		return 0;
	if (reason.code != ERROR_UNCONFIRMED)
		ipuof_files_restore(pod, p, &t->controller->versions, removed);
	return error_copy(t->error, &reason);
}

/*
 * Its time is over, or its owner gone.  Its files go first.  Those of another
 * user stay where only that user can remove them: the IPUs are wanted.  1, to
 * be tried again later: a program is attached, or the disk of the files
 * refuses.
 */
static int
tick_remove(void *context, const struct partition *p)
{
	struct tick *t = context;
	const struct pod *pod = &t->snapshot->pod;
	struct error reason;
	bool removed;
	int status = 1;

	if (hold_all(t->controller, t->snapshot, p, NULL) == 0) {
		if (ipuof_files_remove(p, &removed, &reason) == 0 ||
		    reason.code == ERROR_DENIED)
			status = tick_discard(t, p, removed);
		else
			ipuof_files_restore(pod, p, &t->controller->versions,
			    removed);
	}
	hold_none(t->controller, t->snapshot, p);
	return status;
}

/*
 * A relocatable partition goes to other IPUs.  One that is being made is in
 * no file yet, so there is nothing to store.  Its old IPUs are held: who is
 * attached there keeps the partition where it is.
 */
static int
tick_move(void *context, const struct partition *from,
    const struct partition *to)
{
	struct tick *t = context;
	int status = 1;

	if (from == t->unstored)
		return 0;
	if (hold_all(t->controller, t->snapshot, from, NULL) == 0) {
		tick_expect(t->controller, to);
		status = state_update_partition(&t->controller->state, to,
		    t->error);
	}
	hold_none(t->controller, t->snapshot, from);
	return status;
}

/* The machines that do not answer; the caller frees them. */
static bool *
lost_machines(const struct pod *pod)
{
	bool *lost = xcalloc((size_t)pod->agent_count + 1, sizeof(*lost));
	int i;

	for (i = 0; i < pod->agent_count; i++)
		lost[i] = pod->agents[i].state != MACHINE_UP;
	return lost;
}

/* The programs on them learn it: a program polls `lost` of its own slot. */
static void
mark_lost(struct registry *r, const struct pod *pod, const bool *lost)
{
	int i, ipu, end;

	for (i = 0; i < pod->agent_count; i++) {
		if (!lost[i])
			continue;
		ipu = i * IPUS_PER_MACHINE;
		for (end = ipu + IPUS_PER_MACHINE; ipu < end; ipu++)
			if (registry_held(r, ipu, 1) != -1)
				registry_mark_lost(r, ipu);
	}
}

/* What a reset of the IPU's partition, or of all of it, makes good. */
static void
tick_remedy(struct registry *r, int ipu, enum soc_remedy by)
{
	registry_clear_faults(r, ipu, ~soc_error_left(UINT32_MAX, by));
}

/*
 * A configuration that came to its end was a reset of the partition, and a
 * reboot is a reset of the whole machine: each remedies its kind of IPU
 * errors (core/pod/soc_error.h).
 */
static void
remedy_changed(struct registry *r, const struct advance *a)
{
	const struct snapshot *s = a->snapshot;
	int i, k;

	for (i = 0; i < s->partition_count; i++)
		for (k = 0; a->partition_changed[i] &&
		     s->partitions[i].state == PS_ACTIVE &&
		     k < partition_size(&s->partitions[i]);
		     k++)
			tick_remedy(r,
			    placement_ipu(&s->pod, &s->partitions[i].placement,
				k),
			    REMEDY_PARTITION_RESET);
	for (i = 0; i < s->pod.agent_count; i++)
		for (k = 0; a->agent_rebooted[i] && k < IPUS_PER_MACHINE; k++)
			tick_remedy(r, i * IPUS_PER_MACHINE + k,
			    REMEDY_FULL_RESET);
}

/*
 * Partitions first: a machine's return that is stored before the loss it ends
 * would hide it.
 */
static int
store_changed(struct tick *t, const struct advance *a)
{
	const struct snapshot *s = t->snapshot;
	struct state *st = &t->controller->state;
	int i;

	for (i = 0; i < s->partition_count; i++)
		if (a->partition_changed[i] &&
		    &s->partitions[i] != t->unstored &&
		    state_update_partition(st, &s->partitions[i], t->error) !=
			0)
			return -1;
	for (i = 0; i < s->pod.agent_count; i++)
		if (a->agent_changed[i] &&
		    state_update_agent(st, i, &s->pod.agents[i], t->error) != 0)
			return -1;
	return 0;
}

/*
 * One pass over the state.  *changed: something has happened, and the
 * snapshot is to be taken again.  What is due next is noted only where all of
 * it was stored.
 */
static int
pass(struct tick *t, bool *changed)
{
	struct outside outside = { tick_remove, tick_move, t };
	struct advance a;
	int status;

	advance_init(&a, t->snapshot, &outside, t->controller->now_ms());
	status = advance_run(&a);
	if (status == 0 && a.changed) {
		/* First: who finds its partition ready finds its IPUs so. */
		remedy_changed(&t->controller->state.registry, &a);
		status = store_changed(t, &a);
	}
	*changed = a.changed;
	if (status == 0)
		registry_set_due(&t->controller->state.registry, a.next_ms);
	advance_release(&a);
	return status;
}

/* The state has changed: the snapshot follows. */
static int
look_again(struct controller *c, struct snapshot *s, struct error *e)
{
	snapshot_release(s);
	return snapshot_take_locked(&c->state, s, e);
}

int
tick_advance(struct controller *c, struct snapshot *s, struct error *e)
{
	struct tick t = { c, s, NULL, e };
	bool *lost = lost_machines(&s->pod);
	bool changed;
	int status;

	status = pass(&t, &changed);
	/* Behind the states that the pass stored: a program that learns of it
	   finds the reason there, and who attached before them is marked. */
	mark_lost(&c->state.registry, &s->pod, lost);
	free(lost);
	if (status != 0 || !changed)
		return status;
	return look_again(c, s, e);
}

int
tick_run(struct controller *c, struct snapshot *s, struct error *e)
{
	return look_again(c, s, e) != 0 ? -1 : tick_advance(c, s, e);
}

/*
 * The partition joins the snapshot, so that the pass sees it;
 * state_add_partition() puts it into the registry later, when the caller
 * stores it.
 */
int
tick_new(struct controller *c, struct snapshot *s, struct partition *p,
    struct error *e)
{
	struct tick t = { c, s, NULL, e };
	const int n = snapshot_add(s, p);
	bool changed;
	int status;

	t.unstored = &s->partitions[n];
	status = pass(&t, &changed);
	*p = s->partitions[n];
	return status;
}

/*
 * Each by itself, so that one whose programs live on is in nobody's way.  IPUs
 * that became free are for whoever waits for some.
 */
int
tick_abandoned(struct controller *c, struct snapshot *s, struct error *e)
{
	struct tick t = { c, s, NULL, e };
	bool any = false;
	int i, status;

	for (i = 0; i < s->partition_count; i++) {
		if (!owner_kind_has_lock(s->partitions[i].owner_kind) ||
		    owner_lock_is_held(c->state.lock_fd, s->partitions[i].id))
			continue;
		status = tick_remove(&t, &s->partitions[i]);
		if (status == -1)
			return -1;
		any |= status == 0;
	}
	if (!any)
		return 0;
	return registry_due(&c->state.registry) != 0 ?
	    tick_run(c, s, e) :
	    look_again(c, s, e);
}

/* The earlier of what is due already and what this partition will make due. */
void
tick_expect(struct controller *c, const struct partition *p)
{
	struct registry *r = &c->state.registry;
	int64_t due_ms = registry_due(r);

	if (p->due_ms != 0 && (due_ms == 0 || p->due_ms < due_ms))
		due_ms = p->due_ms;
	if (p->expires_ms != 0 && (due_ms == 0 || p->expires_ms < due_ms))
		due_ms = p->expires_ms;
	registry_set_due(r, due_ms);
}
