/*
 * The IPUs of a partition: free, aligned places are tried from the lowest on,
 * and the first with valid routing is taken.  partition.h draws a placement.
 */
#include "core/pod/placement.h"

#include "core/base/alloc.h"
#include "core/pod/request.h"

/* The places for a request in the clusters that it may use. */
struct search {
	const struct pod *pod;
	const int32_t *owner;
	struct partition_request request;
	int first, last; /* clusters */
	int allocation;	 /* -1: any; UNALLOCATED */
	bool empty;	 /* ignore taken IPUs and down machines */
};

enum { UNALLOCATED = -2 }; /* machines of no allocation */

/* Reasons why a cluster has no place, nearest to success last. */
enum refusal {
	TOO_FEW_ILDS,
	ILD_TOO_SMALL,
	TOO_FEW_GCDS,
	WRONG_ROUTING,
	NOT_FREE
};

/* Return the ILDs that the size needs in this cluster. */
static int
ilds_taken(const struct search *s, const struct cluster *c)
{
	int size = s->request.size, ipus = pod_cluster_ild_ipus(c);

	if (s->request.num_ilds != 0)
		return s->request.num_ilds;
	return size > ipus ? size / ipus : 1;
}

/* Find the lowest place in the cluster, free or not.  If the rules refuse it,
   they refuse all others in the cluster. */
static enum refusal
first_place(const struct search *s, int cluster, struct placement *p)
{
	const struct cluster *c = &s->pod->clusters[cluster];
	int routing, gateway;

	memset(p, 0, sizeof(*p));
	p->cluster = cluster;
	p->ild_count = ilds_taken(s, c);
	p->per_ild = s->request.size / p->ild_count;
	if (p->ild_count > c->ild_count)
		return TOO_FEW_ILDS;
	if (p->per_ild > pod_cluster_ild_ipus(c))
		return ILD_TOO_SMALL;
	if (p->ild_count > s->request.num_gcds)
		return TOO_FEW_GCDS;
	if (routing_choose(s->pod, p, &s->request, &routing, &gateway, NULL) !=
	    0)
		return WRONG_ROUTING;
	return NOT_FREE;
}

/* Whether the IPU is free, in the requested allocation, and its machine up. */
static bool
ipu_fits(const struct search *s, int ipu)
{
	const struct agent *a = &s->pod->agents[ipu / IPUS_PER_MACHINE];

	if (!s->empty && (s->owner[ipu] != -1 || a->state != MACHINE_UP))
		return false;
	return s->allocation == -1 || a->allocation == s->allocation ||
	    (s->allocation == UNALLOCATED && a->allocation == -1);
}

/* Whether all of its IPUs fit, in the same allocation. */
static bool
place_fits(const struct search *s, const struct placement *p)
{
	const struct agent *agents = s->pod->agents;
	int start, ild, i, allocation;

	allocation = placement_allocation(s->pod, p);
	for (ild = 0; ild < p->ild_count; ild++) {
		start = placement_ipu(s->pod, p, ild * p->per_ild);
		for (i = start; i < start + p->per_ild; i++)
			if (!ipu_fits(s, i) ||
			    agents[i / IPUS_PER_MACHINE].allocation !=
				allocation)
				return false;
	}
	return true;
}

/* Step *p to the next fitting place of the cluster, beginning with *p; false:
   no more. */
static bool
next_place(const struct search *s, struct placement *p)
{
	const struct cluster *cluster = &s->pod->clusters[p->cluster];
	int ild_ipus = pod_cluster_ild_ipus(cluster);

	for (; p->first_ild + p->ild_count <= cluster->ild_count;
	     p->first_ild += p->ild_count, p->offset = 0)
		for (; p->offset < ild_ipus; p->offset += p->per_ild)
			if (place_fits(s, p))
				return true;
	return false;
}

