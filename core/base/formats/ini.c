/*
 * INI text into structs, strictly, in two passes: scan() finds all sections and
 * refuses what inih(3) would misread, then inih's handler entry() stores the
 * values.  Read ini_read_text() first.
 */
#include "core/base/formats/ini.h"

#include <bsd/string.h>

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INI_HANDLER_LINENO 1
#include <ini.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"

enum {
	INI_KEYS_MAX = 64,	/* rows of one table */
	INI_FILE_MAX = 64 << 20 /* bytes */
};

/* A section of the text, found by the first pass. */
struct found {
	char *kind; /* owned; the name is in the same block */
	char *name;
	int line;
};

/* A text in both passes.  `seen` has a bit per row of the schema, for
   INI_KEYS_MAX rows. */
struct ini_reader {
	const struct ini_schema *schema;
	const char *origin;
	struct error *error;
	struct found *sections;
	size_t count;
	size_t room;
	size_t next;   /* next section to begin */
	void *target;  /* the current section's */
	uint64_t seen; /* a bit per row of the current section */
};

/* The place comes first, as in compilers, so that editors can jump there. */
int
ini_refuse(struct error *e, const char *origin, int line, const char *fmt, ...)
{
	char text[sizeof(e->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_set_code(e, ERROR_DAMAGED, "%s:%d: %s", origin, line,
	    text);
}

/* Return true if the row belongs to the section's kind, and both are named or
   not. */
static bool
row_matches(const struct ini_row *row, const struct found *section)
{
	size_t len = strlen(section->kind);
	bool named = section->name[0] != '\0';

	return strncmp(row->section, section->kind, len) == 0 &&
	    strcmp(row->section + len, named ? " *" : "") == 0;
}

/* Split "kind name" in s->kind into its two words; spaces are allowed around
   both. */
static void
split_section(struct found *s)
{
	size_t len = strlen(s->kind), skip = strspn(s->kind, " \t");

	while (len > skip && strchr(" \t", s->kind[len - 1]) != NULL)
		len--;
	memmove(s->kind, s->kind + skip, len - skip);
	s->kind[len - skip] = '\0';
	s->name = s->kind + strcspn(s->kind, " \t");
	if (*s->name != '\0')
		*s->name++ = '\0';
	s->name += strspn(s->name, " \t");
}

/* Add "[kind name]" of the line to the list of sections. */
static int
add_section(struct ini_reader *r, const char *line, size_t len, int number)
{
	const struct ini_row *row;
	const char *end = memchr(line, ']', len);
	struct found *s;
	size_t size, rest;

	if (end == NULL)
		return ini_refuse(r->error, r->origin, number,
		    "a section must end with ']'");
	for (rest = 1; end + rest < line + len; rest++)
		if (!isspace((unsigned char)end[rest]))
			break;
	if (end + rest < line + len && strchr(";#", end[rest]) == NULL)
		return ini_refuse(r->error, r->origin, number,
		    "text after the section's ']'");
	size = (size_t)(end - line) - 1;
	if (size > INI_SECTION_MAX)
		return ini_refuse(r->error, r->origin, number,
		    "the section name has %zu bytes, the limit is %d", size,
		    INI_SECTION_MAX);
	if (r->count == r->room) {
		r->room = r->room == 0 ? 8 : 2 * r->room;
		r->sections = xreallocarray(r->sections, r->room,
		    sizeof(*r->sections));
	}
	s = &r->sections[r->count++];
	s->kind = xcalloc(1, size + 1);
	memcpy(s->kind, line + 1, size);
	s->line = number;
	split_section(s);
	for (row = r->schema->rows; row->section != NULL; row++)
		if (row_matches(row, s))
			return 0;
	return ini_refuse(r->error, r->origin, number,
	    "unknown section [%s%s%s]", s->kind, *s->name != '\0' ? " " : "",
	    s->name);
}

/* Check one line in the first pass: inih(3) would cut a long line or one with a
   NUL byte, and text before the first section has no struct. */
static int
check_line(struct ini_reader *r, const char *line, size_t len, int number)
{
	size_t i;

	if (len > INI_LINE_MAX)
		return ini_refuse(r->error, r->origin, number,
		    "the line has %zu bytes, the limit is %d", len,
		    INI_LINE_MAX);
	if (memchr(line, '\0', len) != NULL)
		return ini_refuse(r->error, r->origin, number,
		    "must be a text file, but holds a NUL byte");
	for (i = 0; i < len && isspace((unsigned char)line[i]); i++)
		;
	if (i == len || strchr(";#", line[i]) != NULL)
		return 0;
	if (line[i] == '[')
		return add_section(r, line + i, len - i, number);
	if (r->count == 0)
		return ini_refuse(r->error, r->origin, number,
		    "text before the first [section]");
	return 0;
}

/* Compare for qsort(3): by kind and name, then by line. */
static int
compare_sections(const void *a, const void *b)
{
	const struct found *const *x = a, *const *y = b;
	int order = strcmp((*x)->kind, (*y)->kind);

	if (order == 0)
		order = strcmp((*x)->name, (*y)->name);
	return order != 0 ? order : (*x)->line - (*y)->line;
}

/* Refuse repeated sections.  Sorting puts equal ones together; of several pairs
   the first in the file is reported. */
static int
check_duplicates(struct ini_reader *r)
{
	const struct found **sorted, *a, *b, *first = NULL;
	size_t i;

	sorted = xcalloc(r->count + 1, sizeof(*sorted));
	for (i = 0; i < r->count; i++)
		sorted[i] = &r->sections[i];
	qsort(sorted, r->count, sizeof(const struct found *), compare_sections);
	for (i = 1; i < r->count; i++) {
		a = sorted[i - 1];
		b = sorted[i];
		if (strcmp(a->kind, b->kind) == 0 &&
		    strcmp(a->name, b->name) == 0 &&
		    (first == NULL || b->line < first->line)) {
			first = b;
			(void)ini_refuse(r->error, r->origin, b->line,
			    "section [%s%s%s] is already in line %d", b->kind,
			    *b->name != '\0' ? " " : "", b->name, a->line);
		}
	}
	free(sorted);
	return first == NULL ? 0 : -1;
}

/* Run the first pass: refuse what inih would misread, and find all sections. */
static int
scan(struct ini_reader *r, const char *text, size_t size)
{
	const char *end = text + size, *line = text, *next;
	int number = 1;

	for (; line < end; line = next + 1, number++) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (next == NULL)
			next = end;
		if (check_line(r, line, (size_t)(next - line), number) != 0)
			return -1;
	}
	return check_duplicates(r);
}

/* Store an integer of 1, 2, 4 or 8 bytes, signed or not. */
static void
store_number(void *field, size_t size, long long value)
{
	const int8_t one = (int8_t)value;
	const int16_t two = (int16_t)value;
	const int32_t four = (int32_t)value;
	const int64_t eight = value;

	assert(size == 1 || size == 2 || size == 4 || size == 8);
	memcpy(field,
	    size == 1	  ? (const void *)&one :
		size == 2 ? (const void *)&two :
		size == 4 ? (const void *)&four :
			    (const void *)&eight,
	    size);
}

/* Store a float or a double, by the size of the field. */
static void
store_real(void *field, size_t size, double value)
{
	const float single = (float)value;

	assert(size == sizeof(single) || size == sizeof(value));
	memcpy(field,
	    size == sizeof(single) ? (const void *)&single :
				     (const void *)&value,
	    size);
}

/* Store the index of the value among the row's words.  A refusal lists the
   words and suggests the nearest. */
static int
store_word(const struct ini_row *row, const char *value, void *field,
    struct error *e)
{
	char list[256] = "";
	int i;

	for (i = 0; row->words[i] != NULL; i++) {
		if (strcmp(row->words[i], value) == 0) {
			store_number(field, row->size, i);
			return 0;
		}
		(void)strlcat(list, i > 0 ? ", " : "", sizeof(list));
		(void)strlcat(list, row->words[i], sizeof(list));
	}
	(void)error_set(e, "%s '%s': must be one of %s", row->key, value, list);
	return suggest_word(value, row->words, e);
}

/* Return 0 to 15, or -1, also for the NUL at a text's end. */
static int
hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *d = c == '\0' ? NULL :
				    strchr(digits, tolower((unsigned char)c));

	return d == NULL ? -1 : (int)(d - digits);
}

