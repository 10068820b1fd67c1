/*
 * Another pod under the partitions there are.
 */
#include "core/control/embedded.h"

int
controller_change_pod(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	struct inventory	inventory;
	struct snapshot		copy;
	int			status;

	if (change_begin(c, &copy, e) != 0)
		return -1;
	inventory = (struct inventory){ .pod = &copy.pod,
	    .partitions = copy.partitions,
	    .partition_count = copy.partition_count };
	status = change(&inventory, context, e);
	if (status == 0)
		status = state_change_pod(&c->state, &inventory, e);
	/* They may have been made room for. */
	copy.partitions = inventory.partitions;
	copy.partition_count = inventory.partition_count;
	change_end(c, &copy);
	return status;
}
