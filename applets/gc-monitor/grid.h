/*
 * The frames of gc-monitor's tables.  Cells are centred between '|', the odd
 * space on the right.  Rules have a '+' for each '|'.  A cell's text that is
 * too long keeps its end: "...31.100.130".  A cell's width is in columns of the
 * screen; the '|' on either side of it do not count.
 */
#ifndef APPLETS_GC_MONITOR_GRID_H
#define APPLETS_GC_MONITOR_GRID_H

#include <stdio.h>

#include "core/base/terminal.h"

enum { GRID_COLUMNS_MAX = 12 };

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
int grid_span(const struct grid *, int first, int count);

/* Shrink or leave out columns until the table, with all '|', is at most
   `columns` wide, by the rules of core/base/terminal.h. */
void grid_fit(struct grid *, int columns);
/* Widen the columns, except those left out, to hold a row's cells. */
void grid_grow(struct grid *, const char *const *cells);

/* Print a rule or a row; `cells` includes those of left-out columns. */
void grid_rule(const struct grid *);
void grid_row(const struct grid *, const char *const *cells);
/* Print the heads with a rule above and below. */
void grid_head(const struct grid *);

/* Print a rule and a row of these widths, which end with 0.  The tone colours
   all cells except the first of several. */
void grid_top(const struct grid *, const int *widths, const char *const *cells,
    enum terminal_tone);
/* Print a row of one cell, aligned to the left.  The text is not cut: it must
   take at most `width` - 2 columns. */
void grid_line(const struct grid *, int width, const char *text,
    enum terminal_tone);
/* Print the rule above or below rows of grid_line(). */
void grid_line_rule(const struct grid *, int width);

#endif
