/*
 * Used and free parts of a pod: the IPUs of each cluster by allocation, and
 * partitions by their states and owners.  Pure.
 */
#ifndef CORE_POD_CAPACITY_H
#define CORE_POD_CAPACITY_H

#include "core/pod/pod.h"

/* The IPUs of a cluster that belong to one allocation, or to none. */
struct capacity {
	int cluster;
	int allocation; /* -1: none */
	int ipus;	/* the sum of the next three */
	int used;	/* of partitions */
	int free;
	int down;    /* neither: their machine is down */
	int largest; /* see placement_largest() */
};

/* List the groups that have IPUs, by cluster, and in it by allocation, with the
   group of none last.  `owner` is as in core/pod/placement.h.  Returns how
   many; the caller frees *out. */
int capacity_list(const struct pod *, const int32_t *owner,
    struct capacity **out);

/* Return how many of the partitions are in that state. */
int capacity_count_state(const struct partition *, int count, int state);

/* Whether two partitions have the same owner: the V-IPU user, or without one
   the user of the host. */
bool capacity_same_owner(const struct partition *, const struct partition *);

#endif