static int
search_init(struct search *s, const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, struct error *e)
{
	*s = (struct search){ .pod = pod,
		.owner = owner,
		.request = *r,
		.last = pod->cluster_count - 1,
		.allocation = -1 };
	if (r->cluster[0] != '\0') {
		s->first = s->last = pod_find_cluster(pod, r->cluster);
		if (s->first == -1) {
			(void)error_set_code(e, ERROR_NOT_FOUND,
			    "cluster %s: does not exist", r->cluster);
			return nearest_cluster(pod, r->cluster, e);
		}
	}
	if (r->allocation[0] != '\0') {
		s->allocation = pod_find_allocation(pod, r->allocation);
		if (s->allocation == -1) {
			(void)error_set_code(e, ERROR_NOT_FOUND,
			    "allocation %s: does not exist", r->allocation);
			return nearest_allocation(pod, r->allocation, e);
		}
	}
	return 0;
}

int
placement_allocation(const struct pod *pod, const struct placement *p)
{
	return pod->agents[placement_ipu(pod, p, 0) / IPUS_PER_MACHINE]
	    .allocation;
}

/* Return the largest size that fits now, or 0. */
static int
largest_fit(const struct search *s)
{
	struct search smaller = *s;
	struct placement p;
	int *size = &smaller.request.size, cluster, least;

	least = s->request.num_ilds != 0 ? s->request.num_ilds : 1;
	for (*size /= 2; *size >= least; *size /= 2)
		for (cluster = s->first; cluster <= s->last; cluster++)
			if (first_place(&smaller, cluster, &p) == NOT_FREE &&
			    next_place(&smaller, &p))
				return *size;
	return 0;
}

void
placement_count(const struct pod *pod, const int32_t *owner, int cluster,
    int allocation, struct capacity *n)
{
	struct search s = { .pod = pod,
		.owner = owner,
		.first = cluster,
		.last = cluster,
		.allocation = allocation != -1 ? allocation : UNALLOCATED };
	const struct cluster *c = &pod->clusters[cluster];
	const struct agent *a;
	int ipu = c->first_agent * IPUS_PER_MACHINE;
	const int end = ipu + pod_cluster_ipu_count(c);

	memset(n, 0, sizeof(*n));
	for (; ipu < end; ipu++) {
		a = &pod->agents[ipu / IPUS_PER_MACHINE];
		if (a->allocation != allocation)
			continue;
		n->ipus++;
		if (owner[ipu] != -1)
			n->used++;
		else if (a->state == MACHINE_UP)
			n->free++;
		else
			n->down++;
	}
	request_init(&s.request);
	s.request.num_gcds = POD_IPUS_MAX;
	/* The first size tried is half of this. */
	s.request.size = 2 * POD_IPUS_MAX;
	if (n->free > 0)
		n->largest = largest_fit(&s);
}

/* Whether the size would fit with all IPUs free and all machines up. */
static bool
fits_empty(struct search s)
{
	struct placement p;
	int cluster;

	s.empty = true;
	s.request.num_gcds = s.request.size;
	s.request.routing = IRT_UNDEFINED;
	s.request.gateway_routing = GRT_UNDEFINED;
	for (cluster = s.first; cluster <= s.last; cluster++)
		if (first_place(&s, cluster, &p) == NOT_FREE &&
		    next_place(&s, &p))
			return true;
	return false;
}

/* Append another cluster that has room now. */
static void
append_elsewhere(struct search s, struct error *e)
{
	struct placement p;
	int cluster;

	if (s.first == 0 && s.last == s.pod->cluster_count - 1 &&
	    s.allocation == -1)
		return;
	s.allocation = -1;
	for (cluster = 0; cluster < s.pod->cluster_count; cluster++) {
		if (first_place(&s, cluster, &p) != NOT_FREE ||
		    !next_place(&s, &p))
			continue;
		(void)error_append(e, "; cluster %s",
		    s.pod->clusters[cluster].name);
		if (placement_allocation(s.pod, &p) != -1)
			(void)error_append(e, ", allocation %s,",
			    s.pod->allocations[placement_allocation(s.pod, &p)]
				.name);
		(void)error_append(e, " has room for it");
		return;
	}
}

