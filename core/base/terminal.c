/*
 * Terminals: their width and colours, and texts in columns.
 */
#include "core/base/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/base/text.h"

static const char points[] = "...";

enum { POINTS = 3 };

/* Return COLUMNS, or 0 if it is not a number. */
static int
columns_of_environment(void)
{
	const char *text = getenv("COLUMNS");
	long long columns;

	if (text == NULL ||
	    parse_number("COLUMNS", text, 1, TERMINAL_COLUMNS_MAX, &columns,
		NULL) != 0)
		return 0;
	return (int)columns;
}

int
terminal_columns(int fd)
{
	struct winsize size;
	int columns;

	if (isatty(fd) != 1)
		return 0;
	if ((columns = columns_of_environment()) != 0)
		return columns;
	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return TERMINAL_COLUMNS;
	return size.ws_col;
}

int
terminal_columns_watched(int fd)
{
	int columns = columns_of_environment();

	return columns != 0 ? columns : terminal_columns(fd);
}

int
terminal_colour_parse(const char *what, const char *word,
    enum terminal_colour *colour, struct error *e)
{
	int i;

	if (suggest_choose(what, word, TERMINAL_COLOUR_WORDS, &i, e) != 0)
		return -1;
	*colour = (enum terminal_colour)i;
	return 0;
}

bool
terminal_has_colour(int fd, enum terminal_colour colour)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (colour != TERMINAL_AUTO)
		return colour == TERMINAL_ALWAYS;
	return isatty(fd) == 1 && (no == NULL || no[0] == '\0') &&
	    term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

const char *
terminal_begin(enum terminal_tone tone, bool colour)
{
	static const char *const sequences[] = {
		[TONE_PLAIN] = "",
		[TONE_GOOD] = "\033[32m",
		[TONE_WARNING] = "\033[33m",
		[TONE_BAD] = "\033[31m",
		[TONE_DIM] = "\033[2m",
		[TONE_STRONG] = "\033[1m",
	};

	return colour ? sequences[tone] : "";
}

const char *
terminal_end(enum terminal_tone tone, bool colour)
{
	return colour && tone != TONE_PLAIN ? "\033[0m" : "";
}

/* Return true for a character of one column, which needs no table. */
static bool
is_ascii(char c)
{
	return c >= ' ' && c < 0x7f;
}

int
terminal_width(const char *text)
{
	int width, columns = 0;

	for (; *text != '\0'; columns += width) {
		width = 1;
		text += is_ascii(*text) ? 1 : text_next(text, &width);
	}
	return columns;
}

/* Return how many bytes of the beginning fit into these columns and bytes. */
static size_t
bytes_that_fit(const char *text, int columns, size_t room)
{
	size_t size, used = 0;
	int width;

	for (; text[used] != '\0'; used += size) {
		size = text_next(text + used, &width);
		if (used + size > room || width > columns)
			break;
		columns -= width;
	}
	return used;
}

size_t
terminal_prefix(const char *text, int columns)
{
	return bytes_that_fit(text, columns, SIZE_MAX);
}

/* Copy the whole text if it fits, or if even the points do not fit, as many of
   them as do.  Returns true if `out` is complete. */
static bool
copy_whole(char *out, size_t size, const char *text, int columns)
{
	size_t room = size - 1, len;

	if (strlen(text) <= room && terminal_width(text) <= columns)
		len = strlen(text);
	else if (columns > POINTS && room > POINTS)
		return false;
	else {
		text = points;
		len = bytes_that_fit(points, columns, room);
	}
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

void
terminal_cut_end(char *out, size_t size, const char *text, int columns)
{
	size_t len;

	if (size == 0 || copy_whole(out, size, text, columns))
		return;
	len = bytes_that_fit(text, columns - POINTS, size - 1 - POINTS);
	memcpy(out, text, len);
	memcpy(out + len, points, sizeof(points));
}

void
terminal_cut_start(char *out, size_t size, const char *text, int columns)
{
	int width, left = terminal_width(text);

	if (size == 0 || copy_whole(out, size, text, columns))
		return;
	while (left > columns - POINTS || strlen(text) > size - 1 - POINTS) {
		text += text_next(text, &width);
		left -= width;
	}
	memcpy(out, points, POINTS);
	memcpy(out + POINTS, text, strlen(text) + 1);
}
