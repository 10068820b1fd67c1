/*
 * Shrinking columns and leaving columns out: see fit_columns().
 */
#include "core/base/terminal.h"

#include <stdbool.h>
#include <string.h>

enum {
	FIT_COLUMNS_MAX = 64,
	NARROWEST = 4 /* a letter and "..." */
};

/* Return how many columns are missing; 0 or less: it fits. */
static int
fit_excess(const int *widths, int count, int between, int room)
{
	int i, sum = -between;

	for (i = 0; i < count; i++)
		if (widths[i] != FIT_LEFT_OUT)
			sum += widths[i] + between;
	return sum - room;
}

/* Shrink a column by up to `excess`, down to `least`.  Returns the rest of
   `excess`. */
static int
shrink_column(int *width, int least, int excess)
{
	int given = *width - least;

	if (*width == FIT_LEFT_OUT || excess <= 0 || given <= 0)
		return excess;
	if (given > excess)
		given = excess;
	*width -= given;
	return excess - given;
}

/* Shrink each column in its turn.  Returns true if the table fits. */
static bool
shrink_in_turn(int *widths, int count, const struct fit_rule *rules, int excess)
{
	int turn, i;

	for (turn = 1; turn <= count; turn++)
		for (i = 0; i < count; i++)
			if (rules[i].shrink == turn)
				excess = shrink_column(&widths[i],
				    rules[i].least, excess);
	return excess <= 0;
}

/* Return the column that leaves next, or -1. */
static int
next_to_leave(const int *widths, int count, const struct fit_rule *rules)
{
	int i, next = -1;

	for (i = 0; i < count; i++)
		if (rules[i].leave != 0 && widths[i] != FIT_LEFT_OUT &&
		    (next == -1 || rules[i].leave < rules[next].leave))
			next = i;
	return next;
}

/* Shrink the widest column by one, repeatedly, as a last resort. */
static void
shrink_widest(int *widths, int count, int excess)
{
	int i, widest;

	for (; excess > 0; excess--) {
		widest = 0;
		for (i = 1; i < count; i++)
			if (widths[i] > widths[widest])
				widest = i;
		if (widths[widest] <= NARROWEST)
			return;
		widths[widest]--;
	}
}

/* After a column leaves, the others start again at their full width, because
   they may use its room. */
int
fit_columns(int *widths, int count, const struct fit_rule *rules, int between,
    int room)
{
	int full[FIT_COLUMNS_MAX], i, next, left = 0;

	memcpy(full, widths, (size_t)count * sizeof(*full));
	while (!shrink_in_turn(widths, count, rules,
	    fit_excess(widths, count, between, room))) {
		next = next_to_leave(widths, count, rules);
		if (next == -1) {
			shrink_widest(widths, count,
			    fit_excess(widths, count, between, room));
			break;
		}
		full[next] = FIT_LEFT_OUT;
		for (i = 0; i < count; i++)
			widths[i] = full[i];
		left++;
	}
	return left;
}

int
fit_line(const char *text, int columns)
{
	int fits = (int)terminal_prefix(text, columns), space = fits;

	if (text[fits] == '\0' || text[fits] == ' ')
		return fits;
	while (space > 0 && text[space - 1] != ' ')
		space--;
	while (space > 0 && text[space - 1] == ' ')
		space--;
	if (space > 0)
		return space;
	/* A wide character does not fit into one column: take it anyway. */
	return fits > 0 ? fits : (int)terminal_prefix(text, 2);
}
