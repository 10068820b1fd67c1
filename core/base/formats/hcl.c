/*
 * Reads the flat part of HCL into texts, with a lookahead of one character and
 * no state but its place.  Read hcl_read_text() and read_entry() first.
 * Source: the HCL native syntax specification.
 */
#include "core/base/formats/hcl.h"

#include <bsd/string.h>

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { HCL_KEYS_MAX = 32, HCL_KEY_SIZE = 64 }; /* rows of one table; bytes */

/* The text and the place in it.  `seen` has a bit per row, for HCL_KEYS_MAX
   rows. */
struct hcl_reader {
	const struct hcl_row *rows;
	const char *origin;
	const char *at;
	const char *end;
	int line;
	unsigned long seen; /* a bit per row */
	struct error *error;
};

/* The target of a value; `used` also counts bytes that did not fit. */
struct value {
	char *text;
	size_t size;
	size_t used;
};

static int hcl_refuse(struct hcl_reader *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static int
hcl_refuse(struct hcl_reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_set_code(r->error, ERROR_DAMAGED, "%s:%d: %s", r->origin,
	    r->line, text);
}

/* Return the character `n` places ahead; NUL after the end. */
static char
peek(const struct hcl_reader *r, size_t n)
{
	return n < (size_t)(r->end - r->at) ? r->at[n] : '\0';
}

/* Add a byte if it fits, and count it in any case, to detect a value that is
   too long. */
static void
hcl_put(struct value *v, char c)
{
	if (v->used + 1 < v->size)
		v->text[v->used] = c;
	v->used++;
}

/* Skip a comment over several lines. */
static int
skip_block(struct hcl_reader *r)
{
	int first = r->line;

	for (r->at += 2; r->at < r->end; r->at++) {
		if (peek(r, 0) == '*' && peek(r, 1) == '/') {
			r->at += 2;
			return 0;
		}
		r->line += *r->at == '\n';
	}
	r->line = first;
	return hcl_refuse(r, "the comment does not end");
}

/* Skip spaces and comments; with `lines` also line ends. */
static int
skip(struct hcl_reader *r, bool lines)
{
	char c;

	while (r->at < r->end) {
		c = *r->at;
		if (c == '#' || (c == '/' && peek(r, 1) == '/')) {
			while (r->at < r->end && *r->at != '\n')
				r->at++;
		} else if (c == '/' && peek(r, 1) == '*') {
			if (skip_block(r) != 0)
				return -1;
		} else if (c == ' ' || c == '\t' || c == '\r' ||
		    (lines && c == '\n')) {
			r->line += c == '\n';
			r->at++;
		} else {
			break;
		}
	}
	return 0;
}

/* Return true for characters of a key, which also make up numbers, true and
   false. */
static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Return the value of the next `digits` hexadecimal digits, or -1. */
static long
hex(const struct hcl_reader *r, int digits)
{
	long n = 0;
	int i;
	char c;

	for (i = 0; i < digits; i++) {
		c = peek(r, (size_t)i);
		if (!isxdigit((unsigned char)c))
			return -1;
		n = n * 16 +
		    (isdigit((unsigned char)c) ?
			    c - '0' :
			    tolower((unsigned char)c) - 'a' + 10);
	}
	return n;
}

/*
 * Write a character as UTF-8 (RFC 3629); the first byte gives the number of
 * bytes:
 *
 *	to U+007F	0xxxxxxx
 *	to U+07FF	110xxxxx 10xxxxxx
 *	to U+FFFF	1110xxxx 10xxxxxx 10xxxxxx
 *	to U+10FFFF	11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
 */
static void
put_utf8(struct value *v, long c)
{
	if (c < 0x80) {
		hcl_put(v, (char)c);
		return;
	}
	if (c < 0x800) {
		hcl_put(v, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			hcl_put(v, (char)(0xe0 | c >> 12));
		} else {
			hcl_put(v, (char)(0xf0 | c >> 18));
			hcl_put(v, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		hcl_put(v, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	hcl_put(v, (char)(0x80 | (c & 0x3f)));
}

/* Read an escape after its backslash.  U+0000 and surrogates (U+D800 to U+DFFF)
   are not characters of a text. */
static int
read_escape(struct hcl_reader *r, struct value *v)
{
	static const char letters[] = "nrt\"\\", meant[] = "\n\r\t\"\\";
	char c = peek(r, 0);
	const char *found = c != '\0' ? strchr(letters, c) : NULL;
	int digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
	long code;

	if (found != NULL) {
		hcl_put(v, meant[found - letters]);
		r->at++;
		return 0;
	}
	if (digits == 0)
		return hcl_refuse(r,
		    "unknown escape; use one of \\n \\r \\t \\\" \\\\ \\uXXXX "
		    "\\UXXXXXXXX");
	r->at++;
	code = hex(r, digits);
	if (code < 1 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return hcl_refuse(r,
		    "\\%c: must be followed by the %d hexadecimal digits of a "
		    "character",
		    c, digits);
	put_utf8(v, code);
	r->at += digits;
	return 0;
}

/* Read from the opening to the closing quote.  HCL replaces ${...} by values;
   it is refused, because keeping it would be silently wrong. */
static int
read_string(struct hcl_reader *r, struct value *v)
{
	char c;

	for (r->at++; r->at < r->end;) {
		c = *r->at;
		if (c == '"') {
			r->at++;
			return 0;
		}
		if (c == '\n')
			break;
		if ((c == '$' || c == '%') && peek(r, 1) == '{')
			return hcl_refuse(r,
			    "'%c{': values are used as written, nothing is "
			    "substituted",
			    c);
		r->at++;
		if (c != '\\')
			hcl_put(v, c);
		else if (read_escape(r, v) != 0)
			return -1;
	}
	return hcl_refuse(r, "the string does not end");
}

/* Return true for "-12", "1.5", "2e3", which are kept as they are. */
static bool
is_number(const char *text, size_t len)
{
	size_t i = text[0] == '-', digits = i;

	while (i < len && isdigit((unsigned char)text[i]))
		i++;
	if (i == digits)
		return false;
	if (i + 1 < len && text[i] == '.' &&
	    isdigit((unsigned char)text[i + 1]))
		for (i++; i < len && isdigit((unsigned char)text[i]);)
			i++;
	if (i < len && (text[i] == 'e' || text[i] == 'E')) {
		i++;
		i += i < len && (text[i] == '+' || text[i] == '-');
		digits = i;
		while (i < len && isdigit((unsigned char)text[i]))
			i++;
		if (i == digits)
			return false;
	}
	return i == len;
}

/* Read a value: a quoted string, a number, true or false.  The error for
   anything else suggests quotes. */
static int
read_value(struct hcl_reader *r, const char *key, struct value *v)
{
	const char *from = r->at;
	size_t len, i;

	if (peek(r, 0) == '"')
		return read_string(r, v);
	if (peek(r, 0) == '{' || peek(r, 0) == '[' || peek(r, 0) == '<')
		return hcl_refuse(r,
		    "'%s': must be a string, a number, true or false, not a "
		    "list or a block",
		    key);
	while (is_word(peek(r, 0)) || peek(r, 0) == '.' || peek(r, 0) == '+')
		r->at++;
	len = (size_t)(r->at - from);
	if (len == 0)
		return hcl_refuse(r, "'%s' has no value", key);
	if (!is_number(from, len) &&
	    !(len == 4 && memcmp(from, "true", 4) == 0) &&
	    !(len == 5 && memcmp(from, "false", 5) == 0))
		return hcl_refuse(r, "'%s': '%.*s' must be in double quotes",
		    key, (int)(len < 40 ? len : 40), from);
	for (i = 0; i < len; i++)
		hcl_put(v, from[i]);
	return 0;
}

/* Return the row of the key, which must appear only once. */
static const struct hcl_row *
hcl_find_row(struct hcl_reader *r, const char *key)
{
	struct suggestion nearest;
	size_t i;

	for (i = 0; r->rows[i].key != NULL; i++)
		if (strcmp(r->rows[i].key, key) == 0)
			break;
	assert(i < HCL_KEYS_MAX);
	if (r->rows[i].key == NULL) {
		suggest_begin(&nearest, key);
		for (i = 0; r->rows[i].key != NULL; i++)
			suggest_offer(&nearest, r->rows[i].key);
		(void)hcl_refuse(r, "unknown key '%s'", key);
		(void)suggest_append(&nearest, "", r->error);
		return NULL;
	}
	if ((r->seen >> i & 1) != 0) {
		(void)hcl_refuse(r, "'%s' is given twice", key);
		return NULL;
	}
	r->seen |= 1UL << i;
	return &r->rows[i];
}

/* Read "key = value" and the line end. */
static int
read_entry(struct hcl_reader *r)
{
	const struct hcl_row *row;
	struct value v = { .used = 0 };
	char key[HCL_KEY_SIZE];
	size_t len = 0;

	while (is_word(peek(r, len)) && len + 1 < sizeof(key)) {
		key[len] = r->at[len];
		len++;
	}
	key[len] = '\0';
	if (len == 0 || is_word(peek(r, len)))
		return hcl_refuse(r, "must be 'key = value'");
	if ((row = hcl_find_row(r, key)) == NULL)
		return -1;
	r->at += len;
	if (skip(r, false) != 0)
		return -1;
	if (peek(r, 0) != '=')
		return hcl_refuse(r, "'%s' must be followed by '='", key);
	r->at++;
	if (skip(r, false) != 0)
		return -1;
	v.text = row->text;
	v.size = row->size;
	*row->line = r->line;
	if (read_value(r, key, &v) != 0)
		return -1;
	if (v.used >= v.size)
		return hcl_refuse(r, "'%s': longer than %zu bytes", key,
		    v.size - 1);
	v.text[v.used] = '\0';
	if (skip(r, false) != 0)
		return -1;
	if (r->at < r->end && *r->at != '\n')
		return hcl_refuse(r, "text after the value of '%s'", key);
	return 0;
}

/* Refuse a NUL byte, so that no value can extend beyond the text. */
static int
check_text(struct hcl_reader *r)
{
	const char *nul = memchr(r->at, '\0', (size_t)(r->end - r->at));
	const char *c;

	if (nul == NULL)
		return 0;
	for (c = r->at; c < nul; c++)
		r->line += *c == '\n';
	return hcl_refuse(r, "must be a text file, but holds a NUL byte");
}

/* Skip the byte order mark that some editors write. */
int
hcl_read_text(const struct hcl_row *rows, const char *origin, const char *text,
    size_t size, struct error *e)
{
	struct hcl_reader r = { .rows = rows,
		.origin = origin,
		.at = text,
		.end = text + size,
		.line = 1,
		.error = e };

	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		r.at += 3;
	if (check_text(&r) != 0)
		return -1;
	for (;;) {
		if (skip(&r, true) != 0)
			return -1;
		if (r.at == r.end)
			return 0;
		if (read_entry(&r) != 0)
			return -1;
	}
}

/* A byte becomes at most six, "\u001f", which is the room taken.  '$' and '%'
   are escaped too, because "${" would not be read back. */
char *
hcl_quote(const char *value)
{
	char *text = xreallocarray(NULL, strlen(value) + 1, 6);
	char *to = text;

	text[0] = '\0';
	*to++ = '"';
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\')
			*to++ = '\\';
		if (iscntrl((unsigned char)*value) || *value == '$' ||
		    *value == '%')
			to += snprintf(to, 7, "\\u%04x",
			    (unsigned)(unsigned char)*value);
		else
			*to++ = *value;
	}
	*to++ = '"';
	*to = '\0';
	return text;
}