/* Undo the %XX of ini_text_put().  %00 is refused, because readers would cut
   the text at a NUL byte. */
static int
store_text(const struct ini_row *row, const char *value, char *field,
    struct error *e)
{
	size_t used = 0;
	int high, low;

	for (; *value != '\0'; value++, used++) {
		if (used + 1 >= row->size)
			return error_set(e, "%s: longer than %zu bytes",
			    row->key, row->size - 1);
		field[used] = *value;
		if (*value != '%')
			continue;
		high = hex_digit(value[1]);
		low = high == -1 ? -1 : hex_digit(value[2]);
		if (low == -1 || high * 16 + low == 0)
			return error_set(e,
			    "%s: '%%' must be followed by two hexadecimal "
			    "digits (write %%25 for a '%%')",
			    row->key);
		field[used] = (char)(high * 16 + low);
		value += 2;
	}
	field[used] = '\0';
	return 0;
}

/* Store the value in the row's field, by its type.  Returns -1 with the reason,
   to which the caller adds the place. */
static int
ini_store(const struct ini_row *row, const char *value, void *target,
    struct error *e)
{
	char *field = (char *)target + row->offset;
	long long number;
	double real;
	bool flag;

	switch (row->type) {
	case INI_NAME:
		/* "partition name ..." for the name in [partition], "cluster
		   name" for its cluster */
		if (name_check(strcmp(row->key, "name") == 0 ? row->section :
							       row->key,
			value, e) != 0)
			return -1;
		if (strlcpy(field, value, row->size) >= row->size)
			return error_set(e, "%s: longer than %zu bytes",
			    row->key, row->size - 1);
		return 0;
	case INI_NUMBER:
		if (parse_number(row->key, value, row->min, row->max, &number,
			e) != 0)
			return -1;
		store_number(field, row->size, number);
		return 0;
	case INI_REAL:
		if (parse_real(row->key, value, row->low, row->high, &real,
			e) != 0)
			return -1;
		store_real(field, row->size, real);
		return 0;
	case INI_BOOL:
		if (parse_bool(row->key, value, &flag, e) != 0)
			return -1;
		store_number(field, row->size, flag);
		return 0;
	case INI_WORD:
		return store_word(row, value, field, e);
	case INI_HEX:
		return hex_parse(value, (uint8_t *)field, row->size) == 0 ?
		    0 :
		    error_set(e, "%s: must be %zu digits 0-9 a-f", row->key,
			2 * row->size);
	case INI_CUSTOM:
		return row->parse(target, value, e);
	case INI_TEXT:
		break;
	}
	return store_text(row, value, field, e);
}

