/*
 * Takes a look at all IPUs of a pod.  A frozen registry (snapshot_freeze())
 * gives the values; a table by hash finds the program of a slot, since many
 * IPUs have the same one.
 */
#include "ipu/device/sample.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "ipu/device/device.h"

enum { TABLE_SIZE = 4096 }; /* places in the table of holders */

/* The programs found so far. */
struct holder_table {
	int first[TABLE_SIZE];	/* index in holders[], or SAMPLE_NONE */
	struct ipu_slot *slots; /* owned; one per holder */
	int room;
};

const struct pod *
sample_pod(const struct sample *s)
{
	return &s->look.view.snapshot.pod;
}

const struct partition *
sample_partition(const struct sample *s, int index)
{
	return &s->look.view.snapshot.partitions[index];
}

const struct agent *
sample_machine(const struct sample *s, int ipu)
{
	return &sample_pod(s)->agents[listing_ipu_machine(ipu)];
}

const struct sample_holder *
sample_holder(const struct sample *s, int ipu)
{
	return s->ipus[ipu].holder == SAMPLE_NONE ?
	    NULL :
	    &s->holders[s->ipus[ipu].holder];
}

/* The record is "ipujob SPACE/NAME" or "job 42 of ann"; that of a lease goes on
   after a comma. */
void
sample_job(struct sample_job *j, const struct partition *p)
{
	const char *text = p == NULL ? "" : p->owner_text;

	memset(j, 0, sizeof(*j));
	if (sscanf(text, "job %131[^ ,]", j->name) != 1 &&
	    sscanf(text, "ipujob %131[^/]/%131[^ ,]", j->name_space, j->name) !=
		2)
		j->name_space[0] = '\0';
}

static void
describe_holder(struct sample *s, struct sample_holder *h,
    const struct ipu_slot *slot, const struct sample_ipu *ipu)
{
	char word[SLOT_COMMAND_SIZE];

	h->is_known = holder_is_known(slot);
	h->is_here = holder_is_here(&s->place, slot);
	sample_job(&h->job,
	    ipu->partition == SAMPLE_NONE ?
		NULL :
		sample_partition(s, ipu->partition));
	if (!h->is_known)
		return;
	h->pid = slot->pid;
	h->attached_ns = sensors_session_ns(slot, s->now_ns);
	text_printable(slot->user, h->user, sizeof(h->user));
	text_printable(slot->host, h->host, sizeof(h->host));
	holder_program(slot->command, word, sizeof(word));
	text_printable(word, h->program, sizeof(h->program));
	holder_command(slot, s->place.reader, h->command);
}

/* Whether two slots are of one attachment of one program. */
static bool
is_same(const struct ipu_slot *a, const struct ipu_slot *b)
{
	return a->pid == b->pid && a->pid_namespace == b->pid_namespace &&
	    a->attached_ns == b->attached_ns && a->gcd == b->gcd &&
	    strcmp(a->host, b->host) == 0;
}

static unsigned
hash_of(const struct ipu_slot *slot)
{
	const uint64_t h = (uint64_t)slot->pid * 2654435761U ^
	    slot->pid_namespace ^ (uint64_t)slot->attached_ns;

	return (unsigned)((h ^ h >> 17) % TABLE_SIZE);
}

/* Return the index of the slot's program, which is added if it is new. */
static int
find_holder(struct sample *s, struct holder_table *t,
    const struct ipu_slot *slot, const struct sample_ipu *ipu)
{
	int *first = &t->first[hash_of(slot)];
	int i;

	for (i = *first; i != SAMPLE_NONE; i = s->holders[i].next)
		if (is_same(&t->slots[i], slot))
			return i;
	if (s->holder_count == t->room) {
		t->room = 2 * t->room + 16;
		t->slots = xreallocarray(t->slots, (size_t)t->room,
		    sizeof(*t->slots));
		s->holders = xreallocarray(s->holders, (size_t)t->room,
		    sizeof(*s->holders));
	}
	i = s->holder_count++;
	t->slots[i] = *slot;
	memset(&s->holders[i], 0, sizeof(s->holders[i]));
	s->holders[i].next = *first;
	*first = i;
	describe_holder(s, &s->holders[i], slot, ipu);
	return i;
}

