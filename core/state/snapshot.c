/*
 * A consistent copy of the mirror: copied, and copied again while a writer
 * was changing it.  Then it is checked: the registry is shared memory, and
 * what a neighbour wrote there must not lead outside the arrays of whoever
 * reads.
 *
 *	copy_mirror -> end_texts -> snapshot_is_sound -> arrange
 */
#include <bsd/string.h>

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/suggest.h"
#include "core/pod/owner_kind.h"
#include "core/pod/placement.h"
#include "core/state/mirror.h"
#include "core/state/registry_layout.h"
#include "core/state/snapshot_files.h"
#include "core/state/state_internal.h"

/* No change takes so long, unless its writer was stopped or killed. */
enum { CHANGE_MAX_MS = 500, LOOK_MS = 20 };

/* A directory that is gone is not made again: that is for its user to do. */
static int
repair_existing(const struct registry *r, const struct registry_header *h,
    struct error *e)
{
	struct store_identity	identity;
	struct directory	d;
	int			status;

	status = directory_open_resolved(&d, h->directory, e);
	if (status == 0)
		status = store_identify(&d, &identity, e);
	directory_close(&d);
	if (status == 0 && memcmp(identity.id, h->id, STORE_ID_SIZE) != 0)
		status = error_set(e, "%s is another state", h->directory);
	if (status != 0)
		return error_prefix(e, "registry %s was left half written "
		    "and cannot be repaired", r->path);
	return state_repair(h->directory, r->path, e);
}

/*
 * Wait until nobody is changing the mirror; its sequence number.  A writer
 * that was killed in mid-change, which shows when nobody holds the lock after
 * LOOK_MS, is made good by a repair; one that was stopped is not waited for
 * longer than CHANGE_MAX_MS.
 */
static int
begin_copy(const struct registry *r, const struct registry_header *h,
    uint32_t *sequence, struct error *e)
{
	int64_t	start = 0, waited;
	bool	looked = false;

	for (;;) {
		*sequence = atomic_load_explicit(&h->sequence,
		    memory_order_acquire);
		if (*sequence % 2 == 0)
			return 0;
		if (start == 0)
			start = clock_monotonic_ms();
		waited = clock_monotonic_ms() - start;
		if (waited > LOOK_MS && !looked) {
			looked = true;
			if (!state_has_writer(h->directory) &&
			    repair_existing(r, h, e) != 0)
				return -1;
		}
		if (atomic_load(&h->retired) != 0)
			return 0;	/* looked at behind the copy */
		if (waited > CHANGE_MAX_MS) {
			return error_set_code(e, ERROR_UNAVAILABLE,
			    "a program that changes the state of %s was "
			    "stopped in the middle of it", h->directory);
		}
		(void)sched_yield();
	}
}

/*
 * Copy everything, which may be nonsense still: the counts are cut to the
 * capacities, for which the caller made room.  *high is one more than the
 * last slot in use.
 */
static void
copy_mirror(const struct mirror *m, struct snapshot *s, uint32_t *high)
{
	const struct registry_header	*h = m->header;
	struct pod			*pod = &s->pod, shown;

	mirror_pod(m, &shown);
	pod->agent_count = shown.agent_count;
	pod->cluster_count = shown.cluster_count;
	pod->allocation_count = shown.allocation_count;
	memcpy(pod->agents, shown.agents,
	    (size_t)shown.agent_count * sizeof(*shown.agents));
	memcpy(pod->clusters, shown.clusters,
	    (size_t)shown.cluster_count * sizeof(*shown.clusters));
	memcpy(pod->allocations, shown.allocations,
	    (size_t)shown.allocation_count * sizeof(*shown.allocations));
	memcpy(s->owner, m->owner,
	    (size_t)pod_ipu_count(pod) * sizeof(*m->owner));
	memcpy(pod->name, shown.name, sizeof(pod->name));
	s->damaged = (int)h->damaged;
	memcpy(s->damage, h->damage, sizeof(s->damage));
	*high = (uint32_t)registry_layout_count(h->partition_high,
	    h->partition_capacity);
	s->partitions = xreallocarray(s->partitions, (size_t)*high + 1,
	    sizeof(*s->partitions));
	memcpy(s->partitions, m->partitions,
	    *high * sizeof(*s->partitions));
}

