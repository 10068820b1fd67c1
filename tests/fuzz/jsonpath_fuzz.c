/* Templates of jsonpath: refused, or walked to an end. */
#include "applets/ipubox-job/jsonpath.h"
#include "core/base/text.h"
#include "tests/fuzz/fuzz.h"

static const char object_text[] =
    "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"metadata\": "
    "{\"name\": \"a\", \"labels\": {\"a.b/c\": \"d\"}}, \"n\": 1, \"f\": 0.5, "
    "\"b\": true, \"z\": null, \"l\": [[1, 2], [], [3]]}, {\"metadata\": "
    "{\"name\": \"b\"}, \"n\": 2}], \"metadata\": {}}";

static void
walk(const struct jsonpath *p, const struct yaml_node *object)
{
	struct jsonpath_found found;
	struct memstream m;
	struct error e;
	char *text;
	int status = jsonpath_print(p, object, memstream_open(&m), &e);

	text = memstream_close(&m, NULL);
	require(status == 0 || text[0] == '\0');
	free(text);
	(void)jsonpath_find(p, object, &found, &e);
	jsonpath_release(&found);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct yaml_node **documents;
	static struct yaml_arena *arena;
	struct jsonpath p;
	struct error e;
	char *text = fuzz_text(data, size);

	if (arena == NULL) {
		arena = yaml_arena_new();
		require(yaml_parse(arena, "object", object_text,
			    sizeof(object_text) - 1, &documents, NULL) == 1);
	}
	if (jsonpath_read(text, &p, &e) == 0)
		walk(&p, documents[0]);
	jsonpath_free(&p);
	free(text);
	return 0;
}
