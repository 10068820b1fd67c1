/*
 * The frames of gc-monitor's tables, their columns and their rows.
 */
#include "applets/gc-monitor/tables.h"

#include <stdio.h>
#include <string.h>

#include "core/base/terminal.h"
#include "core/base/text.h"

/*
 * The frames of the tables:
 *
 *	+---------------+--------------------------------- ...
 *	|  gc-monitor   |        Partition: p1 [active] has ...
 *	+-------------+--------------------+--------+----- ...
 *	|    IPU-M    |       Serial       |IPU-M SW|Serve ...
 *
 * Cells are centred between '|', the odd
 * space on the right.  Rules have a '+' for each '|'.  A cell's text that is
 * too long keeps its end: "...31.100.130".  A cell's width is in columns of the
 * screen; the '|' on either side of it do not count.
 */
enum { GRID_COLUMNS_MAX = 12, GRID_TEXT_SIZE = 1024 };

struct grid_column {
	const char *head;
	int width; /* or FIT_LEFT_OUT: the column is not shown */
	struct fit_rule rule;
};

struct grid {
	FILE *out;
	bool colour;
	struct grid_column columns[GRID_COLUMNS_MAX];
	int count;
};

/* Return the width of one cell that takes the place of `count` columns from
   `first` and of the '|' between them; columns left out do not count. */
static int
grid_span(const struct grid *g, int first, int count)
{
	int i, width = -1;

	for (i = first; i < first + count; i++)
		if (g->columns[i].width > 0)
			width += g->columns[i].width + 1;
	return width;
}

/* Shrink or leave out columns until the table, with all '|', is at most
   `columns` wide, by the rules of core/base/terminal.h. */
static void
grid_fit(struct grid *g, int columns)
{
	struct fit_rule rules[GRID_COLUMNS_MAX];
	int widths[GRID_COLUMNS_MAX], i;

	for (i = 0; i < g->count; i++) {
		widths[i] = g->columns[i].width;
		rules[i] = g->columns[i].rule;
	}
	(void)fit_columns(widths, g->count, rules, 1, columns - 2);
	for (i = 0; i < g->count; i++)
		g->columns[i].width = widths[i];
}

/* Widen the columns, except those left out, to hold a row's cells. */
static void
grid_grow(struct grid *g, const char *const *cells)
{
	int i, width;

	for (i = 0; i < g->count; i++) {
		width = terminal_width(cells[i]);
		if (g->columns[i].width > 0 && width > g->columns[i].width)
			g->columns[i].width = width;
	}
}

/* Print the rule above or below a cell. */
static void
put_edge(const struct grid *g, int width)
{
	fputc('+', g->out);
	while (width-- > 0)
		fputc('-', g->out);
}

/* Centre the text like Python's str.center(), but with the odd space after
   it. */
static void
put_cell(const struct grid *g, const char *text, int width,
    enum terminal_tone tone)
{
	char plain[4 * GRID_TEXT_SIZE], cut[GRID_TEXT_SIZE];
	int length, left;

	text_printable(text, plain, sizeof(plain));
	terminal_cut_start(cut, sizeof(cut), plain, width);
	length = terminal_width(cut);
	left = (width - length) / 2;
	fprintf(g->out, "|%*s%s%s%s%*s", left, "",
	    terminal_begin(tone, g->colour), cut, terminal_end(tone, g->colour),
	    width - length - left, "");
}

/* Print a rule or a row; `cells` includes those of left-out columns. */
static void
grid_rule(const struct grid *g)
{
	int i;

	for (i = 0; i < g->count; i++)
		if (g->columns[i].width != FIT_LEFT_OUT)
			put_edge(g, g->columns[i].width);
	fputs("+\n", g->out);
}

static void
grid_row(const struct grid *g, const char *const *cells)
{
	int i;

	for (i = 0; i < g->count; i++)
		if (g->columns[i].width > 0)
			put_cell(g, cells[i], g->columns[i].width, TONE_PLAIN);
	fputs("|\n", g->out);
}

/* Print the heads with a rule above and below. */
static void
grid_head(const struct grid *g)
{
	const char *heads[GRID_COLUMNS_MAX];
	int i;

	for (i = 0; i < g->count; i++)
		heads[i] = g->columns[i].head;
	grid_rule(g);
	grid_row(g, heads);
	grid_rule(g);
}

