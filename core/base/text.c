/*
 * Text for people: UTF-8 characters, output safe for a terminal, wrapped lines.
 */
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

size_t
text_character_size(const unsigned char *text)
{
	size_t size = *text < 0x80 ? 1 :
	    *text < 0xc2	   ? 0 :
	    *text < 0xe0	   ? 2 :
	    *text < 0xf0	   ? 3 :
	    *text < 0xf5	   ? 4 :
				     0;
	size_t i;

	/* A NUL byte is not a continuation byte, so nothing after the end of
	   the text is read. */
	for (i = 1; i < size; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* Refuse overlong forms of 3 and 4 bytes, surrogates, and characters
	   above U+10FFFF. */
	if ((*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] >= 0xa0) ||
	    (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] >= 0x90))
		return 0;
	return size;
}

char *
text_to_utf8(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
	const unsigned char *s = (const unsigned char *)text;
	char *copy, *to;
	size_t size;

	to = copy = xreallocarray(NULL, strlen(text) + 1, sizeof(replacement));
	while (*s != '\0') {
		if ((size = text_character_size(s)) > 0) {
			memcpy(to, s, size);
			to += size;
			s += size;
			continue;
		}
		memcpy(to, replacement, sizeof(replacement) - 1);
		to += sizeof(replacement) - 1;
		s++;
	}
	*to = '\0';
	return copy;
}

/* Return the code point of a character of `size` bytes (RFC 3629). */
static uint32_t
text_decode(const unsigned char *text, size_t size)
{
	uint32_t code = size == 1 ? text[0] : text[0] & (0xffu >> (size + 1));
	size_t i;

	for (i = 1; i < size; i++)
		code = code << 6 | (text[i] & 0x3f);
	return code;
}

/* Return a character's columns: 0, 1 or 2.  wcwidth(3) is not used because it
   depends on the locale.  Source: Unicode's East Asian Width (W, F: 2) and
   general categories (Mn, Me, Cf: 0), for whole blocks; sorted. */
static int
character_width(uint32_t code)
{
	static const struct {
		uint32_t first, last;
		int width;
	} blocks[] = { { 0x0300, 0x036f, 0 }, { 0x1100, 0x115f, 2 },
		{ 0x200b, 0x200f, 0 }, { 0x202a, 0x202e, 0 },
		{ 0x2060, 0x2064, 0 }, { 0x20d0, 0x20ff, 0 },
		{ 0x2e80, 0x303e, 2 }, { 0x3041, 0x4dbf, 2 },
		{ 0x4e00, 0xa4cf, 2 }, { 0xac00, 0xd7a3, 2 },
		{ 0xf900, 0xfaff, 2 }, { 0xfe00, 0xfe0f, 0 },
		{ 0xfe20, 0xfe2f, 0 }, { 0xfe30, 0xfe6f, 2 },
		{ 0xfeff, 0xfeff, 0 }, { 0xff00, 0xff60, 2 },
		{ 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1f64f, 2 },
		{ 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 },
		{ 0x20000, 0x3fffd, 2 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(blocks) && code >= blocks[i].first; i++)
		if (code <= blocks[i].last)
			return blocks[i].width;
	return 1;
}

size_t
text_next(const char *text, int *width)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t size = text_character_size(c);

	*width = size == 0 ? 1 : character_width(text_decode(c, size));
	return size == 0 ? 1 : size;
}

int
text_digits(int number)
{
	int digits = 1;

	for (; number >= 10; number /= 10)
		digits++;
	return digits;
}

/* Return true for a control character.  U+0080 to U+009F are two bytes in
   UTF-8. */
static bool
is_control(const unsigned char *text)
{
	return *text < ' ' || *text == 127 || (*text == 0xc2 && text[1] < 0xa0);
}

void
text_escape(const char *text, const char *keep, char *out, size_t size)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t used = 0, n, i, room;
	bool plain;

	for (; *c != '\0'; c += n) {
		n = text_character_size(c);
		plain = n > 0 && (!is_control(c) || strchr(keep, *c) != NULL);
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
	const size_t size = 4 * strlen(text) + 1;
	char *shown = xmalloc(size);

	text_escape(text, "", shown, size);
	fputs(shown, out);
	free(shown);
}

void
text_printable(const char *text, char *out, size_t size)
{
	text_escape(text, "", out, size);
}

/* Return the number of bytes up to a space, a line break or the end, and their
   columns.  With `whole`, spaces within brackets do not end a unit. */
static int
unit_size(const char *text, bool whole, int *columns)
{
	int size = 0, depth = 0, width;

	*columns = 0;
	while (text[size] != '\0' && text[size] != '\n' &&
	    (text[size] != ' ' || (whole && depth > 0))) {
		depth += (text[size] == '[') - (text[size] == ']');
		size += (int)text_next(text + size, &width);
		*columns += width;
	}
	return size;
}

/*
 * Print unit by unit: a word, or "[--option VALUE]" as a whole unless it alone
 * is wider than a line.  A unit moves to a new line if it would pass the last
 * column.
 *
 *	columns	width of a line; 0: no wrapping
 *	column	column of the first character
 *	indent	first column of lines that this function begins
 */
void
text_wrap_to(FILE *out, int columns, const char *text, int column, int indent)
{
	int size, spaces, width;

	if (columns == 0) {
		fputs(text, out);
		return;
	}
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
		if (width > columns - indent)
			size = unit_size(text, false, &width);
		if (column + spaces + width > columns && column > indent) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			spaces = 0;
		}
		fprintf(out, "%*s%.*s", spaces, "", size, text);
		column += spaces + width;
	}
}

void
text_wrap(FILE *out, const char *text, int column, int indent)
{
	text_wrap_to(out, TEXT_COLUMNS, text, column, indent);
}

bool
text_is_among(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

int
text_compare(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}
