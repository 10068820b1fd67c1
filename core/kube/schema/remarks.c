/*
 * Lists of remarks on a manifest, limited by REMARKS_MAX: of ten thousand
 * mistakes the first ones are kept, and the number of all.
 */
#include "core/kube/schema/remarks.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"

void
remarks_release(struct remarks *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		free(r->items[i].file);
		free(r->items[i].path);
		free(r->items[i].text);
	}
	free(r->items);
	memset(r, 0, sizeof(*r));
}

const char *
remarks_level_name(enum remark_level level)
{
	static const char *const names[REMARK_LEVELS] = {
		[REMARK_ERROR] = "error",
		[REMARK_WARNING] = "warning",
		[REMARK_NOTE] = "note",
	};

	return names[level];
}

/* Return the file's number, from its last remark, or the next free number. */
static int
find_file_number(const struct remarks *r, const char *file)
{
	int highest = -1;
	size_t i;

	for (i = r->count; i-- > 0;) {
		if (strcmp(r->items[i].file, file) == 0)
			return r->items[i].file_number;
		if (r->items[i].file_number > highest)
			highest = r->items[i].file_number;
	}
	return highest + 1;
}

void
remarks_add(struct remarks *r, enum remark_level level, const char *file,
    const struct yaml_node *node, const char *path, const char *format, ...)
{
	struct remark *item;
	va_list list;

	if (r->found[level]++ >= REMARKS_MAX)
		return;
	if (r->count == r->room) {
		r->room = r->room == 0 ? 16 : r->room * 2;
		r->items = xreallocarray(r->items, r->room, sizeof(*r->items));
	}
	item = &r->items[r->count];
	item->level = level;
	item->is_local = false;
	item->file_number = find_file_number(r, file);
	item->file = xstrdup(file);
	item->line = node == NULL ? 0 : node->line;
	item->column = node == NULL ? 0 : node->column;
	item->path = xstrdup(path);
	va_start(list, format);
	item->text = xvasprintf(format, list);
	va_end(list);
	r->count++;
}

/* Parse the digits before `end`, with a ':' before them; NULL: none. */
static const char *
number_before(const char *text, const char *end, int *number)
{
	const char *at = end;
	char digits[16];
	long long value;

	while (at > text && isdigit((unsigned char)at[-1]))
		at--;
	if (at == end || at == text || at[-1] != ':' ||
	    (size_t)(end - at) >= sizeof(digits))
		return NULL;
	(void)snprintf(digits, sizeof(digits), "%.*s", (int)(end - at), at);
	if (parse_number("", digits, 1, INT_MAX, &value, NULL) != 0)
		return NULL;
	*number = (int)value;
	return at - 1;
}

void
remarks_add_error(struct remarks *r, const char *text)
{
	const char *end, *colon;
	struct yaml_node node = { .kind = YAML_NULL };
	char *file;

	for (end = strstr(text, ": "); end != NULL; end = strstr(end + 1, ": "))
		if ((colon = number_before(text, end, &node.column)) != NULL &&
		    (colon = number_before(text, colon, &node.line)) != NULL &&
		    colon > text)
			break;
	if (end == NULL) {
		remarks_add(r, REMARK_ERROR, "", NULL, "", "%s", text);
		return;
	}
	file = xasprintf("%.*s", (int)(colon - text), text);
	remarks_add(r, REMARK_ERROR, file, &node, "", "%s", end + 2);
	free(file);
}

void
remarks_yield_local(struct remarks *r)
{
	struct remark *item;
	char *text;
	size_t i;

	for (i = 0; i < r->count; i++) {
		item = &r->items[i];
		if (!item->is_local)
			continue;
		text = xasprintf("%s; create refuses it", item->text);
		free(item->text);
		item->text = text;
		item->level = REMARK_WARNING;
		item->is_local = false;
	}
	r->found[REMARK_ERROR] -= r->local;
	r->found[REMARK_WARNING] += r->local;
	r->local = 0;
}

void
remarks_mark_local(struct remarks *r)
{
	r->local++;
	if (r->count > 0 && r->found[REMARK_ERROR] <= REMARKS_MAX)
		r->items[r->count - 1].is_local = true;
}

bool
remarks_are_full(const struct remarks *r, enum remark_level level)
{
	return r->found[level] >= REMARKS_MAX;
}

static bool
precedes(const struct remark *a, const struct remark *b)
{
	if (a->file_number != b->file_number)
		return a->file_number < b->file_number;
	if (a->line != b->line)
		return a->line < b->line;
	return a->column < b->column;
}

/* Insertion sort: remarks are few, and those at one place keep their order. */
void
remarks_sort(struct remarks *r)
{
	struct remark item;
	size_t i, at;

	for (i = 1; i < r->count; i++) {
		item = r->items[i];
		for (at = i; at > 0 && precedes(&item, &r->items[at - 1]); at--)
			r->items[at] = r->items[at - 1];
		r->items[at] = item;
	}
}

/* Print "FILE:LINE:COLUMN: " and "PATH: ", without missing parts. */
static void
print_one(FILE *to, const struct remark *item, const char *level)
{
	text_put(to, item->file);
	if (item->line > 0)
		fprintf(to, ":%d:%d", item->line, item->column);
	fprintf(to, "%s%s", *item->file != '\0' ? ": " : "", level);
	if (*item->path != '\0') {
		text_put(to, item->path);
		fputs(": ", to);
	}
	text_put(to, item->text);
}

void
remarks_print(FILE *to, const struct remarks *r)
{
	size_t kept[REMARK_LEVELS] = { 0 }, i, more;
	enum remark_level level;
	char word[16];

	for (i = 0; i < r->count; i++) {
		level = r->items[i].level;
		kept[level]++;
		(void)snprintf(word, sizeof(word),
		    "%s: ", remarks_level_name(level));
		print_one(to, &r->items[i], word);
		fputc('\n', to);
	}
	for (i = 0; i < REMARK_LEVELS; i++) {
		more = r->found[i] - kept[i];
		if (more > 0)
			fprintf(to, "and %zu more %s%s\n", more,
			    remarks_level_name((enum remark_level)i),
			    more == 1 ? "" : "s");
	}
}

char *
remarks_text(const struct remark *item)
{
	struct memstream m;

	memstream_open(&m);
	print_one(m.file, item, "");
	return memstream_close(&m, NULL);
}
