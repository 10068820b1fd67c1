/*
 * Tables that map fields of structs to fields of messages: wire_field.h.
 * Numbers are read and written by size, and are never negative on the wire.
 */
#include "core/server/wire_field.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"

/* Whether a message can contain it: it must be UTF-8. */
static bool
field_is_text(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t n;

	for (; *at != '\0'; at += n)
		if ((n = text_character_size(at)) == 0)
			return false;
	return true;
}

/* Copy a text for a message, at most size - 1 bytes. */
static char *
field_text(const char *text, size_t size)
{
	char *copy;

	if (text[0] == '\0')
		return NULL;
	if (field_is_text(text))
		return xstrdup(text);
	copy = xmalloc(size);
	text_escape(text, "", copy, size);
	return copy;
}

char *
wire_field_text(const char *text)
{
	return field_text(text, strlen(text) * 4 + 1);
}

int
wire_field_copy(const char *what, const char *text, char *to, size_t size,
    struct error *e)
{
	const size_t len = text != NULL ? strlen(text) : 0;

	if (len >= size)
		return error_set_code(e, ERROR_INVALID,
		    "%s has %zu bytes, the limit is %zu", what, len, size - 1);
	/* Clear all bytes, so that structs can be compared. */
	memset(to, 0, size);
	if (len > 0)
		memcpy(to, text, len);
	return 0;
}

pb_bytes_array_t *
wire_field_bytes(const void *bytes, size_t size)
{
	pb_bytes_array_t *copy;

	if (size == 0)
		return NULL;
	copy = xmalloc(PB_BYTES_ARRAY_T_ALLOCSIZE(size));
	copy->size = (pb_size_t)size;
	memcpy(copy->bytes, bytes, size);
	return copy;
}

int
wire_field_copy_bytes(const char *what, const pb_bytes_array_t *bytes, void *to,
    size_t size, struct error *e)
{
	memset(to, 0, size);
	if (bytes == NULL || bytes->size == 0)
		return 0;
	if (bytes->size != size)
		return error_set_code(e, ERROR_INVALID,
		    "%s has %u bytes instead of %zu", what,
		    (unsigned)bytes->size, size);
	memcpy(to, bytes->bytes, size);
	return 0;
}

/* Read a number of 1, 4 or 8 bytes; one of 4 is unsigned. */
static int64_t
field_load(const char *from, size_t size)
{
	uint8_t small;
	uint32_t medium;
	int64_t large;

	switch (size) {
	case sizeof(small):
		memcpy(&small, from, sizeof(small));
		return small;
	case sizeof(medium):
		memcpy(&medium, from, sizeof(medium));
		return medium;
	default:
		assert(size == sizeof(large));
		memcpy(&large, from, sizeof(large));
		return large;
	}
}

static void
field_store(char *to, size_t size, int64_t n)
{
	const uint8_t small = (uint8_t)n;
	const uint32_t medium = (uint32_t)n;

	switch (size) {
	case sizeof(small):
		memcpy(to, &small, sizeof(small));
		break;
	case sizeof(medium):
		memcpy(to, &medium, sizeof(medium));
		break;
	default:
		assert(size == sizeof(n));
		memcpy(to, &n, sizeof(n));
		break;
	}
}

void
wire_field_put(const struct wire_field *f, const void *from, void *message)
{
	const char *at;
	char *to, *text;

	for (; f->kind != WIRE_KIND_END; f++) {
		at = (const char *)from + f->at;
		to = (char *)message + f->wire_at;
		switch (f->kind) {
		case WIRE_KIND_NAME:
		case WIRE_KIND_TEXT:
			text = field_text(at, f->size);
			memcpy(to, &text, sizeof(text));
			break;
		case WIRE_KIND_PLACE:
			field_store(to, f->wire_size,
			    (uint32_t)field_load(at, f->size) + 1U);
			break;
		default:
			field_store(to, f->wire_size, field_load(at, f->size));
			break;
		}
	}
}

static int
field_get_number(const struct wire_field *f, const char *from, char *to,
    struct error *e)
{
	const bool is_place = f->kind == WIRE_KIND_PLACE;
	int64_t n = field_load(from, f->wire_size);

	/* A place is sent plus one, so that 0 means none. */
	if (is_place)
		n--;
	if (n > f->max)
		return error_set_code(e, ERROR_INVALID,
		    "%s is %" PRId64 ", the limit is %" PRId64, f->name,
		    n + is_place, f->max + is_place);
	if (!is_place && n < f->min)
		return error_set_code(e, ERROR_INVALID,
		    "%s is %" PRId64 ", the minimum is %" PRId64, f->name, n,
		    f->min);
	field_store(to, f->size, n);
	return 0;
}

static int
field_get(const struct wire_field *f, const char *from, char *to,
    struct error *e)
{
	const char *text;

	if (f->kind != WIRE_KIND_NAME && f->kind != WIRE_KIND_TEXT)
		return field_get_number(f, from, to, e);
	memcpy(&text, from, sizeof(text));
	if (f->kind == WIRE_KIND_NAME &&
	    name_check(f->name, text != NULL ? text : "", e) != 0)
		return -1;
	return wire_field_copy(f->name, text, to, f->size, e);
}

int
wire_field_get(const struct wire_field *f, const char *what,
    const void *message, void *to, struct error *e)
{
	for (; f->kind != WIRE_KIND_END; f++)
		if (field_get(f, (const char *)message + f->wire_at,
			(char *)to + f->at, e) != 0)
			return error_prefix(e, "%s", what);
	return 0;
}
