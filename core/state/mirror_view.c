/*
 * Arrays shared by a mirror and its snapshots, and the order of partitions by
 * name.
 */
#include "core/state/mirror_view.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/state/mirror_copy.h"
#include "core/state/snapshot.h"

/* ---- sharing ---- */

void
mirror_view_set_machines(struct mirror *m, struct mirror_machines *machines)
{
	m->machines = machines;
	m->agents = machines->agents;
	m->clusters = machines->clusters;
	m->allocations = machines->allocations;
}

void
mirror_view_pod(const struct mirror *m, struct pod *pod)
{
	const struct registry_header *h = &m->header;

	pod_init(pod);
	memcpy(pod->name, h->pod_name, sizeof(pod->name));
	pod->agents = m->agents;
	pod->agent_count = (int)h->agent_count;
	pod->clusters = m->clusters;
	pod->cluster_count = (int)h->cluster_count;
	pod->allocations = m->allocations;
	pod->allocation_count = (int)h->allocation_count;
}

struct mirror_machines *
mirror_view_new_machines(uint32_t agents, uint32_t clusters,
    uint32_t allocations)
{
	struct mirror_machines *m = xmalloc(sizeof(*m));

	m->holders = 1;
	m->agents = xreallocarray(NULL, (size_t)agents + 1, sizeof(*m->agents));
	m->clusters = xreallocarray(NULL, (size_t)clusters + 1,
	    sizeof(*m->clusters));
	m->allocations = xreallocarray(NULL, (size_t)allocations + 1,
	    sizeof(*m->allocations));
	return m;
}

void
mirror_view_drop_machines(struct mirror_machines *m)
{
	if (m == NULL || --m->holders > 0)
		return;
	free(m->agents);
	free(m->clusters);
	free(m->allocations);
	free(m);
}

static void
view_drop_spare(struct mirror_spare *s)
{
	if (s != NULL && --s->holders == 0)
		free(s);
}

static void
view_free_table(struct mirror_table *t)
{
	if (t == NULL)
		return;
	view_drop_spare(t->spare);
	free(t->partitions);
	free(t->owner);
	free(t);
}

void
mirror_view_drop_table(struct mirror_table *t)
{
	if (t == NULL || --t->holders > 0)
		return;
	if (t->spare->is_open && t->spare->table == NULL)
		t->spare->table = t;
	else
		view_free_table(t);
}

/* Detach the mirror from its table; other holders keep it. */
static void
mirror_view_forget_table(struct mirror *m)
{
	if (m->table != NULL)
		m->table->mirror = NULL;
	mirror_view_drop_table(m->table);
	m->table = NULL;
}

void
mirror_view_close(struct mirror *m)
{
	mirror_view_forget_table(m);
	if (m->spare == NULL)
		return;
	m->spare->is_open = false;
	view_free_table(m->spare->table);
	view_drop_spare(m->spare);
	m->spare = NULL;
}

/* Copy an array, with room for one more element. */
static void *
view_copy(const void *array, size_t count, size_t size)
{
	void *copy = xreallocarray(NULL, count + 1, size);

	if (count > 0)
		memcpy(copy, array, count * size);
	return copy;
}

void
mirror_view_part(struct mirror *m)
{
	const struct registry_header *h = &m->header;
	struct mirror_machines *own;

	if (m->machines->holders == 1)
		return;
	own = xmalloc(sizeof(*own));
	own->holders = 1;
	own->agents = view_copy(m->agents, h->agent_capacity,
	    sizeof(*own->agents));
	own->clusters = view_copy(m->clusters, h->cluster_capacity,
	    sizeof(*own->clusters));
	own->allocations = view_copy(m->allocations, h->allocation_capacity,
	    sizeof(*own->allocations));
	mirror_view_drop_machines(m->machines);
	mirror_view_set_machines(m, own);
}

/* ---- the order ---- */

/* Return the place, present or future, of a name in the order: binary
   search. */