/* Texts end, whatever somebody wrote into the shared memory. */
static void
end_texts(struct snapshot *s, uint32_t high)
{
	struct partition	*p = s->partitions;
	struct agent		*a = s->pod.agents;
	int			 i;

	for (; p < s->partitions + high; p++) {
		p->name[sizeof(p->name) - 1] = '\0';
		p->last_error[sizeof(p->last_error) - 1] = '\0';
		p->owner_text[sizeof(p->owner_text) - 1] = '\0';
		p->ipuof_directory[sizeof(p->ipuof_directory) - 1] = '\0';
	}
	for (; a < s->pod.agents + s->pod.agent_count; a++) {
		a->name[sizeof(a->name) - 1] = '\0';
		a->host[sizeof(a->host) - 1] = '\0';
		a->address[sizeof(a->address) - 1] = '\0';
	}
	for (i = 0; i < s->pod.cluster_count; i++)
		s->pod.clusters[i].name[NAME_SIZE - 1] = '\0';
	for (i = 0; i < s->pod.allocation_count; i++)
		s->pod.allocations[i].name[NAME_SIZE - 1] = '\0';
	s->damage[sizeof(s->damage) - 1] = '\0';
	s->pod.name[sizeof(s->pod.name) - 1] = '\0';
}

static int
compare_partitions(const void *a, const void *b)
{
	const struct partition	*const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Whether a number is an index into an array, or -1. */
static bool
in_range(int32_t index, int count)
{
	return index >= -1 && index < count;
}

/*
 * Whether every number of the pod stays inside it.  Enumerations too: words
 * are looked up by them.
 */
static bool
pod_is_sound(const struct pod *pod)
{
	const struct cluster	*c;
	const struct agent	*a;
	int			 i;

	for (i = 0; i < pod->agent_count; i++) {
		a = &pod->agents[i];
		if (!in_range(a->cluster, pod->cluster_count) ||
		    !in_range(a->allocation, pod->allocation_count) ||
		    a->model < 0 || a->model > MACHINE_BOW2000)
			return false;
	}
	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		if (c->topology < 0 || c->topology > TOPOLOGY_TORUS ||
		    c->gateway < 0 || c->gateway > GATEWAY_SWITCHED ||
		    c->ild_count < 1 || c->first_agent < 0 ||
		    c->agent_count < 0 ||
		    c->agent_count > pod->agent_count - c->first_agent)
			return false;
	}
	for (i = 0; i < pod->allocation_count; i++)
		if (!in_range(pod->allocations[i].cluster,
		    pod->cluster_count))
			return false;
	return true;
}

/* Whether the partition's numbers are values of their enumerations. */
static bool
has_words(const struct partition *p)
{
	return p->routing >= 0 && p->routing <= IRT_RINGSWNC &&
	    p->gateway_routing >= 0 && p->gateway_routing <= GRT_SWRING &&
	    p->sync_type >= 0 &&
	    p->sync_type <= ST_POD_NATIVE_REPLICATED_PIPELINE &&
	    p->state >= 0 && p->state <= PS_ERROR &&
	    p->operation >= 0 && p->operation <= POS_FAILED &&
	    p->owner_kind >= 0 && p->owner_kind <= PO_IPUJOB &&
	    p->num_gcds > 0;
}

/* Free slots have no name and are not looked at. */
static bool
snapshot_is_sound(const struct snapshot *s, uint32_t high)
{
	const struct partition	*p;
	uint32_t		 i;

	if (!pod_is_sound(&s->pod))
		return false;
	for (i = 0; i < high; i++) {
		p = &s->partitions[i];
		if (p->name[0] != '\0' && (!has_words(p) ||
		    !in_range(p->allocation, s->pod.allocation_count) ||
		    placement_check(&s->pod, &p->placement, NULL) != 0))
			return false;
	}
	return true;
}

/*
 * Leave out free slots, sort by name, and let owner[] follow.  order[] are
 * the slots in use by name; place[] says for a slot where it went: slots "b",
 * "", "a" give order "a", "b" and place 1, -1, 0.
 */
