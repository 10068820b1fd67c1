/*
 * The lines that a runner writes, as Events of Kubernetes.
 */
#include "core/kube/runtime/runtime.h"

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define LINE(time, type, reason, object, message) \
	"{\"time\": \"2026-11-23T14:" time "Z\", \"type\": \"" type \
	"\", \"reason\": \"" reason "\", \"object\": \"" object "\", " \
	"\"message\": \"" message "\"}"

static const char lines_text[] = "[" LINE("00:00", "Normal", "PartitionCreated",
    "bert", "p-bert created") "," LINE("01:00", "Warning", "Restarting", "bert",
    "ended with 1") "," LINE("02:00", "Warning", "Error", "bert-worker-0",
    "ended with 1") "," LINE("03:00", "Warning", "Restarting", "bert",
    "ended with 1") "," LINE("04:00", "Warning", "Restarting", "bert",
    "ended with 2") "," LINE("05:00", "Warning", "Restarting", "bert",
    "ended with 1") ",{\"reason\": \"Odd\"}]";

static const struct {
	const char *kind;
	const char *object;
	const char *reason;
	const char *first;
	const char *last;
	int count;
} events[] = {
	{ "IPUJob", "bert", "PartitionCreated", "14:00:00", "14:00:00", 1 },
	{ "Pod", "bert-worker-0", "Error", "14:02:00", "14:02:00", 1 },
	{ "IPUJob", "bert", "Restarting", "14:04:00", "14:04:00", 1 },
	{ "IPUJob", "bert", "Restarting", "14:01:00", "14:05:00", 3 },
	{ "IPUJob", "bert", "Odd", NULL, NULL, 1 },
};

static void
test_time(const struct yaml_node *event, const char *field, const char *wanted)
{
	const char *got = yaml_get_text(event, field);
	char text[32];

	if (wanted == NULL) {
		ok(got == NULL, field);
		return;
	}
	(void)snprintf(text, sizeof(text), "2026-11-23T%sZ", wanted);
	is_str(got, text, field);
}

static void
test_events(const struct yaml_node *list)
{
	const struct yaml_node *event;
	size_t i, k;

	if (!is_int((long long)list->count, ARRAY_SIZE(events), "events"))
		return;
	for (i = 0; i < list->count; i++) {
		event = list->items[i].node;
		is_str(yaml_get_text(event, "reason"), events[i].reason,
		    "the reason");
		ok(job_status_is_about(event, events[i].kind, events[i].object),
		    "what it is about");
		ok(!job_status_is_about(event, "Pod", "bert") &&
			!job_status_is_about(event, "IPUJob", "x"),
		    "and nothing else");
		is_int(yaml_get_integer(event, "count", 0), events[i].count,
		    "how often");
		test_time(event, "firstTimestamp", events[i].first);
		test_time(event, "lastTimestamp", events[i].last);
		for (k = 0; k < i; k++)
			ok(strcmp(yaml_get_text(event, "metadata/name"),
			       yaml_get_text(list->items[k].node,
				   "metadata/name")) != 0,
			    "a name of its own");
	}
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents, *list;
	char name[96];

	if (!is_int(yaml_parse(arena, "lines", lines_text, strlen(lines_text),
			&documents, NULL),
		1, "the lines"))
		return tap_done();
	list = job_status_events(arena, documents[0], "bert", "gc-dev");
	test_events(list);
	is_str(yaml_get_text(list->items[0].node, "metadata/namespace"),
	    "gc-dev", "the namespace");
	(void)snprintf(name, sizeof(name), "%s",
	    yaml_get_text(list->items[3].node, "metadata/name"));
	/* One more of them changes the count, and nothing else. */
	yaml_add(arena, documents[0], documents[0]->items[1].node);
	list = job_status_events(arena, documents[0], "bert", "gc-dev");
	is_str(yaml_get_text(list->items[4].node, "metadata/name"), name,
	    "the name stays");
	is_int(yaml_get_integer(list->items[4].node, "count", 0), 4,
	    "and it is counted");
	is_int((long long)job_status_events(arena, yaml_new_list(arena), "x",
		   "y")
		   ->count,
	    0, "no lines, no events");
	yaml_arena_free(arena);
	return tap_done();
}
