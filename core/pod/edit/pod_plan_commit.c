/*
 * The places of the machines in a wanted pod: clusters stay where they are as
 * far as the machines of no cluster fill the gaps before them.  IPU numbers
 * follow from places, and running programs hold these numbers.
 */

#include "core/pod/edit/pod_plan_commit.h"

#include "core/base/alloc.h"

/* A cluster of the wanted pod and where it would best stand. */
struct seat {
	int	cluster;
	int	place;		/* of now; behind all: a new one */
};

/* qsort(3): by place; new clusters behind all, in their order. */
static int
pod_plan_commit_by_place(const void *a, const void *b)
{
	const struct seat	*x = a, *y = b;

	return x->place != y->place ? (x->place < y->place ? -1 : 1) :
	    x->cluster - y->cluster;
}

/* The wanted pod while its machines find their places. */
struct settling {
	const struct pod	*from;
	struct agent		*agents;
	int			 count;
	int			 next_spare;	/* to look at, in from */
};

/* The next machines that are in no cluster, up to the place. */
static void
fill_gap(struct settling *s, int place)
{
	const struct agent	*a;

	for (; s->count < place && s->next_spare < s->from->agent_count;
	    s->next_spare++) {
		a = &s->from->agents[s->next_spare];
		if (a->cluster == -1)
			s->agents[s->count++] = *a;
	}
}

/*
 * `seats` is the order of the clusters.  The machines are copied in it, the
 * gaps between filled; to[] then maps old cluster numbers to new ones.
 */
void
pod_plan_commit(const struct pod *now, struct pod *wanted)
{
	struct settling	 s = { .from = wanted };
	struct seat	 seats[POD_CLUSTERS_MAX];
	struct cluster	*clusters, *c;
	int		 to[POD_CLUSTERS_MAX], i, k, n = wanted->cluster_count;

	for (i = 0; i < n; i++) {
		k = pod_find_cluster(now, wanted->clusters[i].name);
		seats[i].cluster = i;
		seats[i].place = k == -1 ? POD_AGENTS_MAX :
		    now->clusters[k].first_agent;
	}
	qsort(seats, (size_t)n, sizeof(seats[0]), pod_plan_commit_by_place);
	s.agents = xcalloc((size_t)wanted->agent_count + 1,
	    sizeof(*s.agents));
	clusters = xcalloc((size_t)n + 1, sizeof(*clusters));
	for (i = 0; i < n; i++) {
		c = &wanted->clusters[seats[i].cluster];
		to[seats[i].cluster] = i;
		if (seats[i].place != POD_AGENTS_MAX)
			fill_gap(&s, seats[i].place);
		clusters[i] = *c;
		clusters[i].first_agent = s.count;
		memcpy(&s.agents[s.count], &wanted->agents[c->first_agent],
		    (size_t)c->agent_count * sizeof(*s.agents));
		s.count += c->agent_count;
	}
	fill_gap(&s, wanted->agent_count);
	for (i = 0; i < s.count; i++)
		if (s.agents[i].cluster != -1)
			s.agents[i].cluster = to[s.agents[i].cluster];
	for (i = 0; i < wanted->allocation_count; i++)
		wanted->allocations[i].cluster =
		    to[wanted->allocations[i].cluster];
	free(wanted->agents);
	free(wanted->clusters);
	wanted->agents = s.agents;
	wanted->clusters = clusters;
}
