/*
 * Keys in the order in which kubectl prints them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

static const char *const rows[][2] = {
	{ "{}", "{}" },
	{ "[3, 1, 2]", "[3,1,2]" },
	{ "{\"b\": 1, \"a\": 2, \"B\": 3, \"_\": 4, \"aa\": 5, \"\": 6}",
	    "{\"\":6,\"B\":3,\"_\":4,\"a\":2,\"aa\":5,\"b\":1}" },
	{ "{\"b\": [{\"d\": {\"f\": 1, \"e\": 2}, \"c\": null}], \"a\": \"\"}",
	    "{\"a\":\"\",\"b\":[{\"c\":null,\"d\":{\"e\":2,\"f\":1}}]}" },
	{ "\"x\"", "\"x\"" },
};

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct memstream m;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!is_int(yaml_parse(arena, "text", rows[i][0],
				strlen(rows[i][0]), &documents, NULL),
			1, rows[i][0]))
			continue;
		yaml_sort(documents[0]);
		yaml_write_json_line(memstream_open(&m), documents[0]);
		text = memstream_close(&m, NULL);
		is_str(text, rows[i][1], "in order");
		free(text);
	}
	yaml_arena_free(arena);
	return tap_done();
}
