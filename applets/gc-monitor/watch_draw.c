/*
 * Draws the live view:
 *
 *	pod64  partition p1  IPUs: 5 used, 11 idle		14:03:22
 *	Utilisation [||||||||       ]  43%  Power 1204.1W  last minute ...
 *	sorted by id
 *	ID   IPU     UTILISATION   POWER  TEMP  LAST MINUTE   USER  COMMAND
 *	...
 *	PID  USER  ...
 *	...
 *	h Help  q Quit ...
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "applets/gc-monitor/watch_view.h"

enum { TOP_LINES = 3, PROCESSES_LEAST = 3, CELL_SIZE = 32 };

/* The widths of the columns with their space; 0: not shown. */
struct watch_layout {
	int partition, id, name, bar, memory_bar, memory, power, temperature,
	    history, user, command;
};

/* The texts of a row of IPUs. */
struct cells {
	const char *partition, *user, *command;
	char id[CELL_SIZE], name[WATCH_NAME_SIZE + 1], percent[CELL_SIZE],
	    memory_percent[CELL_SIZE], power[CELL_SIZE], temperature[CELL_SIZE];
	double load, memory; /* of the bars */
	uint8_t history[STATUS_HISTORY];
	int tone;
};

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Divide the width: half of what the numbers leave is for the history. */
static void
lay_out(struct watch_layout *l, const struct watch_grid *g,
    const struct watch_view *v, const struct watch_sample *s)
{
	int left = g->columns;

	l->partition = v->partition[0] == '\0' && s->partition_count > 1 ?
	    11 :
	    0;
	l->id = s->count > 1000 ? 12 : 6;
	l->name = left >= 120 ? 14 : 8;
	l->bar = left >= 120 ? 22 : 16;
	l->memory_bar = left >= 120 ? 10 : 0;
	l->memory = 5;
	l->power = 8;
	l->temperature = 7;
	left -= l->partition + l->id + l->name + l->bar + l->memory_bar +
	    l->memory + l->power + l->temperature;
	l->user = left >= 60 ? 13 : 9;
	l->history = smaller((left - l->user) / 2, STATUS_HISTORY + 1);
	if (l->history < 9)
		l->history = 0;
	l->command = left - l->user - l->history;
}

/* ---- a row of IPUs ---- */

/* Fill in what several IPUs have in common: mean load and history, the sum of
   power, the highest temperature. */
static void
join_ipus(struct cells *c, const struct watch_sample *s, int first, int count)
{
	double power = 0.0, hottest = 0.0;
	int i, k, sum, monitored = 0, measured = 0;

	c->load = c->memory = 0.0;
	for (i = first; i < first + count; i++) {
		const struct watch_ipu *ipu = &s->ipus[i];

		c->load += ipu->load / count;
		c->memory += ipu->memory / count;
		measured += ipu->measured;
		if (!ipu->monitored)
			continue;
		monitored++;
		power += ipu->power_w;
		if (ipu->die_c > hottest)
			hottest = ipu->die_c;
	}
	for (k = 0; k < STATUS_HISTORY; k++) {
		for (i = first, sum = 0; i < first + count; i++)
			sum += s->ipus[i].history[k];
		c->history[k] = (uint8_t)(count > 0 ? sum / count : 0);
	}
	(void)snprintf(c->percent, CELL_SIZE, measured > 0 ? "%.0f%%" : "N/A",
	    100.0 * c->load);
	(void)snprintf(c->memory_percent, CELL_SIZE,
	    c->memory > 0.0 ? "%.0f%%" : "-", 100.0 * c->memory);
	(void)snprintf(c->power, CELL_SIZE, monitored > 0 ? "%.1fW" : "N/A",
	    power);
	(void)snprintf(c->temperature, CELL_SIZE,
	    monitored > 0 ? "%.1fC" : "N/A", hottest);
}

/* Name the programs and the problems of a row's IPUs. */
static void
name_programs(struct cells *c, const struct watch_sample *s,
    const struct watch_row *row)
{
	int i, process = -1;

	c->user = c->command = "";
	for (i = row->first; i < row->first + row->count; i++) {
		const struct watch_ipu *ipu = &s->ipus[i];

		if (ipu->failed) {
			c->tone = TONE_BAD;
			c->command = ipu->word;
			return;
		}
		if (ipu->process == -1 || ipu->process == process)
			continue;
		c->user = process == -1 ? s->processes[ipu->process].user : "";
		c->command = process == -1 ?
		    s->processes[ipu->process].command :
		    "several programs";
		process = ipu->process;
	}
}

