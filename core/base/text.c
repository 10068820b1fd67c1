/*
 * Text as people see it: characters of UTF-8, what a terminal may get, lines.
 */
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

size_t
text_character_size(const unsigned char *text)
{
	size_t	size = *text < 0x80 ? 1 : *text < 0xc2 ? 0 :
	    *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
	size_t	i;

	/* A NUL byte in the middle ends the loop: nothing behind it is read. */
	for (i = 1; i < size; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms of 3 and 4 bytes, surrogates, and over U+10FFFF. */
	if ((*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] >= 0xa0) ||
	    (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] >= 0x90))
		return 0;
	return size;
}

/* How often the number can be divided by ten, and one. */
int
text_digits(int number)
{
	int	digits = 1;

	for (; number >= 10; number /= 10)
		digits++;
	return digits;
}

/* The two-byte characters below U+00A0 are control characters as well. */
static bool
is_control(const unsigned char *text)
{
	return *text < ' ' || *text == 127 ||
	    (*text == 0xc2 && text[1] < 0xa0);
}

void
text_escape(const char *text, const char *keep, char *out, size_t size)
{
	const unsigned char	*c = (const unsigned char *)text;
	size_t			 used = 0, n, i, room;
	bool			 plain;

	for (; *c != '\0'; c += n) {
		n = text_character_size(c);
		plain = n > 0 && (!is_control(c) ||
		    strchr(keep, *c) != NULL);
		n = n == 0 ? 1 : n;
		room = plain ? n : 4 * n;
		if (used + room >= size)
			break;
		if (plain)
			memcpy(out + used, c, n);
		for (i = 0; i < n && !plain; i++)
			(void)snprintf(out + used + 4 * i, 5, "\\x%02x", c[i]);
		used += room;
	}
	out[used] = '\0';
}

void
text_put(FILE *out, const char *text)
{
	const size_t	 size = 4 * strlen(text) + 1;
	char		*shown = xmalloc(size);

	text_escape(text, "", shown, size);
	fputs(shown, out);
	free(shown);
}

void
text_printable(const char *text, char *out, size_t size)
{
	text_escape(text, "", out, size);
}

/*
 * Bytes up to a space or the end, and the columns that they take; with `whole`
 * a space between brackets is one of them.
 */
static int
unit_size(const char *text, bool whole, int *columns)
{
	int	i, depth = 0;

	*columns = 0;
	for (i = 0; text[i] != '\0' && text[i] != '\n' &&
	    (text[i] != ' ' || (whole && depth > 0)); i++) {
		depth += (text[i] == '[') - (text[i] == ']');
		/* All bytes of a character but its first are 10xxxxxx. */
		*columns += (text[i] & 0xc0) != 0x80;
	}
	return i;
}

/*
 * A unit is what is never broken: a word, or "[--option VALUE]" as a whole.  It
 * goes onto a new line where it would pass the last column.
 *
 *	column	where the next character stands
 *	indent	where lines begin that this text adds
 */
void
text_wrap(FILE *out, const char *text, int column, int indent)
{
	int	size, spaces, width;

	for (; *text != '\0'; text += size) {
		if (*text == '\n') {
			fputc('\n', out);
			column = 0;
			size = 1;
			continue;
		}
		spaces = (int)strspn(text, " ");
		text += spaces;
		size = unit_size(text, true, &width);
		if (width > TEXT_COLUMNS - indent)
			size = unit_size(text, false, &width);
		if (column + spaces + width > TEXT_COLUMNS &&
		    column > indent) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			spaces = 0;
		}
		fprintf(out, "%*s%.*s", spaces, "", size, text);
		column += spaces + width;
	}
}
