/*
 * Frames, rules and cells.  Widths are display columns.
 *
 *	+---------------+--------------------------------- ...
 *	|  gc-monitor   |        Partition: p1 [active] has ...
 *	+-------------+--------------------+--------+----- ...
 *	|    IPU-M    |       Serial       |IPU-M SW|Serve ...
 */
#include "applets/gc-monitor/grid.h"

#include <string.h>

#include "core/base/text.h"

enum { GRID_TEXT_SIZE = 1024 };

int
grid_span(const struct grid *g, int first, int count)
{
	int i, width = -1;

	for (i = first; i < first + count; i++)
		if (g->columns[i].width > 0)
			width += g->columns[i].width + 1;
	return width;
}

void
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

void
grid_grow(struct grid *g, const char *const *cells)
{
	int i, width;

	for (i = 0; i < g->count; i++) {
		width = terminal_width(cells[i]);
		if (g->columns[i].width > 0 && width > g->columns[i].width)
			g->columns[i].width = width;
	}
}

static void
put_repeated(FILE *out, char c, int n)
{
	while (n-- > 0)
		fputc(c, out);
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

void
grid_rule(const struct grid *g)
{
	int i;

	for (i = 0; i < g->count; i++) {
		if (g->columns[i].width == FIT_LEFT_OUT)
			continue;
		fputc('+', g->out);
		put_repeated(g->out, '-', g->columns[i].width);
	}
	fputs("+\n", g->out);
}

void
grid_row(const struct grid *g, const char *const *cells)
{
	int i;

	for (i = 0; i < g->count; i++)
		if (g->columns[i].width > 0)
			put_cell(g, cells[i], g->columns[i].width, TONE_PLAIN);
	fputs("|\n", g->out);
}

void
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

/* The tone applies to the cells after the first, or to the only one. */
void
grid_top(const struct grid *g, const int *widths, const char *const *cells,
    enum terminal_tone tone)
{
	int i;

	for (i = 0; widths[i] != 0; i++) {
		fputc('+', g->out);
		put_repeated(g->out, '-', widths[i]);
	}
	fputs("+\n", g->out);
	for (i = 0; widths[i] != 0; i++)
		put_cell(g, cells[i], widths[i],
		    i > 0 || widths[1] == 0 ? tone : TONE_PLAIN);
	fputs("|\n", g->out);
}

void
grid_line_rule(const struct grid *g, int width)
{
	fputc('+', g->out);
	put_repeated(g->out, '-', width);
	fputs("+\n", g->out);
}

void
grid_line(const struct grid *g, int width, const char *text,
    enum terminal_tone tone)
{
	char plain[4 * GRID_TEXT_SIZE];

	text_printable(text, plain, sizeof(plain));
	fprintf(g->out, "| %s%s%s%*s |\n", terminal_begin(tone, g->colour),
	    plain, terminal_end(tone, g->colour),
	    width - 2 - terminal_width(plain), "");
}