/* End the current section: check its required keys. */
static int
end_section(struct ini_reader *r)
{
	const struct ini_row *rows = r->schema->rows;
	const struct found *s;
	size_t i;

	if (r->next == 0)
		return 0;
	s = &r->sections[r->next - 1];
	for (i = 0; rows[i].section != NULL; i++)
		if (rows[i].required && row_matches(&rows[i], s) &&
		    (r->seen >> i & 1) == 0)
			return ini_refuse(r->error, r->origin, s->line,
			    "[%s%s%s]: '%s' is missing", s->kind,
			    *s->name != '\0' ? " " : "", s->name, rows[i].key);
	return 0;
}

/* Begin all sections before the line. */
static int
begin_sections(struct ini_reader *r, int before)
{
	struct ini_section section;
	struct error reason = { .text = "" };

	while (r->next < r->count && r->sections[r->next].line < before) {
		if (end_section(r) != 0)
			return -1;
		section.kind = r->sections[r->next].kind;
		section.name = r->sections[r->next].name;
		section.line = r->sections[r->next].line;
		r->next++;
		r->seen = 0;
		r->target = r->schema->begin(r->schema->context, &section,
		    &reason);
		if (r->target == NULL)
			return ini_refuse(r->error, r->origin, section.line,
			    "%s", reason.text);
	}
	return 0;
}

/* Refuse a key, suggesting the nearest one of the section. */
static void
unknown_key(const struct ini_row *row, const struct found *s, const char *key,
    struct error *e)
{
	struct suggestion nearest;

