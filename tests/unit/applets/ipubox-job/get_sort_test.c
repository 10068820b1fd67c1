/*
 * The order of --sort-by.
 */
#include "applets/ipubox-job/get_sort.h"

#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "tests/unit/tap.h"

static const struct {
	const char	*a;
	const char	*b;
	int		 order;
} texts[] = {
	{ "", "", 0 },
	{ "a", "a", 0 },
	{ "a", "b", -1 },
	{ "b", "a", 1 },
	{ "a", "ab", -1 },
	{ "w-2", "w-10", -1 },
	{ "w-10", "w-9", 1 },
	{ "w-10-a", "w-10-b", -1 },
	{ "w-007", "w-7", 0 },
	{ "2026-11-23T14:19:35Z", "2026-11-23T14:19:36Z", -1 },
	{ "1", "a", -1 }
};

static const char	objects_text[] =
    "[{\"n\": \"a\", \"i\": 10, \"q\": \"2Gi\", \"b\": true},"
    " {\"n\": \"b\", \"i\": 9, \"q\": \"500Mi\", \"b\": false},"
    " {\"n\": \"c\", \"i\": 10, \"t\": \"w-10\"},"
    " {\"n\": \"d\", \"i\": -1.5, \"t\": \"w-9\", \"q\": \"1\"}]";

static const struct {
	const char	*path;
	const char	*order;
} rows[] = {
	{ ".n", "abcd" },
	{ "{.n}", "abcd" },
	{ "i", "dbac" },
	{ ".q", "cdba" },
	{ ".b", "cdba" },
	{ ".t", "abdc" }
};

static void
test_order(const struct yaml_node *list, size_t row)
{
	struct resource_found	 items[4];
	struct founds	 f = { .items = items, .count = list->count };
	char		 got[sizeof(items) / sizeof(items[0]) + 1];
	size_t		 i;

	for (i = 0; i < list->count; i++)
		items[i] = (struct resource_found){ .type = RESOURCE_POD,
		    .object = list->items[i].node };
	is_int(get_sort_founds(rows[row].path, &f, NULL), 0, rows[row].path);
	for (i = 0; i < f.count; i++)
		got[i] = yaml_get_text(items[i].object, "n")[0];
	got[i] = '\0';
	is_str(got, rows[row].order, "the order");
}

static void
test_refused(const struct yaml_node *list)
{
	struct resource_found	item = { .object = list->items[0].node };
	struct founds	f = { .items = &item, .count = 1 };
	struct error	e;

	is_int(get_sort_founds(".x", &f, &e), -1, "a field that none has");
	is_str(e.text, "couldn't find any field with path \"{.x}\" in the "
	    "list of objects", "is refused");
	is_int(get_sort_founds("{.x", &f, &e), -1, "what is no path");
	f.count = 0;
	is_int(get_sort_founds(".x", &f, &e), 0, "of nothing");
}

/* Types are sorted each by themselves. */
static void
test_types(const struct yaml_node *list)
{
	struct resource_found	items[] = {
		{ .type = RESOURCE_POD, .object = list->items[0].node },
		{ .type = RESOURCE_POD, .object = list->items[1].node },
		{ .type = RESOURCE_IPUJOB, .object = list->items[3].node }
	};
	struct founds	f = { .items = items, .count = ARRAY_SIZE(items) };

	is_int(get_sort_founds(".i", &f, NULL), 0, "two types");
	ok(items[0].object == list->items[1].node &&
	    items[1].object == list->items[0].node &&
	    items[2].object == list->items[3].node, "each by itself");
}

int
main(void)
{
	struct yaml_arena	 *arena = yaml_arena_new();
	struct yaml_node	**documents;
	size_t			  i;
	int			  order;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		order = get_sort_compare_texts(texts[i].a, texts[i].b);
		is_int((order > 0) - (order < 0), texts[i].order,
		    texts[i].a);
	}
	if (!is_int(yaml_parse(arena, "objects", objects_text,
	    strlen(objects_text), &documents, NULL), 1, "the objects"))
		return tap_done();
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_order(documents[0], i);
	test_refused(documents[0]);
	test_types(documents[0]);
	yaml_arena_free(arena);
	return tap_done();
}