/* Print a rule and a row of these widths, which end with 0.  The tone colours
   all cells except the first of several. */
static void
grid_top(const struct grid *g, const int *widths, const char *const *cells,
    enum terminal_tone tone)
{
	int i;

	for (i = 0; widths[i] != 0; i++)
		put_edge(g, widths[i]);
	fputs("+\n", g->out);
	for (i = 0; widths[i] != 0; i++)
		put_cell(g, cells[i], widths[i],
		    i > 0 || widths[1] == 0 ? tone : TONE_PLAIN);
	fputs("|\n", g->out);
}

/* Print the rule above or below notes. */
static void
grid_line_rule(const struct grid *g, int width)
{
	put_edge(g, width);
	fputs("+\n", g->out);
}

enum {
	FRAME_WIDTH = 98,     /* inner width of a frame around text */
	NAME_CELL_WIDTH = 15, /* width of the cell "gc-monitor" */
	OTHER_WIDTH = 76      /* table of processes without Command */
};

/* Contents of a cell in the table of devices; CELL_END ends a layout. */
enum device_cell {
	CELL_END,
	CELL_HOST,
	CELL_SERIAL,
	CELL_MACHINE,
	CELL_SERVER,
	CELL_FIRMWARE,
	CELL_TYPE,
	CELL_TYPE_WIDE,
	CELL_ID,
	CELL_NUMBER,
	CELL_PCIE_ID, /* CELL_NUMBER's number, under the head of MID */
	CELL_ROUTING,
	CELL_GATEWAY,
	CELLS
};

/* Define a column: its head, its width, its least width, and its turns to
   shrink and to be left out (1 is first, 0 is never; struct fit_rule). */
#define COLUMN(head, width, least, shrink, leave) \
	{ \
		head, width, \
		{ \
			shrink, least, leave, FIT_KEEP_END \
		} \
	}

static const struct grid_column device_columns[CELLS] = {
	[CELL_HOST] = COLUMN("IPU-M", 13, 13, 0, 0),
	[CELL_SERIAL] = COLUMN("Serial", 20, 17, 1, 4),
	[CELL_MACHINE] = COLUMN("IPU-M SW", 8, 8, 0, 1),
	[CELL_SERVER] = COLUMN("Server version", 14, 14, 0, 2),
	[CELL_FIRMWARE] = COLUMN("ICU FW", 10, 6, 2, 3),
	[CELL_TYPE] = COLUMN("Type", 6, 5, 4, 0),
	[CELL_TYPE_WIDE] = COLUMN("Type", 7, 5, 4, 0),
	[CELL_ID] = COLUMN("ID", 4, 2, 5, 0),
	[CELL_NUMBER] = COLUMN("IPU#", 6, 4, 3, 0),
	[CELL_PCIE_ID] = COLUMN("PCIe ID", 9, 7, 3, 0),
	[CELL_ROUTING] = COLUMN("Routing", 7, 7, 0, 0),
	[CELL_GATEWAY] = COLUMN("GWSW", 10, 8, 0, 1),
};

static const enum device_cell device_layouts[][GRID_COLUMNS_MAX] = {
	[VERSIONS_MID] = { CELL_HOST, CELL_SERIAL, CELL_FIRMWARE, CELL_TYPE,
	    CELL_SERVER, CELL_ID, CELL_PCIE_ID, CELL_ROUTING, CELL_GATEWAY },
	[VERSIONS_NEW] = { CELL_HOST, CELL_SERIAL, CELL_MACHINE, CELL_SERVER,
	    CELL_FIRMWARE, CELL_TYPE, CELL_ID, CELL_NUMBER, CELL_ROUTING },
	[VERSIONS_LATEST] = { CELL_HOST, CELL_SERIAL, CELL_MACHINE, CELL_SERVER,
	    CELL_FIRMWARE, CELL_TYPE_WIDE, CELL_ID, CELL_NUMBER, CELL_ROUTING },
};

/* Column indexes and column counts of the two tables of processes: those of
   this pid namespace, and those elsewhere.  Wide tables have a column more,
   which the real tool lacks. */