static void
fill_cells(struct cells *c, const struct watch_sample *s,
    const struct watch_row *row)
{
	const struct watch_ipu *ipu = &s->ipus[row->first];

	memset(c, 0, sizeof(*c));
	c->tone = TONE_PLAIN;
	c->partition = s->partitions[ipu->partition].name;
	(void)snprintf(c->name, sizeof(c->name), "%s%s", row->inner ? " " : "",
	    ipu->name);
	(void)snprintf(c->id, CELL_SIZE, "%d", ipu->id);
	if (row->kind == ROW_MACHINE) {
		c->name[strcspn(c->name, ":")] = '\0';
		if (row->count > 1)
			(void)snprintf(c->id, CELL_SIZE, "%d-%d", ipu->id,
			    ipu->id + row->count - 1);
	}
	join_ipus(c, s, row->first, row->count);
	name_programs(c, s, row);
}

/* Write a text in its column and leave the space after it. */
static int
put_text(struct watch_grid *g, int x, int y, int width, const char *text,
    int style)
{
	if (width == 0)
		return x;
	x = watch_grid_text(g, x, y, width - 1, text, style);
	return watch_grid_text(g, x, y, 1, "", style);
}

static int
put_number(struct watch_grid *g, int x, int y, int width, const char *text,
    int style)
{
	x = watch_grid_number(g, x, y, width - 1, text, style);
	return watch_grid_text(g, x, y, 1, "", style);
}

static void
put_ipus(struct watch_grid *g, int y, const struct watch_layout *l,
    const struct watch_sample *s, const struct watch_row *row, int reverse)
{
	struct cells c;
	int x, style, bar;

	fill_cells(&c, s, row);
	style = c.tone | reverse;
	bar = c.tone == TONE_PLAIN && reverse == 0 ? TONE_GOOD : style;
	x = put_text(g, 0, y, l->partition, c.partition, style);
	x = put_text(g, x, y, l->id, c.id, style);
	x = put_text(g, x, y, l->name, c.name, style);
	x = watch_grid_bar(g, x, y, l->bar - 6, c.load, bar);
	x = put_number(g, x, y, 6, c.percent, style);
	if (l->memory_bar > 0)
		x = watch_grid_bar(g, x, y, l->memory_bar, c.memory, bar);
	x = put_number(g, x, y, l->memory, c.memory_percent, style);
	x = put_number(g, x, y, l->power, c.power, style);
	x = put_number(g, x, y, l->temperature, c.temperature, style);
	if (l->history > 0) {
		x = watch_grid_spark(g, x, y, l->history - 1, c.history,
		    STATUS_HISTORY, reverse != 0 ? style : TONE_GOOD);
		x = watch_grid_text(g, x, y, 1, "", style);
	}
	x = put_text(g, x, y, l->user, c.user, style);
	(void)watch_grid_text(g, x, y, l->command, c.command, style);
}

static void
put_heads(struct watch_grid *g, int y, const struct watch_layout *l)
{
	const int style = TONE_STRONG | WATCH_REVERSE;
	int x;

	x = put_text(g, 0, y, l->partition, "PARTITION", style);
	x = put_text(g, x, y, l->id, "ID", style);
	x = put_text(g, x, y, l->name, "IPU", style);
	x = put_text(g, x, y, l->bar, "UTILISATION", style);
	x = l->memory_bar > 0 ?
	    put_text(g, x, y, l->memory_bar + l->memory, "MEMORY", style) :
	    put_number(g, x, y, l->memory, "MEM", style);
	x = put_number(g, x, y, l->power, "POWER", style);
	x = put_number(g, x, y, l->temperature, "TEMP", style);
	x = put_text(g, x, y, l->history, "LAST MINUTE", style);
	x = put_text(g, x, y, l->user, "USER", style);
	(void)watch_grid_text(g, x, y, g->columns - x, "COMMAND", style);
}