	suggest_begin(&nearest, key);
	for (; row->section != NULL; row++)
		if (row->key != NULL && row_matches(row, s))
			suggest_offer(&nearest, row->key);
	(void)error_set(e, "unknown key '%s' in [%s%s%s]", key, s->kind,
	    *s->name != '\0' ? " " : "", s->name);
	(void)suggest_append(&nearest, "", e);
}

/* Handle an entry for inih: 1 continues, 0 stops. */
static int
entry(void *user, const char *section, const char *key, const char *value,
    int line)
{
	struct ini_reader *r = user;
	const struct ini_row *rows = r->schema->rows;
	const struct found *s;
	struct error reason = { .text = "" };
	size_t i;

	(void)section; /* cut at 49 bytes; the first pass has the whole name */
	if (begin_sections(r, line) != 0)
		return 0;
	s = &r->sections[r->next - 1];
	for (i = 0; rows[i].section != NULL; i++)
		if (rows[i].key != NULL && row_matches(&rows[i], s) &&
		    strcmp(rows[i].key, key) == 0)
			break;
	assert(i < INI_KEYS_MAX);
	if (rows[i].section == NULL)
		unknown_key(rows, s, key, &reason);
	else if ((r->seen >> i & 1) != 0 && !rows[i].repeated)
		(void)error_set(&reason, "'%s' is given twice in [%s%s%s]", key,
		    s->kind, *s->name != '\0' ? " " : "", s->name);
	else if (*value == '\0')
		(void)error_set(&reason, "'%s' has no value", key);
	else if (ini_store(&rows[i], value, r->target, &reason) == 0) {
		r->seen |= (uint64_t)1 << i;
		if (rows[i].line != 0)
			store_number((char *)r->target + rows[i].line,
			    sizeof(line), line);
		return 1;
	}
	(void)ini_refuse(r->error, r->origin, line, "%s", reason.text);
	return 0;
}

int
ini_read_text(const struct ini_schema *schema, const char *origin,
    const char *text, size_t size, struct error *e)
{
	struct error reason = { .text = "" };
	struct ini_reader r = { .schema = schema,
		.origin = origin,
		.error = &reason };
	int line, status = -1;

	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3; /* a byte order mark */
		size -= 3;
	}
	/* After the first pass all sections are known to be valid. */
	if (scan(&r, text, size) != 0)
		goto out;
	line = ini_parse_string_length(text, size, entry, &r);
	if (line == -2)
		(void)error_set(&reason, "%s: out of memory", origin);
	else if (line != 0 && reason.text[0] == '\0')
		(void)ini_refuse(&reason, origin, line,
		    "must be [section] or key = value");
	/* Empty sections after the last key begin and end here. */
	if (line == 0 && begin_sections(&r, INT32_MAX) == 0 &&
	    end_section(&r) == 0)
		status = 0;
out:
	while (r.count > 0)
		free(r.sections[--r.count].kind);
	free(r.sections);
	if (status != 0)
		(void)error_copy(e, &reason);
	return status;
}

int
ini_read_file(const struct ini_schema *schema, const struct directory *d,
    const char *name, struct error *e)
{
	char room[FILE_ROOM], *path;
	size_t size;
	char *text = file_read_at_into(d, name, INI_FILE_MAX, room, &size, e);
	int status;

	if (text == NULL)
		return -1;
	path = xasprintf("%s/%s", d->path, name);
	status = ini_read_text(schema, path, text, size, e);
	free(path);
	stream_release(text, room);
	return status;
}

/* The rows fill the target; also notes that the section exists. */
struct one_section {
	void *target;
	bool begun;
};

static void *
begin_one(void *context, const struct ini_section *section, struct error *e)
{
	struct one_section *one = context;

	(void)section;
	(void)e;
	one->begun = true;
	return one->target;
}

int
ini_read_section(const struct ini_row *rows, const struct directory *d,
    const char *name, void *target, struct error *e)
{
	struct one_section one = { .target = target };
	struct ini_schema schema = { .rows = rows,
		.begin = begin_one,
		.context = &one };
	char *path;

	if (ini_read_file(&schema, d, name, e) != 0)
		return -1;
	if (one.begun)
		return 0;
	path = xasprintf("%s/%s", d->path, name);
	(void)ini_refuse(e, path, 1, "the [%s] section is missing",
	    rows[0].section);
	free(path);
	return -1;
}
