/*
 * Draws on the grid of the live view.  ASCII replaces the blocks of Unicode
 * (U+2581 to U+258F) where the locale has no UTF-8.
 */
#include "applets/gc-monitor/watch_grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { LOWER_EIGHTH = 0x2581, FULL_BLOCK = 0x2588, LEFT_EIGHTH = 0x258f };

void
watch_grid_init(struct watch_grid *g, int columns, int rows, bool utf8)
{
	int i;

	g->columns = columns > 0 ? columns : 1;
	g->rows = rows > 0 ? rows : 1;
	g->utf8 = utf8;
	g->cells = xcalloc((size_t)g->columns * (size_t)g->rows,
	    sizeof(*g->cells));
	for (i = 0; i < g->columns * g->rows; i++)
		g->cells[i].character = ' ';
}

void
watch_grid_release(struct watch_grid *g)
{
	free(g->cells);
	g->cells = NULL;
}

static void
put(struct watch_grid *g, int x, int y, uint32_t character, int style)
{
	struct watch_cell *cell;

	if (x < 0 || x >= g->columns || y < 0 || y >= g->rows)
		return;
	cell = &g->cells[y * g->columns + x];
	cell->character = character;
	cell->style = style;
}

/* Decode the UTF-8 character of `size` bytes. */
static uint32_t
decode(const char *text, size_t size)
{
	static const unsigned char first[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = (unsigned char)text[0] & first[size];
	size_t i;

	for (i = 1; i < size; i++)
		c = c << 6 | ((unsigned char)text[i] & 0x3f);
	return c;
}

/* Return the character to show for the next one of a text: a space for a line
   break, which messages have. */
static uint32_t
find_character(const struct watch_grid *g, const char *text, size_t size)
{
	const unsigned char c = (unsigned char)*text;

	if (c < ' ')
		return ' ';
	if (c < 0x80)
		return c;
	return g->utf8 ? decode(text, size) : '?';
}

int
watch_grid_text(struct watch_grid *g, int x, int y, int width, const char *text,
    int style)
{
	const int end = x + width;
	int columns;
	size_t size;

	for (; *text != '\0'; text += size) {
		size = text_next(text, &columns);
		if (x + columns > end)
			break;
		if (columns == 0)
			continue;
		put(g, x, y, find_character(g, text, size), style);
		if (columns == 2)
			put(g, x + 1, y, g->utf8 ? 0 : '?', style);
		x += columns;
	}
	for (; x < end; x++)
		put(g, x, y, ' ', style);
	return x;
}

int
watch_grid_number(struct watch_grid *g, int x, int y, int width,
    const char *text, int style)
{
	const int left = width - terminal_width(text);

	if (left > 0)
		x = watch_grid_text(g, x, y, left, "", style);
	return watch_grid_text(g, x, y, left > 0 ? width - left : width, text,
	    style);
}

/* Eighths of a column make the bar finer; ASCII has whole columns. */
int
watch_grid_bar(struct watch_grid *g, int x, int y, int width, double part,
    int style)
{
	const int room = width - 2;
	const int eighths = (int)(part * 8.0 * room + 0.5);
	const int edge = (style & WATCH_REVERSE) != 0 ? style : TONE_DIM;
	int i, here;

	if (room < 1)
		return watch_grid_text(g, x, y, width, "", style);
	x = watch_grid_text(g, x, y, 1, "[", edge);
	for (i = 0; i < room; i++) {
		here = eighths - 8 * i;
		if (!g->utf8)
			put(g, x++, y, here >= 4 ? '|' : ' ', style);
		else if (here <= 0)
			put(g, x++, y, ' ', style);
		else
			put(g, x++, y,
			    here >= 8 ? FULL_BLOCK :
					(uint32_t)(LEFT_EIGHTH + 1 - here),
			    style);
	}
	return watch_grid_text(g, x, y, 1, "]", edge);
}

int
watch_grid_spark(struct watch_grid *g, int x, int y, int width,
    const uint8_t *values, int count, int style)
{
	static const char ascii[] = "_.:-=+*#";
	const int end = x + width;
	int i, level;

	if (width > count)
		x = watch_grid_text(g, x, y, width - count, "", style);
	for (i = count - (end - x); x < end; i++, x++) {
		level = (values[i] * 8 + 99) / 100;
		if (level == 0)
			put(g, x, y, g->utf8 ? ' ' : ascii[0], style);
		else if (g->utf8)
			put(g, x, y, (uint32_t)(LOWER_EIGHTH + level - 1),
			    style);
		else
			put(g, x, y, (uint32_t)ascii[level > 7 ? 7 : level],
			    style);
	}
	return x;
}