/* Draw a row that only counts IPUs. */
static void
put_count(struct watch_grid *g, int y, const struct watch_layout *l,
    const struct watch_view *v, const struct watch_sample *s,
    const struct watch_row *row, int reverse)
{
	char text[WATCH_MESSAGE_SIZE + 64];
	const char *name = "";
	int x;

	if (row->kind == ROW_IDLE) {
		watch_rows_idle_text(v, s, row, text, sizeof(text));
		name = s->partitions[s->ipus[row->first].partition].name;
	} else {
		(void)snprintf(text, sizeof(text), "%d IPU%s in no partition",
		    s->pod_ipus - s->count,
		    s->pod_ipus - s->count == 1 ? "" : "s");
	}
	x = put_text(g, 0, y, l->partition, name, TONE_DIM | reverse);
	(void)watch_grid_text(g, x, y, g->columns - x, text,
	    TONE_DIM | reverse);
}

/* ---- processes ---- */

static void
put_process_heads(struct watch_grid *g, int y, const struct watch_layout *l)
{
	const int style = TONE_STRONG | WATCH_REVERSE;
	int x;

	x = put_text(g, 0, y, l->partition, "PARTITION", style);
	x = put_text(g, x, y, 9, "PID", style);
	x = put_text(g, x, y, 12, "USER", style);
	x = put_text(g, x, y, 16, "HOST", style);
	x = put_number(g, x, y, 6, "IPUS", style);
	x = put_number(g, x, y, 7, "UTIL", style);
	x = put_number(g, x, y, 8, "TIME", style);
	(void)watch_grid_text(g, x, y, g->columns - x, "COMMAND", style);
}

static void
put_process(struct watch_grid *g, int y, const struct watch_layout *l,
    const struct watch_sample *s, const struct watch_row *row, int reverse)
{
	const struct watch_process *p = &s->processes[row->first];
	const int64_t seconds = (s->now_ns - p->attached_ns) / 1000000000;
	char text[READING_SIZE];
	int x;

	x = put_text(g, 0, y, l->partition, s->partitions[p->partition].name,
	    reverse);
	(void)snprintf(text, sizeof(text), "%d", p->pid);
	x = put_text(g, x, y, 9, p->here ? text : "", reverse);
	x = put_text(g, x, y, 12, p->user, reverse);
	x = put_text(g, x, y, 16, p->host, reverse);
	(void)snprintf(text, sizeof(text), "%d", p->count);
	x = put_number(g, x, y, 6, text, reverse);
	(void)snprintf(text, sizeof(text), "%.0f%%",
	    p->count > 0 ? 100.0 * p->load / p->count : 0.0);
	x = put_number(g, x, y, 7, text, reverse);
	status_duration(p->attached_ns < 0 ? 0 : seconds, text);
	x = put_number(g, x, y, 8, text, reverse);
	(void)watch_grid_text(g, x, y, g->columns - x, p->command, reverse);
}

/* ---- the two tables ---- */

/* Scroll so that the cursor is among `lines` lines. */
static void
scroll(struct watch_pane *pane, int count, int lines)
{
	if (pane->top > count - lines)
		pane->top = count - lines;
	if (pane->cursor >= pane->top + lines)
		pane->top = pane->cursor - lines + 1;
	if (pane->top > pane->cursor)
		pane->top = pane->cursor;
	if (pane->top < 0)
		pane->top = 0;
}

/* Draw the table of IPUs in `lines` lines, with its head. */
static void
put_ipu_table(struct watch_grid *g, int y, int lines,
    const struct watch_layout *l, struct watch_view *v,
    const struct watch_rows *rows, const struct watch_sample *s)
{
	int i, reverse;

	put_heads(g, y++, l);
	scroll(&v->ipus, rows->count, lines - 1);
	for (i = v->ipus.top; i < rows->count && --lines > 0; i++, y++) {
		const struct watch_row *row = &rows->ipus[i];

		reverse = i == v->ipus.cursor && !v->at_processes ?
		    WATCH_REVERSE :
		    0;
		if (row->kind == ROW_IDLE || row->kind == ROW_UNUSED)
			put_count(g, y, l, v, s, row, reverse);
		else
			put_ipus(g, y, l, s, row, reverse);
	}
}

static void
put_process_table(struct watch_grid *g, int y, int lines,
    const struct watch_layout *l, struct watch_view *v,
    const struct watch_rows *rows, const struct watch_sample *s)
{
	int i;

	put_process_heads(g, y++, l);
	if (rows->process_count == 0)
		(void)watch_grid_text(g, 0, y, g->columns,
		    "no attached processes", TONE_DIM);
	scroll(&v->processes, rows->process_count, lines - 1);
	for (i = v->processes.top; i < rows->process_count && --lines > 0; i++)
		put_process(g, y++, l, s, &rows->processes[i],
		    i == v->processes.cursor && v->at_processes ?
			WATCH_REVERSE :
			0);
}

