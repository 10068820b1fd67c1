/*
 * Memory in blocks that are freed together, refusals with their place, and
 * making maps from the items read.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { YAML_TEXTS_MAX = 2 * YAML_BYTES_MAX }; /* with all aliases expanded */

enum {
	BLOCK_FIRST = 4096, /* bytes; each block is twice as large as the
			       last */
	BLOCK_MOST = 256 * 1024
};

struct yaml_block {
	struct yaml_block *older;
	size_t used;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

/* An item of the map, or one that a merge would add. */
struct yaml_candidate {
	struct yaml_item item;
	size_t order;
	bool merged;
};

struct yaml_candidates {
	struct yaml_candidate *all;
	size_t count;
	size_t room;
};

/* A large request gets a separate block, and the newest block stays in use. */
void *
yaml_tree_alloc(struct yaml_arena *arena, size_t size)
{
	struct yaml_block *newest = arena->newest, *b;
	size_t room;

	if (size > SIZE_MAX - sizeof(*b) - alignof(max_align_t))
		xfail();
	size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) *
	    alignof(max_align_t);
	if (newest != NULL && size <= newest->size - newest->used) {
		newest->used += size;
		return newest->bytes + newest->used - size;
	}
	room = newest == NULL ? BLOCK_FIRST : newest->size * 2;
	room = room > BLOCK_MOST ? BLOCK_MOST : room;
	room = size > room ? size : room;
	b = xcalloc(1, sizeof(*b) + room);
	b->used = size;
	b->size = room;
	if (newest != NULL && size > BLOCK_MOST / 2) {
		b->older = newest->older;
		newest->older = b;
	} else {
		b->older = newest;
		arena->newest = b;
	}
	return b->bytes;
}

void
yaml_tree_release(struct yaml_arena *arena)
{
	struct yaml_block *b, *older;

	for (b = arena->newest; b != NULL; b = older) {
		older = b->older;
		free(b);
	}
	arena->newest = NULL;
}

const char *
yaml_tree_text(struct yaml_arena *arena, const char *text, size_t length)
{
	char *copy = yaml_tree_alloc(arena, length + 1);

	if (length > 0)
		memcpy(copy, text, length);
	return copy;
}

struct yaml_node *
yaml_tree_node(struct yaml_arena *arena, enum yaml_kind kind, int line,
    int column)
{
	struct yaml_node *n = yaml_tree_alloc(arena, sizeof(*n));

	n->kind = kind;
	n->line = line;
	n->column = column;
	return n;
}

/* The old array stays in the arena until that is freed. */
void *
yaml_tree_grow(struct yaml_arena *arena, void *array, size_t count,
    size_t *room, size_t size)
{
	void *larger;

	if (count < *room)
		return array;
	*room = *room == 0 ? 4 : *room * 2;
	larger = yaml_tree_alloc(arena, *room * size);
	if (count > 0)
		memcpy(larger, array, count * size);
	return larger;
}

void
yaml_tree_add_document(struct yaml_reading *r, struct yaml_node *root)
{
	r->documents = yaml_tree_grow(r->arena, r->documents, r->count,
	    &r->room, sizeof(struct yaml_node *));
	r->documents[r->count++] = root;
}

static int __attribute__((format(printf, 4, 0)))
refuse_list(const struct yaml_reading *r, int line, int column, const char *fmt,
    va_list ap)
{
	char text[768];

	(void)vsnprintf(text, sizeof(text), fmt, ap);
	return error_set_code(r->error, ERROR_INVALID, "%s:%d:%d: %s", r->name,
	    line, column, text);
}

int
yaml_tree_refuse(const struct yaml_reading *r, int line, int column,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)refuse_list(r, line, column, fmt, ap);
	va_end(ap);
	return -1;
}

