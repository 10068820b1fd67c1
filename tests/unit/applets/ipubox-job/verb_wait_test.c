/*
 * What wait --for means, and which objects meet it.
 */
#include "applets/ipubox-job/job_watch.h"

#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const char object_text[] =
    "{\"spec\": {\"n\": 3, \"on\": true}, \"status\": {\"phase\": \"Running\", "
    "\"text\": \"two words\", \"conditions\": [{\"type\": \"Running\", "
    "\"status\": \"False\"}, {\"type\": \"Succeeded\", \"status\": "
    "\"True\"}]}}";

static const struct {
	const char *what;
	int there; /* 1, 0 or -1 of the object */
	int gone;  /* where there is none */
} rows[] = {
	{ "delete", 0, 1 },
	{ "DELETE", 0, 1 },
	{ "condition=Succeeded", 1, 0 },
	{ "condition=succeeded", 1, 0 },
	{ "Condition=Succeeded=true", 1, 0 },
	{ "condition=Succeeded=False", 0, 0 },
	{ "condition=Running", 0, 0 },
	{ "condition=Running=False", 1, 0 },
	{ "condition=Ready", 0, 0 },
	{ "condition=Complete", 1, 0 },
	{ "condition=completed=True", 1, 0 },
	{ "condition=Completed=False", 0, 0 },
	{ "condition=", 0, 0 },
	{ "condition=Succeeded=", 0, 0 },
	{ "jsonpath={.status.phase}=Running", 1, 0 },
	{ "jsonpath={.status.phase}=running", 0, 0 },
	{ "jsonpath={.status.nosuch}=x", 0, 0 },
	{ "jsonpath={.status.text}=two words", 1, 0 },
	{ "jsonpath={.spec.n}=3", 1, 0 },
	{ "jsonpath={.spec.on}=true", 1, 0 },
	{ "jsonpath={.status.conditions}=x", -1, 0 },
	{ "jsonpath={.status.conditions[*].type}=x", -1, 0 },
	{ "jsonpath={.status.conditions[9]}=x", -1, 0 },
	{ "jsonpath={.status.conditions[?(@.type==\"Succeeded\")].status}=True",
	    1, 0 },
};

static const char *const bad[][2] = {
	{ "",
	    "unrecognized condition: \"\" (use condition=TYPE, "
	    "jsonpath='{PATH}'=VALUE or delete)" },
	{ "nosuch",
	    "unrecognized condition: \"nosuch\" (use condition=TYPE, "
	    "jsonpath='{PATH}'=VALUE or delete)" },
	{ "condition",
	    "unrecognized condition: \"condition\" (use condition=TYPE, "
	    "jsonpath='{PATH}'=VALUE or delete)" },
	{ "phase=Running",
	    "unrecognized condition: \"phase=Running\" (use condition=TYPE, "
	    "jsonpath='{PATH}'=VALUE or delete)" },
	{ "create",
	    "--for=create is not supported; create returns when the object "
	    "exists, and get -w prints new objects" },
	{ "jsonpath=",
	    "jsonpath wait format must be "
	    "--for=jsonpath='{.status.readyReplicas}'=3" },
	{ "jsonpath=.a=b",
	    "jsonpath wait format must be "
	    "--for=jsonpath='{.status.readyReplicas}'=3" },
	{ "jsonpath={.a}",
	    "jsonpath wait format must be "
	    "--for=jsonpath='{.status.readyReplicas}'=3" },
	{ "jsonpath={.a}=",
	    "jsonpath wait format must be "
	    "--for=jsonpath='{.status.readyReplicas}'=3" },
	{ "jsonpath={.a",
	    "jsonpath wait format must be "
	    "--for=jsonpath='{.status.readyReplicas}'=3" },
	{ "jsonpath={.a[}=x", "unterminated array" },
};

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct wait_for w;
	struct error e;
	size_t i;

	if (!is_int(yaml_parse(arena, "object", object_text,
			strlen(object_text), &documents, NULL),
		1, "the object"))
		return tap_done();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (is_int(wait_for_read(rows[i].what, &w, &e), 0,
			rows[i].what)) {
			is_int(wait_for_is_met(&w, documents[0], &e),
			    rows[i].there, "whether it is met");
			is_int(wait_for_is_met(&w, NULL, &e), rows[i].gone,
			    "by none");
		}
		wait_for_release(&w);
	}
	is_int(wait_for_read(NULL, &w, &e), -1, "nothing");
	wait_for_release(&w);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		is_int(wait_for_read(bad[i][0], &w, &e), -1, bad[i][0]);
		is_str(e.text, bad[i][1], "why not");
		wait_for_release(&w);
	}
	yaml_arena_free(arena);
	return tap_done();
}