enum { PROCESS_COMMAND = 1, PROCESS_ID = 4, PROCESS_CELLS = 9 };
enum { ELSEWHERE_ID = 0, ELSEWHERE_CELLS = 6 };

static const struct grid_column process_columns[PROCESS_CELLS + 1] = {
	COLUMN("PID", 8, 7, 6, 0),
	COLUMN("Command", 0, 4, 1, 0), /* takes the rest of the table */
	COLUMN("Time", 8, 6, 5, 0),
	COLUMN("User", 12, 6, 2, 0),
	COLUMN("ID", 4, 2, 7, 0),
	COLUMN("Clock", 10, 7, 3, 0),
	COLUMN("Temp", 8, 6, 4, 0),
	COLUMN("Temp", 8, 6, 4, 0),
	COLUMN("Power", 8, 7, 4, 0),
	COLUMN("Util", 9, 7, 4, 0),
};

static const struct grid_column elsewhere_columns[ELSEWHERE_CELLS + 1] = {
	COLUMN("ID", 4, 2, 4, 0),
	COLUMN("Application host", 30, 16, 1, 0),
	COLUMN("Clock", 14, 7, 2, 0),
	COLUMN("Temp", 11, 6, 3, 0),
	COLUMN("Temp", 11, 6, 3, 0),
	COLUMN("Power", 11, 7, 3, 0),
	COLUMN("Util", 9, 7, 3, 0),
};

void
tables_title(char *text, size_t size, enum versions_layout layout,
    const struct partition *p, int gcd, const char *state, int ipus)
{
	const char *quote = layout == VERSIONS_MID ? "'" : "";
	char gcd_text[24] = "";

	if (gcd >= 0)
		(void)snprintf(gcd_text, sizeof(gcd_text), " (gcd:%d)", gcd);
	(void)snprintf(text, size, "Partition: %s%s%s%s%s%s%s has %d %sIPU%s",
	    quote, p->name, quote, gcd_text, state[0] != '\0' ? " [" : "",
	    state, state[0] != '\0' ? "]" : "", ipus,
	    p->reconfigurable ? "reconfigurable " : "", ipus == 1 ? "" : "s");
}

static void
grid_begin(struct grid *g, FILE *out, const struct tables_form *form)
{
	memset(g, 0, sizeof(*g));
	g->out = out;
	g->colour = form->colour;
}

/* Widen the column so that no id up to `highest` is cut, because users pass ids
   to other tools. */
static void
widen_id(struct grid_column *c, int highest)
{
	const int digits = text_digits(highest);

	if (c->width < digits)
		c->width = digits;
	if (c->rule.least < digits)
		c->rule.least = digits;
}

/* Narrow the columns to the terminal (0: unknown), except with --wide. */
static void
grid_finish(struct grid *g, const struct tables_form *form, int columns)
{
	if (!form->wide && columns > 0)
		grid_fit(g, columns);
}

/* ---- devices ---- */

/* Cells of a device, in the layout's order, with the buffers of its numbers. */
struct device_row {
	const char *cells[GRID_COLUMNS_MAX];
	char id[READING_SIZE], number[READING_SIZE];
};

static void
device_cells(struct device_row *row, const enum device_cell *layout,
    const struct tables_device *d, const struct versions *v)
{
	const char *const cells[CELLS] = { [CELL_HOST] = d->host,
		[CELL_SERIAL] = d->serial,
		[CELL_MACHINE] = v->machine_hidden ? "" : v->machine,
		[CELL_SERVER] = v->ipuof_server,
		[CELL_FIRMWARE] = v->firmware,
		[CELL_TYPE] = d->type,
		[CELL_TYPE_WIDE] = d->type,
		[CELL_ID] = row->id,
		[CELL_NUMBER] = row->number,
		[CELL_PCIE_ID] = row->number,
		[CELL_ROUTING] = d->routing,
		[CELL_GATEWAY] = v->gateway };
	int i;

	(void)snprintf(row->id, sizeof(row->id), "%d", d->id);
	(void)snprintf(row->number, sizeof(row->number), "%d",
	    d->listing_ipu_number);
	for (i = 0; layout[i] != CELL_END; i++)
		row->cells[i] = cells[layout[i]];
}