static int
view_place(const struct mirror *m, const char *name)
{
	int low = 0, high = m->order_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strcmp(m->partitions[m->order[middle]].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int
view_compare(const void *a, const void *b)
{
	const struct partition *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Sort everything, if no order is known. */
static void
view_sort(struct mirror *m)
{
	const uint32_t high = m->header.partition_high;
	const struct partition **all = xcalloc((size_t)high + 1, sizeof(*all));
	uint32_t i;
	int n = 0;

	m->order = xcalloc((size_t)m->header.partition_capacity + 1,
	    sizeof(*m->order));
	for (i = 0; i < high; i++)
		if (m->partitions[i].name[0] != '\0')
			all[n++] = &m->partitions[i];
	qsort(all, (size_t)n, sizeof(const struct partition *), view_compare);
	for (m->order_count = 0; m->order_count < n; m->order_count++)
		m->order[m->order_count] =
		    (int32_t)(all[m->order_count] - m->partitions);
	free(all);
}

void
mirror_view_leave(struct mirror *m, int slot)
{
	int at;

	mirror_view_forget_table(m);
	if (m->order == NULL)
		return;
	at = view_place(m, m->partitions[slot].name);
	m->order_count--;
	memmove(&m->order[at], &m->order[at + 1],
	    (size_t)(m->order_count - at) * sizeof(*m->order));
}

void
mirror_view_join(struct mirror *m, int slot)
{
	int at;

	mirror_view_forget_table(m);
	if (m->order == NULL)
		return;
	at = view_place(m, m->partitions[slot].name);
	memmove(&m->order[at + 1], &m->order[at],
	    (size_t)(m->order_count - at) * sizeof(*m->order));
	m->order[at] = slot;
	m->order_count++;
}

/* Return the spare table, or a new one. */
static struct mirror_table *
view_new_table(struct mirror *m)
{
	const struct registry_header *h = &m->header;
	struct mirror_table *t;

	if (m->spare == NULL) {
		m->spare = xcalloc(1, sizeof(*m->spare));
		m->spare->is_open = true;
		m->spare->holders = 1;
	}
	t = m->spare->table;
	m->spare->table = NULL;
	if (t != NULL)
		return t;
	t = xcalloc(1, sizeof(*t));
	t->spare = m->spare;
	t->spare->holders++;
	t->room = (int)h->partition_capacity + 1;
	t->partitions = xreallocarray(NULL, (size_t)t->room,
	    sizeof(*t->partitions));
	t->owner = xreallocarray(NULL,
	    (size_t)h->agent_capacity * IPUS_PER_MACHINE + 1,
	    sizeof(*t->owner));
	return t;
}

/* Order the partitions by name, and make owner[] follow.  place[] gives the new
   index of each slot: slots "b", "", "a" give order 2, 0 and place 1, -1, 0. */
static void
view_make_table(struct mirror *m)
{
	const int ipus = (int)m->header.agent_count * IPUS_PER_MACHINE;
	struct mirror_table *t = view_new_table(m);
	int32_t *place;
	int i;

	if (m->order == NULL)
		view_sort(m);
	t->holders = 1;
	t->mirror = m;
	t->count = m->order_count;
	place = xcalloc((size_t)m->header.partition_high + 1, sizeof(*place));
	for (i = 0; i < t->count; i++) {
		t->partitions[i] = m->partitions[m->order[i]];
		place[m->order[i]] = i;
	}
	for (i = 0; i < ipus; i++)
		t->owner[i] = m->owner[i] == -1 ?
		    OWNER_FREE :
		    place[m->owner[i]];
	free(place);
	m->table = t;
}

/* ---- snapshots ---- */

void
mirror_view_share(struct mirror *m, struct snapshot *s)
{
	if (m->table == NULL)
		view_make_table(m);
	m->table->holders++;
	m->machines->holders++;
	s->table = m->table;
	s->machines = m->machines;
	mirror_view_pod(m, &s->pod);
	s->partitions = m->table->partitions;
	s->partition_count = m->table->count;
	s->owner = m->table->owner;
}

/* Give the snapshot separate arrays of partitions and owner[]. */
void
mirror_view_copy_table(struct snapshot *s)
{
	struct mirror_table *t = s->table;

	if (t == NULL)
		return;
	s->partitions = view_copy(t->partitions, (size_t)s->partition_count,
	    sizeof(*t->partitions));
	s->owner = view_copy(t->owner, (size_t)pod_ipu_count(&s->pod),
	    sizeof(*t->owner));
	s->table = NULL;
	mirror_view_drop_table(t);
}

/* If only the mirror shares the table, it makes another on demand. */
void
mirror_view_own_table(struct snapshot *s)
{
	struct mirror_table *t = s->table;

	if (t != NULL && t->holders == 2 && t->mirror != NULL)
		mirror_view_forget_table(t->mirror);
	if (t != NULL && t->holders > 1)
		mirror_view_copy_table(s);
}

void
mirror_view_own_machines(struct snapshot *s)
{
	struct pod *pod = &s->pod;

	if (s->machines == NULL)
		return;
	pod->agents = view_copy(pod->agents, (size_t)pod->agent_count,
	    sizeof(*pod->agents));
	pod->clusters = view_copy(pod->clusters, (size_t)pod->cluster_count,
	    sizeof(*pod->clusters));
	pod->allocations = view_copy(pod->allocations,
	    (size_t)pod->allocation_count, sizeof(*pod->allocations));
	mirror_view_drop_machines(s->machines);
	s->machines = NULL;
}
