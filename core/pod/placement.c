#include "core/pod/placement.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* The places of one request in one cluster, in the order of their index. */
struct search {
	const struct pod	*pod;
	const int32_t		*owner;
	int			 allocation;	/* -1: any */
	int			 size;
	int			 num_ilds;
};

/* Whether the IPU is free and in the allocation, which -1 takes from it. */
static bool
ipu_fits(const struct search *s, int ipu, int *allocation)
{
	int	its = s->pod->agents[ipu / IPUS_PER_MACHINE].allocation;

	if (s->owner[ipu] != -1)
		return false;
	if (*allocation == -1)
		*allocation = its;
	return its == *allocation;
}

static bool
place_fits(const struct search *s, const struct placement *p)
{
	int	allocation = s->allocation, i;

	for (i = 0; i < s->size; i++)
		if (!ipu_fits(s, placement_ipu(s->pod, p, i), &allocation))
			return false;
	return true;
}

/*
 * Step *p to the next place of the cluster that fits, from `*p` itself on;
 * false when there is none.
 */
static bool
next_place(const struct search *s, struct placement *p)
{
	const struct cluster	*cluster = &s->pod->clusters[p->cluster];
	int			 ild_ipus = cluster_ild_ipus(cluster);

	if (p->per_ild > ild_ipus)
		return false;
	for (; p->first_ild + p->ild_count <= cluster->ild_count;
	    p->first_ild += p->ild_count, p->offset = 0)
		for (; p->offset < ild_ipus; p->offset += p->per_ild)
			if (place_fits(s, p))
				return true;
	return false;
}

static struct placement
first_place(const struct search *s, int cluster)
{
	struct placement	p = {
		.cluster = cluster,
		.ild_count = s->num_ilds,
		.per_ild = s->size / s->num_ilds
	};

	return p;
}

/* The clusters a request may use: *first to *last; its allocation. */
static int
search_init(struct search *s, const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, int *first, int *last, struct error *e)
{
	*s = (struct search){
		.pod = pod, .owner = owner, .allocation = -1,
		.size = r->size, .num_ilds = r->num_ilds
	};
	*first = 0;
	*last = pod->cluster_count - 1;
	if (r->cluster[0] != '\0') {
		*first = *last = pod_find_cluster(pod, r->cluster);
		if (*first == -1)
			return error_set(e, "cluster %s: there is none of "
			    "that name", r->cluster);
	}
	if (r->allocation[0] != '\0') {
		s->allocation = pod_find_allocation(pod, r->allocation);
		if (s->allocation == -1)
			return error_set(e, "allocation %s: there is none of "
			    "that name", r->allocation);
	}
	return 0;
}

int
placement_options(const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, struct placement **out,
    struct error *e)
{
	struct search		s;
	struct placement	p;
	int			cluster, last, count = 0, room = 0;

	*out = NULL;
	if (search_init(&s, pod, owner, r, &cluster, &last, e) != 0)
		return -1;
	for (; cluster <= last; cluster++) {
		p = first_place(&s, cluster);
		while (next_place(&s, &p)) {
			if (count == room) {
				room = room != 0 ? 2 * room : 16;
				*out = xreallocarray(*out, (size_t)room,
				    sizeof(**out));
			}
			(*out)[count++] = p;
			p.offset += p.per_ild;
		}
	}
	return count;
}

/* The largest size in one ILD that would fit now, 0 when nothing is free. */
static int
largest_fit(struct search s, int first, int last)
{
	struct placement	p;
	int			cluster;

	s.num_ilds = 1;
	for (s.size = ILD_IPUS_MAX; s.size > 0; s.size /= 2)
		for (cluster = first; cluster <= last; cluster++) {
			p = first_place(&s, cluster);
			if (next_place(&s, &p))
				return s.size;
		}
	return 0;
}

/* Why nothing fits, and what would. */
static int
no_place(const struct search *s, int first, int last, struct error *e)
{
	const struct cluster	*c;
	int			cluster, ipu, end, allocation;
	int			free_ipus = 0, most = 0, ilds = 0, largest;

	for (cluster = first; cluster <= last; cluster++) {
		c = &s->pod->clusters[cluster];
		ipu = c->first_agent * IPUS_PER_MACHINE;
		for (end = ipu + cluster_ipu_count(c); ipu < end; ipu++) {
			allocation = s->allocation;
			free_ipus += ipu_fits(s, ipu, &allocation);
		}
		if (cluster_ild_ipus(c) > most)
			most = cluster_ild_ipus(c);
		if (c->ild_count > ilds)
			ilds = c->ild_count;
	}
	if (s->num_ilds > ilds)
		return error_set(e, "num-ilds %d: the cluster has %d IPU-Link "
		    "domain%s", s->num_ilds, ilds, ilds == 1 ? "" : "s");
	if (s->size / s->num_ilds > most)
		return error_set(e, "size %d: an IPU-Link domain has %d IPUs, "
		    "so this needs at least --num-ilds %d%s", s->size, most,
		    s->size / most, s->size / most > ilds ?
		    ", more than the pod has" : "");
	largest = largest_fit(*s, first, last);
	if (largest == 0)
		return error_set(e, "size %d: no IPU is free; vipu list "
		    "partitions shows who has them", s->size);
	return error_set(e, "size %d: %d IPU%s free, but no aligned group of "
	    "that size; the largest size that fits now is %d", s->size,
	    free_ipus, free_ipus == 1 ? " is" : "s are", largest);
}

int
placement_choose(const struct pod *pod, const int32_t *owner,
    const struct partition_request *r, struct placement *out,
    struct error *e)
{
	struct search	s;
	int		cluster, first, last, index = 0;

	if (search_init(&s, pod, owner, r, &first, &last, e) != 0)
		return -1;
	for (cluster = first; cluster <= last; cluster++) {
		*out = first_place(&s, cluster);
		while (next_place(&s, out)) {
			if (r->index < 0 || index++ == r->index)
				return 0;
			out->offset += out->per_ild;
		}
	}
	if (index > 0)
		return error_set(e, "index %d: cluster %s has %d free "
		    "placement%s of that size (see --options)", r->index,
		    r->cluster, index, index == 1 ? "" : "s");
	return no_place(&s, first, last, e);
}
