/*
 * Resetting a partition for a user: hold its IPUs, begin the configuration
 * again, and complete it if that takes no time.  Automatic resets are in
 * tick.c.
 */
#include "core/control/control.h"

#include <string.h>

#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"
#include "core/control/lifecycle.h"
#include "core/control/tick.h"
#include "core/pod/pod.h"

/* A partition that becomes relocatable loses its files, which name machines
   that may change. */
static int
drop_files(struct partition *p, bool force, bool *removed, struct error *e)
{
	if (p->relocatable)
		return 0;
	if (ipuof_files_remove(p, removed, e) != 0 && !force)
		return error_append(e,
		    "; --force resets the partition all the same");
	p->relocatable = true;
	memset(p->ipuof_directory, 0, sizeof(p->ipuof_directory));
	return 0;
}

/*
 * Restore the files of a partition that a killed removal left without them.  In
 * a state directory that a group shares, each member can write any owner and
 * any folder into a record, so no new file is made for one.
 */
static void
restore_files(struct controller *c, const struct pod *pod,
    const struct partition *p)
{
	char path[IPUOF_PATH_SIZE];

	if (!state_is_shared(&c->state) && ipuof_files_are_missing(p, path))
		ipuof_files_restore(pod, p, &c->versions, true);
}

/*
 * Begin the reset under the lock, with no program attached or by force.  An
 * unconfirmed update may count, so files that it would not have are not
 * restored.
 */
static int
begin_reset(struct controller *c, struct snapshot *s,
    const struct partition *before, bool relocatable, bool force,
    struct error *e)
{
	struct moment m = { .ms = c->now_ms() };
	struct error reason;
	struct partition p = *before;
	struct machines machines;
	bool removed = false;

	lifecycle_look(&s->pod, &p, &machines);
	m.takes_ms = machines.takes_ms;
	if (!relocatable && !reset_is_needed(c, s, before))
		p.reset_ms = m.ms;
	else if (lifecycle_apply(&p, EVENT_RESET, &m) != 0)
		return error_set_code(e, ERROR_BUSY, "it is being removed");
	if (relocatable && drop_files(&p, force, &removed, e) != 0)
		return -1;
	tick_expect(c, &p);
	if (state_update_partition(&c->state, &p, &reason) != 0) {
		if (relocatable && reason.code != ERROR_UNCONFIRMED)
			ipuof_files_restore(&s->pod, before, &c->versions,
			    removed);
		return error_copy(e, &reason);
	}
	restore_files(c, &s->pod, &p);
	if (force)
		hold_take_away(c, &s->pod, before);
	return 0;
}

int
reset_embedded(struct controller *c, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *e)
{
	struct snapshot s;
	const struct partition *p;
	int found, status = 0;

	if (transaction_begin(c, &s, e) != 0)
		return -1;
	found = login_find_change(c, &s, name, e);
	if (found == -1) {
		transaction_end(c, &s);
		return -1;
	}
	p = &s.partitions[found];
	if (!force)
		status = hold_all(c, &s, p, e);
	if (status == 0)
		status = begin_reset(c, &s, p, relocatable, force, e);
	if (!force)
		hold_release(c, &s, p);
	/* Instant events happen at once. */
	if (status == 0)
		status = tick_run(c, &s, e);
	found = status == 0 ? snapshot_find(&s, name) : -1;
	if (status == 0 && found == -1)
		status = error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s was reset and has already expired", name);
	if (status == 0 && after != NULL)
		*after = s.partitions[found];
	transaction_end(c, &s);
	return status;
}

int
reset_partition(struct controller *c, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *e)
{
	return c->operations->reset(c, name, relocatable, force, after, e);
}

bool
reset_is_needed(struct controller *c, const struct snapshot *s,
    const struct partition *p)
{
	const struct registry *r = &c->state.registry;
	struct machines machines;
	int i, ipu;

	lifecycle_look(&s->pod, p, &machines);
	if (p->state != PS_ACTIVE || p->attempts != 0 || p->moves != 0 ||
	    p->error_ms != 0 || machines.lost != -1 || machines.failing != -1 ||
	    machines.takes_ms != 0)
		return true;
	for (i = 0; i < p->placement.ild_count; i++)
		if (registry_held(r,
			placement_ipu(&s->pod, &p->placement,
			    i * p->placement.per_ild),
			p->placement.per_ild) != -1)
			return true;
	for (i = 0; i < partition_size(p); i++) {
		ipu = placement_ipu(&s->pod, &p->placement, i);
		if (registry_faults(r, ipu) != 0)
			return true;
	}
	return false;
}
