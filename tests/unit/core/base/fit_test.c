/*
 * Columns that give way: in their turns, and no further than they must.
 */
#include "core/base/terminal.h"

#include <stdio.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { COUNT = 4 };

/* The second shrinks first, the third next; the first leaves, then the last. */
static const struct fit_rule rules[COUNT] = {
	{ 0, 0, 1, FIT_KEEP_START },
	{ 1, 10, 0, FIT_KEEP_END },
	{ 2, 6, 0, FIT_KEEP_START },
	{ 0, 0, 2, FIT_KEEP_START },
};

static const struct {
	int room;
	const char *widths;
	int left;
} rows[] = {
	{ 100, "10 20 12 8", 0 },
	{ 59, "10 20 12 8", 0 },
	{ 58, "10 19 12 8", 0 },
	{ 49, "10 10 12 8", 0 },
	{ 48, "10 10 11 8", 0 },
	{ 43, "10 10 6 8", 0 },
	/* The first leaves 13, and the others are whole again but for 4. */
	{ 42, "-1 16 12 8", 1 },
	{ 30, "-1 10 6 8", 1 },
	/* Without the last one, 10 are missing. */
	{ 29, "-1 14 12 -1", 2 },
	{ 19, "-1 10 6 -1", 2 },
	/* All did what they may: the widest gives more. */
	{ 17, "-1 8 6 -1", 2 },
	{ 11, "-1 4 4 -1", 2 },
	{ 3, "-1 4 4 -1", 2 },
};

static const struct {
	const char *text;
	int columns;
	int bytes;
} lines[] = {
	{ "", 5, 0 },
	{ "abc", 5, 3 },
	{ "abc def", 7, 7 },
	{ "abc def", 6, 3 },
	{ "abc def", 4, 3 },
	{ "abc def", 3, 3 },
	{ "abc   def", 7, 3 },
	{ "abcdefgh ij", 5, 5 },
	{ "\xe6\x97\xa5\xe6\x9c\xac", 3, 3 },
	{ "\xe6\x97\xa5\xe6\x9c\xac", 1, 3 },
};

int
main(void)
{
	char text[64], name[32];
	int widths[COUNT], left;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		widths[0] = 10;
		widths[1] = 20;
		widths[2] = 12;
		widths[3] = 8;
		left = fit_columns(widths, COUNT, rules, 3, rows[i].room);
		(void)snprintf(text, sizeof(text), "%d %d %d %d", widths[0],
		    widths[1], widths[2], widths[3]);
		(void)snprintf(name, sizeof(name), "%d columns", rows[i].room);
		is_str(text, rows[i].widths, name);
		is_int(left, rows[i].left, "left out");
	}
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		is_int(fit_line(lines[i].text, lines[i].columns),
		    lines[i].bytes, lines[i].text);
	return tap_done();
}
