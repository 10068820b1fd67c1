/*
 * Counts what of a pod is used and free.
 */
#include "core/pod/capacity.h"

#include <string.h>

#include "core/pod/placement.h"

void
capacity_count(const struct pod *pod, const int32_t *owner, int cluster,
    int allocation, struct capacity *c)
{
	const struct cluster *all = &pod->clusters[cluster];
	const struct agent *a;
	int ipu = all->first_agent * IPUS_PER_MACHINE;
	const int end = ipu + pod_cluster_ipu_count(all);

	memset(c, 0, sizeof(*c));
	for (; ipu < end; ipu++) {
		a = &pod->agents[ipu / IPUS_PER_MACHINE];
		if (a->allocation != allocation)
			continue;
		c->ipus++;
		if (owner[ipu] != -1)
			c->used++;
		else if (a->state == MACHINE_UP)
			c->free++;
		else
			c->down++;
	}
	if (c->free > 0)
		c->largest = placement_largest(pod, owner, cluster, allocation);
}

bool
capacity_same_owner(const struct partition *a, const struct partition *b)
{
	return strcmp(a->user, b->user) == 0 &&
	    (a->user[0] != '\0' || a->owner == b->owner);
}
