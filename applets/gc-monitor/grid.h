/*
 * The frames of gc-monitor's tables: cells that are centred between '|', with
 * the odd space on their right, and rules with a '+' where the row below has a
 * '|'.  A text that is too long keeps its end: "...31.100.130".
 */
#ifndef APPLETS_GC_MONITOR_GRID_H
#define APPLETS_GC_MONITOR_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/terminal.h"

enum { GRID_COLUMNS_MAX = 12 };

struct grid_column {
	const char *head;
	int width; /* inner, without the '|', or FIT_LEFT_OUT */
	struct fit_rule rule;
};

struct grid {
	FILE *out;
	bool colour;
	struct grid_column columns[GRID_COLUMNS_MAX];
	int count;
};

/* Inner width of the cell that spans so many columns from the first one on. */
int grid_span(const struct grid *, int first, int count);

/* Make it as narrow as that, by the columns' rules (core/base/terminal.h). */
void grid_fit(struct grid *, int columns);
/* Make room for all of a row. */
void grid_grow(struct grid *, const char *const *cells);

/* A rule and a row; there are cells of columns that are left out as well. */
void grid_rule(const struct grid *);
void grid_row(const struct grid *, const char *const *cells);
/* The rule above the heads, the heads, and the rule below. */
void grid_head(const struct grid *);

/* The same of a row above the heads, with widths of its own, which end with
   0. */
void grid_top(const struct grid *, const int *widths, const char *const *cells,
    enum terminal_tone);
/* A row of one cell, to the left in its frame. */
void grid_line(const struct grid *, int width, const char *text,
    enum terminal_tone);
void grid_line_rule(const struct grid *, int width);

#endif
