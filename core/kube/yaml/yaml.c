/*
 * Trees of YAML: parsing a text, creating nodes, reading them.
 */
#include "core/kube/yaml/yaml.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml_internal.h"

struct yaml_arena *
yaml_arena_new(void)
{
	return xcalloc(1, sizeof(struct yaml_arena));
}

void
yaml_arena_free(struct yaml_arena *arena)
{
	if (arena == NULL)
		return;
	yaml_tree_release(arena);
	free(arena);
}

/* Check for UTF-8 without NUL; the readers do not report the place of an
   error. */
static int
check_bytes(const struct yaml_reading *r)
{
	unsigned char c[5] = { 0 };
	size_t i, n, left;

	for (i = 0; i < r->size; i += n) {
		n = 1;
		if (r->text[i] == '\0')
			return yaml_tree_refuse_at(r, i,
			    "a NUL byte; the file is not text");
		if ((unsigned char)r->text[i] < 0x80)
			continue;
		left = r->size - i < 4 ? r->size - i : 4;
		memset(c, 0, sizeof(c));
		memcpy(c, r->text + i, left);
		n = text_character_size(c);
		if (n == 0)
			return yaml_tree_refuse_at(r, i,
			    "the byte 0x%02x is not UTF-8", c[0]);
	}
	return 0;
}

/* A byte order mark, which some editors write, is skipped. */
long
yaml_parse(struct yaml_arena *arena, const char *name, const char *text,
    size_t size, struct yaml_node ***out, struct error *e)
{
	struct yaml_reading r = { .arena = arena,
		.name = name,
		.text = text,
		.size = size,
		.error = e };
	int status;

	if (size > YAML_BYTES_MAX)
		return yaml_tree_refuse(&r, 1, 1,
		    "the text has %zu bytes, but at most %d are allowed", size,
		    YAML_BYTES_MAX);
	if (size == 0) {
		*out = NULL;
		return 0;
	}
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		r.text += 3;
		r.size -= 3;
	}
	if (check_bytes(&r) != 0)
		return -1;
	if (!yaml_json_read(&r, &status))
		status = yaml_events_read(&r);
	if (status != 0)
		return -1;
	*out = r.documents;
	return (long)r.count;
}

struct yaml_node *
yaml_new_map(struct yaml_arena *arena)
{
	return yaml_tree_node(arena, YAML_MAP, 0, 0);
}

struct yaml_node *
yaml_new_list(struct yaml_arena *arena)
{
	return yaml_tree_node(arena, YAML_LIST, 0, 0);
}

/* Invalid UTF-8 becomes U+FFFD. */
static const char *
copy_text(struct yaml_arena *arena, const char *text)
{
	char *mended = text_to_utf8(text);
	const char *copy = yaml_tree_text(arena, mended, strlen(mended));

	free(mended);
	return copy;
}

struct yaml_node *
yaml_new_text(struct yaml_arena *arena, const char *text)
{
	struct yaml_node *n = yaml_tree_node(arena, YAML_TEXT, 0, 0);

	n->text = copy_text(arena, text);
	return n;
}

struct yaml_node *
yaml_new_integer(struct yaml_arena *arena, int64_t integer)
{
	struct yaml_node *n = yaml_tree_node(arena, YAML_INTEGER, 0, 0);
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRId64, integer);
	n->text = yaml_tree_text(arena, text, strlen(text));
	n->integer = integer;
	n->real = (double)integer;
	return n;
}

struct yaml_node *
yaml_new_bool(struct yaml_arena *arena, bool value)
{
	struct yaml_node *n = yaml_tree_node(arena, YAML_BOOL, 0, 0);

	n->text = value ? "true" : "false";
	n->integer = value;
	return n;
}

/* Return the item with the first `length` bytes as its key. */
static struct yaml_item *
find_part(const struct yaml_node *map, const char *key, size_t length)
{
	size_t i;

	if (map == NULL || map->kind != YAML_MAP)
		return NULL;
	for (i = 0; i < map->count; i++)
		if (strncmp(map->items[i].key, key, length) == 0 &&
		    map->items[i].key[length] == '\0')
			return &map->items[i];
	return NULL;
}

