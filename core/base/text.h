/*
 * Small pieces of text work that the C library lacks.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Bytes of the UTF-8 character at `text`, which ends with a NUL byte: 1 to 4.
 * 0 where there is none: an odd byte, a form that is too long for its value, a
 * surrogate, or a value over U+10FFFF (RFC 3629).
 */
size_t text_character_size(const unsigned char *text);

/*
 * A copy in which each byte that is not UTF-8 is U+FFFD; the caller frees it.
 */
char *text_to_utf8(const char *);

/*
 * Bytes of the next character, and the columns of a screen that it takes: 2 of
 * a wide one (East Asian, emoji), 0 of one that joins what is before it.  A
 * byte that is no character counts as one in one column.
 */
size_t text_next(const char *text, int *width);

/* Decimal digits of a number from 0 on: 1 of 0, 3 of 100. */
int text_digits(int number);

/*
 * A copy that a terminal does not obey: each byte of a control character (below
 * U+0020, U+007F to U+009F) and each byte that is not UTF-8 becomes "\\x1b" and
 * the like; all other characters stay, and so do the control characters in
 * `keep`.  What has no room is cut off, in front of a character or an escape.
 * An escaped byte takes four, so strlen() * 4 + 1 is room for any text.
 *
 * Whoever prints what came from elsewhere (arguments, the environment, files,
 * the registry) uses this, or a struct error, whose text is made by it.
 */
void text_escape(const char *, const char *keep, char *out, size_t size);

/* Print it so, nothing kept. */
void text_put(FILE *, const char *);

/* The same for a cell of a table or a word: nothing is kept. */
void text_printable(const char *, char *out, size_t size);

/*
 * Print the text from a column on, on lines of at most TEXT_COLUMNS; those that
 * follow begin at column `indent`.  Lines break at spaces, and within brackets
 * only where "[--option VALUE]" alone is wider than a line.  A line break in
 * the text stays one; none is put behind it.
 */
enum { TEXT_COLUMNS = 80 };
void text_wrap(FILE *, const char *text, int column, int indent);

/* The same on lines of so many columns; 0: the text as it is. */
void text_wrap_to(FILE *, int columns, const char *text, int column,
    int indent);

/* Whether a text is one of the words, which end with NULL. */
bool text_is_among(const char *text, const char *const *words);

/* For qsort(3) and bsearch(3) of an array of texts: by bytes, so that every
   locale gives the same order. */
int text_compare(const void *, const void *);

/*
 * A text that grows as it is printed: open_memstream(3), which as xmalloc()
 * ends the program where there is no memory.
 *
 *	struct memstream	m;
 *
 *	memstream_open(&m);
 *	fprintf(m.file, "%d IPUs", n);
 *	text = memstream_close(&m, NULL);
 */
struct memstream {
	FILE *file;
	char *text; /* complete only after memstream_close() */
	size_t size;
};

/* Begin an empty text; returns the file to print to. */
FILE *memstream_open(struct memstream *);

/*
 * End it.  Returns the text, NUL-terminated, which the caller frees, and its
 * length in *size where size is not NULL.
 */
char *memstream_close(struct memstream *, size_t *size);

/* Bytes as digits 0-9 a-f, two per byte.  The size of the text of so many
   bytes, with its NUL, and the text: */
#define HEX_SIZE(count) (2 * (count) + 1)
void hex_text(const uint8_t *bytes, size_t count, char *text);

/*
 * Read exactly `count` bytes from a text of as many pairs of digits.  -1 where
 * it is another text; then the bytes are not changed.
 */
int hex_parse(const char *text, uint8_t *bytes, size_t count);

#endif
