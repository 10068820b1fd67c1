/*
 * Reads the IPUs of a partition, and their holders as text.
 */
#include "applets/gc-monitor/section.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"

/* The GCDs of a partition are adjacent: GCD g begins at IPU g x its size. */
void
section_init(struct section *s, const struct monitor_reader *h,
    const struct partition *p, int gcd, int first_id)
{
	int i;

	s->partition = p;
	s->gcd = p->num_gcds > 1 ? gcd : -1;
	s->count = s->gcd >= 0 ? partition_gcd_size(p) : partition_size(p);
	s->first = s->gcd >= 0 ? s->gcd * s->count : 0;
	s->first_id = first_id;
	s->ipus = xcalloc((size_t)s->count, sizeof(*s->ipus));
	for (i = 0; i < s->count; i++)
		status_read(&s->ipus[i], h->registry, h->pod,
		    placement_ipu(h->pod, &p->placement, s->first + i),
		    h->now_ns, h->monitor);
}

void
section_release(struct section *s)
{
	free(s->ipus);
}

void
section_program(const struct ipu_slot *holder, char name[SLOT_COMMAND_SIZE])
{
	char word[SLOT_COMMAND_SIZE];

	holder_program(holder->command, word, sizeof(word));
	text_printable(word, name, SLOT_COMMAND_SIZE);
}

/* The holder's text was written by its program, so it is made safe for a
   terminal.  Times are whole seconds. */
void
section_process(struct tables_process *row, const struct monitor_reader *h,
    const struct ipu_status *s, int id)
{
	memset(row, 0, sizeof(*row));
	row->machine = listing_ipu_machine(s->ipu);
	row->pid = s->holder.pid;
	row->id = id;
	if (h->verbose)
		holder_command(&s->holder, h->place.reader, row->command);
	else
		section_program(&s->holder, row->command);
	text_printable(s->holder.user, row->user, sizeof(row->user));
	text_printable(s->holder.host, row->host, sizeof(row->host));
	if (holder_is_known(&s->holder))
		status_duration(sensors_session_ns(&s->holder, h->now_ns) /
			1000000000,
		    row->time);
	else
		(void)strlcpy(row->host, "?", sizeof(row->host));
	(void)snprintf(row->clock, sizeof(row->clock), "%dMHz",
	    s->sensors.clock_mhz);
	status_reading(s, s->sensors.die_c, "C", row->die_temp);
	status_reading(s, s->board_c, "C", row->board_temp);
	status_reading(s, s->board_w, "W", row->power);
	status_utilisation(s, s->sensors.recent, row->utilisation);
}