static int
count_free(const struct search *s)
{
	const struct cluster *c;
	int cluster, ipu, end, count = 0;

	for (cluster = s->first; cluster <= s->last; cluster++) {
		c = &s->pod->clusters[cluster];
		ipu = c->first_agent * IPUS_PER_MACHINE;
		for (end = ipu + pod_cluster_ipu_count(c); ipu < end; ipu++)
			count += ipu_fits(s, ipu);
	}
	return count;
}

/* Refuse a size that would not even fit into the empty pod. */
static int
never_free(struct search s, struct error *e)
{
	int all;

	s.empty = true;
	all = count_free(&s);
	(void)error_set_code(e, ERROR_INVALID, "size %d: ", s.request.size);
	if (s.allocation != -1) {
		(void)error_append(e, "allocation %s",
		    s.pod->allocations[s.allocation].name);
		if (all < s.request.size)
			return error_append(e, " has %d IPUs", all);
	} else
		(void)error_append(e, "no allocation of %s%s",
		    s.first == s.last ? "cluster " : "the pod",
		    s.first == s.last ? s.pod->clusters[s.first].name : "");
	return error_append(e,
	    " has %s aligned group of that size, free or taken",
	    s.allocation != -1 ? "no" : "an");
}

/* Refuse a size without a free place: name the free IPUs, or say that it can
   never fit. */
static int
not_free(const struct search *s, struct error *e)
{
	int free_ipus = count_free(s), largest = largest_fit(s);

	if (!fits_empty(*s))
		return never_free(*s, e);
	(void)error_set_code(e, ERROR_NO_ROOM,
	    "size %d: no aligned group of that size is free; %d IPU%s free",
	    s->request.size, free_ipus, free_ipus == 1 ? " is" : "s are");
	if (largest > 0)
		(void)error_append(e,
		    ", and the largest size that would fit now is %d", largest);
	append_elsewhere(*s, e);
	return -1;
}

static int
ipus(const struct search *s, int cluster)
{
	return pod_cluster_ipu_count(&s->pod->clusters[cluster]);
}

/* Refuse GCDs across several ILDs.  More GCDs are only suggested if the size
   fits at all. */
static int
too_few_gcds(const struct search *s, const struct placement *best,
    struct error *e)
{
	if (!fits_empty(*s))
		return never_free(*s, e);
	(void)error_set_code(e, ERROR_INVALID,
	    "size %d needs %d IPU-Link domains of cluster %s, and a ",
	    s->request.size, best->ild_count,
	    s->pod->clusters[best->cluster].name);
	return s->request.reconfigurable ?
	    error_append(e,
		"reconfigurable partition must fit in one: leave out "
		"--reconfigurable") :
	    error_append(e, "GCD must fit in one: use --num-gcds %d or more",
		best->ild_count);
}

/* Refuse with the reason of the cluster nearest to success, and the largest of
   these. */
static int
no_place(const struct search *s, struct error *e)
{
	const struct partition_request *r = &s->request;
	const struct cluster *c;
	struct placement p, best = { 0 };
	enum refusal why, nearest = TOO_FEW_ILDS;
	int cluster, routing, gateway;

	for (cluster = s->first; cluster <= s->last; cluster++) {
		why = first_place(s, cluster, &p);
		if (why > nearest || cluster == s->first ||
		    (why == nearest &&
			ipus(s, cluster) > ipus(s, best.cluster))) {
			nearest = why;
			best = p;
		}
	}
	if (nearest == NOT_FREE)
		return not_free(s, e);
	if (s->first > s->last)
		return error_set_code(e, ERROR_INVALID,
		    "the pod has no cluster; vipu-admin create cluster makes "
		    "one");
	if (nearest == WRONG_ROUTING)
		return routing_choose(s->pod, &best, r, &routing, &gateway, e);
	if (nearest == TOO_FEW_GCDS)
		return too_few_gcds(s, &best, e);
	c = &s->pod->clusters[best.cluster];
	if (r->num_ilds == 0 || r->size > ipus(s, best.cluster))
		return error_set_code(e, ERROR_INVALID,
		    "size %d: cluster %s has %d IPUs", r->size, c->name,
		    ipus(s, best.cluster));
	if (nearest == ILD_TOO_SMALL)
		return error_set_code(e, ERROR_INVALID,
		    "size %d: an IPU-Link domain of cluster %s has %d IPUs, so "
		    "this needs at least --num-ilds %d",
		    r->size, c->name, pod_cluster_ild_ipus(c),
		    r->size / pod_cluster_ild_ipus(c));
	return error_set_code(e, ERROR_INVALID,
	    "num-ilds %d: cluster %s has %d IPU-Link domain%s", r->num_ilds,
	    c->name, c->ild_count, c->ild_count == 1 ? "" : "s");
}

