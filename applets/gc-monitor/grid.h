/*
 * The frames of gc-monitor's tables: cells centred between '|', with the odd
 * space on the right, and rules with a '+' where the row below has a '|'.  A
 * text that is too long keeps its end: "...31.100.130".
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

/* Return the inner width of `count` spanned columns from `first`. */
int grid_span(const struct grid *, int first, int count);

/* Make it that narrow, by the columns' rules (core/base/terminal.h). */
void grid_fit(struct grid *, int columns);
/* Widen the columns to fit a row. */
void grid_grow(struct grid *, const char *const *cells);

/* Print a rule or a row; the row has cells for left-out columns too. */
void grid_rule(const struct grid *);
void grid_row(const struct grid *, const char *const *cells);
/* Print the heads with a rule above and below. */
void grid_head(const struct grid *);

/* Print a row above the heads with its rules; its widths end with 0. */
void grid_top(const struct grid *, const int *widths, const char *const *cells,
    enum terminal_tone);
/* Print a row of one cell, aligned to the left. */
void grid_line(const struct grid *, int width, const char *text,
    enum terminal_tone);
void grid_line_rule(const struct grid *, int width);

#endif
