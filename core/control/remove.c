/*
 * Removing a partition for a user.  What removes one by itself, when its time
 * is over, is in tick.c.
 */

#include "core/control/remove.h"

#include "core/control/controller_internal.h"

int
remove_partition(struct controller *c, const char *name, bool force,
    struct partition *removed, struct error *e)
{
	struct snapshot		 snapshot;
	const struct partition	*p;
	int			 found, status = 0;

	if (transaction_begin(c, &snapshot, e) != 0)
		return -1;
	found = login_find(c, &snapshot, name, e);
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
