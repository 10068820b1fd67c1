/*
 * Draws the live view:
 *
 *	pod64  partition p1  IPUs: 5 used, 11 idle		14:03:22
 *	Utilisation [||||||||       ]  43%  Power 1204.1W  last minute ...
 *	by id
 *	ID   IPU     UTILISATION   POWER  TEMP  LAST MINUTE   USER  COMMAND
 *	...
 *	PID  USER  ...
 *	...
 *	h Help  q Quit ...
 */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "applets/gc-monitor/watch.h"

enum { TOP_LINES = 3, PROCESSES_LEAST = 3, CELL_SIZE = NAME_SIZE + 16 };

#define IPU_MEMORY_BYTES ((double)TILE_COUNT * TILE_BYTES)

enum column {
	PARTITION,
	ID,
	NAME,
	LOAD,	/* a bar, then a number */
	MEMORY, /* the same if the screen is wide, else a number */
	POWER,
	TEMPERATURE,
	HISTORY,
	USER,
	COMMAND,
	COLUMNS
};

/* The values that several IPUs have in common. */
struct joined {
	char load_text[CELL_SIZE], memory_text[CELL_SIZE], power[CELL_SIZE],
	    temperature[CELL_SIZE];
	double load, memory;
	uint8_t history[STATUS_HISTORY];
	const char *user, *command;
	bool failed;
};

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Draw a line of cells.  A width includes a space after the text.  It is 0 for
   a column that is not shown, and negative for one of numbers.  The texts end
   with NULL. */
static void
put_cells(struct watch_grid *g, int y, const int *widths,
    const char *const *texts, int style)
{
	int x = 0;

	for (; *texts != NULL; texts++, widths++) {
		if (*widths == 0)
			continue;
		x = watch_grid_text(g, x, y, *widths + (*widths < 0 ? 1 : -1),
		    *texts, style);
		x = watch_grid_text(g, x, y, 1, "", style);
	}
}

/* ---- a row of IPUs ---- */

/* Divide the width: half of what the numbers leave is for the history. */
static void
lay_out(int widths[COLUMNS], const struct watch_grid *g,
    const struct watch_view *v)
{
	const struct watch_sample *s = &v->sample;
	const bool partitions = v->partition[0] == '\0' &&
	    s->from.look.view.snapshot.partition_count > 1;
	const bool wide = g->columns >= 120;
	const int fixed[COLUMNS] = { partitions ? 11 : 0,
		s->all.count > 1000 ? 12 : 6, wide ? 14 : 8, wide ? 22 : 16,
		wide ? 15 : 5, -8, -7 };
	int i, left = g->columns;

	memcpy(widths, fixed, sizeof(fixed));
	for (i = 0; i < HISTORY; i++)
		left -= abs(fixed[i]);
	widths[USER] = left >= 60 ? 13 : 9;
	left -= widths[USER];
	widths[HISTORY] = smaller(left / 2, STATUS_HISTORY + 1);
	if (widths[HISTORY] < 9)
		widths[HISTORY] = 0;
	left -= widths[HISTORY];
	widths[COMMAND] = left < 0 ? 0 : left + 1;
}

/* Fill in what several IPUs have in common: mean load and history, the sum of
   power, the highest temperature. */