/* Divide the lines: a third is for the processes, more if the IPUs do not need
   the rest. */
static void
put_tables(struct watch_grid *g, struct watch_view *v,
    const struct watch_rows *rows, const struct watch_sample *s)
{
	const int body = g->rows - TOP_LINES - 1;
	const int wanted = 1 +
	    (rows->process_count > 0 ? rows->process_count : 1);
	struct watch_layout l;
	int ipus = 1 + rows->count, processes = body / 3;

	if (processes < PROCESSES_LEAST)
		processes = PROCESSES_LEAST;
	processes = smaller(processes, wanted);
	if (ipus > body - processes)
		ipus = body - processes;
	processes = smaller(wanted, body - ipus);
	v->page = (v->at_processes ? processes : ipus) - 1;
	lay_out(&l, g, v, s);
	put_process_table(g, TOP_LINES + ipus, processes, &l, v, rows, s);
	put_ipu_table(g, TOP_LINES, ipus, &l, v, rows, s);
}

/* ---- the lines above and below ---- */

/* Count the IPUs of the chosen partition, or of all. */
static void
put_title(struct watch_grid *g, const struct watch_view *v,
    const struct watch_sample *s, int chosen)
{
	const int count = chosen == -1 ? s->count : s->partitions[chosen].count;
	const int used = chosen == -1 ? s->used : s->partitions[chosen].used;
	const time_t now = (time_t)(s->now_ns / 1000000000);
	char text[NAME_SIZE * 2 + 128], clock[16] = "", which[NAME_SIZE + 32];
	struct tm tm;
	int x;

	if (v->partition[0] == '\0')
		(void)snprintf(which, sizeof(which), "%d partition%s",
		    s->partition_count, s->partition_count == 1 ? "" : "s");
	else
		(void)snprintf(which, sizeof(which), "partition %s%s",
		    v->partition, chosen == -1 ? " (does not exist)" : "");
	if (v->partition[0] != '\0' && chosen == -1)
		(void)snprintf(text, sizeof(text), "%s  %s", s->pod, which);
	else
		(void)snprintf(text, sizeof(text),
		    "%s  %s  IPUs: %d used, %d idle, %d in no partition",
		    s->pod, which, used, count - used, s->pod_ipus - s->count);
	if (localtime_r(&now, &tm) != NULL)
		(void)strftime(clock, sizeof(clock), " %H:%M:%S", &tm);
	x = watch_grid_text(g, 0, 0, g->columns - (int)strlen(clock), text,
	    TONE_STRONG);
	(void)watch_grid_text(g, x, 0, (int)strlen(clock), clock, TONE_PLAIN);
}

/* Draw the utilisation of all IPUs that are shown. */
static void
put_total(struct watch_grid *g, const struct watch_sample *s, int chosen)
{
	const int first = chosen == -1 ? 0 : s->partitions[chosen].first;
	const int count = chosen == -1 ? s->count : s->partitions[chosen].count;
	struct cells c;
	char text[CELL_SIZE + 16];
	int x, room;

	join_ipus(&c, s, first, count);
	x = watch_grid_text(g, 0, 1, 12, "Utilisation", TONE_PLAIN);
	x = watch_grid_bar(g, x, 1, g->columns / 4, c.load, TONE_GOOD);
	x = put_number(g, x, 1, 6, c.percent, TONE_PLAIN);
	(void)snprintf(text, sizeof(text), " Power %s", c.power);
	x = put_text(g, x, 1, 18, text, TONE_PLAIN);
	room = g->columns - x;
	(void)watch_grid_spark(g, x, 1, smaller(room, STATUS_HISTORY),
	    c.history, STATUS_HISTORY, TONE_GOOD);
}

static void
put_state(struct watch_grid *g, const struct watch_view *v)
{
	char text[WATCH_MESSAGE_SIZE];
	const bool filters = v->filter[0] != '\0' && v->mode != MODE_FILTER;

	(void)snprintf(text, sizeof(text), "by %s%s%s%s%s%s",
	    watch_view_entry(MODE_SORT, NULL, (int)v->sort),
	    v->reverse ? ", reversed" : "", v->fold ? ", by machine" : "",
	    v->show_idle ? ", with idle IPUs" : "", filters ? ", filter: " : "",
	    filters ? v->filter : "");
	(void)watch_grid_text(g, 0, 2, g->columns, text, TONE_DIM);
}

