/*
 * Properties of an output stream: a terminal's width and colours, and counting
 * and cutting texts by the columns that they take there.
 */
#ifndef CORE_BASE_TERMINAL_H
#define CORE_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Width of a terminal of unknown size, and the largest accepted COLUMNS. */
enum { TERMINAL_COLUMNS = 80, TERMINAL_COLUMNS_MAX = 10000 };

/* Return the columns of the terminal fd: COLUMNS if that is a number, else the
   terminal's size.  Returns 0 if fd is not a terminal, whatever COLUMNS says,
   because scripts that read the output need whole lines. */
int terminal_columns(int fd);

/* Do the same, but use COLUMNS also if fd is not a terminal, for watch(1),
   which shows what it reads from a pipe. */
int terminal_columns_watched(int fd);

enum terminal_colour { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

/* The words of the enum, in its order. */
#define TERMINAL_COLOUR_WORDS "auto, always or never"

/* Parse one of them.  `what` names it in the error, as "--color". */
int terminal_colour_parse(const char *what, const char *word,
    enum terminal_colour *, struct error *);

/* Return true if output to fd is coloured.  AUTO: fd is a terminal, TERM is set
   and not "dumb", and NO_COLOR is unset or empty (no-color.org). */
bool terminal_has_colour(int fd, enum terminal_colour);

/* The meaning of a colour. */
enum terminal_tone {
	TONE_PLAIN,
	TONE_GOOD,    /* green */
	TONE_WARNING, /* yellow: not yet, or in part */
	TONE_BAD,     /* red */
	TONE_DIM,
	TONE_STRONG
};

/* Return the escape sequences before and after a text (ECMA-48, SGR); ""
   without colour, and for TONE_PLAIN. */
const char *terminal_begin(enum terminal_tone, bool colour);
const char *terminal_end(enum terminal_tone, bool colour);

/* Return the columns of a UTF-8 text: 2 per wide character (East Asian, emoji),
   0 per combining one, 1 per byte that is not a character. */
int terminal_width(const char *text);

/* Return how many bytes of the text's beginning take at most `columns`. */
size_t terminal_prefix(const char *text, int columns);

/* Copy a text to `out`.  If it takes more than `columns`, or is too long for
   `out`, put "..." in place of its end: "gc-hosttr...".  A cut to fewer than
   four columns leaves only that many points. */
void terminal_cut_end(char *out, size_t, const char *text, int columns);

/* Do the same, but put "..." in place of its beginning: "...SWNC". */
void terminal_cut_start(char *out, size_t, const char *text, int columns);

/* ---- fitting the columns of a table to a narrow screen ---- */

enum fit_cut {
	FIT_KEEP_START, /* "a sentence that..." */
	FIT_KEEP_END,	/* "...job-0001", for names */
	FIT_WRAP	/* the cell continues on the next line */
};

/* The rule of one column.  `shrink` and `leave` are turns: 1 is first, 0 is
   never.  All columns shrink in turn, only as far as needed, before one is left
   out. */
struct fit_rule {
	int shrink; /* turn to become narrower, at most the number of columns */
	int least;  /* smallest width */
	int leave;  /* turn to be left out */
	enum fit_cut cut; /* for the printer of the cells */
};

enum { FIT_LEFT_OUT = -1 };

/*
 * Make `count` widths (at most 64) fit into `room` columns, with `between`
 * columns between two of them.  Reads a rule for each of them.  A column that
 * is left out gets the width FIT_LEFT_OUT, and the others start again.  If all
 * rules together are not enough, the widest columns shrink further, down to 4;
 * then the table may still be too wide.  Returns how many are left out.
 */
int fit_columns(int *widths, int count, const struct fit_rule *, int between,
    int room);

/* Return how many bytes of the text fit on its first line for FIT_WRAP: up to a
   space if possible, at least one character. */
int fit_line(const char *text, int columns);

#endif
