/*
 * The IPUs of a new partition: buddy-aligned groups, lowest free one first.
 *
 * A group of s IPUs in an ILD starts at a multiple of s.  Over k ILDs it takes
 * s/k IPUs at the same place in k adjacent ILDs, the first a multiple of k.
 * Pure: `owner` gives the partition of each IPU of the pod (-1: free), as in
 * the registry.  Only machines that are MACHINE_UP have free IPUs.
 */
#ifndef CORE_POD_PLACEMENT_H
#define CORE_POD_PLACEMENT_H

#include "core/pod/request.h"

/*
 * Choose the placement for a request filled by request_check(): in its cluster
 * or allocation, else in the first cluster with room and the requested routing.
 * With request->index >= 0: the free placement with that index in
 * placement_options(), of request->cluster.  With first_ipu: the place that
 * begins at that IPU.  Without num_ilds, as few ILDs as possible.  O(IPUs).
 *
 * On failure the message names the broken rule (ERROR_INVALID, or
 * ERROR_NOT_FOUND for a name).  ERROR_NO_ROOM is for temporary lack of room;
 * its message has the number of free IPUs, the largest size that fits, and
 * another place with room.  A request that would not even fit into the empty
 * pod breaks a rule.
 */
int placement_choose(const struct pod *, const int32_t *owner,
    const struct partition_request *, struct placement *, struct error *);

/*
 * List all free placements of the request by cluster, lowest first, for `vipu
 * create partition --options`.  Indices restart at 0 in each cluster.  Returns
 * their number; the caller frees *out (NULL: none).  -1: a rule refuses the
 * request in every cluster, whatever is free, or a name in it is unknown.
 */
int placement_options(const struct pod *, const int32_t *owner,
    const struct partition_request *, struct placement **out, struct error *);

/* The IPUs of a cluster that belong to one allocation, or to none. */
struct capacity {
	int ipus; /* the sum of the next three */
	int used; /* IPUs of partitions */
	int free;
	int down;    /* neither: their machine is down */
	int largest; /* size that fits now, with as many GCDs as it needs */
};

/* Count the IPUs of a cluster that belong to an allocation, or with -1 to
   none. */
void placement_count(const struct pod *, const int32_t *owner, int cluster,
    int allocation, struct capacity *);

/* Return the index of the allocation of the placement's first IPU, or -1. */
int placement_allocation(const struct pod *, const struct placement *);

/* Return the number in the pod of the IPU with that routing id in the
   partition. */
int placement_ipu(const struct pod *, const struct placement *, int routing_id);

/*
 * Check that a placement read from a file or shared memory lies inside the pod
 * and its cluster.  -1: ERROR_INVALID; the message has its range and the size
 * of the cluster or ILD.
 */
int placement_check(const struct pod *, const struct placement *,
    struct error *);

/*
 * Return the first IPU (the pod's number) of the placement's n-th range of
 * placement->per_ild adjacent IPUs, or -1 after the last:
 *
 *	for (n = 0; (first = placement_range(cluster, p, n)) != -1; n++)
 *		for (ipu = first; ipu < first + p->per_ild; ipu++)
 */
int placement_range(const struct cluster *, const struct placement *, int n);

/*
 * Choose a placement's IPU-Link routing: the requested one or, without one, the
 * guide's default (5.10: up to 16 IPUs per ILD DNC; a whole torus cluster
 * RINGSWNC; else SWNC); and the gateway routing: the requested one or DEFAULT.
 * -1, ERROR_INVALID: a requested one is not valid there.
 *
 * Source: V-IPU user guide 5.10 and table 5.3.
 */
int routing_choose(const struct pod *, const struct placement *,
    const struct partition_request *, int *routing, int *gateway_routing,
    struct error *);

/* Return how traffic passes between ILDs, from the partition's gateway routing:
   UNDEFINED in one ILD, else RING or SWRING if it is one of these, else as the
   gateways are cabled. */
int routing_gateway_used(const struct pod *, const struct placement *,
    int asked);

#endif
