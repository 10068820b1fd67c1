/*
 * Turns sections into rows of tables.  Reports problems of a partition, its
 * machines and its IPUs (ipu/device/condition.c) in titles and sentences.
 */
#include "applets/gc-monitor/section.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"

/* For the title of a table and the lines below it. */
struct trouble {
	char state[96];		   /* "active, ERROR", or "" */
	enum terminal_tone tone;   /* of the title */
	struct tables_note *notes; /* owned */
	int count;
};

static void
trouble_word(struct trouble *t, const char *word)
{
	if (t->state[0] != '\0')
		(void)strlcat(t->state, ", ", sizeof(t->state));
	(void)strlcat(t->state, word, sizeof(t->state));
}

static struct tables_note *
trouble_note(struct trouble *t, enum terminal_tone tone)
{
	struct tables_note *note = &t->notes[t->count++];

	note->tone = tone;
	return note;
}

/* Find the partition's own state, which a lost machine would hide. */
static void
find_of_partition(struct trouble *t, const struct section *s,
    const struct monitor_reader *h)
{
	const struct partition *p = s->partition;
	struct condition c;

	condition_of_partition(&c, p, h->pod, h->now_ns / 1000000);
	if (c.kind == CONDITION_GOOD)
		return;
	if (c.kind == CONDITION_MACHINE && p->state != PS_ACTIVE) {
		trouble_word(t, partition_state_name(p->state));
		(void)snprintf(trouble_note(t, TONE_BAD)->text,
		    sizeof(t->notes->text), "partition %s is in state %s",
		    p->name, partition_state_name(p->state));
	}
	trouble_word(t, c.word);
	t->tone = c.tone;
	if (c.kind == CONDITION_PARTITION)
		(void)strlcpy(trouble_note(t, t->tone)->text, c.text,
		    sizeof(t->notes->text));
}

/* Describe that IPU's problem, besides the state of its partition. */
static enum terminal_tone
describe_ipu(const struct section *s, const struct monitor_reader *h, int index,
    char text[TABLES_NOTE_SIZE])
{
	struct condition c;

	condition_of_ipu(&c, &s->ipus[index], s->partition, h->pod,
	    h->now_ns / 1000000);
	text[0] = '\0';
	if (c.kind == CONDITION_PARTITION && c.soc_errors != 0)
		(void)snprintf(text, TABLES_NOTE_SIZE, "SoC error%s %s",
		    (c.soc_errors & (c.soc_errors - 1)) == 0 ? "" : "s",
		    c.error_state);
	else if (c.kind == CONDITION_ERROR || c.kind == CONDITION_MACHINE)
		(void)strlcpy(text, c.text, TABLES_NOTE_SIZE);
	return c.tone;
}

/* Name a holder that came over TCP. */
static enum terminal_tone
describe_remote(const struct section *s, const struct monitor_reader *h,
    int index, char text[TABLES_NOTE_SIZE])
{
	const struct ipu_status *ipu = &s->ipus[index];
	struct holder_place place = h->place;

	if (!h->verbose)
		place.reader = (uid_t)-1;
	text[0] = '\0';
	if (ipu->attached && (ipu->holder.flags & SLOT_CLAIMED) != 0)
		holder_text(&place, &ipu->holder, text);
	return TONE_PLAIN;
}

/* Add a note for each IPU that has a text; adjacent ones with the same text
   share it. */
static void
add_notes(struct trouble *t, const struct section *s,
    const struct monitor_reader *h,
    enum terminal_tone (*describe)(const struct section *,
	const struct monitor_reader *, int index, char *text))
{
	char text[TABLES_NOTE_SIZE], next[TABLES_NOTE_SIZE], range[24];
	enum terminal_tone tone;
	int i, end;

	for (i = 0; i < s->count; i = end) {
		tone = describe(s, h, i, text);
		for (end = i + 1; end < s->count; end++) {
			(void)describe(s, h, end, next);
			if (strcmp(text, next) != 0)
				break;
		}
		(void)snprintf(range, sizeof(range),
		    end > i + 1 ? "s %d to %d" : " %d", s->first_id + i,
		    s->first_id + end - 1);
		if (text[0] != '\0')
			(void)snprintf(trouble_note(t, tone)->text,
			    sizeof(t->notes->text), "IPU%s: %s", range, text);
	}
}

/* Find all problems; adds nothing if all is well.  Adjacent IPUs with the same
   fault share a note.  `active`: the title says so. */