static void
arrange(struct snapshot *s, uint32_t high)
{
	const struct partition	**order;
	struct partition	*sorted;
	int32_t			*place;
	uint32_t		 i;
	int			 n = 0, ipu, ipus = pod_ipu_count(&s->pod);

	order = xcalloc((size_t)high + 1, sizeof(*order));
	place = xcalloc((size_t)high + 1, sizeof(*place));
	for (i = 0; i < high; i++) {
		place[i] = -1;
		if (s->partitions[i].name[0] != '\0')
			order[n++] = &s->partitions[i];
	}
	qsort(order, (size_t)n, sizeof(const struct partition *),
	    compare_partitions);
	sorted = xcalloc((size_t)n + 1, sizeof(*sorted));
	for (i = 0; i < (uint32_t)n; i++) {
		sorted[i] = *order[i];
		place[order[i] - s->partitions] = (int32_t)i;
	}
	for (ipu = 0; ipu < ipus; ipu++)
		s->owner[ipu] = (uint32_t)s->owner[ipu] < high ?
		    place[s->owner[ipu]] : -1;
	free(place);
	free(order);
	free(s->partitions);
	s->partitions = sorted;
	s->partition_count = n;
}

/*
 * The copy counts only if the number is the same behind it.  `retired` is
 * looked at last: a file that was replaced while it was copied is not the pod
 * any more.
 */
static int
take_mirror(const struct registry *r, struct snapshot *s, struct error *e)
{
	struct mirror	m;
	uint32_t	sequence, high;

	memset(s, 0, sizeof(*s));
	registry_layout_locate(&m, r->map);
	/* Room for whatever the counts will be when they are copied. */
	s->pod.agents = xcalloc(m.header->agent_capacity + 1,
	    sizeof(*s->pod.agents));
	s->pod.clusters = xcalloc(m.header->cluster_capacity + 1,
	    sizeof(*s->pod.clusters));
	s->pod.allocations = xcalloc(m.header->allocation_capacity + 1,
	    sizeof(*s->pod.allocations));
	s->owner = xcalloc((size_t)m.header->agent_capacity *
	    IPUS_PER_MACHINE + 1, sizeof(*s->owner));
	do {
		if (begin_copy(r, m.header, &sequence, e) != 0)
			goto fail;
		copy_mirror(&m, s, &high);
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load_explicit(&m.header->sequence,
	    memory_order_relaxed) != sequence);
	if (atomic_load(&m.header->retired) != 0) {
		(void)error_set_code(e, ERROR_STALE, "a new pod took the "
		    "place of this one");
		goto fail;
	}
	end_texts(s, high);
	if (!snapshot_is_sound(s, high)) {
		(void)error_set_code(e, ERROR_STALE, "registry %s: damaged; "
		    "end the programs that use it and remove it (nothing is "
		    "lost: the partitions are files)", r->path);
		goto fail;
	}
	arrange(s, high);
	return 0;
fail:
	snapshot_release(s);
	return -1;
}

/*
 * Where its writer was stopped in the middle of a change, the files tell what
 * the mirror cannot.
 */
int
snapshot_take(const struct registry *r, struct snapshot *s, struct error *e)
{
	struct error	reason;
	struct mirror	m;
	char		directory[REGISTRY_NAME_SIZE];

	if (take_mirror(r, s, &reason) == 0)
		return 0;
	if (reason.code != ERROR_UNAVAILABLE)
		return error_copy(e, &reason);
	registry_layout_locate(&m, r->map);
	(void)strlcpy(directory, m.header->directory, sizeof(directory));
	return snapshot_files_take(directory, m.header->id, s, e);
}

void
snapshot_release(struct snapshot *s)
{
	pod_release(&s->pod);
	free(s->partitions);
	free(s->owner);
	memset(s, 0, sizeof(*s));
}

/* By halves: they are sorted by name. */
int
snapshot_find(const struct snapshot *s, const char *name)
{
	int	low = 0, high = s->partition_count, middle, order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = strcmp(s->partitions[middle].name, name);
		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int
snapshot_suggest(const struct snapshot *s, const char *partition,
    struct error *e)
{
	return suggest_name(partition, s->partitions,
	    (size_t)s->partition_count, sizeof(*s->partitions),
	    offsetof(struct partition, name), e);
}
