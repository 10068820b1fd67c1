/*
 * The plan from what is to what a document asks for.  First every wanted
 * partition finds its place in the wanted pod, then the steps are what is
 * different.  Read pod_plan_make() at the end first.
 *
 *	document --> wanted pod --+--> place of each wanted partition
 *	now -------> moved into --'        |
 *	             the wanted pod        +--> removals, the pod, creations
 */
#include "core/pod/edit/pod_plan.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/ini.h"
#include "core/pod/document/document_text.h"
#include "core/pod/edit/pod_plan_commit.h"
#include "core/pod/edit/pod_plan_compare.h"
#include "core/pod/placement.h"
#include "core/pod/routing.h"

void
pod_plan_release(struct pod_plan *p)
{
	strvec_release(&p->lines);
	free(p->removals);
	free(p->creations);
	pod_release(&p->pod);
	memset(p, 0, sizeof(*p));
}

/* A copy that is never NULL, for arrays that may be empty. */
static void *
copy_array(const void *from, int count, size_t size)
{
	void	*to = xcalloc((size_t)count + 1, size);

	if (count > 0)
		memcpy(to, from, (size_t)count * size);
	return to;
}

/* A pod of its own: the arrays are copied. */
static void
copy_pod(struct pod *to, const struct pod *from)
{
	*to = *from;
	to->agents = copy_array(from->agents, from->agent_count,
	    sizeof(*to->agents));
	to->clusters = copy_array(from->clusters, from->cluster_count,
	    sizeof(*to->clusters));
	to->allocations = copy_array(from->allocations,
	    from->allocation_count, sizeof(*to->allocations));
}

/* ---- partitions that stay ---- */

/* A running program sees the links, so these must be the same. */
static bool
same_wiring(const struct cluster *a, const struct cluster *b)
{
	return a->topology == b->topology && a->gateway == b->gateway &&
	    pod_cluster_ild_ipus(a) == pod_cluster_ild_ipus(b);
}

/*
 * The place in the cluster of the machine of that name, or -1.  The search
 * begins at `guess`, where it stood: mostly it still does.
 */
static int
pod_plan_find_machine(const struct pod *pod, const struct cluster *c,
    const char *name,
    int guess)
{
	int	i, at;

	for (i = 0; i < c->agent_count; i++) {
		at = (guess + i) % c->agent_count;
		if (strcmp(pod->agents[c->first_agent + at].name, name) == 0)
			return at;
	}
	return -1;
}

/*
 * Whether both have the IPUs of the same machines in the same order, all in one
 * allocation.  Machine by machine: a step is a whole machine, or the partition
 * where that is smaller.
 */
static bool
same_ipus(const struct pod *from, const struct placement *a,
    const struct pod *to, const struct placement *b)
{
	int	i, x, y, step;
	int	allocation = placement_allocation(to, b);

	step = a->per_ild < IPUS_PER_MACHINE ? a->per_ild : IPUS_PER_MACHINE;
	for (i = 0; i < a->per_ild * a->ild_count; i += step) {
		x = placement_ipu(from, a, i);
		y = placement_ipu(to, b, i);
		if (x % IPUS_PER_MACHINE != y % IPUS_PER_MACHINE ||
		    strcmp(from->agents[x / IPUS_PER_MACHINE].name,
		    to->agents[y / IPUS_PER_MACHINE].name) != 0 ||
		    to->agents[y / IPUS_PER_MACHINE].allocation != allocation)
			return false;
	}
	return true;
}

bool
pod_plan_move(const struct pod *from, const struct pod *to, struct partition *p)
{
	const struct cluster	*a = &from->clusters[p->placement.cluster];
	const struct cluster	*b;
	struct placement	 place = p->placement;
	int			 ipu, at, ild_ipus = pod_cluster_ild_ipus(a);

	place.cluster = pod_find_cluster(to, a->name);
	if (place.cluster == -1)
		return false;
	b = &to->clusters[place.cluster];
	if (!same_wiring(a, b))
		return false;
	ipu = placement_ipu(from, &p->placement, 0);
	at = pod_plan_find_machine(to, b, from->agents[ipu /
	    IPUS_PER_MACHINE].name,
	    ipu / IPUS_PER_MACHINE - a->first_agent);
	if (at == -1)
		return false;
	at = at * IPUS_PER_MACHINE + ipu % IPUS_PER_MACHINE;
	place.first_ild = at / ild_ipus;
	place.offset = at % ild_ipus;
	if (place.first_ild + place.ild_count > b->ild_count ||
	    place.first_ild % place.ild_count != 0 ||
	    place.offset % place.per_ild != 0 ||
	    !same_ipus(from, &p->placement, to, &place))
		return false;
	p->placement = place;
	p->allocation = placement_allocation(to, &place);
	return true;
}

