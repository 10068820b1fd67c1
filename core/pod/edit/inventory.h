/*
 * Changes of what a pod is made of, as rules without I/O: machines are
 * declared, wired into clusters, and shared out by allocations.  Nothing that
 * is in use goes: a machine in a cluster, a cluster with an allocation, a
 * cluster or an allocation with a partition.  The refusal names the user.
 *
 * Each function changes the pod or returns -1 with the reason and changes
 * nothing.  A cluster's machines stay in their places as long as no gap has to
 * be closed before them; those in no cluster fill the gaps and stand behind all
 * others.  `partitions` are those there are; indices in them (cluster,
 * allocation) are kept right.  The pod owns its arrays, which may move.
 *
 * Source: V-IPU administrator guide, agents, clusters, allocations.
 */
#ifndef CORE_POD_EDIT_INVENTORY_H
#define CORE_POD_EDIT_INVENTORY_H

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"

/* A pod with its partitions. */
struct inventory {
	struct pod		*pod;
	struct partition	*partitions;
	int			 partition_count;
};

#endif
