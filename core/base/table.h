/*
 * Text tables as V-IPU prints them.
 *
 *	 Index       | Cluster | Size		TABLE_SPACE: a space in front
 *	------------------------------
 *	 0           | cl00    | 4
 *	------------------------------
 *
 * A column is as wide as its widest cell, the first at least first_width;
 * a rule is as wide as a row with a space in front and behind.  No line ends
 * in a space.  On a screen that is too narrow, columns give way as their rules
 * say (terminal.h); where nothing is said of a screen, a table has all it has.
 */
#ifndef CORE_BASE_TABLE_H
#define CORE_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/terminal.h"

enum { TABLE_COLUMNS_MAX = 32, TABLE_FIRST_WIDTH = 11 };

enum table_flags {
	TABLE_SPACE = 1,    /* every row begins with a space */
	TABLE_TOP_RULE = 2, /* a rule above the first line too */
	TABLE_OPEN = 4	    /* no rule below the last one */
};

struct table {
	const char *const *headers; /* NULL: a table of keys and values */
	int columns;
	int first_width;	      /* TABLE_FIRST_WIDTH, or as changed */
	const struct fit_rule *rules; /* one for each column; NULL: values of
					 keys wrap, the widest column of other
					 tables is cut */
	int page_columns;	      /* where no screen sets a width; 0: as
					 many as it takes */
	char **cells;		      /* row by row, owned */
	unsigned char *tones;	      /* of the cells, owned */
	size_t count;
	size_t room;
};

/* What a table is shown on. */
struct table_screen {
	int columns; /* 0: no screen sets a width */
	bool wide;   /* whatever would set one */
	bool colour;
};

/*
 * How wide the columns are and where rules go; all that is kept of a table
 * whose rows are written as they come, measured in a first pass.
 */
struct table_form {
	const char *const *headers;
	const struct fit_rule *rules;
	int columns;
	int widths[TABLE_COLUMNS_MAX]; /* or FIT_LEFT_OUT */
	unsigned flags;
	int left_out; /* so many columns */
	bool colour;
};

/* `headers` ends with NULL and is not copied; NULL itself: two columns. */
void table_init(struct table *, const char *const *headers);
void table_release(struct table *);

/* Add the next cell; a row is full after `columns` of them. */
void table_add(struct table *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* What the cell that was added last says by its colour. */
void table_tone(struct table *, enum terminal_tone);

/* The screen that fd is; `wide`: its width does not matter. */
void table_screen_init(struct table_screen *, int fd, bool wide,
    enum terminal_colour);

/*
 * Print it; the number of cells must fill whole rows.  Where columns are left
 * out, a last line says that --wide shows them.
 */
void table_show(FILE *, const struct table *, unsigned flags,
    const struct table_screen *);

/*
 * The same in pieces: table_form_init(), table_form_measure() for each row,
 * table_form_fit() for a screen, table_form_begin(), table_form_row() for each
 * row again, table_form_end().
 */
void table_form_init(struct table_form *, const char *const *headers,
    int first_width, unsigned flags);
void table_form_measure(struct table_form *, const char *const *cells);
void table_form_fit(struct table_form *, const struct fit_rule *,
    const struct table_screen *);
void table_form_begin(FILE *, const struct table_form *);
void table_form_row(FILE *, const struct table_form *,
    const char *const *cells);
void table_form_end(FILE *, const struct table_form *);

/*
 * As comma separated values, the headers, if any, in the first line.  A cell
 * with a comma, a quotation mark or a line break stands in quotation marks,
 * doubled inside (RFC 4180); lines end with a plain newline, as a shell wants
 * them.
 */
void table_print_csv(FILE *, const struct table *);
/* One line of them. */
void table_csv_row(FILE *, int columns, const char *const *cells);

#endif
