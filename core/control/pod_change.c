/*
 * Changing the pod under existing partitions: the change is made on a copy,
 * checked, and put in place as a whole by new_pod_replace().
 */
#include "core/control/administration.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/control/controller_internal.h"
#include "core/state/state.h"

/* Names of the allocations before a change. */
struct allocation_names {
	char (*names)[NAME_SIZE];
	int count;
};

static void
remember(struct allocation_names *before, const struct pod *pod)
{
	int i;

	before->count = pod->allocation_count;
	before->names = xcalloc((size_t)before->count + 1,
	    sizeof(*before->names));
	for (i = 0; i < before->count; i++)
		memcpy(before->names[i], pod->allocations[i].name, NAME_SIZE);
}

/* Keep allocations that a user has: a later one of that name would become the
   user's. */
static int
check_users(struct controller *c, const struct allocation_names *before,
    const struct pod *after, struct error *e)
{
	int i;

	for (i = 0; i < before->count; i++)
		if (pod_find_allocation(after, before->names[i]) == -1 &&
		    users_allocation_unused(c, before->names[i], e) != 0)
			return -1;
	return 0;
}

int
pod_change_embedded(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	struct inventory inventory;
	struct snapshot copy;
	struct allocation_names before;
	int status;

	if (!c->admin && c->user.name[0] != '\0')
		return error_set_code(e, ERROR_DENIED,
		    "only the administrator may change the machines of the "
		    "pod");
	if (transaction_begin(c, &copy, e) != 0)
		return -1;
	snapshot_own(&copy);
	remember(&before, &copy.pod);
	inventory = (struct inventory){ .pod = &copy.pod,
		.partitions = copy.partitions,
		.partition_count = copy.partition_count };
	status = change(&inventory, context, e);
	if (status == 0)
		status = check_users(c, &before, &copy.pod, e);
	if (status == 0)
		status = new_pod_replace(&c->state, &inventory, e);
	/* The array may have been reallocated. */
	copy.partitions = inventory.partitions;
	copy.partition_count = inventory.partition_count;
	free(before.names);
	transaction_end(c, &copy);
	return status;
}

int
pod_change_run(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	return c->operations->change_pod(c, change, context, e);
}
