/*
 * libyaml does not accept all of JSON: a pair of escapes for a character beyond
 * U+FFFF, a tab before the first brace, a key of more than 1024 characters.
 * yyjson(3) reads it, but reports no places.  So its values are walked in
 * order, and a cursor walks the same text in parallel.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"

/*
 * The cursor, and the items of all open lists and maps.  Inside a document the
 * closing bracket must follow, so the end need not be checked.
 */
struct yaml_json {
	struct yaml_reading *reading;
	const char *at;
	const char *end;
	int line;
	int column;
	struct yaml_item *items;
	size_t count;
	size_t room;
};

static struct yaml_node *read_json_value(struct yaml_json *, yyjson_val *,
    int depth);

/* Advance by a byte.  Bytes that continue a character of UTF-8 are 10xxxxxx. */
static void
json_step(struct yaml_json *j)
{
	if (*j->at == '\n' ||
	    (*j->at == '\r' && j->at + 1 < j->end && j->at[1] != '\n')) {
		j->line++;
		j->column = 1;
	} else if (((unsigned char)*j->at & 0xc0) != 0x80) {
		j->column++;
	}
	j->at++;
}

/* Advance to the next key or value; the text is known to be JSON. */
static void
skip_to_value(struct yaml_json *j)
{
	while (strchr(" \t\r\n,:", *j->at) != NULL)
		json_step(j);
}

/* Skip a text, a number or a word. */
static void
skip_scalar(struct yaml_json *j)
{
	if (*j->at != '"') {
		while (strchr(" \t\r\n,:]}", *j->at) == NULL)
			json_step(j);
		return;
	}
	for (json_step(j); *j->at != '"'; json_step(j))
		if (*j->at == '\\')
			json_step(j);
	json_step(j);
}

/* Return the text of a key or a value, without NUL, or NULL. */
static const char *
json_copy(struct yaml_json *j, const char *text, size_t length, int line,
    int column)
{
	if (memchr(text, '\0', length) != NULL) {
		(void)yaml_tree_refuse(j->reading, line, column,
		    "a text with a NUL character");
		return NULL;
	}
	if (yaml_tree_count(j->reading, line, column, 0, length) != 0)
		return NULL;
	return yaml_tree_text(j->reading->arena, text, length);
}

static int
read_json_scalar(struct yaml_json *j, yyjson_val *value, struct yaml_node *n)
{
	const char *from = j->at;

	skip_scalar(j);
	if (yyjson_is_str(value)) {
		n->kind = YAML_TEXT;
		n->text = json_copy(j, yyjson_get_str(value),
		    yyjson_get_len(value), n->line, n->column);
		return n->text != NULL ? 0 : -1;
	}
	n->text = json_copy(j, from, (size_t)(j->at - from), n->line,
	    n->column);
	if (n->text == NULL)
		return -1;
	yaml_scalar_resolve(n);
	if (n->kind == YAML_TEXT)
		return yaml_tree_refuse(j->reading, n->line, n->column,
		    "the number %.40s is too large", n->text);
	return 0;
}

static int
add_json_item(struct yaml_json *j, yyjson_val *key, yyjson_val *value,
    int depth)
{
	struct yaml_item item = { .key = NULL };

	skip_to_value(j);
	if (key != NULL) {
		item.line = j->line;
		item.column = j->column;
		item.key = json_copy(j, yyjson_get_str(key),
		    yyjson_get_len(key), j->line, j->column);
		if (item.key == NULL)
			return -1;
		skip_scalar(j);
		skip_to_value(j);
	}
	item.node = read_json_value(j, value, depth);
	if (item.node == NULL)
		return -1;
	if (j->count == j->room) {
		j->room = j->room == 0 ? 64 : j->room * 2;
		j->items = xreallocarray(j->items, j->room, sizeof(*j->items));
	}
	j->items[j->count++] = item;
	return 0;
}

