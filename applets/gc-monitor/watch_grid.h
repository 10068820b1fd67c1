/*
 * A grid of cells, on which the live view is drawn before it reaches a
 * terminal: texts, bars and sparklines, in UTF-8 or in ASCII.
 */
#ifndef APPLETS_GC_MONITOR_WATCH_GRID_H
#define APPLETS_GC_MONITOR_WATCH_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/terminal.h"

/* A style is a tone (enum terminal_tone).  This bit exchanges the colours of
   text and background. */
enum { WATCH_REVERSE = 0x100 };

struct watch_cell {
	uint32_t character; /* 0: the second column of a wide character */
	int style;
};

struct watch_grid {
	int columns, rows;
	bool utf8;		  /* else only ASCII */
	struct watch_cell *cells; /* owned; row by row */
};

/* Make an empty grid of spaces, at least 1 x 1, that the caller releases. */
void watch_grid_init(struct watch_grid *, int columns, int rows, bool utf8);
void watch_grid_release(struct watch_grid *);

/* Write a text, which must be safe for a terminal, and spaces up to `width`
   columns.  A longer text is cut.  Cells outside of the grid are left out.  All
   these functions return the column after the last one. */
int watch_grid_text(struct watch_grid *, int x, int y, int width,
    const char *text, int style);
/* Do the same with spaces before the text, so that it ends at the right. */
int watch_grid_number(struct watch_grid *, int x, int y, int width,
    const char *text, int style);
/* Draw a bar in brackets, `width` columns with these; `part` of it, from 0 to
   1, is full. */
int watch_grid_bar(struct watch_grid *, int x, int y, int width, double part,
    int style);
/* Draw a column for each of the last `width` values, which are from 0 to
   100. */
int watch_grid_spark(struct watch_grid *, int x, int y, int width,
    const uint8_t *values, int count, int style);

#endif