/* ---- where everything lies ---- */

/* A partition of the document on its way into the plan. */
struct wanted {
	const struct document_partition	*asked;
	struct partition		 partition;	/* as it shall be */
	int				 now;	/* index, -1: there is none */
	struct partition		 moved;	/* that one in the wanted pod */
	bool				 stays;	/* it can be there */
	bool				 placed;
};

struct planner {
	const struct document	*document;
	const struct inventory	*now;
	struct pod_plan		*plan;
	struct wanted		*wanted;
	int32_t			*owner;	/* an IPU: of wanted[], -1: free */
	bool			*kept;	/* of now */
};

/* A refusal with the place in the document. */
static int
pod_plan_refuse(const struct planner *pl, const struct wanted *w,
    const struct error *reason, struct error *e)
{
	return ini_refuse(e, pl->document->origin, w->asked->line,
	    "partition %s: %s", w->asked->request.name, reason->text);
}

/* The IPUs are the partition's from here on. */
static void
pod_plan_claim(struct planner *pl, struct wanted *w,
    const struct placement *place)
{
	int	i;

	for (i = 0; i < place->per_ild * place->ild_count; i++)
		pl->owner[placement_ipu(&pl->plan->pod, place, i)] =
		    (int32_t)(w - pl->wanted);
	w->partition.placement = *place;
	w->placed = true;
}

/* One of those whose IPUs the place asked for would take. */
static void
name_holder(const struct planner *pl, const struct wanted *w,
    struct error *reason)
{
	const struct pod	*pod = &pl->plan->pod;
	int			 i, n = pod_ipu_count(pod);
	char			 name[NAME_SIZE + 16];

	/* From the IPU that is named on. */
	for (i = 0; i < n; i++) {
		pod_ipu_name(pod, i, name, sizeof(name));
		if (strcmp(name, w->asked->request.first_ipu) == 0)
			break;
	}
	for (; i < n; i++) {
		if (pl->owner[i] == -1)
			continue;
		(void)error_append(reason, "; partition %s lies there, see "
		    "line %d", pl->wanted[pl->owner[i]].asked->request.name,
		    pl->wanted[pl->owner[i]].asked->line);
		return;
	}
}

/*
 * A place by the rules of placement.h: where the document says, or the lowest
 * that is free.
 */
static int
pod_plan_place(struct planner *pl, struct wanted *w, struct error *e)
{
	struct placement	place;
	struct error		reason;

	if (placement_choose(&pl->plan->pod, pl->owner, &w->asked->request,
	    &place, &reason) == 0) {
		pod_plan_claim(pl, w, &place);
		return 0;
	}
	if (reason.code == ERROR_NO_ROOM &&
	    w->asked->request.first_ipu[0] != '\0')
		name_holder(pl, w, &reason);
	return pod_plan_refuse(pl, w, &reason, e);
}

/* Whether nobody has claimed an IPU of the place. */
static bool
is_free(const struct planner *pl, const struct placement *place)
{
	int	i;

	for (i = 0; i < place->per_ild * place->ild_count; i++)
		if (pl->owner[placement_ipu(&pl->plan->pod, place, i)] != -1)
			return false;
	return true;
}

/* Whether the names and the size that the document gives are the place's. */
static bool
is_allowed(const struct planner *pl, const struct partition_request *r,
    const struct partition *p)
{
	const struct pod	*pod = &pl->plan->pod;

	return partition_size(p) == r->size && (r->num_ilds == 0 ||
	    r->num_ilds == p->placement.ild_count) &&
	    r->num_gcds >= p->placement.ild_count &&
	    (r->cluster[0] == '\0' || strcmp(r->cluster,
	    pod->clusters[p->placement.cluster].name) == 0) &&
	    (r->allocation[0] == '\0' || (p->allocation != -1 &&
	    strcmp(r->allocation, pod->allocations[p->allocation].name) ==
	    0));
}

/*
 * qsort(3): by size, then by place in the document, so that the result is
 * always the same.
 */
static int
pod_plan_larger_first(const void *a, const void *b)
{
	const struct wanted	*const *x = a, *const *y = b;
	int			 s = (*x)->asked->request.size;
	int			 t = (*y)->asked->request.size;

	return s != t ? (s > t ? -1 : 1) : *x < *y ? -1 : *x > *y;
}

