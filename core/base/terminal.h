/*
 * What a stream is shown on: how wide a terminal is, whether it has colours,
 * and texts counted and cut by the columns that they take there.
 */
#ifndef CORE_BASE_TERMINAL_H
#define CORE_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Of a terminal that does not know its own size. */
enum { TERMINAL_COLUMNS = 80, TERMINAL_COLUMNS_MAX = 10000 };

/*
 * Columns of the terminal that fd is: COLUMNS where that is a number, else what
 * the terminal says of itself.  0 where fd is not a terminal, whatever COLUMNS
 * says: what scripts read has no width.
 */
int terminal_columns(int fd);

/*
 * The same, but COLUMNS counts also where fd is not a terminal, as below
 * watch(1), which shows what it reads from a pipe.
 */
int terminal_columns_watched(int fd);

enum terminal_colour { TERMINAL_AUTO, TERMINAL_ALWAYS, TERMINAL_NEVER };

/* In the order of the enum. */
#define TERMINAL_COLOUR_WORDS "auto, always or never"

/* One of them.  `what` names it in the message, as "--color". */
int terminal_colour_parse(const char *what, const char *word,
    enum terminal_colour *, struct error *);

/*
 * Whether what goes to fd is coloured.  AUTO: fd is a terminal that is not
 * "dumb", and NO_COLOR is unset or empty (no-color.org).
 */
bool terminal_has_colour(int fd, enum terminal_colour);

/* What a colour says, not which one it is. */
enum terminal_tone {
	TONE_PLAIN,
	TONE_GOOD,    /* green */
	TONE_WARNING, /* yellow: not yet, or not quite */
	TONE_BAD,     /* red */
	TONE_DIM,
	TONE_STRONG
};

/*
 * The escape sequences in front of a text and behind it (ECMA-48, SGR); ""
 * where nothing is coloured, and of TONE_PLAIN.
 */
const char *terminal_begin(enum terminal_tone, bool colour);
const char *terminal_end(enum terminal_tone, bool colour);

/*
 * The columns that a text of UTF-8 takes: 2 of a wide character (East Asian,
 * emoji), 0 of one that joins what is before it, 1 of a byte that is no
 * character.
 */
int terminal_width(const char *text);

/* Bytes at the beginning of the text that take at most so many columns. */
size_t terminal_prefix(const char *text, int columns);

/*
 * The text, or as much of it as `columns` hold, with "..." in place of its end:
 * "gc-hosttr...".  Of fewer than four columns only the points are left that
 * they hold.  What has no room in `out` is cut off in the same way.
 */
void terminal_cut_end(char *out, size_t, const char *text, int columns);

/* The same in place of its beginning: "...SWNC". */
void terminal_cut_start(char *out, size_t, const char *text, int columns);

/* ---- how the columns of a table give way on a narrow screen ---- */

enum fit_cut {
	FIT_KEEP_START, /* "a sentence that..." */
	FIT_KEEP_END,	/* "...job-0001", for names */
	FIT_WRAP	/* the cell goes on below itself */
};

/*
 * What one column may do, in turns: 1 is first, 0 is never.  All columns
 * shrink, each in its turn and as far as it has to, before one is left out.
 */
struct fit_rule {
	int shrink;
	int least; /* width that it keeps */
	int leave;
	enum fit_cut cut;
};

enum { FIT_LEFT_OUT = -1 };

/*
 * Make `count` widths fit into `room` columns, with `between` columns between
 * two of them; a column that is left out has the width FIT_LEFT_OUT.  Where all
 * rules together do not make enough room, the widest columns shrink further.
 * Returns how many are left out.
 */
int fit_columns(int *widths, int count, const struct fit_rule *, int between,
    int room);

/*
 * How many bytes of the text stand on its first line of so many columns, for
 * FIT_WRAP: up to a space if there is one, at least one character.
 */
int fit_line(const char *text, int columns);

#endif
