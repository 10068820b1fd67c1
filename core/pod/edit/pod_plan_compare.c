/*
 * What is different between two pods, as the lines that `vipu-admin apply`
 * prints: "+" is new, "-" goes, "~" changes.  Machines are matched by name
 * first, then everything is compared by these pairs.
 */
#include "core/pod/edit/pod_plan_compare.h"

#include "core/base/alloc.h"
#include "core/base/memstream.h"
#include "core/pod/agent_list.h"

/* "" stands for no cluster. */
static const char *
pod_plan_compare_cluster_name(const struct pod *pod, int cluster)
{
	return cluster == -1 ? "" : pod->clusters[cluster].name;
}

/* ---- which machine is which ---- */

/* qsort(3): by name. */
static int
pod_plan_compare_by_name(const void *a, const void *b)
{
	const struct agent	*const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/*
 * The first of the machines of that name, or NULL: a binary search that goes on
 * to the left where bsearch(3) would stop at any of them.
 */
static const struct agent **
pod_plan_compare_first_of(const struct agent **sorted, size_t count,
    const char *name)
{
	size_t	low = 0, high = count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (strcmp(sorted[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && strcmp(sorted[low]->name, name) == 0 ?
	    &sorted[low] : NULL;
}

/*
 * Two passes: in the first only machines of the cluster of the same name are
 * taken, so that of two machines named ag01 neither is taken for the other.
 */
int *
pod_plan_compare_match(const struct pod *from, const struct pod *to)
{
	size_t			  n = (size_t)from->agent_count;
	const struct agent	**sorted, **s, *a;
	int			 *of, i, pass, place;
	bool			 *taken;

	sorted = xcalloc(n + 1, sizeof(*sorted));
	taken = xcalloc(n + 1, sizeof(*taken));
	of = xcalloc((size_t)to->agent_count + 1, sizeof(*of));
	for (i = 0; i < from->agent_count; i++)
		sorted[i] = &from->agents[i];
	qsort(sorted, n, sizeof(const struct agent *),
	    pod_plan_compare_by_name);
	memset(of, -1, (size_t)to->agent_count * sizeof(*of));
	/* In the cluster of the same name first, then in any. */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < to->agent_count; i++) {
			a = &to->agents[i];
			s = of[i] != -1 ? NULL :
			    pod_plan_compare_first_of(sorted, n, a->name);
			for (; s != NULL && s < sorted + n &&
			    strcmp((*s)->name, a->name) == 0; s++) {
				place = (int)(*s - from->agents);
				if (taken[place] || (pass == 0 &&
				    strcmp(pod_plan_compare_cluster_name(from,
				    (*s)->cluster),
				    pod_plan_compare_cluster_name(to,
				    a->cluster)) != 0))
					continue;
				taken[place] = true;
				of[i] = place;
				break;
			}
		}
	}
	free(sorted);
	free(taken);
	return of;
}

/* ---- changes of one thing ---- */

/* "~ WHAT NAME: CHANGE, CHANGE"; nothing where nothing changed. */
struct changes {
	struct strvec	*lines;
	struct memstream text;
	bool		 any;
};

/* The line begins; it is kept only where a change follows. */
static void
pod_plan_compare_begin(struct changes *c, struct strvec *lines,
    const char *what,
    const char *name)
{
	*c = (struct changes){ .lines = lines };
	fprintf(memstream_open(&c->text), "~ %s %s", what, name);
}

static void
pod_plan_compare_end(struct changes *c)
{
	char	*text = memstream_close(&c->text, NULL);

	if (c->any)
		strvec_take(c->lines, text);
	else
		free(text);
}

/* Where the next change of the line is printed. */
static FILE *
next(struct changes *c)
{
	fprintf(c->text.file, "%s", c->any ? ", " : ": ");
	c->any = true;
	return c->text.file;
}

static void
pod_plan_compare_word(struct changes *c, const char *what, const char *from,
    const char *to)
{
	if (strcmp(from, to) != 0)
		fprintf(next(c), "%s %s -> %s", what, from, to);
}

static void
pod_plan_compare_number(struct changes *c, const char *what, long from, long to)
{
	if (from != to)
		fprintf(next(c), "%s %ld -> %ld", what, from, to);
}

/* Names of machines on their way into a line. */
struct name_list {
	const char	**list;
	int		  count;
};

static struct name_list
new_names(int room)
{
	return (struct name_list){ .list = xcalloc((size_t)room + 1,
	    sizeof(const char *)) };
}

/* "+ag[17-20]", or "-ag03": an item each. */
static void
items(struct changes *c, char sign, const struct name_list *n)
{
	char	item[AGENT_ITEM_SIZE];
	int	i;

	for (i = 0; i < n->count;) {
		i += agent_list_item(n->list + i, n->count - i, item);
		fprintf(next(c), "%c%s", sign, item);
	}
}

/* The machines of a group in one pod. */
struct member_group {
	const struct pod	*pod;
	bool			 by_allocation;
	int			 group;
};

static bool
pod_plan_compare_is_member(const struct member_group *m, int place)
{
	const struct agent	*a = &m->pod->agents[place];

	return m->group == (m->by_allocation ? a->allocation : a->cluster) &&
	    m->group != -1;
}

/*
 * Which machines came to a cluster or an allocation and which went, or that
 * those of the cluster stand in another order.  `of` is
 * pod_plan_compare_match().
 */
static void
pod_plan_compare_members(struct changes *c, const struct member_group *from,
    const struct member_group *to, const int *of)
{
	struct name_list	 come, go;
	bool		*stays, ordered = true;
	int		 i, last = -1;

	stays = xcalloc((size_t)from->pod->agent_count + 1, sizeof(*stays));
	come = new_names(to->pod->agent_count);
	go = new_names(from->pod->agent_count);
	for (i = 0; i < to->pod->agent_count; i++) {
		if (!pod_plan_compare_is_member(to, i))
			continue;
		if (of[i] == -1 || !pod_plan_compare_is_member(from, of[i])) {
			come.list[come.count++] = to->pod->agents[i].name;
			continue;
		}
		stays[of[i]] = true;
		ordered = ordered && of[i] > last;
		last = of[i];
	}
	for (i = 0; i < from->pod->agent_count; i++)
		if (pod_plan_compare_is_member(from, i) && !stays[i])
			go.list[go.count++] = from->pod->agents[i].name;
	items(c, '-', &go);
	items(c, '+', &come);
	if (!ordered && !to->by_allocation)
		fprintf(next(c), "machines in another order");
	free(come.list);
	free(go.list);
	free(stays);
}

/* ---- machines, clusters, allocations ---- */

/* Where there are several clusters a name says whose machine it is. */
static void
compare_agent(struct strvec *lines, const struct pod *to,
    const struct agent *a, const struct agent *b)
{
	const char	*cluster = pod_plan_compare_cluster_name(to,
	    b->cluster);
	char		 name[2 * NAME_SIZE];
	struct changes	 c;

	(void)snprintf(name, sizeof(name), "%s%s%s",
	    to->cluster_count > 1 ? cluster : "", to->cluster_count > 1 &&
	    cluster[0] != '\0' ? ":" : "", b->name);
	pod_plan_compare_begin(&c, lines, "agent", name);
	pod_plan_compare_word(&c, "host", a->host, b->host);
	pod_plan_compare_word(&c, "address", a->address, b->address);
	pod_plan_compare_word(&c, "model", pod_machine_words[a->model],
	    pod_machine_words[b->model]);
	pod_plan_compare_number(&c, "port", a->port, b->port);
	pod_plan_compare_number(&c, "serial", a->serial, b->serial);
	pod_plan_compare_number(&c, "lot", a->lot, b->lot);
	pod_plan_compare_end(&c);
}

/* "+ agent ag[17-20]": a line for those that count up. */
static void
describe_agents(struct strvec *lines, char sign, struct name_list *n)
{
	char	item[AGENT_ITEM_SIZE];
	int	i;

	for (i = 0; i < n->count;) {
		i += agent_list_item(n->list + i, n->count - i, item);
		strvec_addf(lines, "%c agent %s", sign, item);
	}
	free(n->list);
}

/* Those that come and go first, then those that stay and change. */
static void
compare_agents(struct strvec *lines, const struct pod *from,
    const struct pod *to, const int *of)
{
	struct name_list	 come = new_names(to->agent_count);
	struct name_list	 go = new_names(from->agent_count);
	bool		*stays;
	int		 i;

	stays = xcalloc((size_t)from->agent_count + 1, sizeof(*stays));
	for (i = 0; i < to->agent_count; i++)
		if (of[i] == -1)
			come.list[come.count++] = to->agents[i].name;
		else
			stays[of[i]] = true;
	for (i = 0; i < from->agent_count; i++)
		if (!stays[i])
			go.list[go.count++] = from->agents[i].name;
	free(stays);
	describe_agents(lines, '-', &go);
	describe_agents(lines, '+', &come);
	for (i = 0; i < to->agent_count; i++)
		if (of[i] != -1)
			compare_agent(lines, to, &from->agents[of[i]],
			    &to->agents[i]);
}

static void
compare_clusters(struct strvec *lines, const struct pod *from,
    const struct pod *to, const int *of)
{
	const struct cluster	*a, *b;
	struct changes		 c;
	int			 i, k;

	for (i = 0; i < to->cluster_count; i++) {
		b = &to->clusters[i];
		k = pod_find_cluster(from, b->name);
		if (k == -1) {
			strvec_addf(lines, "+ cluster %s: %d machine%s, %s",
			    b->name, b->agent_count, b->agent_count == 1 ?
			    "" : "s", pod_topology_words[b->topology]);
			continue;
		}
		a = &from->clusters[k];
		pod_plan_compare_begin(&c, lines, "cluster", b->name);
		pod_plan_compare_word(&c, "topology",
		    pod_topology_words[a->topology],
		    pod_topology_words[b->topology]);
		pod_plan_compare_number(&c, "ilds", a->ild_count, b->ild_count);
		pod_plan_compare_word(&c, "gateway",
		    pod_gateway_words[a->gateway],
		    pod_gateway_words[b->gateway]);
		pod_plan_compare_members(&c, &(struct member_group){ from,
		    false, k },
		    &(struct member_group){ to, false, i }, of);
		pod_plan_compare_end(&c);
	}
}

static void
compare_allocations(struct strvec *lines, const struct pod *from,
    const struct pod *to, const int *of)
{
	const struct allocation	*b;
	struct changes		 c;
	int			 i, k;

	for (i = 0; i < to->allocation_count; i++) {
		b = &to->allocations[i];
		k = pod_find_allocation(from, b->name);
		if (k == -1) {
			strvec_addf(lines, "+ allocation %s", b->name);
			continue;
		}
		pod_plan_compare_begin(&c, lines, "allocation", b->name);
		pod_plan_compare_word(&c, "cluster",
		    pod_plan_compare_cluster_name(from,
		    from->allocations[k].cluster),
		    pod_plan_compare_cluster_name(to, b->cluster));
		pod_plan_compare_members(&c, &(struct member_group){ from, true,
		    k },
		    &(struct member_group){ to, true, i }, of);
		pod_plan_compare_end(&c);
	}
}

/* What goes, in the order in which an administrator would remove it. */
static void
describe_removals(struct strvec *lines, const struct pod *from,
    const struct pod *to)
{
	int	i;

	for (i = 0; i < from->allocation_count; i++)
		if (pod_find_allocation(to, from->allocations[i].name) == -1)
			strvec_addf(lines, "- allocation %s",
			    from->allocations[i].name);
	for (i = 0; i < from->cluster_count; i++)
		if (pod_find_cluster(to, from->clusters[i].name) == -1)
			strvec_addf(lines, "- cluster %s",
			    from->clusters[i].name);
}

void
pod_plan_compare(struct strvec *lines, const struct pod *from,
    const struct pod *to)
{
	int		*of = pod_plan_compare_match(from, to);
	struct changes	 c;

	pod_plan_compare_begin(&c, lines, "pod", to->name);
	pod_plan_compare_word(&c, "name", from->name, to->name);
	pod_plan_compare_end(&c);
	describe_removals(lines, from, to);
	compare_agents(lines, from, to, of);
	compare_clusters(lines, from, to, of);
	compare_allocations(lines, from, to, of);
	free(of);
}
