/*
 * New places for the machines after a change, with as few moves as possible.
 * The new order is collected in `order`, then applied at once.  Read
 * arrange_machines() at the end first.
 */
#include "core/pod/edit/edit_internal.h"

#include "core/base/alloc.h"

/* State of an arrangement in progress. */
struct work {
	const struct arrangement *how;
	struct pod *pod;
	struct agent *old; /* machines in their old places */
	int old_count;
	int *order;		    /* old places by new place */
	int filled;		    /* filled part of it */
	const struct agent **loose; /* outside clusters, in order */
	int loose_count;
	int loose_used;
};

/* qsort(3): by lot and serial number, the order of machines outside clusters;
   then by name. */
static int
by_serial(const void *a, const void *b)
{
	const struct agent *const *x = a, *const *y = b;

	if ((*x)->lot != (*y)->lot)
		return (*x)->lot < (*y)->lot ? -1 : 1;
	if ((*x)->serial != (*y)->serial)
		return (*x)->serial < (*y)->serial ? -1 : 1;
	return strcmp((*x)->name, (*y)->name);
}

/* Whether the machine at that old place leaves the pod. */
static bool
arrange_is_gone(const struct work *w, int place)
{
	return w->how->gone != NULL && w->how->gone[place];
}

/* Collect the machines outside clusters, in order. */
static void
collect_loose(struct work *w)
{
	int i;

	w->loose = xcalloc((size_t)w->old_count + 1, sizeof(*w->loose));
	for (i = 0; i < w->old_count; i++)
		if (w->old[i].cluster == -1 && !arrange_is_gone(w, i))
			w->loose[w->loose_count++] = &w->old[i];
	qsort(w->loose, (size_t)w->loose_count, sizeof(const struct agent *),
	    by_serial);
}

/* Return a cluster that occupies any of these places, or NULL. */
static const struct cluster *
in_the_way(const struct work *w, int first, int count)
{
	const struct cluster *c = w->pod->clusters;
	int i;

	for (i = 0; i < w->pod->cluster_count; i++, c++)
		if (i != w->how->cluster &&
		    first < c->first_agent + c->agent_count &&
		    c->first_agent < first + count)
			return c;
	return NULL;
}

/*
 * Choose the place of the changing cluster: the old one if it still fits, else
 * the lowest gap.  The search continues after each cluster in the way, so it
 * ends after the last one at most.
 */
static void
choose_gap(struct work *w)
{
	const struct cluster *other;
	struct cluster *c;
	int first;

	if (w->how->cluster == -1)
		return;
	c = &w->pod->clusters[w->how->cluster];
	first = c->first_agent == -1 ? 0 : c->first_agent;
	if (in_the_way(w, first, c->agent_count) != NULL)
		first = 0;
	while ((other = in_the_way(w, first, c->agent_count)) != NULL)
		first = other->first_agent + other->agent_count;
	c->first_agent = first;
}

/* qsort(3): clusters by their first machine. */
static int
arrange_by_place(const void *a, const void *b)
{
	const struct cluster *const *x = a, *const *y = b;

	return (*x)->first_agent - (*y)->first_agent;
}

/* Fill the places up to this one with machines outside clusters. */
static void
add_loose(struct work *w, int up_to)
{
	while (w->filled < up_to && w->loose_used < w->loose_count)
		w->order[w->filled++] =
		    (int)(w->loose[w->loose_used++] - w->old);
}

/* Add the cluster's machines; fewer machines before it move it down. */
static void
arrange_add_cluster(struct work *w, struct cluster *c)
{
	bool changed = c - w->pod->clusters == w->how->cluster;
	int first, i;

	add_loose(w, c->first_agent);
	first = c->first_agent;
	c->first_agent = w->filled;
	for (i = 0; i < c->agent_count; i++)
		w->order[w->filled++] = changed ?
		    w->how->members[i] :
		    first + i;
}

/* Machines, allocations and partitions refer to clusters by their index. */
void
arrange_renumber_clusters(struct inventory *in, const int *to)
{
	struct pod *pod = in->pod;
	int i;

	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].cluster != -1)
			pod->agents[i].cluster = to[pod->agents[i].cluster];
	for (i = 0; i < pod->allocation_count; i++)
		pod->allocations[i].cluster = to[pod->allocations[i].cluster];
	for (i = 0; i < in->partition_count; i++)
		in->partitions[i].placement.cluster =
		    to[in->partitions[i].placement.cluster];
}

/* The list of clusters is in the order of their places. */
static void
sort_clusters(struct inventory *in, struct cluster *const *sorted)
{
	struct pod *pod = in->pod;
	struct cluster *copy;
	int to[POD_CLUSTERS_MAX], i;

	copy = xcalloc((size_t)pod->cluster_count + 1, sizeof(*copy));
	for (i = 0; i < pod->cluster_count; i++) {
		copy[i] = *sorted[i];
		to[sorted[i] - pod->clusters] = i;
	}
	free(pod->clusters);
	pod->clusters = copy;
	arrange_renumber_clusters(in, to);
}

void
arrange_machines(struct inventory *in, const struct arrangement *how)
{
	struct pod *pod = in->pod;
	struct work w = { .how = how,
		.pod = pod,
		.old = pod->agents,
		.old_count = pod->agent_count };
	struct cluster *sorted[POD_CLUSTERS_MAX];
	int i;

	w.order = xcalloc((size_t)w.old_count + 1, sizeof(*w.order));
	collect_loose(&w);
	choose_gap(&w);
	for (i = 0; i < pod->cluster_count; i++)
		sorted[i] = &pod->clusters[i];
	qsort(sorted, (size_t)pod->cluster_count, sizeof(sorted[0]),
	    arrange_by_place);
	for (i = 0; i < pod->cluster_count; i++)
		arrange_add_cluster(&w, sorted[i]);
	add_loose(&w, w.old_count);

	pod->agents = xcalloc((size_t)w.filled + 1, sizeof(*pod->agents));
	for (i = 0; i < w.filled; i++)
		pod->agents[i] = w.old[w.order[i]];
	pod->agent_count = w.filled;
	sort_clusters(in, sorted);
	free(w.order);
	free(w.loose);
	free(w.old);
}