/* Read the contents of brackets; their items start at `first`. */
static int
read_json_items(struct yaml_json *j, yyjson_val *value, struct yaml_node *n,
    int depth)
{
	const size_t first = j->count;
	const struct yaml_item *items;
	yyjson_val *key, *inner;
	size_t i, max;

	json_step(j);
	if (n->kind == YAML_MAP) {
		yyjson_obj_foreach(value, i, max, key, inner)
			if (add_json_item(j, key, inner, depth + 1) != 0)
				return -1;
	} else {
		yyjson_arr_foreach(value, i, max, inner)
			if (add_json_item(j, NULL, inner, depth + 1) != 0)
				return -1;
	}
	skip_to_value(j);
	json_step(j);
	j->count = first;
	items = max > 0 ? j->items + first : NULL;
	if (n->kind == YAML_MAP)
		yaml_tree_fill_map(j->reading, n, items, max);
	else
		yaml_tree_fill_list(j->reading, n, items, max);
	return 0;
}

static struct yaml_node *
read_json_value(struct yaml_json *j, yyjson_val *value, int depth)
{
	struct yaml_node *n;
	int status;

	if (yaml_tree_count(j->reading, j->line, j->column, 1, 0) != 0)
		return NULL;
	n = yaml_tree_node(j->reading->arena,
	    yyjson_is_obj(value)     ? YAML_MAP :
		yyjson_is_arr(value) ? YAML_LIST :
				       YAML_NULL,
	    j->line, j->column);
	if (n->kind == YAML_NULL)
		status = read_json_scalar(j, value, n);
	else if (depth > YAML_DEPTH_MAX)
		status = yaml_tree_refuse(j->reading, n->line, n->column,
		    "more than %d nested lists and maps", YAML_DEPTH_MAX);
	else
		status = read_json_items(j, value, n, depth);
	return status == 0 ? n : NULL;
}

static void
skip_blanks(struct yaml_json *j)
{
	while (j->at < j->end && strchr(" \t\r\n", *j->at) != NULL)
		json_step(j);
}

/*
 * Return the bytes up to the closing bracket of the first one; 0: missing.
 * yyjson(3) copies its input, so it gets each document separately.
 */
static size_t
document_size(const struct yaml_json *j)
{
	const char *at;
	size_t depth = 0;
	bool quoted = false;

	for (at = j->at; at < j->end; at++) {
		if (*at == '"')
			quoted = !quoted;
		else if (quoted)
			at += *at == '\\';
		else if (*at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']')
			depth--;
		if (depth == 0)
			return (size_t)(at - j->at) + 1;
	}
	return 0;
}

/* Read the next document; false: it is not JSON. */
static bool
read_json_document(struct yaml_json *j, int *status)
{
	struct yaml_node *root;
	yyjson_doc *doc;
	size_t size;

	if (*j->at != '{' && *j->at != '[')
		return false;
	size = document_size(j);
	/* Numbers are kept as written. */
	doc = size == 0 ? NULL :
			  yyjson_read(j->at, size, YYJSON_READ_NUMBER_AS_RAW);
	if (doc == NULL)
		return false;
	root = read_json_value(j, yyjson_doc_get_root(doc), 1);
	if (root != NULL)
		yaml_tree_add_document(j->reading, root);
	else
		*status = -1;
	yyjson_doc_free(doc);
	return true;
}

/* kubectl accepts JSON documents one after the other without separators. */
bool
yaml_json_read(struct yaml_reading *r, int *status)
{
	const struct yaml_reading before = *r;
	struct yaml_json j = { .reading = r,
		.at = r->text,
		.end = r->text + r->size,
		.line = 1,
		.column = 1 };
	bool json = false;

	*status = 0;
	skip_blanks(&j);
	while (j.at < j.end && *status == 0) {
		json = read_json_document(&j, status);
		if (!json)
			break;
		skip_blanks(&j);
	}
	if (!json)
		*r = before;
	free(j.items);
	return json;
}