/*
 * Those that name a place take it; then, if they may stay, those that are
 * somewhere; the others take what is left, the larger ones first, so that
 * what fits finds its place.
 */
static int
place_all(struct planner *pl, bool stay, struct error *e)
{
	struct wanted	*w = pl->wanted, **sorted;
	int		 i, n = pl->document->partition_count, status = 0;

	memset(pl->owner, -1, (size_t)pod_ipu_count(&pl->plan->pod) *
	    sizeof(*pl->owner));
	for (i = 0; i < n; i++)
		w[i].placed = false;
	for (i = 0; i < n; i++)
		if (w[i].asked->request.first_ipu[0] != '\0' &&
		    pod_plan_place(pl, &w[i], e) != 0)
			return -1;
	for (i = 0; i < n && stay; i++)
		if (!w[i].placed && w[i].stays && is_allowed(pl,
		    &w[i].asked->request, &w[i].moved) &&
		    is_free(pl, &w[i].moved.placement))
			pod_plan_claim(pl, &w[i], &w[i].moved.placement);
	sorted = xcalloc((size_t)n + 1, sizeof(*sorted));
	for (i = 0; i < n; i++)
		sorted[i] = &w[i];
	qsort(sorted, (size_t)n, sizeof(struct wanted *),
	    pod_plan_larger_first);
	for (i = 0; i < n && status == 0; i++)
		if (!sorted[i]->placed)
			status = pod_plan_place(pl, sorted[i], e);
	free(sorted);
	return status;
}

/*
 * The places must be there whatever lies where now: then they also are on
 * another pod, and when this plan was stopped and is made again.
 */
static int
find_places(struct planner *pl, struct error *e)
{
	if (place_all(pl, false, e) != 0)
		return -1;
	return place_all(pl, true, NULL) == 0 ? 0 : place_all(pl, false, e);
}

/* All that the document says or leaves to be chosen, but the place. */
static int
pod_plan_complete(struct planner *pl, struct wanted *w, struct error *e)
{
	const struct partition_request	*r = &w->asked->request;
	struct partition		*p = &w->partition;
	struct error			 reason;

	p->allocation = placement_allocation(&pl->plan->pod, &p->placement);
	if (routing_choose(&pl->plan->pod,
	    &p->placement, r, &p->routing, &p->gateway_routing, &reason) != 0)
		return pod_plan_refuse(pl, w, &reason, e);
	p->num_gcds = r->num_gcds;
	p->num_replicas = r->num_replicas;
	p->sync_type = r->sync_type;
	p->reconfigurable = r->reconfigurable;
	p->relocatable = r->relocatable;
	p->no_auto_reset = r->no_auto_reset;
	return 0;
}

/*
 * Whether a partition can stay as it is.  What it was doing, and when, does not
 * count: a document does not speak of it.
 */
static bool
is_same(const struct partition *a, const struct partition *b)
{
	return memcmp(&a->placement, &b->placement,
	    sizeof(a->placement)) == 0 && a->num_gcds == b->num_gcds &&
	    a->num_replicas == b->num_replicas && a->routing == b->routing &&
	    a->gateway_routing == b->gateway_routing &&
	    a->sync_type == b->sync_type &&
	    !a->reconfigurable == !b->reconfigurable &&
	    !a->relocatable == !b->relocatable &&
	    !a->no_auto_reset == !b->no_auto_reset;
}

static int
pod_plan_find_partition(const struct inventory *now, const char *name)
{
	int	i;

	for (i = 0; i < now->partition_count; i++)
		if (strcmp(now->partitions[i].name, name) == 0)
			return i;
	return -1;
}

/* What each partition of the document is now, and could be. */
static void
look_up(struct planner *pl)
{
	struct wanted	*w;
	int		 i;

	for (i = 0; i < pl->document->partition_count; i++) {
		w = &pl->wanted[i];
		w->asked = &pl->document->partitions[i];
		w->now = pod_plan_find_partition(pl->now,
		    w->asked->request.name);
		if (w->now == -1)
			continue;
		w->moved = pl->now->partitions[w->now];
		w->stays = pod_plan_move(pl->now->pod, &pl->plan->pod,
		    &w->moved);
	}
}

/* ---- the steps ---- */

/* Partitions that the document does not have, or has as others. */
static void
plan_removals(struct planner *pl)
{
	struct pod_plan	*p = pl->plan;
	const char	*name;
	int		 i;

	for (i = 0; i < pl->now->partition_count; i++) {
		if (pl->kept[i])
			continue;
		name = pl->now->partitions[i].name;
		(void)strlcpy(p->removals[p->removal_count++], name,
		    NAME_SIZE);
		strvec_addf(&p->lines, "- partition %s", name);
	}
}