static void
join_ipus(struct joined *c, const struct watch_sample *s, int first, int count)
{
	double power = 0.0, hottest = 0.0;
	int sums[STATUS_HISTORY] = { 0 };
	int i, k, monitored = 0, measured = 0;

	memset(c, 0, sizeof(*c));
	for (i = first; i < first + count; i++) {
		const struct sample_ipu *ipu = &s->ipus[i].values;

		c->load += ipu->sensors.recent / count;
		c->memory += (double)ipu->memory_bytes / IPU_MEMORY_BYTES /
		    count;
		measured += ipu->sensors.measured;
		for (k = 0; k < STATUS_HISTORY; k++)
			sums[k] += s->ipus[i].history[k];
		if (!ipu->monitored)
			continue;
		monitored++;
		power += ipu->sensors.power_w;
		if (ipu->sensors.die_c > hottest)
			hottest = ipu->sensors.die_c;
	}
	for (k = 0; k < STATUS_HISTORY; k++)
		c->history[k] = (uint8_t)(count > 0 ? sums[k] / count : 0);
	(void)snprintf(c->load_text, CELL_SIZE, measured > 0 ? "%.0f%%" : "N/A",
	    100.0 * c->load);
	(void)snprintf(c->memory_text, CELL_SIZE,
	    c->memory > 0.0 ? "%.0f%%" : "-", 100.0 * c->memory);
	(void)snprintf(c->power, CELL_SIZE, monitored > 0 ? "%.1fW" : "N/A",
	    power);
	(void)snprintf(c->temperature, CELL_SIZE,
	    monitored > 0 ? "%.1fC" : "N/A", hottest);
}

/* Name the programs and the problems of a row's IPUs. */
static void
name_programs(struct joined *c, const struct watch_sample *s,
    const struct watch_row *row)
{
	int i, before = SAMPLE_NONE;

	c->user = c->command = "";
	for (i = row->first; i < row->first + row->count && !c->failed; i++) {
		const int holder = s->ipus[i].values.holder;

		if (s->ipus[i].failed) {
			c->failed = true;
			c->command = s->ipus[i].word;
		} else if (holder != SAMPLE_NONE && holder != before) {
			c->user = before == SAMPLE_NONE ?
			    s->from.holders[holder].user :
			    "";
			c->command = before == SAMPLE_NONE ?
			    s->from.holders[holder].command :
			    "several programs";
			before = holder;
		}
	}
}

/* Return the id in its partition or, if the view is that of a GCD, in that. */
static int
id_of(const struct watch_sample *s, int index)
{
	const struct sample_ipu *ipu = &s->ipus[index].values;

	return ipu->routing_id -
	    s->ipus[s->parts[ipu->partition].first].values.routing_id;
}

static void
put_ipus(struct watch_grid *g, int y, const int *widths,
    const struct watch_sample *s, const struct watch_row *row, int reverse)
{
	const struct watch_ipu *ipu = &s->ipus[row->first];
	const int first = id_of(s, row->first);
	char id[CELL_SIZE], name[CELL_SIZE];
	struct joined c;
	const char *texts[COLUMNS + 1] = { watch_rows_name(s,
					       ipu->values.partition),
		id, name, "", "", c.power, c.temperature, "" };
	int style, bar, x = widths[PARTITION] + widths[ID] + widths[NAME];

	join_ipus(&c, s, row->first, row->count);
	name_programs(&c, s, row);
	(void)snprintf(id, sizeof(id), row->count > 1 ? "%d-%d" : "%d", first,
	    first + row->count - 1);
	(void)snprintf(name, sizeof(name), "%s%s", row->inner ? " " : "",
	    ipu->name);
	if (row->kind == ROW_MACHINE)
		name[strcspn(name, ":")] = '\0';
	texts[USER] = c.user;
	texts[COMMAND] = c.command;
	style = (c.failed ? TB_RED | TB_BOLD : TB_DEFAULT) | reverse;
	put_cells(g, y, widths, texts, style);
	bar = style == TB_DEFAULT ? TB_GREEN : style;
	x = watch_grid_bar(g, x, y, widths[LOAD] - 6, c.load, bar);
	x = watch_grid_text(g, x, y, -5, c.load_text, style) + 1;
	if (widths[MEMORY] > 5)
		x = watch_grid_bar(g, x, y, widths[MEMORY] - 5, c.memory, bar);
	x = watch_grid_text(g, x, y, -4, c.memory_text, style) + 1;
	x -= widths[POWER] + widths[TEMPERATURE];
	(void)watch_grid_spark(g, x, y, widths[HISTORY] - 1, c.history,
	    STATUS_HISTORY, reverse != 0 ? style : TB_GREEN);
}

