/*
 * Used and free parts of a pod, and owners of partitions.  Pure.
 */
#ifndef CORE_POD_CAPACITY_H
#define CORE_POD_CAPACITY_H

#include "core/pod/pod.h"

struct capacity {
	int ipus; /* the sum of the next three */
	int used; /* of partitions */
	int free;
	int down;    /* neither: their machine is down */
	int largest; /* see placement_largest() */
};

/* Count the IPUs of a cluster that belong to an allocation, or with -1 to none.
   `owner` is as in core/pod/placement.h. */
void capacity_count(const struct pod *, const int32_t *owner, int cluster,
    int allocation, struct capacity *);

/* Whether two partitions have the same owner: the V-IPU user, or without one
   the user of the host. */
bool capacity_same_owner(const struct partition *, const struct partition *);

#endif