static void
device_grid(struct grid *g, const struct tables_form *form,
    const enum device_cell *layout, const struct tables_device *d, int count)
{
	struct device_row row;
	int i;

	for (i = 0; layout[i] != CELL_END; i++) {
		g->columns[i] = device_columns[layout[i]];
		if (layout[i] == CELL_ID && count > 0)
			widen_id(&g->columns[i], d[count - 1].id);
	}
	g->count = i;
	for (i = 0; form->wide && i < count; i++) {
		device_cells(&row, layout, &d[i], form->versions);
		grid_grow(g, row.cells);
	}
	grid_finish(g, form, form->narrow);
}

/* Return true if a rule separates the device from the one before it: between
   machines, and in MID also between boards. */
static bool
has_rule(const struct tables_form *form, const struct tables_device *d)
{
	return d->machine != d[-1].machine ||
	    (form->layout == VERSIONS_MID &&
		strcmp(d->serial, d[-1].serial) != 0);
}

/* Return the end of the idle machines that begin at `first`, or `first` if they
   are not more than one. */
static int
find_busy(const struct tables_device *d, int count, int first)
{
	int i, begin = first, machines = 0;

	for (i = first; i < count && d[i].idle; i++)
		if (i + 1 == count || d[i + 1].machine != d[i].machine) {
			machines++;
			begin = i + 1;
		}
	return machines > 1 &&
		(first == 0 || d[first - 1].machine != d[first].machine) ?
	    begin :
	    first;
}

/* Print one row for all idle machines from the first to the last device. */
static void
put_idle(const struct grid *g, const struct tables_device *first,
    const struct tables_device *last)
{
	char text[2 * ADDRESS_SIZE + 80];

	(void)snprintf(text, sizeof(text), "IPUs %d to %d: idle, %s to %s",
	    first->id, last->id, first->host, last->host);
	put_cell(g, text, grid_span(g, 0, g->count), TONE_PLAIN);
	fputs("|\n", g->out);
}

/* End the table with a rule; without devices the rule below the head is the
   last. */
void
tables_devices(FILE *out, const struct tables_form *form, const char *title,
    enum terminal_tone tone, const struct tables_device *d, int count)
{
	const enum device_cell *layout = device_layouts[form->layout];
	const char *top[] = { "gc-monitor", title };
	int widths[] = { NAME_CELL_WIDTH, 0, 0 };
	struct device_row row;
	struct grid g;
	int i, end;

	grid_begin(&g, out, form);
	device_grid(&g, form, layout, d, count);
	widths[1] = grid_span(&g, 0, g.count) - NAME_CELL_WIDTH - 1;
	grid_top(&g, widths, top, tone);
	grid_head(&g);
	for (i = 0; i < count; i = end) {
		if (i > 0 && has_rule(form, &d[i]))
			grid_rule(&g);
		end = form->fold ? find_busy(d, count, i) : i;
		if (end > i) {
			put_idle(&g, &d[i], &d[end - 1]);
			continue;
		}
		device_cells(&row, layout, &d[i], form->versions);
		grid_row(&g, row.cells);
		end = i + 1;
	}
	if (count > 0)
		grid_rule(&g);
}

/* ---- processes ---- */

/* Cells of a process, with the buffers of its numbers. */
struct process_row {
	const char *cells[GRID_COLUMNS_MAX];
	char pid[READING_SIZE], id[READING_SIZE];
};

/* Make the cells of a row.  Only the first row of a machine has the board's
   readings. */
static void
process_cells(struct process_row *row, const struct tables_process *p,
    bool is_here, bool first)
{
	const char *const board = first ? p->board_temp : "";
	const char *const power = first ? p->power : "";
	const char *const here[] = { row->pid, p->command, p->time, p->user,
		row->id, p->clock, p->die_temp, board, power, p->utilisation };
	const char *const elsewhere[] = { row->id, p->host, p->clock,
		p->die_temp, board, power, p->utilisation };

	(void)snprintf(row->pid, sizeof(row->pid), "%d", p->pid);
	(void)snprintf(row->id, sizeof(row->id), "%d", p->id);
	memcpy(row->cells, is_here ? here : elsewhere,
	    is_here ? sizeof(here) : sizeof(elsewhere));
}

