/*
 * How the columns of a table give way where the screen is too narrow.  Pure:
 * numbers and texts in, numbers and texts out; table.h draws.
 */
#ifndef CORE_BASE_FIT_H
#define CORE_BASE_FIT_H

enum fit_cut {
	FIT_KEEP_START,		/* "a sentence that..." */
	FIT_KEEP_END,		/* "...job-0001", for names */
	FIT_WRAP		/* the cell goes on below itself */
};

/*
 * What one column may do, in turns: 1 is first, 0 is never.  All columns
 * shrink, each in its turn and as far as it has to, before one is left out.
 */
struct fit_rule {
	int		shrink;
	int		least;		/* width that it keeps */
	int		leave;
	enum fit_cut	cut;
};

enum { FIT_LEFT_OUT = -1 };

/*
 * Make `count` widths fit into `room` columns, with `between` columns between
 * two of them; a column that is left out has the width FIT_LEFT_OUT.  Where all
 * rules together do not make enough room, the widest columns shrink further.
 * Returns how many are left out.
 */
int	fit_columns(int *widths, int count, const struct fit_rule *,
	    int between, int room);

/*
 * How many bytes of the text stand on its first line of so many columns, for
 * FIT_WRAP: up to a space if there is one, at least one character.
 */
int	fit_line(const char *text, int columns);

#endif
