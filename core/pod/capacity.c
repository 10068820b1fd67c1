/*
 * Counts what of a pod is used and free.
 */
#include "core/pod/capacity.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/placement.h"

/* Count the IPUs of the machines of that group. */
static void
count_group(const struct pod *pod, const int32_t *owner, struct capacity *c)
{
	const struct agent *a;
	int i, ipu;

	for (i = 0; i < pod->agent_count; i++) {
		a = &pod->agents[i];
		if (a->cluster != c->cluster || a->allocation != c->allocation)
			continue;
		c->ipus += IPUS_PER_MACHINE;
		for (ipu = i * IPUS_PER_MACHINE;
		     ipu < (i + 1) * IPUS_PER_MACHINE; ipu++)
			if (owner[ipu] != -1)
				c->used++;
			else if (a->state == MACHINE_UP)
				c->free++;
			else
				c->down++;
	}
}

int
capacity_list(const struct pod *pod, const int32_t *owner,
    struct capacity **out)
{
	const int groups = pod->allocation_count + 1;
	struct capacity *c;
	int cluster, i, count = 0;

	*out = xcalloc((size_t)(pod->cluster_count * groups) + 1,
	    sizeof(**out));
	for (cluster = 0; cluster < pod->cluster_count; cluster++)
		for (i = 0; i < groups; i++) {
			c = &(*out)[count];
			*c = (struct capacity){ .cluster = cluster,
				.allocation = i < groups - 1 ? i : -1 };
			if (c->allocation != -1 &&
			    pod->allocations[i].cluster != cluster)
				continue;
			count_group(pod, owner, c);
			if (c->ipus == 0)
				continue;
			c->largest = placement_largest(pod, owner, cluster,
			    c->allocation);
			count++;
		}
	return count;
}

int
capacity_count_state(const struct partition *p, int count, int state)
{
	int i, n = 0;

	for (i = 0; i < count; i++)
		n += p[i].state == state;
	return n;
}

bool
capacity_same_owner(const struct partition *a, const struct partition *b)
{
	return strcmp(a->user, b->user) == 0 &&
	    (a->user[0] != '\0' || a->owner == b->owner);
}
