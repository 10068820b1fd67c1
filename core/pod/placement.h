/*
 * Which IPUs a partition gets: buddy-aligned groups, lowest free one first.
 *
 * A group of s IPUs in an ILD starts at a multiple of s; over k ILDs it takes
 * s/k IPUs at the same place in k neighbouring ILDs whose first is a multiple
 * of k.  Pure: `owner` says for each IPU of the pod which partition has it
 * (-1: free), as the registry mirrors it.  A machine that is not MACHINE_UP
 * has none to give.
 */
#ifndef CORE_POD_PLACEMENT_H
#define CORE_POD_PLACEMENT_H

#include <stdint.h>

#include "core/pod/partition.h"
#include "core/pod/request.h"

/*
 * Choose the placement for a checked request: in the cluster or allocation it
 * names, else in the first cluster that has room and the routing asked for.
 * With request->index >= 0, that one of the free placements of
 * request->cluster; with first_ipu, the place that begins there.  Without
 * num_ilds it takes as few ILDs as hold the size.  O(IPUs).
 *
 * On failure the message says which rule stands against it (ERROR_INVALID, or
 * ERROR_NOT_FOUND for a name) or, with ERROR_NO_ROOM, how many IPUs are free,
 * the largest size that would fit and where else there is room.  ERROR_NO_ROOM
 * is only what could change: a request that would not fit into the pod without
 * any partition is against a rule.
 */
int placement_choose(const struct pod *, const int32_t *owner,
    const struct partition_request *, struct placement *, struct error *);

/*
 * All free placements of the request, cluster by cluster, lowest first: what
 * `vipu create partition --options` lists.  Returns their number; the caller
 * frees *out.  An index restarts at 0 in each cluster.  -1 and the rule where
 * there would be none although all IPUs were free.
 */
int placement_options(const struct pod *, const int32_t *owner,
    const struct partition_request *, struct placement **out, struct error *);

/* The allocation its IPUs belong to, or -1. */
int placement_allocation(const struct pod *, const struct placement *);

/* The pod's IPU number of a partition's routing id. */
int placement_ipu(const struct pod *, const struct placement *, int routing_id);

/*
 * Check that a placement that was read, from a file or from shared memory,
 * lies inside the pod and its cluster.  ERROR_INVALID, and the message says
 * what it was and what the cluster has.
 */
int placement_check(const struct pod *, const struct placement *,
    struct error *);

/*
 * The placement's n-th range of neighbouring IPUs: the pod's number of its
 * first IPU, or -1 behind the last range.  Each has placement->per_ild IPUs:
 *
 *	for (n = 0; (first = placement_range(cluster, p, n)) != -1; n++)
 *		for (ipu = first; ipu < first + p->per_ild; ipu++)
 */
int placement_range(const struct cluster *, const struct placement *, int n);

/*
 * Choose how the IPU-Links of a placement route: as the request says if that is
 * valid there, else the guide's default (5.10: up to 16 DNC; a whole torus
 * cluster RINGSWNC; else SWNC).  And the gateway routing: the request's or
 * DEFAULT.
 *
 * Source: V-IPU user guide 5.10 and table 5.3.
 */
int routing_choose(const struct pod *, const struct placement *,
    const struct partition_request *, int *routing, int *gateway_routing,
    struct error *);

/*
 * What carries the traffic between the ILDs: UNDEFINED in one ILD, else RING
 * or SWRING as asked for, or as the gateways are cabled.
 */
int routing_gateway_used(const struct pod *, const struct placement *,
    int asked);

#endif