/* Set the partition of each IPU, and its place in it. */
static void
place_ipus(struct sample *s)
{
	const struct snapshot *all = &s->look.view.snapshot;
	const struct partition *p;
	struct sample_ipu *ipu;
	int i, n;

	for (i = 0; i < s->ipu_count; i++)
		s->ipus[i].partition = s->ipus[i].holder = SAMPLE_NONE;
	for (p = all->partitions; p < all->partitions + all->partition_count;
	     p++)
		for (n = 0; n < partition_size(p); n++) {
			ipu = &s->ipus[placement_ipu(&all->pod, &p->placement,
			    n)];
			ipu->partition = (int)(p - all->partitions);
			ipu->routing_id = n;
			ipu->gcd = n / partition_gcd_size(p);
		}
}

static void
read_ipu(struct sample *s, struct holder_table *t, int number, bool monitor)
{
	struct sample_ipu *ipu = &s->ipus[number];
	struct ipu_status status;

	status_read(&status, &s->look.registry, sample_pod(s), number,
	    s->now_ns, monitor);
	ipu->monitored = status.monitored;
	ipu->soc_errors = status.soc_errors;
	ipu->sensors = status.sensors;
	ipu->board_c = status.board_c;
	ipu->board_w = status.board_w;
	if (!status.attached)
		return;
	ipu->memory_bytes = atomic_load(&status.holder.memory_bytes);
	ipu->holder = find_holder(s, t, &status.holder, ipu);
	s->holders[ipu->holder].ipu_count++;
}

void
sample_read(struct sample *s)
{
	const bool monitor = gcda_monitoring();
	struct holder_table *t;
	int i;

	s->now_ns = s->look.registry.frozen_ns;
	holder_place_of(&s->place, &s->look.registry);
	s->ipu_count = pod_ipu_count(sample_pod(s));
	s->ipus = xcalloc((size_t)s->ipu_count + 1, sizeof(*s->ipus));
	t = xcalloc(1, sizeof(*t));
	memset(t->first, SAMPLE_NONE, sizeof(t->first));
	place_ipus(s);
	for (i = 0; i < s->ipu_count; i++)
		read_ipu(s, t, i, monitor);
	free(t->slots);
	free(t);
}

void
sample_release(struct sample *s)
{
	free(s->ipus);
	free(s->holders);
	device_look_close(&s->look);
	memset(s, 0, sizeof(*s));
}

void
sample_condition(const struct sample *s, int ipu, struct condition *c)
{
	const int partition = s->ipus[ipu].partition;
	struct ipu_status status;

	status_read(&status, &s->look.registry, sample_pod(s), ipu, s->now_ns,
	    false);
	condition_of_ipu(c, &status,
	    partition == SAMPLE_NONE ? NULL : sample_partition(s, partition),
	    sample_pod(s), s->now_ns / 1000000);
}

/* Append the partition's IPUs, or those of one GCD (-1: all). */
static int
list_partition(const struct sample *s, const struct partition *p, int gcd,
    int *ipus)
{
	const int count = gcd >= 0 ? partition_gcd_size(p) : partition_size(p);
	const int first = gcd >= 0 ? gcd * count : 0;
	int i;

	for (i = 0; i < count; i++)
		ipus[i] = placement_ipu(sample_pod(s), &p->placement,
		    first + i);
	return count;
}

int
sample_list(const struct sample *s, bool all, int **ipus)
{
	const struct visible_devices *v = &s->look.view;
	int i, n = 0;

	*ipus = xcalloc((size_t)s->ipu_count + 1, sizeof(**ipus));
	if (!all)
		return v->partition == NULL ?
		    0 :
		    list_partition(s, v->partition, v->gcd, *ipus);
	for (i = 0; i < v->snapshot.partition_count; i++)
		n += list_partition(s, sample_partition(s, i), -1, *ipus + n);
	return n;
}