/* Return the place of the machine in the cluster, or -1. */
static int
placement_find_machine(const struct pod *pod, int cluster, const char *name,
    size_t len)
{
	const struct cluster *c = &pod->clusters[cluster];
	const char *its;
	int i;

	for (i = 0; i < c->agent_count; i++) {
		its = pod->agents[c->first_agent + i].name;
		if (strncmp(its, name, len) == 0 && its[len] == '\0')
			return i;
	}
	return -1;
}

/* Find the cluster of "ag01:0" and its place there; -1: ambiguous. */
static int
find_ipu(const struct search *s, const char *name, int *cluster,
    struct error *e)
{
	const char *colon = strrchr(name, ':');
	int i, machine, found = -1;

	if (colon == NULL || colon[1] < '0' || colon[1] > '3' ||
	    colon[2] != '\0')
		return error_set_code(e, ERROR_INVALID,
		    "first-ipu '%s': must be AGENT:N, with N from 0 to 3",
		    name);
	for (i = s->first; i <= s->last; i++) {
		machine = placement_find_machine(s->pod, i, name,
		    (size_t)(colon - name));
		if (machine != -1 && found != -1)
			return error_set_code(e, ERROR_INVALID,
			    "first-ipu %s: exists in several clusters; name "
			    "one with 'cluster'",
			    name);
		if (machine != -1) {
			found = machine * IPUS_PER_MACHINE + colon[1] - '0';
			*cluster = i;
		}
	}
	return found != -1 ?
	    found :
	    error_set_code(e, ERROR_NOT_FOUND,
		"first-ipu %s: does not exist%s%s", name,
		s->first == s->last ? " in cluster " : "",
		s->first == s->last ? s->pod->clusters[s->first].name : "");
}

/* Refuse the requested place, with the reason. */
static int
refuse_place(const struct search *s, const struct partition_request *r,
    const struct placement *p, struct error *e)
{
	const struct agent *a;
	int i, ipu;

	for (i = 0; i < p->per_ild * p->ild_count; i++) {
		ipu = placement_ipu(s->pod, p, i);
		a = &s->pod->agents[ipu / IPUS_PER_MACHINE];
		if (a->state != MACHINE_UP)
			return error_set_code(e, ERROR_NO_ROOM,
			    "first-ipu %s: agent %s is down", r->first_ipu,
			    a->name);
		if (s->owner[ipu] == -1)
			continue;
		return error_set_code(e, ERROR_NO_ROOM,
		    "first-ipu %s: not all of the %d IPUs from there on are "
		    "free",
		    r->first_ipu, r->size);
	}
	return error_set_code(e, ERROR_INVALID,
	    "first-ipu %s: not all of the %d IPUs from there on are in %s%s",
	    r->first_ipu, r->size,
	    s->allocation != -1 ? "allocation " : "one allocation",
	    r->allocation);
}

/* Find the place that the request names by its first IPU. */
static int
asked_place(struct search *s, const struct partition_request *r,
    struct placement *p, struct error *e)
{
	int cluster = -1, ild_ipus, at;

