/*
 * Text tables as V-IPU prints them.
 *
 *	 Index       | Cluster | Size		TABLE_SPACE: a space in front
 *	------------------------------
 *	 0           | cl00    | 4
 *	------------------------------
 *
 * A column is as wide as its widest cell, the first at least first_width; a
 * rule is as wide as a row with a space on both sides.  No line ends in a
 * space.  On a narrow screen columns shrink by their rules (terminal.h);
 * without a screen, a table has its full width.  All functions here escape a
 * cell's control characters (text_escape()).
 */
#ifndef CORE_BASE_TABLE_H
#define CORE_BASE_TABLE_H

#include <stdio.h>

#include "core/base/terminal.h"

enum { TABLE_COLUMNS_MAX = 40, TABLE_FIRST_WIDTH = 11 };

enum table_flags {
	TABLE_SPACE = 1,    /* every row begins with a space */
	TABLE_TOP_RULE = 2, /* a rule above the first line too */
	TABLE_OPEN = 4	    /* no rule below the last row */
};

struct table {
	const char *const *headers; /* NULL: a table of keys and values */
	int columns;
	int first_width;	      /* least width of the first column;
					 TABLE_FIRST_WIDTH unless changed */
	const struct fit_rule *rules; /* one per column; NULL: values of keys
					 wrap, the widest column of other tables
					 is cut */
	char **cells;		      /* row by row, owned */
	unsigned char *tones;	      /* one per cell, owned */
	size_t count;
	size_t room;
};

/* The screen that a table is shown on. */
struct table_screen {
	int columns; /* 0: no screen sets a width */
	bool colour;
};

/* The widths of the columns and the places of the rules: enough for rows that
   are measured in a first pass and written as they come. */
struct table_form {
	const char *const *headers;
	const struct fit_rule *rules;
	int columns;
	int widths[TABLE_COLUMNS_MAX]; /* or FIT_LEFT_OUT */
	unsigned flags;
	int left_out; /* number of columns left out */
	bool colour;
};

/* Begin a table.  `headers` ends with NULL and is not copied; NULL: two columns
   of keys and values. */
void table_init(struct table *, const char *const *headers);
void table_release(struct table *);

/* Add the next cell.  Rows are filled in order, with `columns` cells each. */
void table_add(struct table *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

/* Set the tone of the cell that was added last. */
void table_tone(struct table *, enum terminal_tone);

/* Describe the screen of fd; with `wide`, columns is 0, as if fd were not a
   terminal. */
void table_screen_init(struct table_screen *, int fd, bool wide,
    enum terminal_colour);

/* Print the table; its rows must be complete.  The screen may be NULL: full
   width and no colour.  If columns are left out, a last line says that --wide
   shows them. */
void table_show(FILE *, const struct table *, unsigned flags,
    const struct table_screen *);

/* Print a table in steps: table_form_init(), table_form_measure() for each row,
   table_form_fit() for a screen, table_form_begin(), table_form_row() for each
   row again, table_form_end().  `headers` and the rules are not copied. */
void table_form_init(struct table_form *, const char *const *headers,
    int first_width, unsigned flags);
void table_form_measure(struct table_form *, const char *const *cells);
void table_form_fit(struct table_form *, const struct fit_rule *,
    const struct table_screen *);
void table_form_begin(FILE *, const struct table_form *);
void table_form_row(FILE *, const struct table_form *,
    const char *const *cells);
void table_form_end(FILE *, const struct table_form *);
/* Measure all rows of a table; print them all, with their tones. */
void table_form_measure_all(struct table_form *, const struct table *);
void table_form_rows(FILE *, const struct table_form *, const struct table *);

/* Print comma separated values, with the headers, if any, in the first line.  A
   cell with a comma or a quotation mark is quoted, with quotation marks doubled
   (RFC 4180).  Lines end with a plain newline, for shells. */
void table_print_csv(FILE *, const struct table *);
/* Print one line of such values. */
void table_csv_row(FILE *, int columns, const char *const *cells);

#endif
