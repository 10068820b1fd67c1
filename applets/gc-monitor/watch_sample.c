/*
 * Keeps what the live view shows of one look at the pod.
 */
#include "applets/gc-monitor/watch_sample.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define IPU_MEMORY_BYTES ((double)TILE_COUNT * TILE_BYTES)

/* Take the programs.  Their IPUs are counted by take_ipu(). */
static void
take_processes(struct watch_sample *w, const struct sample *s, bool verbose)
{
	struct watch_process *p;
	int i;

	w->process_count = s->holder_count;
	w->processes = xcalloc((size_t)s->holder_count + 1,
	    sizeof(*w->processes));
	for (i = 0; i < s->holder_count; i++) {
		const struct sample_holder *h = &s->holders[i];

		p = &w->processes[i];
		p->here = h->is_here;
		p->pid = h->pid;
		p->attached_ns = s->now_ns - h->attached_ns;
		(void)strlcpy(p->user, h->user, sizeof(p->user));
		(void)strlcpy(p->host, h->host, sizeof(p->host));
		(void)strlcpy(p->command, verbose ? h->command : h->program,
		    sizeof(p->command));
	}
}

/* Count the IPU for its program and its partition. */
static void
count_used(struct watch_sample *w, const struct watch_ipu *ipu)
{
	struct watch_process *p = &w->processes[ipu->process];

	if (p->count++ == 0)
		p->partition = ipu->partition;
	p->load += ipu->load;
	w->partitions[ipu->partition].used++;
	w->used++;
}

/* Take the IPU with that number in the pod. */
static void
take_ipu(struct watch_sample *w, const struct sample *s, int number)
{
	const struct sample_ipu *from = &s->ipus[number];
	struct watch_ipu *ipu = &w->ipus[w->count++];
	struct condition c;

	sample_condition(s, number, &c);
	pod_ipu_name(sample_pod(s), number, ipu->name, sizeof(ipu->name));
	ipu->ipu = number;
	ipu->id = from->routing_id;
	ipu->partition = from->partition;
	ipu->process = from->holder;
	ipu->measured = from->sensors.measured;
	ipu->monitored = from->monitored;
	ipu->failed = c.kind > CONDITION_BUSY;
	ipu->load = from->sensors.recent;
	ipu->memory = (double)from->memory_bytes / IPU_MEMORY_BYTES;
	ipu->power_w = from->sensors.power_w;
	ipu->die_c = from->sensors.die_c;
	status_history(&s->look.registry, number, s->now_ns, ipu->history);
	(void)strlcpy(ipu->word, c.word, sizeof(ipu->word));
	if (ipu->process != SAMPLE_NONE)
		count_used(w, ipu);
}

/* Take the IPUs by partition. */
static void
take_partitions(struct watch_sample *w, const struct sample *s)
{
	struct watch_partition *p;
	int *ipus, i, count = sample_list(s, true, &ipus);

	w->ipus = xcalloc((size_t)count + 1, sizeof(*w->ipus));
	w->partition_count = s->look.view.snapshot.partition_count;
	w->partitions = xcalloc((size_t)w->partition_count + 1,
	    sizeof(*w->partitions));
	for (i = 0; i < w->partition_count; i++)
		(void)strlcpy(w->partitions[i].name,
		    sample_partition(s, i)->name, NAME_SIZE);
	for (i = 0; i < count; i++) {
		p = &w->partitions[s->ipus[ipus[i]].partition];
		if (p->count++ == 0)
			p->first = i;
		take_ipu(w, s, ipus[i]);
	}
	free(ipus);
}

void
watch_sample_init(struct watch_sample *w, const struct sample *s, bool verbose)
{
	const struct visible_devices *view = &s->look.view;

	memset(w, 0, sizeof(*w));
	w->now_ns = s->now_ns;
	w->pod_ipus = s->ipu_count;
	(void)strlcpy(w->pod, sample_pod(s)->name, sizeof(w->pod));
	(void)strlcpy(w->warning, view->warning, sizeof(w->warning));
	if (view->partition != NULL)
		(void)strlcpy(w->active, view->partition->name,
		    sizeof(w->active));
	take_processes(w, s, verbose);
	take_partitions(w, s);
}

void
watch_sample_release(struct watch_sample *w)
{
	free(w->ipus);
	free(w->processes);
	free(w->partitions);
	memset(w, 0, sizeof(*w));
}
