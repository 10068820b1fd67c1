/*
 * YAML and JSON: refused with a place, or trees within the limits that are the
 * same after they were printed and read again; and so is a tree of which the
 * input itself is the texts and the keys.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "tests/fuzz/fuzz.h"

static struct yaml_node *
read_one(struct yaml_arena *arena, const char *text, size_t size)
{
	struct yaml_node **documents = NULL;
	struct error e = { .text = "" };

	require(yaml_parse(arena, "x.yaml", text, size, &documents, &e) == 1);
	return documents[0];
}

static void
print_and_read(struct yaml_arena *arena, const struct yaml_node *n,
    void (*print)(FILE *, const struct yaml_node *))
{
	struct memstream m;
	char *text;
	size_t size;

	print(memstream_open(&m), n);
	text = memstream_close(&m, &size);
	if (print == yaml_write_json_line)
		require(strchr(text, '\n') == NULL);
	else
		require(size > 0 && text[size - 1] == '\n');
	/* Aliases are written out, so that it may be more than is read. */
	if (size <= YAML_BYTES_MAX)
		require(yaml_equal(read_one(arena, text, size), n));
	free(text);
}

/* How many nodes there are, and whether JSON has all numbers. */
static size_t
measure(const struct yaml_node *n, int depth, bool *finite)
{
	size_t i, count = 1;

	require(depth <= YAML_DEPTH_MAX ||
	    (n->kind != YAML_MAP && n->kind != YAML_LIST));
	require((n->text != NULL) ==
	    (n->kind != YAML_MAP && n->kind != YAML_LIST));
	require(n->line > 0 && n->column > 0);
	if (n->kind == YAML_REAL && !isfinite(n->real))
		*finite = false;
	for (i = 0; i < n->count; i++) {
		require((n->items[i].key != NULL) == (n->kind == YAML_MAP));
		if (n->kind == YAML_MAP)
			require(yaml_get(n, n->items[i].key) ==
				n->items[i].node ||
			    n->count > 100);
		count += measure(n->items[i].node, depth + 1, finite);
	}
	return count;
}

static void
check_input(const uint8_t *data, size_t size)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents = NULL, *copy;
	struct error e = { .text = "" };
	long count, i;
	bool finite;

	count = yaml_parse(arena, "x.yaml", (const char *)data, size,
	    &documents, &e);
	if (count < 0) {
		require(e.code == ERROR_INVALID);
		require(strncmp(e.text, "x.yaml:", 7) == 0);
	}
	for (i = 0; i < count; i++) {
		finite = true;
		require(measure(documents[i], 1, &finite) <= YAML_NODES_MAX);
		print_and_read(arena, documents[i], yaml_write);
		copy = yaml_copy(arena, documents[i]);
		require(yaml_equal(copy, documents[i]));
		if (documents[i]->kind != YAML_MAP &&
		    documents[i]->kind != YAML_LIST)
			continue;
		if (finite) {
			print_and_read(arena, copy, yaml_write_json);
			print_and_read(arena, copy, yaml_write_json_line);
		}
	}
	yaml_arena_free(arena);
}

static void
check_text(const char *text)
{
	struct yaml_arena *a = yaml_arena_new();
	struct yaml_node *map = yaml_new_map(a), *list, *n, *inner;

	n = yaml_new_text(a, text);
	print_and_read(a, n, yaml_write);
	list = yaml_set(a, map, "list", yaml_new_list(a));
	inner = yaml_new_map(a);
	yaml_add(a, list, n);
	yaml_add(a, list, inner);
	yaml_add(a, list, n);
	yaml_set_text(a, inner, "one", text);
	yaml_set_text(a, inner, text, text);
	yaml_set_bool(a, inner, "two", true);
	print_and_read(a, list, yaml_write);
	inner = yaml_new_list(a);
	yaml_add(a, inner, n);
	yaml_add(a, list, inner);
	yaml_set_text(a, map, text, text);
	yaml_set_text(a, map, "last", text);
	print_and_read(a, map, yaml_write);
	print_and_read(a, map, yaml_write_json);
	print_and_read(a, map, yaml_write_json_line);
	yaml_arena_free(a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	check_input(data, size);
	check_text(text);
	free(text);
	return 0;
}
