/*
 * What is left of a Secret that is shown.
 */
#include "core/kube/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

static const struct {
	const char *secret;
	const char *shown;
} rows[] = {
	{ "{\"kind\": \"Secret\", \"data\": {\"a\": \"c2VjcmV0\", \"b\": "
	  "\"\"}}",
	    "{\"kind\":\"Secret\",\"data\":{\"a\":\"(6 bytes)\",\"b\":\"(0 "
	    "bytes)\"}}" },
	{ "{\"stringData\": {\"a\": \"hello\"}, \"data\": {\"a\": "
	  "\"c2VjcmV0\", \"z\": \"!\"}}",
	    "{\"data\":{\"a\":\"(5 bytes)\",\"z\":\"(not base64)\"}}" },
	{ "{\"metadata\": {\"annotations\": {\"x\": \"y\", "
	  "\"kubectl.kubernetes.io/last-applied-configuration\": \"secret\"}}}",
	    "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}" },
	{ "{\"data\": \"secret\", \"stringData\": [\"secret\"]}", "{}" },
	{ "{\"data\": {\"a\": {\"b\": \"secret\"}}, \"metadata\": "
	  "{\"annotations\": \"x\"}}",
	    "{\"data\":{\"a\":\"(0 "
	    "bytes)\"},\"metadata\":{\"annotations\":\"x\"}}" },
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
		if (!is_int(yaml_parse(arena, "secret", rows[i].secret,
				strlen(rows[i].secret), &documents, NULL),
			1, rows[i].secret))
			continue;
		pod_data_hide(arena, documents[0]);
		yaml_write_json_line(memstream_open(&m), documents[0]);
		text = memstream_close(&m, NULL);
		is_str(text, rows[i].shown, "what is shown");
		free(text);
	}
	yaml_arena_free(arena);
	return tap_done();
}