/* Draw a row that only counts IPUs: "12 idle IPUs: 4-15". */
static void
put_count(struct watch_grid *g, int y, const int *widths,
    const struct watch_sample *s, const struct watch_row *row, int style)
{
	const struct watch_ipu *ipus = s->ipus;
	const bool idle = row->kind == ROW_IDLE;
	const int partition = idle ? ipus[row->first].values.partition :
				     SAMPLE_NONE;
	const int count = idle ? s->parts[partition].idle :
				 s->from.ipu_count - s->all.count;
	const int end = row->first + row->count;
	const int two[] = { widths[PARTITION], g->columns + 1 };
	char text[WATCH_MESSAGE_SIZE + 64], range[32], separator = ' ';
	const char *const texts[] = { watch_rows_name(s, partition), text,
		NULL };
	int i, next;

	(void)snprintf(text, sizeof(text),
	    idle ? "%d idle IPU%s:" : "%d IPU%s in no partition", count,
	    count == 1 ? "" : "s");
	for (i = row->first; i < end; i = next + 1) {
		for (next = i; next < end && ipus[next].idle; next++)
			;
		if (next == i)
			continue;
		(void)snprintf(range, sizeof(range),
		    next > i + 1 ? "%c%d-%d" : "%c%d", separator, id_of(s, i),
		    id_of(s, next - 1));
		separator = ',';
		(void)strlcat(text, range, sizeof(text));
	}
	put_cells(g, y, two, texts, style);
}

/* ---- processes ---- */

static void
put_process(struct watch_grid *g, int y, const int *widths,
    const struct watch_sample *s, const struct watch_row *row, int reverse)
{
	const struct sample_holder *h = &s->from.holders[row->first];
	char pid[READING_SIZE], count[READING_SIZE], load[READING_SIZE],
	    age[READING_SIZE];
	const char *const texts[] = { watch_rows_name(s, row->partition),
		h->is_here ? pid : "", h->user, h->host, count, load, age,
		h->command, NULL };

	(void)snprintf(pid, sizeof(pid), "%d", h->pid);
	(void)snprintf(count, sizeof(count), "%d", row->count);
	(void)snprintf(load, sizeof(load), "%.0f%%",
	    row->count > 0 ? 100.0 * row->load / row->count : 0.0);
	status_duration(h->attached_ns / 1000000000, age);
	put_cells(g, y, widths, texts, reverse);
}

/* ---- the two tables ---- */

/* Scroll so that the cursor is among the lines of the table. */
static void
scroll(struct watch_table *t)
{
	if (t->top > t->count - t->lines)
		t->top = t->count - t->lines;
	if (t->cursor >= t->top + t->lines)
		t->top = t->cursor - t->lines + 1;
	if (t->top > t->cursor)
		t->top = t->cursor;
	if (t->top < 0)
		t->top = 0;
}

/* Draw a table in `lines` lines, with its head. */
static void
put_table(struct watch_grid *g, int y, int lines, const int *widths,
    const char *const *heads, const struct watch_view *v, struct watch_table *t)
{
	const struct watch_sample *s = &v->sample;
	const struct watch_row *row;
	int i, reverse;

	put_cells(g, y, widths, heads, TB_BOLD | TB_REVERSE);
	t->lines = lines - 1;
	scroll(t);
	for (i = t->top; i < t->count && i < t->top + t->lines; i++) {
		row = &t->rows[i];
		reverse = i == t->cursor && t == &v->tables[v->at] ?
		    TB_REVERSE :
		    0;
		y++;
		if (row->kind == ROW_PROCESS)
			put_process(g, y, widths, s, row, reverse);
		else if (row->kind <= ROW_MACHINE)
			put_ipus(g, y, widths, s, row, reverse);
		else
			put_count(g, y, widths, s, row, TB_CYAN | reverse);
	}
}

/* Divide the lines: a third is for the processes, more if the IPUs do not need
   the rest. */