static void
process_grid(struct grid *g, const struct tables_form *form, bool is_here,
    const struct tables_process *p, int count)
{
	struct process_row row;
	int i;

	for (i = 0; i < count; i++) {
		widen_id(&g->columns[is_here ? PROCESS_ID : ELSEWHERE_ID],
		    p[i].id);
		if (!form->wide)
			continue;
		process_cells(&row, &p[i], is_here, true);
		grid_grow(g, row.cells);
	}
}

/* Print the rows, with a rule between machines.  As in published output of the
   real tool, only a machine's first row has the board's readings. */
static void
put_processes(const struct grid *g, bool is_here,
    const struct tables_process *p, int count)
{
	struct process_row row;
	int i;

	grid_head(g);
	for (i = 0; i < count; i++) {
		bool first = i == 0 || p[i].machine != p[i - 1].machine;

		if (first && i > 0)
			grid_rule(g);
		process_cells(&row, &p[i], is_here, first);
		grid_row(g, row.cells);
	}
	grid_rule(g);
}

void
tables_processes(FILE *out, const struct tables_form *form,
    const char *partition, const struct tables_process *p, int count,
    bool is_here)
{
	char title[NAME_SIZE + 48];
	const char *top[] = { title, is_here ? "IPU" : "Board",
		is_here ? "Board" : "Work", "Work" };
	const int columns = is_here ? PROCESS_CELLS : ELSEWHERE_CELLS;
	const int least = form->versions->process_columns;
	int widths[] = { 0, 0, 0, 0, 0 }, n = 0;
	struct grid g;

	grid_begin(&g, out, form);
	memcpy(g.columns, is_here ? process_columns : elsewhere_columns,
	    (size_t)(columns + 1) * sizeof(*g.columns));
	g.count = columns + form->wide;
	if (is_here)
		g.columns[PROCESS_COMMAND].width =
		    (form->columns > least ? form->columns : least) -
		    OTHER_WIDTH;
	process_grid(&g, form, is_here, p, count);
	grid_finish(&g, form, is_here ? form->columns : form->narrow);
	(void)snprintf(title, sizeof(title),
	    is_here ? "Attached processes in partition %s" :
		      "IPUs in %s attached from other namespaces",
	    partition);
	widths[n++] = grid_span(&g, 0, 4);
	if (is_here)
		widths[n++] = grid_span(&g, 4, columns - 6);
	widths[n++] = grid_span(&g, columns - 2, 2);
	if (form->wide)
		widths[n] = g.columns[columns].width;
	grid_top(&g, widths, top, TONE_PLAIN);
	put_processes(&g, is_here, p, count);
}

/* ---- frames ---- */

static int
frame_width(const struct tables_form *form)
{
	int width = form->narrow - 2;

	return form->wide || form->narrow == 0 || width > FRAME_WIDTH ?
	    FRAME_WIDTH :
	    width < 20 ? 20 :
			 width;
}

void
tables_frame(FILE *out, const struct tables_form *form, const char *text)
{
	const char *cells[] = { text };
	int widths[] = { frame_width(form), 0 };
	struct grid g;

	grid_begin(&g, out, form);
	grid_top(&g, widths, cells, TONE_PLAIN);
	grid_line_rule(&g, widths[0]);
}

/* Print the note in lines that break at spaces.  A word that is wider than a
   line is broken too. */
static void
put_note(const struct grid *g, int width, const struct tables_note *note)
{
	const char *text = note->text;
	char line[sizeof(note->text)], plain[4 * sizeof(line)];
	int len;

	while (text[0] != '\0') {
		len = fit_line(text, width - 2);
		(void)snprintf(line, sizeof(line), "%.*s", len, text);
		text_printable(line, plain, sizeof(plain));
		fprintf(g->out, "| %s%s%s%*s |\n",
		    terminal_begin(note->tone, g->colour), plain,
		    terminal_end(note->tone, g->colour),
		    width - 2 - terminal_width(plain), "");
		text += len;
		text += strspn(text, " ");
	}
}

void
tables_notes(FILE *out, const struct tables_form *form,
    const struct tables_note *notes, int count)
{
	struct grid g;
	int i, width = frame_width(form);

	if (count == 0)
		return;
	grid_begin(&g, out, form);
	grid_line_rule(&g, width);
	for (i = 0; i < count; i++)
		put_note(&g, width, &notes[i]);
	grid_line_rule(&g, width);
}
