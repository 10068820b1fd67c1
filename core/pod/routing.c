/*
 * Routing of the IPU-Links and the gateway links of a placement.
 *
 *	IPUs in an ILD	valid				default
 *	1 to 8		DNC				DNC
 *	16		DNC, RINGSWNC [*]		DNC
 *	32		SWNC, RINGSWNC [*]		SWNC
 *	64		SWNC, RINGSWNC [*]		SWNC; RINGSWNC for a
 *							whole torus cluster
 *	any		BTNC: a torus, one IPU per replica
 *
 * [*] the entire IPU-Link domain, cabled as a torus.
 *
 * Source: V-IPU user guide 5.10 and table 5.3.  The guide's listing of a DNC
 * partition of 32 IPUs in 2 ILDs shows that the IPUs per ILD decide.
 */

#include "core/pod/placement.h"

enum { DNC_IPUS_MAX = 16, RING_IPUS_MIN = 16 };

/* Whether the partition has whole ILDs with their ends cabled together. */
static bool
is_torus(const struct cluster *c, const struct placement *p)
{
	return c->topology == TOPOLOGY_TORUS &&
	    p->per_ild == pod_cluster_ild_ipus(c);
}

/* Return the table's default. */
static int
link_default(const struct cluster *c, const struct placement *p)
{
	if (p->per_ild <= DNC_IPUS_MAX)
		return IRT_DNC;
	if (is_torus(c, p) && p->ild_count == c->ild_count)
		return IRT_RINGSWNC;
	return IRT_SWNC;
}

/* Check against the table's valid routings; a refusal lists them. */
static int
routing_check_link(const struct cluster *c, const struct placement *p,
    const struct partition_request *r, struct error *e)
{
	const char *name = partition_link_routing_name(r->routing);

	switch (r->routing) {
	case IRT_DNC:
		if (p->per_ild <= DNC_IPUS_MAX)
			return 0;
		return error_set_code(e, ERROR_INVALID,
		    "routing %s: supports at most %d IPUs in an IPU-Link "
		    "domain, not %d; use SWNC",
		    name, DNC_IPUS_MAX, p->per_ild);
	case IRT_SWNC:
		if (p->per_ild > DNC_IPUS_MAX)
			return 0;
		return error_set_code(e, ERROR_INVALID,
		    "routing %s: needs more than %d IPUs in an IPU-Link "
		    "domain, not %d; use DNC",
		    name, DNC_IPUS_MAX, p->per_ild);
	case IRT_RINGSWNC:
		if (is_torus(c, p) && p->per_ild >= RING_IPUS_MIN)
			return 0;
		return error_set_code(e, ERROR_INVALID,
		    "routing %s: needs an entire IPU-Link domain of at least "
		    "%d IPUs with torus topology",
		    name, RING_IPUS_MIN);
	default:
		if (is_torus(c, p) && r->num_replicas == r->size)
			return 0;
		return error_set_code(e, ERROR_INVALID,
		    "routing %s: needs an entire IPU-Link domain with torus "
		    "topology and one IPU per replica (--total-num-replicas "
		    "%d)",
		    name, r->size);
	}
}

/* A requested gateway routing must match the cabling of the cluster's gateways;
   within one ILD nothing is routed. */
static int
check_gateway(const struct cluster *c, const struct placement *p,
    const struct partition_request *r, struct error *e)
{
	const char *name = partition_gateway_routing_name(r->gateway_routing);

	if (r->gateway_routing == GRT_DEFAULT)
		return 0;
	if (p->ild_count == 1)
		return error_set_code(e, ERROR_INVALID,
		    "gateway routing %s: the partition is in one IPU-Link "
		    "domain and uses no gateway links",
		    name);
	if (r->gateway_routing == GRT_RING && c->gateway != GATEWAY_LOOPED)
		return error_set_code(e, ERROR_INVALID,
		    "gateway routing %s: needs gateway links cabled as a loop, "
		    "which cluster %s does not have",
		    name, c->name);
	if (r->gateway_routing == GRT_SWRING && c->gateway != GATEWAY_SWITCHED)
		return error_set_code(e, ERROR_INVALID,
		    "gateway routing %s: needs switched gateway links, which "
		    "cluster %s does not have",
		    name, c->name);
	return 0;
}

/* DEFAULT follows the cables: RING for a loop, SWRING for switches. */
int
routing_gateway_used(const struct pod *pod, const struct placement *p,
    int asked)
{
	if (p->ild_count == 1)
		return GRT_UNDEFINED;
	if (asked == GRT_RING || asked == GRT_SWRING)
		return asked;
	return pod->clusters[p->cluster].gateway == GATEWAY_LOOPED ?
	    GRT_RING :
	    GRT_SWRING;
}

int
routing_choose(const struct pod *pod, const struct placement *p,
    const struct partition_request *r, int *routing, int *gateway_routing,
    struct error *e)
{
	const struct cluster *c = &pod->clusters[p->cluster];

	if (r->routing != IRT_UNDEFINED && routing_check_link(c, p, r, e) != 0)
		return -1;
	if (r->gateway_routing != GRT_UNDEFINED &&
	    check_gateway(c, p, r, e) != 0)
		return -1;
	*routing = r->routing != IRT_UNDEFINED ?
	    r->routing :
	    link_default(c, p);
	*gateway_routing = r->gateway_routing != GRT_UNDEFINED ?
	    r->gateway_routing :
	    GRT_DEFAULT;
	return 0;
}