static void
put_tables(struct watch_grid *g, struct watch_view *v)
{
	static const char *const process_heads[] = { "PARTITION", "PID", "USER",
		"HOST", "IPUS", "UTIL", "TIME", "COMMAND", NULL };
	const char *heads[COLUMNS + 1] = { "PARTITION", "ID", "IPU",
		"UTILISATION", " MEM", "POWER", "TEMP", "LAST MINUTE", "USER",
		"COMMAND" };
	struct watch_table *t = &v->tables[WATCH_IPUS],
			   *processes = &v->tables[WATCH_PROCESSES];
	const int body = g->rows - TOP_LINES - 1;
	const int wanted = 1 + (processes->count > 0 ? processes->count : 1);
	int process_widths[] = { 0, 9, 12, 16, -6, -7, -8, g->columns + 1 };
	int widths[COLUMNS], y, least = body / 3;

	lay_out(widths, g, v);
	process_widths[PARTITION] = widths[PARTITION];
	if (widths[MEMORY] > 5)
		heads[MEMORY] = "MEMORY";
	if (least < PROCESSES_LEAST)
		least = PROCESSES_LEAST;
	y = smaller(1 + t->count, body - smaller(least, wanted));
	put_table(g, TOP_LINES + y, smaller(wanted, body - y), process_widths,
	    process_heads, v, processes);
	if (processes->count == 0)
		(void)watch_grid_text(g, 0, TOP_LINES + y + 1, g->columns,
		    v->filter[0] == '\0' ? "no attached processes" :
					   "no process has this text",
		    TB_CYAN);
	put_table(g, TOP_LINES, y, widths, heads, v, t);
}

/* ---- the lines above and below ---- */

/* Draw the number of IPUs and the utilisation of the chosen partition, or of
   all. */
static void
put_top(struct watch_grid *g, const struct watch_view *v)
{
	const struct watch_sample *s = &v->sample;
	const int chosen = watch_rows_partition(v);
	const struct watch_part *p = chosen == -1 ? &s->all : &s->parts[chosen];
	const int partitions = s->from.look.view.snapshot.partition_count;
	const time_t now = (time_t)(s->from.now_ns / 1000000000);
	const bool filters = v->filter[0] != '\0' && v->mode != MODE_FILTER;
	char text[WATCH_MESSAGE_SIZE], which[NAME_SIZE + 32];
	struct joined c;
	struct tm tm;
	int x;

	(void)snprintf(which, sizeof(which),
	    v->gcd == -1 ? "partition %s" : "partition %s (gcd:%d)",
	    v->partition, v->gcd);
	if (v->partition[0] == '\0')
		(void)snprintf(which, sizeof(which), "%d partition%s",
		    partitions, partitions == 1 ? "" : "s");
	if (v->partition[0] != '\0' && chosen == -1)
		(void)snprintf(text, sizeof(text), "%s  %s (does not exist)",
		    sample_pod(&s->from)->name, which);
	else
		(void)snprintf(text, sizeof(text),
		    "%s  %s  IPUs: %d used, %d idle, %d in no partition",
		    sample_pod(&s->from)->name, which, p->used,
		    p->count - p->used, s->from.ipu_count - s->all.count);
	(void)watch_grid_text(g, 0, 0, g->columns, text, TB_BOLD);
	if (localtime_r(&now, &tm) != NULL &&
	    strftime(text, sizeof(text), " %H:%M:%S", &tm) > 0)
		(void)watch_grid_text(g, g->columns - (int)strlen(text), 0,
		    (int)strlen(text), text, TB_DEFAULT);

	join_ipus(&c, s, p->first, p->count);
	x = watch_grid_text(g, 0, 1, 12, "Utilisation", TB_DEFAULT);
	x = watch_grid_bar(g, x, 1, g->columns / 4, c.load, TB_GREEN);
	(void)snprintf(text, sizeof(text), "%5s  Power %s", c.load_text,
	    c.power);
	x = watch_grid_text(g, x, 1, 24, text, TB_DEFAULT);
	(void)watch_grid_spark(g, x, 1, smaller(g->columns - x, STATUS_HISTORY),
	    c.history, STATUS_HISTORY, TB_GREEN);

	(void)snprintf(text, sizeof(text), "by %s%s%s%s%s%s",
	    watch_keys_entry(MODE_SORT, v, (int)v->sort),
	    v->reverse ? ", reversed" : "", v->fold ? ", by machine" : "",
	    v->show_idle ? ", with idle IPUs" : "", filters ? ", filter: " : "",
	    filters ? v->filter : "");
	(void)watch_grid_text(g, 0, 2, g->columns, text, TB_CYAN);
}