/* Bytes that continue a character of UTF-8 are 10xxxxxx. */
int
yaml_tree_refuse_at(const struct yaml_reading *r, size_t offset,
    const char *fmt, ...)
{
	int line = 1, column = 1;
	size_t i;
	va_list ap;

	for (i = 0; i < offset && i < r->size; i++) {
		if (r->text[i] == '\n' ||
		    (r->text[i] == '\r' && i + 1 < r->size &&
			r->text[i + 1] != '\n')) {
			line++;
			column = 1;
		} else if (((unsigned char)r->text[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	va_start(ap, fmt);
	(void)refuse_list(r, line, column, fmt, ap);
	va_end(ap);
	return -1;
}

int
yaml_tree_count(struct yaml_reading *r, int line, int column, size_t nodes,
    size_t bytes)
{
	if (nodes > YAML_NODES_MAX - r->nodes)
		return yaml_tree_refuse(r, line, column,
		    "more than %d values, with all aliases expanded",
		    YAML_NODES_MAX);
	if (bytes > YAML_TEXTS_MAX - r->bytes)
		return yaml_tree_refuse(r, line, column,
		    "more than %d bytes of text, with all aliases expanded",
		    YAML_TEXTS_MAX);
	r->nodes += nodes;
	r->bytes += bytes;
	return 0;
}

static void
add_candidate(struct yaml_candidates *c, const struct yaml_item *item,
    bool merged)
{
	if (c->count == c->room) {
		c->room = c->room == 0 ? 16 : c->room * 2;
		c->all = xreallocarray(c->all, c->room, sizeof(*c->all));
	}
	c->all[c->count] = (struct yaml_candidate){ *item, c->count, merged };
	c->count++;
}

static void
add_merged(struct yaml_candidates *c, const struct yaml_node *from)
{
	size_t i;

	for (i = 0; i < from->count; i++) {
		if (from->kind == YAML_MAP)
			add_candidate(c, &from->items[i], true);
		else
			add_merged(c, from->items[i].node);
	}
}

/* Sort by key; of equal keys, the map's own items come first. */
static int
compare_candidates(const void *va, const void *vb)
{
	const struct yaml_candidate *a = va, *b = vb;
	int keys = strcmp(a->item.key, b->item.key);

	if (keys != 0)
		return keys;
	if (a->merged != b->merged)
		return a->merged ? 1 : -1;
	return a->order < b->order ? -1 : 1;
}

static int
compare_order(const void *va, const void *vb)
{
	const struct yaml_candidate *a = va, *b = vb;

	return a->order < b->order ? -1 : 1;
}

/*
 * Keep one item of each key: the last of the map's own, like the YAML reader of
 * Kubernetes, else the first merged one.
 */
static void
choose_candidates(struct yaml_candidates *c)
{
	struct yaml_candidate *all = c->all, *last = NULL;
	size_t i, kept = 0;

	for (i = 0; i < c->count; i++) {
		if (last == NULL ||
		    strcmp(last->item.key, all[i].item.key) != 0) {
			last = &all[kept++];
			*last = all[i];
		} else if (!all[i].merged) {
			all[i].item.hidden_line = last->item.line;
			*last = all[i];
		}
	}
	c->count = kept;
}

void
yaml_tree_fill_map(struct yaml_reading *r, struct yaml_node *map,
    const struct yaml_item *items, size_t count)
{
	struct yaml_candidates c = { NULL, 0, 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		if (items[i].key == NULL)
			add_merged(&c, items[i].node);
		else
			add_candidate(&c, &items[i], false);
	}
	if (c.count > 0)
		qsort(c.all, c.count, sizeof(*c.all), compare_candidates);
	choose_candidates(&c);
	if (c.count > 0) {
		qsort(c.all, c.count, sizeof(*c.all), compare_order);
		map->items = yaml_tree_alloc(r->arena,
		    c.count * sizeof(*map->items));
		for (i = 0; i < c.count; i++)
			map->items[i] = c.all[i].item;
		map->count = map->room = c.count;
	}
	free(c.all);
}

void
yaml_tree_fill_list(struct yaml_reading *r, struct yaml_node *list,
    const struct yaml_item *items, size_t count)
{
	if (count == 0)
		return;
	list->items = yaml_tree_alloc(r->arena, count * sizeof(*items));
	memcpy(list->items, items, count * sizeof(*items));
	list->count = list->room = count;
}
