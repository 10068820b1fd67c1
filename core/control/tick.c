/*
 * The embedded controller's clock.  No process waits for events, so each
 * process that opens the state first applies those that are due.  The registry
 * has the time of the next one (registry_due()).
 *
 * advance.c computes the events and their order on a snapshot; this file
 * applies them to the state.  Read lifecycle.h first, then advance.c.
 */
#include "core/control/tick.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* Context of the outside of a pass. */
struct tick {
	struct controller *controller;
	struct snapshot *snapshot;
	const struct partition *unstored; /* a partition being created */
	struct error *error;
};

/* ---- a pass over the state ---- */

/* Its files are gone already; they are restored if it stays. */
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
 * Remove an expired or ownerless partition, files first.  Files that only
 * another user can remove stay, because the IPUs are needed.  1, try again
 * later: a program is attached, or the disk of the files refuses.
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
	hold_release(t->controller, t->snapshot, p);
	return status;
}

/*
 * Move a relocatable partition to other IPUs.  A new one is not stored yet.
 * Its old IPUs are held, so an attached program keeps the partition in place.
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
	hold_release(t->controller, t->snapshot, from);
	return status;
}

/* Mark the machines that do not answer; the caller frees the array. */
static bool *
lost_machines(const struct pod *pod)
{
	bool *lost = xcalloc((size_t)pod->agent_count + 1, sizeof(*lost));
	int i;

	for (i = 0; i < pod->agent_count; i++)
		lost[i] = pod->agents[i].state != MACHINE_UP;
	return lost;
}

/* Tell programs on lost machines: a program polls `lost` in its slot. */
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

/* Clear the IPU's errors that a reset of the partition, or machine, cures. */
static void
tick_remedy(struct registry *r, int ipu, enum soc_remedy by)
{
	registry_clear_faults(r, ipu, ~soc_error_left(UINT32_MAX, by));
}

/*
 * A completed configuration was a reset of the partition, and a reboot is a
 * reset of the machine: each cures its kind of IPU errors
 * (core/pod/pod.h).
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

/* Store partitions first: if a machine's return was stored first, it would hide
   the loss that it ends. */
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

/* Make a pass over the state.  *changed: take the snapshot again.  The next due
   time is recorded only if everything was stored. */
static int
pass(struct tick *t, bool *changed)
{
	struct outside outside = { tick_remove, tick_move, t };
	struct advance a;
	int status;

	advance_init(&a, t->snapshot, &outside, t->controller->now_ms());
	status = advance_run(&a);
	if (status == 0 && a.changed) {
		/* First, because a ready partition must have ready IPUs. */
		remedy_changed(&t->controller->state.registry, &a);
		status = store_changed(t, &a);
	}
	*changed = a.changed;
	if (status == 0)
		registry_set_due(&t->controller->state.registry, a.next_ms);
	advance_release(&a);
	return status;
}

/* Take the snapshot again after a change. */
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
	/* After the states were stored: a program that notices it finds the
	   reason there, and earlier attachers are marked. */
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

/* The partition joins the snapshot, so that the pass sees it.  The caller
   stores it later with state_add_partition(). */
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

/* One at a time, so that a partition with living programs blocks no others.
   Freed IPUs go to waiting processes. */
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

/* Keep the earlier due time. */
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