static void
put_bottom(struct watch_grid *g, const struct watch_view *v)
{
	char question[WATCH_MESSAGE_SIZE + SLOT_COMMAND_SIZE];
	const char *text = question;
	int style = TONE_STRONG;

	if (v->mode == MODE_FILTER || v->mode == MODE_SEARCH) {
		(void)snprintf(question, sizeof(question), "%s: %s_",
		    v->mode == MODE_FILTER ? "filter" : "search", v->input);
	} else if (v->mode == MODE_CONFIRM) {
		(void)snprintf(question, sizeof(question),
		    "send %s to pid %d (%s of %s)? y or n",
		    watch_view_signal_name(v->signal), v->victim.pid,
		    v->victim.command, v->victim.user);
	} else if (v->message[0] != '\0') {
		text = v->message;
		style = v->failed ? TONE_BAD : TONE_STRONG;
	} else if (v->trouble[0] != '\0') {
		text = v->trouble;
		style = TONE_WARNING;
	} else {
		text = "h Help  p Partition  s Sort  / Filter  \\ Find  "
		       "f Fold  i Idle  k Signal  q Quit";
		style = TONE_DIM;
	}
	(void)watch_grid_text(g, 0, g->rows - 1, g->columns, text, style);
}

/* ---- menus and help ---- */

static const char *const help_lines[] = { "Arrows, PgUp, PgDn  move",
	"Tab                 IPUs or processes",
	"Left, Right         close or "
	"open a machine",
	"f                   a row for each machine, or for each IPU",
	"i                   summarise idle IPUs, or show them",
	"s, F6               choose the column to sort by",
	"r                   reverse the order",
	"/, F4               show only what has a text",
	"\\, F3               search; n: the next one",
	"p, F2               choose a partition",
	"k, F9               send a signal to a program",
	"h, ?, F1            this help", "q, F10              quit", NULL };

static const char *
box_line(const struct watch_view *v, const struct watch_sample *s, int i)
{
	return v->mode == MODE_HELP ? help_lines[i] :
				      watch_view_entry(v->mode, s, i);
}

/* Draw the lines of the menu or the help in a box, over the tables. */
static void
put_box(struct watch_grid *g, struct watch_view *v,
    const struct watch_sample *s)
{
	static const char *const titles[] = { [MODE_HELP] = " Keys",
		[MODE_SORT] = " Sort by",
		[MODE_PARTITION] = " Partition",
		[MODE_SIGNAL] = " Signal" };
	int width = 24, count = 0, lines = g->rows - 4, i, x, y;
	const char *line;

	for (; (line = box_line(v, s, count)) != NULL; count++)
		if (terminal_width(line) + 3 > width)
			width = terminal_width(line) + 3;
	lines = smaller(lines, count);
	width = smaller(width, g->columns);
	if (v->choice < v->choice_top)
		v->choice_top = v->choice;
	if (v->choice >= v->choice_top + lines)
		v->choice_top = v->choice - lines + 1;
	x = (g->columns - width) / 2;
	y = (g->rows - lines - 2) / 2;
	(void)watch_grid_text(g, x, y++, width, titles[v->mode],
	    TONE_STRONG | WATCH_REVERSE);
	for (i = v->choice_top; i < v->choice_top + lines; i++, y++) {
		(void)watch_grid_text(g, x, y, 1, "", TONE_PLAIN);
		(void)watch_grid_text(g, x + 1, y, width - 1, box_line(v, s, i),
		    v->mode != MODE_HELP && i == v->choice ? WATCH_REVERSE :
							     TONE_PLAIN);
	}
	(void)watch_grid_text(g, x, y, width,
	    v->mode == MODE_HELP ? " any key closes" :
				   " Enter takes, Esc closes",
	    TONE_STRONG | WATCH_REVERSE);
}

void
watch_draw(struct watch_grid *g, struct watch_view *v,
    const struct watch_rows *rows, const struct watch_sample *s)
{
	const int chosen = watch_rows_partition(v, s);

	put_tables(g, v, rows, s);
	put_title(g, v, s, chosen);
	put_total(g, s, chosen);
	put_state(g, v);
	put_bottom(g, v);
	if (v->mode == MODE_HELP || v->mode == MODE_SORT ||
	    v->mode == MODE_PARTITION || v->mode == MODE_SIGNAL)
		put_box(g, v, s);
}
