/*
 * Bytes are only copied when they come, and of a large piece only the last;
 * lines are searched on demand.
 */
#include "core/process/mux_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { ROOM = 2 * TAIL_BYTES };

void
tail_add(struct tail *t, const char *data, size_t size)
{
	size_t keep;

	if (t->data == NULL)
		t->data = xmalloc(ROOM);
	if (size > TAIL_BYTES) {
		t->cut = true;
		data += size - TAIL_BYTES;
		size = TAIL_BYTES;
	}
	if (t->used + size > ROOM) {
		keep = TAIL_BYTES - size;
		memmove(t->data, t->data + t->used - keep, keep);
		t->used = keep;
		t->cut = true;
	}
	memcpy(t->data + t->used, data, size);
	t->used += size;
}

void
tail_release(struct tail *t)
{
	free(t->data);
	*t = (struct tail){ .data = NULL };
}

/* Find the beginning of the last lines. */
static const char *
first_line(const struct tail *t)
{
	const char *end = t->data + t->used, *begin = t->data, *at;
	bool cut = t->cut;
	int lines = 1;

	if (t->used > TAIL_BYTES) {
		begin = end - TAIL_BYTES;
		cut = true;
	}
	/* The newline at the very end does not begin a line. */
	for (at = end - 1; at > begin; at--)
		if (at[-1] == '\n' && lines++ == TAIL_LINES)
			return at;
	at = cut ? memchr(begin, '\n', (size_t)(end - begin)) : NULL;
	return at != NULL && at + 1 < end ? at + 1 : begin;
}

/* Return the visible part of a line: after the last "\r" before its end. */
static const char *
drawn_last(const char *line, const char **end)
{
	const char *at;

	if (*end > line && (*end)[-1] == '\r')
		--*end;
	at = memrchr(line, '\r', (size_t)(*end - line));
	return at != NULL ? at + 1 : line;
}

char *
tail_text(const struct tail *t, size_t *size)
{
	const char *line, *next, *end, *stop;
	char *text, *to;

	if (t->used == 0)
		return NULL;
	stop = t->data + t->used;
	/* Room for a further newline and a NUL byte. */
	to = text = xmalloc(TAIL_BYTES + 2);
	for (line = first_line(t); line < stop; line = next) {
		end = memchr(line, '\n', (size_t)(stop - line));
		next = end != NULL ? end + 1 : stop;
		if (end == NULL)
			end = stop;
		line = drawn_last(line, &end);
		memcpy(to, line, (size_t)(end - line));
		to += end - line;
		*to++ = '\n';
	}
	*to = '\0';
	*size = (size_t)(to - text);
	return text;
}
