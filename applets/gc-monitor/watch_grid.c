/*
 * Draws on the grid of the live view.  ASCII replaces the blocks of Unicode
 * (U+2581 to U+258F) where the locale has no UTF-8.
 */
#include <stdlib.h>

#include "applets/gc-monitor/watch.h"
#include "core/base/text.h"

enum { LOWER_EIGHTH = 0x2581, FULL_BLOCK = 0x2588, LEFT_EIGHTH = 0x258f };

/* Without colour, bold and reversed cells stay. */
static void
put(struct watch_grid *g, int x, int y, uint32_t character, int style)
{
	if (x < 0 || x >= g->columns || y < 0 || y >= g->rows)
		return;
	if (!g->colour)
		style &= TB_BOLD | TB_REVERSE;
	g->cells[y * g->columns + x] = (struct tb_cell){ .ch = character,
		.fg = (uint16_t)style };
}

/* Return the character to show for the next one of a text: a space for a line
   break, which messages have. */
static uint32_t
find_character(const struct watch_grid *g, const char *text, size_t size)
{
	const unsigned char c = (unsigned char)*text;
	uint32_t character = 0;

	if (c < 0x80)
		return c < ' ' ? ' ' : c;
	if (!g->utf8 || size == 1)
		return '?';
	(void)tb_utf8_char_to_unicode(&character, text);
	return character;
}

int
watch_grid_text(struct watch_grid *g, int x, int y, int width, const char *text,
    int style)
{
	const int end = x + abs(width);
	int columns, i;
	size_t size;

	for (i = width + terminal_width(text); i < 0; i++)
		put(g, x++, y, ' ', style);
	for (; *text != '\0'; text += size) {
		size = text_next(text, &columns);
		if (x + columns > end)
			break;
		if (columns == 0)
			continue;
		put(g, x, y, find_character(g, text, size), style);
		/* The second cell of a wide character has none. */
		if (columns == 2)
			put(g, x + 1, y, g->utf8 ? 0 : '?', style);
		x += columns;
	}
	for (; x < end; x++)
		put(g, x, y, ' ', style);
	return x;
}

/* Eighths of a column make the bar finer; ASCII has whole columns. */
int
watch_grid_bar(struct watch_grid *g, int x, int y, int width, double part,
    int style)
{
	const int room = width - 2;
	const int eighths = (int)(part * 8.0 * room + 0.5);
	const int edge = (style & TB_REVERSE) != 0 ? style : TB_CYAN;
	int i, here;

	if (room < 1)
		return watch_grid_text(g, x, y, width, "", style);
	x = watch_grid_text(g, x, y, 1, "[", edge);
	for (i = 0; i < room; i++) {
		here = eighths - 8 * i;
		if (!g->utf8)
			here = here >= 4 ? '|' : ' ';
		else
			here = here <= 0 ? ' ' :
			    here >= 8	 ? FULL_BLOCK :
					   LEFT_EIGHTH + 1 - here;
		put(g, x++, y, (uint32_t)here, style);
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
		if (!g->utf8)
			level = ascii[level > 7 ? 7 : level];
		else
			level = level == 0 ? ' ' : LOWER_EIGHTH + level - 1;
		put(g, x, y, (uint32_t)level, style);
	}
	return x;
}
