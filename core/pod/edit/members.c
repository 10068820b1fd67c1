/*
 * Finding the machines that a list of names means, for the edits: several
 * clusters may have a name, and what an edit accepts depends on a machine's
 * place.
 */
#include "core/pod/edit/edit_internal.h"

#include "core/base/alloc.h"
#include "core/pod/pod.h"

/* qsort(3): by name only. */
static int
members_by_name(const void *a, const void *b)
{
	const struct agent *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* bsearch(3): compares a name with a machine. */
static int
to_name(const void *name, const void *agent)
{
	const struct agent *const *a = agent;

	return strcmp(name, (*a)->name);
}

/* Return the first machine of that name in the sorted list, or NULL. */
static const struct agent **
members_first_of(const struct members *m, const char *name)
{
	const struct agent **found;

	found = bsearch(name, m->sorted, (size_t)m->pod->agent_count,
	    sizeof(*m->sorted), to_name);
	while (found != NULL && found > m->sorted &&
	    strcmp(found[-1]->name, name) == 0)
		found--;
	return found;
}

/* Refuse an unknown name, with the nearest one. */
static int
members_unknown(const struct pod *pod, const char *name, struct error *e)
{
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "agent %s does not exist; vipu-admin list agents shows the "
	    "existing ones",
	    name);
	return nearest_agent(pod, name, e);
}

/* Whether the list may mean this machine. */
static bool
may_mean(const struct members *m, const struct agent *a)
{
	if (a->cluster == -1)
		return m->loose;
	return m->cluster == a->cluster || (m->cluster == -1 && !m->loose);
}

/* Refuse a machine that exists elsewhere; say where, and which command moves
   it. */
static int
refuse_elsewhere(const struct members *m, const struct agent *a,
    struct error *e)
{
	const struct cluster *c = m->pod->clusters;

	if (a->cluster == -1)
		return error_set_code(e, ERROR_BUSY,
		    "agent %s is in no cluster; vipu-admin create cluster puts "
		    "it into one",
		    a->name);
	if (m->loose)
		return error_set_code(e, ERROR_BUSY,
		    "agent %s is in cluster %s; vipu-admin remove cluster %s, "
		    "or update cluster %s --agents with the others, takes it "
		    "out",
		    a->name, c[a->cluster].name, c[a->cluster].name,
		    c[a->cluster].name);
	return error_set_code(e, ERROR_BUSY,
	    "agent %s is in cluster %s, not in %s", a->name, c[a->cluster].name,
	    c[m->cluster].name);
}

/* Called for each name of the list.  A name that may mean two machines is
   refused. */
static int
add_member(void *context, const char *name, struct error *e)
{
	struct members *m = context;
	const struct agent **all = m->sorted + m->pod->agent_count;
	const struct agent **found = members_first_of(m, name), **a;
	const struct agent *meant = NULL;
	int place;

	if (found == NULL)
		return members_unknown(m->pod, name, e);
	for (a = found; a < all && strcmp((*a)->name, name) == 0; a++) {
		if (!may_mean(m, *a))
			continue;
		if (meant != NULL)
			return error_set_code(e, ERROR_INVALID,
			    "several agents are named %s%s", name,
			    m->loose ? "" : "; choose one with --cluster");
		meant = *a;
	}
	if (meant == NULL)
		return refuse_elsewhere(m, *found, e);
	place = (int)(meant - m->pod->agents);
	if (m->taken[place])
		return error_set_code(e, ERROR_INVALID,
		    "agent %s is named twice", name);
	m->taken[place] = true;
	m->places[m->count++] = place;
	return 0;
}

int
members_read(struct members *m, const struct pod *pod, const char *list,
    int cluster, bool loose, struct error *e)
{
	size_t n = (size_t)pod->agent_count + 1;
	int i;

	*m = (struct members){ .pod = pod, .cluster = cluster, .loose = loose };
	m->sorted = xcalloc(n, sizeof(*m->sorted));
	m->places = xcalloc(n, sizeof(*m->places));
	m->taken = xcalloc(n, sizeof(*m->taken));
	for (i = 0; i < pod->agent_count; i++)
		m->sorted[i] = &pod->agents[i];
	qsort(m->sorted, n - 1, sizeof(const struct agent *), members_by_name);
	return agent_list_each(list, add_member, m, e);
}

void
members_release(struct members *m)
{
	free(m->sorted);
	free(m->places);
	free(m->taken);
	m->sorted = NULL;
	m->places = NULL;
	m->taken = NULL;
}

/* Loops over the partitions' IPUs, not over pairs with machines: O(IPUs). */
int32_t *
members_agent_users(const struct inventory *in)
{
	const struct partition *p;
	int32_t *users;
	int i, ipu, size;

	users = xcalloc((size_t)in->pod->agent_count + 1, sizeof(*users));
	memset(users, -1, (size_t)in->pod->agent_count * sizeof(*users));
	for (p = in->partitions; p < in->partitions + in->partition_count;
	     p++) {
		size = partition_size(p);
		for (i = 0; i < size; i++) {
			ipu = placement_ipu(in->pod, &p->placement, i);
			users[ipu / IPUS_PER_MACHINE] =
			    (int32_t)(p - in->partitions);
		}
	}
	return users;
}