static struct yaml_item *
find_item(const struct yaml_node *map, const char *key)
{
	return find_part(map, key, strlen(key));
}

static void
append_item(struct yaml_arena *arena, struct yaml_node *to,
    struct yaml_item item)
{
	assert(to->kind == (item.key != NULL ? YAML_MAP : YAML_LIST));
	to->items = yaml_tree_grow(arena, to->items, to->count, &to->room,
	    sizeof(*to->items));
	to->items[to->count++] = item;
}

struct yaml_node *
yaml_set(struct yaml_arena *arena, struct yaml_node *map, const char *key,
    struct yaml_node *node)
{
	struct yaml_item *item = find_item(map, key);

	if (item != NULL)
		item->node = node;
	else
		append_item(arena, map,
		    (struct yaml_item){ .key = copy_text(arena, key),
			.node = node });
	return node;
}

void
yaml_set_text(struct yaml_arena *arena, struct yaml_node *map, const char *key,
    const char *text)
{
	if (text != NULL)
		(void)yaml_set(arena, map, key, yaml_new_text(arena, text));
}

void
yaml_set_integer(struct yaml_arena *arena, struct yaml_node *map,
    const char *key, int64_t integer)
{
	(void)yaml_set(arena, map, key, yaml_new_integer(arena, integer));
}

void
yaml_set_bool(struct yaml_arena *arena, struct yaml_node *map, const char *key,
    bool value)
{
	(void)yaml_set(arena, map, key, yaml_new_bool(arena, value));
}

void
yaml_unset(struct yaml_node *map, const char *key)
{
	struct yaml_item *item = find_item(map, key);
	size_t behind;

	if (item == NULL)
		return;
	behind = map->count - (size_t)(item - map->items) - 1;
	memmove(item, item + 1, behind * sizeof(*item));
	map->count--;
}

void
yaml_add(struct yaml_arena *arena, struct yaml_node *list,
    struct yaml_node *node)
{
	append_item(arena, list, (struct yaml_item){ .node = node });
}

struct yaml_node *
yaml_copy(struct yaml_arena *arena, const struct yaml_node *from)
{
	struct yaml_node *n = yaml_tree_node(arena, from->kind, from->line,
	    from->column);
	struct yaml_item item;
	size_t i;

	n->integer = from->integer;
	n->real = from->real;
	if (from->text != NULL)
		n->text = yaml_tree_text(arena, from->text, strlen(from->text));
	for (i = 0; i < from->count; i++) {
		item = from->items[i];
		if (item.key != NULL)
			item.key = yaml_tree_text(arena, item.key,
			    strlen(item.key));
		item.node = yaml_copy(arena, item.node);
		append_item(arena, n, item);
	}
	return n;
}

struct yaml_node *
yaml_get(const struct yaml_node *map, const char *key)
{
	const struct yaml_item *item = find_item(map, key);

	return item != NULL ? item->node : NULL;
}

struct yaml_node *
yaml_path(const struct yaml_node *map, const char *path)
{
	size_t length = strcspn(path, "/");
	const struct yaml_item *item = find_part(map, path, length);

	while (item != NULL && path[length] == '/') {
		path += length + 1;
		length = strcspn(path, "/");
		item = find_part(item->node, path, length);
	}
	return item != NULL ? item->node : NULL;
}

char *
yaml_dotted(char *path)
{
	char *at;

	for (at = path; (at = strchr(at, '/')) != NULL;)
		*at = '.';
	return path;
}

const char *
yaml_get_text(const struct yaml_node *map, const char *path)
{
	const struct yaml_node *n = yaml_path(map, path);

	return n != NULL && n->kind != YAML_NULL ? n->text : NULL;
}

