/*
 * Counts of used and free IPUs, by cluster and allocation, and of partitions by
 * state and owner.  Pure.
 */
#ifndef CORE_POD_CAPACITY_H
#define CORE_POD_CAPACITY_H

#include "core/pod/pod.h"

/* The IPUs of a cluster that belong to one allocation, or to none. */
struct capacity {
	int cluster;
	int allocation; /* -1: none */
	int ipus;	/* sum of the next three */
	int used;	/* IPUs of partitions */
	int free;
	int down;    /* neither: their machine is down or rebooting */
	int largest; /* see placement_largest() */
};

/* List the groups that have IPUs, by cluster and then by allocation; IPUs
   without an allocation come last.  `owner` is as in core/pod/placement.h.
   Returns the number of groups; the caller frees *out. */
int capacity_list(const struct pod *, const int32_t *owner,
    struct capacity **out);

/* Return how many of the partitions are in that state. */
int capacity_count_state(const struct partition *, int count, int state);

/* Return true if two partitions have the same owner: the V-IPU user, or without
   one the user of the host. */
bool capacity_same_owner(const struct partition *, const struct partition *);

#endif
