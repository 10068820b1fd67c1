/*
 * From the sections to the rows of tables.
 */
#include "applets/gc-monitor/section.h"

#include <bsd/string.h>

#include <stdlib.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"

/*
 * The GCD in a title: the one that is seen; of a partition with a single one
 * where the release prints it in its own layout, or where the environment names
 * it.
 */
static int
title_gcd(const struct monitor_screen *screen, const struct section *s)
{
	const struct versions	*v = screen->form.versions;

	if (s->partition->num_gcds > 1)
		return s->gcd;
	return (v->gcd_title && screen->form.layout == v->gc_monitor) ||
	    (screen->gcd_named && s->active) ? 0 : -1;
}

static void
fill_device(struct tables_device *row, const struct section *s,
    const struct here *h, int index)
{
	const int		 ipu = s->ipus[index].ipu;
	const struct agent	*agent;

	row->machine = listing_ipu_machine(ipu);
	agent = &h->pod->agents[row->machine];
	(void)strlcpy(row->host, agent->address, sizeof(row->host));
	row->listing_ipu_number = listing_ipu_number(ipu);
	status_serial(agent, row->listing_ipu_number, row->serial);
	row->type = STATUS_BOARD_TYPE;
	row->id = s->first_id + index;
	row->routing = partition_link_routing_name(s->partition->routing);
}

/* One table for each partition; below it what is wrong. */
static void
print_devices(FILE *out, const struct monitor_screen *screen,
    const struct section *s, const struct here *h)
{
	struct tables_device	*rows;
	struct trouble		 trouble;
	char			 title[256];
	int			 i;

	/* The layout MID does not say which partition is active. */
	trouble_find(&trouble, s, h, s->active &&
	    screen->form.layout != VERSIONS_MID);
	if (!screen->no_card_info) {
		rows = xcalloc((size_t)s->count, sizeof(*rows));
		for (i = 0; i < s->count; i++)
			fill_device(&rows[i], s, h, i);
		tables_title(title, sizeof(title), screen->form.layout,
		    s->partition, title_gcd(screen, s), trouble.state,
		    s->count);
		tables_devices(out, &screen->form, title, trouble.tone, rows,
		    s->count);
		free(rows);
	}
	tables_notes(out, &screen->form, trouble.notes, trouble.count);
	trouble_release(&trouble);
}

/* The attached IPUs whose process runs here, or elsewhere; their number. */
static int
collect_processes(struct tables_process *rows, const struct section *s,
    const struct here *h, bool here)
{
	int	i, n = 0;

	for (i = 0; i < s->count; i++)
		if (s->ipus[i].attached &&
		    holder_is_here(&h->place, &s->ipus[i].holder) == here)
			section_process(&rows[n++], h, &s->ipus[i],
			    s->first_id + i);
	return n;
}

/*
 * Those that run here with all that is known of them, the others in a table of
 * their own, as the real tool does.
 */
static void
print_processes(FILE *out, const struct monitor_screen *screen,
    const struct section *s, const struct here *h)
{
	struct tables_process	*rows;
	char			 text[NAME_SIZE + 40];
	const char		*name = s->partition->name;
	int			 here, elsewhere;

	rows = xcalloc((size_t)s->count, sizeof(*rows));
	here = collect_processes(rows, s, h, true);
	if (here > 0)
		tables_processes(out, &screen->form, name, rows, here);
	elsewhere = collect_processes(rows, s, h, false);
	if (elsewhere > 0)
		tables_elsewhere(out, &screen->form, name, rows, elsewhere);
	if (here == 0 && elsewhere == 0) {
		(void)snprintf(text, sizeof(text),
		    "No attached processes in partition %s", name);
		tables_frame(out, &screen->form, text);
	}
	free(rows);
}

/* Whether there are readings, and none of them is read. */
static bool
all_unread(const struct section *sections, int count)
{
	const struct section	*s;
	bool			 attached = false;
	int			 i;

	for (s = sections; s < sections + count; s++)
		for (i = 0; i < s->count; i++) {
			if (s->ipus[i].monitored)
				return false;
			attached |= s->ipus[i].attached;
		}
	return attached;
}

void
screen_print(FILE *out, const struct monitor_screen *screen,
    const struct here *h, const struct section *sections, int count)
{
	const bool	colour = screen->form.colour;
	int		i;

	if (count == 0) {
		if (!screen->no_card_info)
			tables_devices(out, &screen->form,
			    "No active partition", TONE_PLAIN, NULL, 0);
		tables_frame(out, &screen->form, "No attached processes");
	}
	for (i = 0; i < count; i++)
		print_devices(out, screen, &sections[i], h);
	for (i = 0; i < count; i++)
		print_processes(out, screen, &sections[i], h);
	if (screen->hint && all_unread(sections, count))
		fprintf(out, "%sprograms that run with GCDA_MONITOR=1 show "
		    "temperature and power; sensors = yes\nin section "
		    "[monitor] of ipubox.conf shows those of all%s\n",
		    terminal_begin(TONE_DIM, colour),
		    terminal_end(TONE_DIM, colour));
}
