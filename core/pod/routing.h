/*
 * How the IPU-Links and the gateway links of a placement route: the rules, and
 * the defaults.  Pure.
 *
 * Source: V-IPU user guide 5.10 and table 5.3.
 */
#ifndef CORE_POD_ROUTING_H
#define CORE_POD_ROUTING_H

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/request.h"

/*
 * The IPU-Link routing of a placement: the request's if it is valid there,
 * else the guide's default (5.10: up to 16 DNC; a whole torus cluster
 * RINGSWNC; else SWNC).  And the gateway routing: the request's or DEFAULT.
 */
int	routing_choose(const struct pod *, const struct placement *,
	    const struct partition_request *, int *routing,
	    int *gateway_routing, struct error *);

/*
 * What carries the traffic between the ILDs: UNDEFINED in one ILD, else RING
 * or SWRING as asked for, or as the gateways are cabled.
 */
int	routing_gateway_used(const struct pod *, const struct placement *,
	    int asked);

#endif
