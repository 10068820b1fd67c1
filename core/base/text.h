/*
 * Text functions that the C library lacks.
 */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Return the number of bytes, 1 to 4, of the UTF-8 character at `text`, which
   is NUL-terminated; 1 for the NUL.  Returns 0 if it is invalid: an odd byte,
   an overlong form, a surrogate, or above U+10FFFF (RFC 3629). */
size_t text_character_size(const unsigned char *text);

/* Copy a text, with U+FFFD for each byte that is not UTF-8; the caller frees
   it. */
char *text_to_utf8(const char *);

/* Return the number of bytes of the next character; *width: its columns on a
   screen, 2 for a wide one (East Asian, emoji), 0 for a combining one.  A byte
   that is not UTF-8 is one byte and column.  The text must not be at its
   end. */
size_t text_next(const char *text, int *width);

/* Return the number of decimal digits of a number >= 0: 1 for 0, 3 for 100. */
int text_digits(int number);

/*
 * Copy a text so that a terminal does not obey it: each byte of a control
 * character (below U+0020, U+007F to U+009F) and each byte that is not UTF-8
 * becomes "\\x1b" or the like, except the control characters in `keep`.  `out`
 * has `size` bytes, at least 1, and always ends with NUL.  Output that does not
 * fit is cut before a character or an escape; strlen() * 4 + 1 bytes are always
 * enough.
 *
 * All foreign text (arguments, environment, files, the registry) is printed
 * through this function or a struct error, which uses it.
 */
void text_escape(const char *, const char *keep, char *out, size_t size);

/* Print a text escaped, with nothing kept. */
void text_put(FILE *, const char *);

/* Escape a cell of a table or a word, with nothing kept. */
void text_printable(const char *, char *out, size_t size);

/*
 * Print the text, not escaped, wrapped at TEXT_COLUMNS; the cursor is already
 * at `column`.  Lines that wrapping adds begin at column `indent`.  A line
 * break in the text is kept, and the text after it begins at column 0.  Lines
 * break at spaces only, and within brackets only if "[--option VALUE]" alone is
 * wider than a line.  No line break is added at the end.
 */
enum { TEXT_COLUMNS = 80 };
void text_wrap(FILE *, const char *text, int column, int indent);

/* Do the same with `columns`; 0: do not wrap. */
void text_wrap_to(FILE *, int columns, const char *text, int column,
    int indent);

/* Return true if a text is one of the words, which end with NULL. */
bool text_is_among(const char *text, const char *const *words);

/* Compare two elements of an array of texts (char *) for qsort(3) and
   bsearch(3): by bytes, so that every locale gives the same order. */
int text_compare(const void *, const void *);

/*
 * A text that grows as it is printed: open_memstream(3), which like xmalloc()
 * ends the program if memory runs out.
 *
 *	struct memstream	m;
 *
 *	memstream_open(&m);
 *	fprintf(m.file, "%d IPUs", n);
 *	text = memstream_close(&m, NULL);
 */
struct memstream {
	FILE *file;
	char *text; /* as memstream_close() returns it; not to be used before */
	size_t size; /* its length, also set by memstream_close() */
};

/* Begin an empty text.  Returns the file to print to. */
FILE *memstream_open(struct memstream *);

/* End it.  Returns the NUL-terminated text, which the caller frees, and its
   length in *size unless size is NULL. */
char *memstream_close(struct memstream *, size_t *size);

/* Print bytes as digits 0-9 a-f, two per byte; HEX_SIZE includes the NUL. */
#define HEX_SIZE(count) (2 * (count) + 1)
void hex_text(const uint8_t *bytes, size_t count, char *text);

/* Read exactly `count` bytes from pairs of these digits (not A-F).  Returns -1
   for any other text, with the bytes unchanged. */
int hex_parse(const char *text, uint8_t *bytes, size_t count);

#endif