	at = find_ipu(s, r->first_ipu, &cluster, e);
	if (at == -1)
		return -1;
	if (first_place(s, cluster, p) != NOT_FREE) {
		s->first = s->last = cluster;
		return no_place(s, e);
	}
	ild_ipus = pod_cluster_ild_ipus(&s->pod->clusters[cluster]);
	p->first_ild = at / ild_ipus;
	p->offset = at % ild_ipus;
	if (p->offset % p->per_ild != 0)
		return error_set_code(e, ERROR_INVALID,
		    "first-ipu %s: a group of %d IPUs must begin at a multiple "
		    "of %d in its IPU-Link domain",
		    r->first_ipu, p->per_ild, p->per_ild);
	if (p->first_ild % p->ild_count != 0 ||
	    p->first_ild + p->ild_count > s->pod->clusters[cluster].ild_count)
		return error_set_code(e, ERROR_INVALID,
		    "first-ipu %s: a group over %d IPU-Link domains must begin "
		    "at a multiple of %d",
		    r->first_ipu, p->ild_count, p->ild_count);
	return place_fits(s, p) ? 0 : refuse_place(s, r, p, e);
}

int
placement_options(const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, struct placement **out, struct error *e)
{
	struct search s;
	struct placement p;
	int cluster, count = 0, room = 0;
	bool possible = false;

	*out = NULL;
	if (search_init(&s, pod, owner, r, e) != 0)
		return -1;
	for (cluster = s.first; cluster <= s.last; cluster++) {
		if (first_place(&s, cluster, &p) != NOT_FREE)
			continue;
		possible = true;
		for (; next_place(&s, &p); p.offset += p.per_ild) {
			if (count == room) {
				room = room != 0 ? 2 * room : 16;
				*out = xreallocarray(*out, (size_t)room,
				    sizeof(**out));
			}
			(*out)[count++] = p;
		}
	}
	return possible ? count : no_place(&s, e);
}

int
placement_choose(const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, struct placement *out, struct error *e)
{
	struct search s;
	int cluster, index = 0;

	if (search_init(&s, pod, owner, r, e) != 0)
		return -1;
	if (r->first_ipu[0] != '\0')
		return asked_place(&s, r, out, e);
	for (cluster = s.first; cluster <= s.last; cluster++) {
		if (first_place(&s, cluster, out) != NOT_FREE)
			continue;
		for (; next_place(&s, out); out->offset += out->per_ild)
			if (r->index < 0 || index++ == r->index)
				return 0;
	}
	if (index == 0)
		return no_place(&s, e);
	return error_set_code(e, ERROR_INVALID,
	    "index %d: cluster %s has %d free placement%s of size %d "
	    "(--options lists them)",
	    r->index, r->cluster, index, index == 1 ? "" : "s", r->size);
}

int
placement_ipu(const struct pod *pod, const struct placement *p, int routing_id)
{
	const struct cluster *cluster = &pod->clusters[p->cluster];
	int ild = p->first_ild + routing_id / p->per_ild;

	return cluster->first_agent * IPUS_PER_MACHINE +
	    ild * pod_cluster_ild_ipus(cluster) + p->offset +
	    routing_id % p->per_ild;
}

int
placement_check(const struct pod *pod, const struct placement *l,
    struct error *e)
{
	const struct cluster *c;

	if (l->cluster < 0 || l->cluster >= pod->cluster_count)
		return error_set_code(e, ERROR_INVALID,
		    "the placement is in no cluster");
	c = &pod->clusters[l->cluster];
	if (l->first_ild < 0 || l->ild_count < 1 ||
	    l->ild_count > c->ild_count - l->first_ild)
		return error_set_code(e, ERROR_INVALID,
		    "the placement is in ILDs %d to %d, but cluster %s has %d",
		    l->first_ild, l->first_ild + l->ild_count - 1, c->name,
		    c->ild_count);
	if (l->offset < 0 || l->per_ild < 1 ||
	    l->per_ild > pod_cluster_ild_ipus(c) - l->offset)
		return error_set_code(e, ERROR_INVALID,
		    "the placement is on IPUs %d to %d of an ILD, but cluster "
		    "%s has %d",
		    l->offset, l->offset + l->per_ild - 1, c->name,
		    pod_cluster_ild_ipus(c));
	return 0;
}

int
placement_range(const struct cluster *c, const struct placement *l, int n)
{
	if (n >= l->ild_count)
		return -1;
	return c->first_agent * IPUS_PER_MACHINE +
	    (l->first_ild + n) * pod_cluster_ild_ipus(c) + l->offset;
}