static void
find_trouble(struct trouble *t, const struct section *s,
    const struct monitor_reader *h, bool active)
{
	memset(t, 0, sizeof(*t));
	t->tone = TONE_PLAIN;
	t->notes = xcalloc((size_t)s->count + 2, sizeof(*t->notes));
	if (active)
		trouble_word(t, "active");
	find_of_partition(t, s, h);
	add_notes(t, s, h, describe_ipu);
}

/* Return the GCD for a title: the view's.  A single GCD appears only if the
   release prints it in its layout, or the environment names it. */
static int
title_gcd(const struct monitor_screen *screen, const struct section *s)
{
	const struct versions *v = screen->form.versions;

	if (s->partition->num_gcds > 1)
		return s->gcd;
	return (v->gcd_title && screen->form.layout == v->gc_monitor) ||
		(screen->gcd_named && s->active) ?
	    0 :
	    -1;
}

static void
fill_device(struct tables_device *row, const struct section *s,
    const struct monitor_reader *h, int index)
{
	const int ipu = s->ipus[index].ipu;
	char trouble[TABLES_NOTE_SIZE];
	const struct agent *agent;

	row->machine = listing_ipu_machine(ipu);
	agent = &h->pod->agents[row->machine];
	(void)strlcpy(row->host, agent->address, sizeof(row->host));
	row->listing_ipu_number = listing_ipu_number(ipu);
	status_serial(agent, row->listing_ipu_number, row->serial);
	row->type = STATUS_BOARD_TYPE;
	row->id = s->first_id + index;
	row->routing = partition_link_routing_name(s->partition->routing);
	(void)describe_ipu(s, h, index, trouble);
	row->idle = !s->ipus[index].attached && trouble[0] == '\0';
}

/* Print one table per partition, with its problems below. */
static void
print_devices(FILE *out, const struct monitor_screen *screen,
    const struct section *s, const struct monitor_reader *h)
{
	struct tables_device *rows;
	struct trouble trouble;
	char title[256];
	int i;

	/* The layout MID does not show which partition is active. */
	find_trouble(&trouble, s, h,
	    s->active && screen->form.layout != VERSIONS_MID);
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
	free(trouble.notes);
}

/* Collect the attached IPUs with a process on this host, or elsewhere.  Returns
   their number. */
static int
collect_processes(struct tables_process *rows, const struct section *s,
    const struct monitor_reader *h, bool here)
{
	int i, n = 0;

	for (i = 0; i < s->count; i++)
		if (s->ipus[i].attached &&
		    holder_is_here(&h->place, &s->ipus[i].holder) == here)
			section_process(&rows[n++], h, &s->ipus[i],
			    s->first_id + i);
	return n;
}

/* Name the holders that came over TCP below their table, which as in the real
   tool has only hosts. */
static void
print_remote_holders(FILE *out, const struct monitor_screen *screen,
    const struct section *s, const struct monitor_reader *h)
{
	struct trouble t = { .count = 0 };

	t.notes = xcalloc((size_t)s->count, sizeof(*t.notes));
	add_notes(&t, s, h, describe_remote);
	tables_notes(out, &screen->form, t.notes, t.count);
	free(t.notes);
}

/* Print processes of this host with full details, the others in a separate
   table, as the real tool does, and then by name. */
static void
print_processes(FILE *out, const struct monitor_screen *screen,
    const struct section *s, const struct monitor_reader *h)
{
	struct tables_process *rows;
	char text[NAME_SIZE + 40];
	const char *name = s->partition->name;
	int here, elsewhere;

	rows = xcalloc((size_t)s->count, sizeof(*rows));
	here = collect_processes(rows, s, h, true);
	if (here > 0)
		tables_processes(out, &screen->form, name, rows, here, true);
	elsewhere = collect_processes(rows, s, h, false);
	if (elsewhere > 0) {
		tables_processes(out, &screen->form, name, rows, elsewhere,
		    false);
		print_remote_holders(out, screen, s, h);
	}
	if (here == 0 && elsewhere == 0) {
		(void)snprintf(text, sizeof(text),
		    "No attached processes in partition %s", name);
		tables_frame(out, &screen->form, text);
	}
	free(rows);
}

/* Whether programs are attached, but no IPU's sensors were read. */
static bool
all_unread(const struct section *sections, int count)
{
	const struct section *s;
	bool attached = false;
	int i;

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
    const struct monitor_reader *h, const struct section *sections, int count)
{
	const bool colour = screen->form.colour;
	int i;

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
		fprintf(out,
		    "%sset GCDA_MONITOR=1 for a program to see temperature and "
		    "power, or sensors = yes\nin section [monitor] of "
		    "ipubox.conf for all programs%s\n",
		    terminal_begin(TONE_DIM, colour),
		    terminal_end(TONE_DIM, colour));
}
