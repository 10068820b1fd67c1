/*
 * Removing a partition for a user.  What removes one by itself, when its time
 * is over, is in tick.c.
 */

#include "core/control/remove.h"

#include "core/control/controller_internal.h"

/* Under the lock: the partition's index, or -1. */
static int
remove_find(struct controller *c, const struct snapshot *s, const char *name,
    const struct partition *expected, struct error *e)
{
	int	found = login_find(c, s, name, e);

	if (found == -1 || expected == NULL ||
	    partition_is_same(&s->partitions[found], expected))
		return found;
	return error_set_code(e, ERROR_NOT_FOUND, "partition %s was removed, "
	    "and the one of that name now is another one, which stays", name);
}

/* Any partition of that name, or only the same one as `expected`. */
static int
remove_one(struct controller *c, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *e)
{
	struct snapshot		 snapshot;
	const struct partition	*p;
	int			 found, status = 0;

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
		status = discard_partition(c, &snapshot.pod, p, force, e);
	if (!force)
		hold_none(c, &snapshot, p);
	if (status == 0 && removed != NULL)
		*removed = *p;
	/* Whoever waits for IPUs. */
	if (status == 0 && registry_due(&c->state.registry) != 0)
		(void)tick_run(c, &snapshot, NULL);
	transaction_end(c, &snapshot);
	return status;
}

int
remove_partition(struct controller *c, const char *name, bool force,
    struct partition *removed, struct error *e)
{
	return remove_one(c, name, NULL, force, removed, e);
}

int
remove_same(struct controller *c, const struct partition *p, struct error *e)
{
	return remove_one(c, p->name, p, false, NULL, e);
}