static void
put_bottom(struct watch_grid *g, const struct watch_view *v)
{
	char question[WATCH_MESSAGE_SIZE + SLOT_COMMAND_SIZE];
	const char *text = question;
	int style = TB_BOLD;

	if (v->mode == MODE_FILTER || v->mode == MODE_SEARCH) {
		(void)snprintf(question, sizeof(question), "%s: %s_",
		    v->mode == MODE_FILTER ? "filter" : "search", v->input);
	} else if (v->mode == MODE_CONFIRM) {
		(void)snprintf(question, sizeof(question),
		    "send %s to pid %d (%s of %s)? y or n", v->signal_name,
		    v->victim.pid, v->victim.command, v->victim.user);
	} else if (v->message[0] != '\0') {
		text = v->message;
		style = v->failed ? TB_RED | TB_BOLD : TB_BOLD;
	} else if (v->trouble[0] != '\0') {
		text = v->trouble;
		style = TB_YELLOW;
	} else {
		text = "h Help  p Partition  s Sort  / Filter  \\ Find  "
		       "f Fold  i Idle  k Signal  q Quit";
		style = TB_CYAN;
	}
	(void)watch_grid_text(g, 0, g->rows - 1, g->columns, text, style);
}

/* Draw the lines of the menu or the help in a box, over the tables. */
static void
put_box(struct watch_grid *g, struct watch_view *v)
{
	static const char *const titles[] = { [MODE_HELP] = " Keys",
		[MODE_SORT] = " Sort by",
		[MODE_PARTITION] = " Partition",
		[MODE_SIGNAL] = " Signal" };
	const bool help = v->mode == MODE_HELP;
	int width = 24, count = 0, lines, i, x, y;
	const char *line;

	for (; (line = watch_keys_entry(v->mode, v, count)) != NULL; count++)
		if (terminal_width(line) + 3 > width)
			width = terminal_width(line) + 3;
	lines = smaller(g->rows - 4, count);
	width = smaller(width, g->columns);
	v->choice = smaller(v->choice, count - 1);
	if (v->choice < v->choice_top)
		v->choice_top = v->choice;
	if (v->choice >= v->choice_top + lines)
		v->choice_top = v->choice - lines + 1;
	x = (g->columns - width) / 2;
	y = (g->rows - lines - 2) / 2;
	(void)watch_grid_text(g, x, y++, width, titles[v->mode],
	    TB_BOLD | TB_REVERSE);
	for (i = v->choice_top; i < v->choice_top + lines; i++, y++) {
		(void)watch_grid_text(g, x, y, 1, "", TB_DEFAULT);
		(void)watch_grid_text(g, x + 1, y, width - 1,
		    watch_keys_entry(v->mode, v, i),
		    !help && i == v->choice ? TB_REVERSE : TB_DEFAULT);
	}
	(void)watch_grid_text(g, x, y, width,
	    help ? " any key closes" : " Enter takes, Esc closes",
	    TB_BOLD | TB_REVERSE);
}

void
watch_draw(struct watch_grid *g, struct watch_view *v)
{
	put_tables(g, v);
	put_top(g, v);
	put_bottom(g, v);
	if (v->mode >= MODE_HELP)
		put_box(g, v);
}