struct yaml_node *
yaml_find(const struct yaml_node *list, const char *path, const char *text)
{
	const char *own;
	size_t i;

	if (list == NULL || list->kind != YAML_LIST)
		return NULL;
	for (i = 0; i < list->count; i++) {
		own = yaml_get_text(list->items[i].node, path);
		if (own != NULL && strcmp(own, text) == 0)
			return list->items[i].node;
	}
	return NULL;
}

/* 1e3 equals 1000: JSON has one kind of number. */
int64_t
yaml_get_integer(const struct yaml_node *map, const char *path,
    int64_t otherwise)
{
	const struct yaml_node *n = yaml_path(map, path);

	if (n != NULL && n->kind == YAML_INTEGER)
		return n->integer;
	if (n != NULL && n->kind == YAML_REAL && n->real >= -0x1p63 &&
	    n->real < 0x1p63 && trunc(n->real) == n->real)
		return (int64_t)n->real;
	return otherwise;
}

bool
yaml_get_bool(const struct yaml_node *map, const char *path, bool otherwise)
{
	const struct yaml_node *n = yaml_path(map, path);

	return n != NULL && n->kind == YAML_BOOL ? n->integer != 0 : otherwise;
}

static int
compare_keys(const void *va, const void *vb)
{
	const struct yaml_item *const *a = va, *const *b = vb;

	return strcmp((*a)->key, (*b)->key);
}

/* qsort(3) */
static int
compare_items(const void *va, const void *vb)
{
	const struct yaml_item *a = va, *b = vb;

	return strcmp(a->key, b->key);
}

void
yaml_sort(struct yaml_node *n)
{
	size_t i;

	if (n->kind == YAML_MAP && n->count > 0)
		qsort(n->items, n->count, sizeof(*n->items), compare_items);
	for (i = 0; i < n->count; i++)
		yaml_sort(n->items[i].node);
}

/* Return the items of a map sorted by key; the caller frees the array. */
static const struct yaml_item **
sort_items(const struct yaml_node *map)
{
	const struct yaml_item **sorted = xreallocarray(NULL, map->count,
	    sizeof(*sorted));
	size_t i;

	for (i = 0; i < map->count; i++)
		sorted[i] = &map->items[i];
	if (map->count > 0)
		qsort(sorted, map->count, sizeof(*sorted), compare_keys);
	return sorted;
}

static bool
equal_maps(const struct yaml_node *a, const struct yaml_node *b)
{
	const struct yaml_item **as = sort_items(a), **bs = sort_items(b);
	bool equal = true;
	size_t i;

	for (i = 0; equal && i < a->count; i++)
		equal = strcmp(as[i]->key, bs[i]->key) == 0 &&
		    yaml_equal(as[i]->node, bs[i]->node);
	free(as);
	free(bs);
	return equal;
}

static bool
equal_lists(const struct yaml_node *a, const struct yaml_node *b)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (!yaml_equal(a->items[i].node, b->items[i].node))
			return false;
	return true;
}

/* Compare numbers: 1 equals 1.0, as in JSON; .nan equals itself. */
static bool
equal_numbers(const struct yaml_node *a, const struct yaml_node *b)
{
	if (a->kind == YAML_INTEGER && b->kind == YAML_INTEGER)
		return a->integer == b->integer;
	return a->real == b->real || (isnan(a->real) && isnan(b->real));
}

static bool
is_yaml_number(const struct yaml_node *n)
{
	return n->kind == YAML_INTEGER || n->kind == YAML_REAL;
}

bool
yaml_equal(const struct yaml_node *a, const struct yaml_node *b)
{
	if (a == b)
		return true;
	if (is_yaml_number(a) && is_yaml_number(b))
		return equal_numbers(a, b);
	if (a->kind != b->kind || a->count != b->count)
		return false;
	if (a->kind == YAML_TEXT)
		return strcmp(a->text, b->text) == 0;
	if (a->kind == YAML_BOOL)
		return a->integer == b->integer;
	if (a->kind == YAML_MAP)
		return equal_maps(a, b);
	return equal_lists(a, b);
}
