/*
 * Reads the registry once and keeps what the live view shows.
 */
#include "applets/gc-monitor/watch_sample.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { LOOK_BACK = 1024 }; /* processes that may hold a further IPU */

/* Return true if the record describes the slot's holder. */
static bool
is_holder(const struct watch_process *p, const struct ipu_slot *holder,
    int partition)
{
	return p->pid == holder->pid && p->partition == partition &&
	    p->pid_namespace == holder->pid_namespace &&
	    strcmp(p->host, holder->host) == 0;
}

/* Return the index of the holder's record, made if it is missing. */
static int
find_process(struct watch_sample *s, const struct monitor_reader *h,
    const struct ipu_status *status, const struct watch_ipu *ipu)
{
	const struct ipu_slot *holder = &status->holder;
	const int oldest = s->process_count - LOOK_BACK;
	struct tables_process row;
	struct watch_process *p;
	int i;

	for (i = s->process_count - 1; i >= 0 && i >= oldest; i--)
		if (is_holder(&s->processes[i], holder, ipu->partition))
			return i;
	p = &s->processes[s->process_count];
	section_process(&row, h, status, ipu->id);
	p->here = holder_is_here(&h->place, holder);
	p->pid = holder->pid;
	p->attached_ns = holder->attached_ns;
	p->pid_namespace = holder->pid_namespace;
	p->partition = ipu->partition;
	p->first_id = ipu->id;
	(void)strlcpy(p->user, row.user, sizeof(p->user));
	(void)strlcpy(p->host, holder->host, sizeof(p->host));
	(void)strlcpy(p->command, row.command, sizeof(p->command));
	return s->process_count++;
}

static void
take_ipu(struct watch_sample *s, const struct monitor_reader *h,
    const struct section *section, int index)
{
	const struct ipu_status *status = &section->ipus[index];
	struct watch_ipu *ipu = &s->ipus[s->count++];
	struct condition c;

	condition_of_ipu(&c, status, section->partition, h->pod,
	    h->now_ns / 1000000);
	pod_ipu_name(h->pod, status->ipu, ipu->name, sizeof(ipu->name));
	ipu->ipu = status->ipu;
	ipu->id = index;
	ipu->partition = s->partition_count;
	ipu->measured = status->sensors.measured;
	ipu->monitored = status->monitored;
	ipu->failed = c.kind > CONDITION_BUSY;
	ipu->load = status->sensors.recent;
	ipu->power_w = status->sensors.power_w;
	ipu->die_c = status->sensors.die_c;
	status_history(h->registry, status->ipu, h->now_ns, ipu->history);
	(void)strlcpy(ipu->word, c.word, sizeof(ipu->word));
	ipu->process = -1;
	if (!status->attached)
		return;
	ipu->process = find_process(s, h, status, ipu);
	s->processes[ipu->process].count++;
	s->processes[ipu->process].load += ipu->load;
	s->partitions[s->partition_count].used++;
	s->used++;
}

static void
take_partition(struct watch_sample *s, const struct monitor_reader *h,
    const struct partition *partition)
{
	struct watch_partition *p = &s->partitions[s->partition_count];
	struct section section;
	int i;

	section_init(&section, h, partition, -1, 0);
	(void)strlcpy(p->name, partition->name, sizeof(p->name));
	p->first = s->count;
	p->count = section.count;
	for (i = 0; i < section.count; i++)
		take_ipu(s, h, &section, i);
	section_release(&section);
	s->partition_count++;
}

int
watch_sample_take(struct watch_sample *s, const struct versions *v,
    bool verbose, struct error *e)
{
	struct device_look look;
	struct monitor_reader reader;
	const struct snapshot *snapshot = &look.view.snapshot;
	size_t ipus;
	int i;

	memset(s, 0, sizeof(*s));
	if (device_look_open(&look, true, e) != 0)
		return -1;
	section_reader_init(&reader, &look.registry, &snapshot->pod, v);
	reader.verbose = verbose;
	s->now_ns = reader.now_ns;
	s->pod_ipus = pod_ipu_count(&snapshot->pod);
	ipus = (size_t)s->pod_ipus + 1;
	(void)strlcpy(s->pod, snapshot->pod.name, sizeof(s->pod));
	(void)strlcpy(s->warning, look.view.warning, sizeof(s->warning));
	if (look.view.partition != NULL)
		(void)strlcpy(s->active, look.view.partition->name,
		    sizeof(s->active));
	s->ipus = xcalloc(ipus, sizeof(*s->ipus));
	s->processes = xcalloc(ipus, sizeof(*s->processes));
	s->partitions = xcalloc((size_t)snapshot->partition_count + 1,
	    sizeof(*s->partitions));
	for (i = 0; i < snapshot->partition_count; i++)
		take_partition(s, &reader, &snapshot->partitions[i]);
	device_look_close(&look);
	return 0;
}

void
watch_sample_release(struct watch_sample *s)
{
	free(s->ipus);
	free(s->processes);
	free(s->partitions);
	memset(s, 0, sizeof(*s));
}
