/*
 * Writes structs as INI text, by the table of rows that reads them: ini.h.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "core/base/formats/ini.h"
#include "core/base/text.h"

/* Return the bytes of the next character, or 0 for a byte to write as %XX: one
   that steers a terminal, or one that is not UTF-8. */
static size_t
plain_size(const char *c)
{
	const unsigned char *u = (const unsigned char *)c;
	const bool is_control = iscntrl(u[0]) || (u[0] == 0xc2 && u[1] < 0xa0);

	return is_control ? 0 : text_character_size(u);
}

void
ini_text_put(FILE *out, const char *key, const char *value)
{
	const char *c;
	size_t size;
	bool edge;

	if (*value == '\0')
		return;
	fprintf(out, "%s = ", key);
	for (c = value; *c != '\0'; c += size) {
		edge = c == value || c[1] == '\0';
		size = plain_size(c);
		/* A space at an edge, and anything that ends a line or begins a
		   comment, would not be read back. */
		if ((*c == ' ' && edge) || *c == '%' || *c == ';' ||
		    size == 0) {
			fprintf(out, "%%%02X", (unsigned)(unsigned char)*c);
			size = 1;
		} else {
			(void)fwrite(c, 1, size, out);
		}
	}
	putc('\n', out);
}

/* Load an integer of 1, 2, 4 or 8 bytes; it is unsigned if its minimum is not
   negative. */
static int64_t
load_number(const struct ini_row *row, const void *field)
{
	uint64_t n = 0;
	const unsigned unused = 64 - 8 * (unsigned)row->size;

	/* The lowest byte comes first. */
	memcpy(&n, field, row->size);
	return row->min < 0 ? (int64_t)(n << unused) >> unused : (int64_t)n;
}

/* Return the word of a value; any other value is a bug of the caller. */
static const char *
load_word(const struct ini_row *row, const void *field)
{
	int64_t value = load_number(row, field);
	int i;

	for (i = 0; row->words[i] != NULL && i < value; i++)
		;
	assert(value >= 0 && row->words[i] != NULL);
	return row->words[i];
}

/* Return true if the field is 0 or "". */
static bool
is_unset(const struct ini_row *row, const char *field)
{
	size_t i;

	if (row->type == INI_TEXT || row->type == INI_NAME)
		return field[0] == '\0';
	for (i = 0; i < row->size; i++)
		if (field[i] != 0)
			return false;
	return true;
}

static void
put_row(FILE *out, const struct ini_row *row, const char *field)
{
	size_t i;

	switch (row->type) {
	case INI_NAME:
		fprintf(out, "%s = %s\n", row->key, field);
		break;
	case INI_TEXT:
		ini_text_put(out, row->key, field);
		break;
	case INI_NUMBER:
		fprintf(out, "%s = %" PRId64 "\n", row->key,
		    load_number(row, field));
		break;
	case INI_BOOL:
		fprintf(out, "%s = %s\n", row->key,
		    is_unset(row, field) ? "no" : "yes");
		break;
	case INI_WORD:
		fprintf(out, "%s = %s\n", row->key, load_word(row, field));
		break;
	case INI_HEX:
		fprintf(out, "%s = ", row->key);
		for (i = 0; i < row->size; i++)
			fprintf(out, "%02x", (unsigned char)field[i]);
		putc('\n', out);
		break;
	case INI_REAL:
	case INI_CUSTOM:
		break;
	}
}

char *
ini_text(const struct ini_row *rows, const void *source)
{
	struct memstream text;
	FILE *f = memstream_open(&text);
	const char *field;

	fprintf(f, "[%s]\n", rows[0].section);
	for (; rows->section != NULL; rows++) {
		field = (const char *)source + rows->offset;
		if (rows->required || !is_unset(rows, field))
			put_row(f, rows, field);
	}
	return memstream_close(&text, NULL);
}
