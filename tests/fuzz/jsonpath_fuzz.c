/* Templates of jsonpath: refused, or walked to an end. */
#include "applets/ipubox-job/jsonpath_walk.h"
#include "core/base/memstream.h"
#include "tests/fuzz/fuzz.h"

static const char	object_text[] =
    "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"metadata\":"
    " {\"name\": \"a\", \"labels\": {\"a.b/c\": \"d\"}}, \"n\": 1, \"f\": 0.5,"
    " \"b\": true, \"z\": null, \"l\": [[1, 2], [], [3]]}, {\"metadata\":"
    " {\"name\": \"b\"}, \"n\": 2}], \"metadata\": {}}";

static void
walk(const struct jsonpath *p, const struct yaml_node *object)
{
	struct jsonpath_found	 found;
	struct memstream	 m;
	struct error		 e;
	char			*text;
	int			 as_json, status;

	for (as_json = 0; as_json < 2; as_json++) {
		status = jsonpath_walk_print(p, object, as_json != 0,
		    memstream_open(&m), &e);
		text = memstream_close(&m, NULL);
		require(status == 0 || text[0] == '\0');
		free(text);
	}
	status = jsonpath_walk_find(p, object, &found, &e);
	require(found.count <= JSONPATH_VALUES_MAX);
	jsonpath_walk_release(&found);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct yaml_node	**documents;
	static struct yaml_arena *arena;
	struct jsonpath		  p;
	struct error		  e;
	char			 *text = fuzz_text(data, size), *complete;

	if (arena == NULL) {
		arena = yaml_arena_new();
		require(yaml_parse(arena, "object", object_text,
		    sizeof(object_text) - 1, &documents, NULL) == 1);
	}
	if (jsonpath_read(text, &p, &e) == 0)
		walk(&p, documents[0]);
	jsonpath_free(&p);
	complete = jsonpath_complete(text, &e);
	require(complete == NULL || complete[0] == '{');
	free(complete);
	free(text);
	return 0;
}