/*
 * The request gets its place by name, which is what the step then asks for:
 * whatever happens meanwhile, it lies there or is refused.
 */
static void
pod_plan_plan_creation(struct planner *pl, const struct wanted *w)
{
	struct pod_plan			*p = pl->plan;
	struct partition_request	*r = &p->creations[p->creation_count++];
	const struct placement		*place = &w->partition.placement;

	*r = w->asked->request;
	r->num_ilds = place->ild_count;
	(void)strlcpy(r->cluster, p->pod.clusters[place->cluster].name,
	    sizeof(r->cluster));
	document_text_place(&p->pod, place, r->first_ipu, sizeof(r->first_ipu));
	strvec_addf(&p->lines, "+ partition %s: %d IPU%s of %s from %s",
	    r->name,
	    r->size, r->size == 1 ? "" : "s", r->cluster, r->first_ipu);
}

/* The partitions that stay, and then the steps in their order. */
static void
plan_steps(struct planner *pl)
{
	int		 i, n = pl->document->partition_count;
	size_t		 before;
	struct pod_plan	*p = pl->plan;
	struct wanted	*w;

	for (i = 0; i < n; i++) {
		w = &pl->wanted[i];
		w->stays = w->stays && is_same(&w->moved, &w->partition);
		if (w->stays)
			pl->kept[w->now] = true;
	}
	plan_removals(pl);
	before = p->lines.count;
	pod_plan_compare(&p->lines, pl->now->pod, &p->pod);
	p->pod_changes = p->lines.count > before;
	for (i = 0; i < n; i++)
		if (!pl->wanted[i].stays)
			pod_plan_plan_creation(pl, &pl->wanted[i]);
}

int
pod_plan_make(struct pod_plan *p, const struct document *d,
    const struct inventory *now, struct error *e)
{
	struct planner	pl = { .document = d, .now = now, .plan = p };
	size_t		n = (size_t)d->partition_count + 1;
	size_t		old = (size_t)now->partition_count + 1;
	size_t		ipus = (size_t)pod_ipu_count(&d->pod) + 1;
	int		i, status;

	memset(p, 0, sizeof(*p));
	strvec_init(&p->lines);
	copy_pod(&p->pod, &d->pod);
	p->creations = xcalloc(n, sizeof(*p->creations));
	p->removals = xcalloc(old, sizeof(*p->removals));
	pl.wanted = xcalloc(n, sizeof(*pl.wanted));
	pl.kept = xcalloc(old, sizeof(*pl.kept));
	pl.owner = xcalloc(ipus, sizeof(*pl.owner));
	look_up(&pl);
	status = find_places(&pl, e);
	for (i = 0; i < d->partition_count && status == 0; i++)
		status = pod_plan_complete(&pl, &pl.wanted[i], e);
	if (status == 0)
		plan_steps(&pl);
	else
		pod_plan_release(p);
	free(pl.wanted);
	free(pl.kept);
	free(pl.owner);
	return status;
}

/* How the machines fare does not change with the pod. */
static void
carry_states(const struct pod *from, struct pod *to)
{
	int			*of = pod_plan_compare_match(from, to), i;
	const struct agent	*a;
	struct agent		*b;

	for (i = 0; i < to->agent_count; i++) {
		if (of[i] == -1)
			continue;
		a = &from->agents[of[i]];
		b = &to->agents[i];
		b->state = a->state;
		b->fail_config = a->fail_config;
		b->slow_ms = a->slow_ms;
		b->changed_ms = a->changed_ms;
		b->up_ms = a->up_ms;
	}
	free(of);
}

int
pod_plan_change_pod(struct inventory *inventory, void *context, struct error *e)
{
	const struct pod_plan	*p = context;
	struct pod		 pod;
	int			 i;

	copy_pod(&pod, &p->pod);
	pod_plan_commit(inventory->pod, &pod);
	for (i = 0; i < inventory->partition_count; i++) {
		if (pod_plan_move(inventory->pod, &pod,
		    &inventory->partitions[i]))
			continue;
		pod_release(&pod);
		return error_set_code(e, ERROR_STALE,
		    "partition %s was made meanwhile and has "
		    "no place in it; apply again",
		    inventory->partitions[i].name);
	}
	carry_states(inventory->pod, &pod);
	pod_release(inventory->pod);
	*inventory->pod = pod;
	return 0;
}
