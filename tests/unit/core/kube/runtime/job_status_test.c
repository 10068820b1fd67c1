/*
 * job_status: what a status says, and how its conditions go.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

static const struct yaml_node *
condition(const struct yaml_node *status, const char *type)
{
	const struct yaml_node *list = yaml_get(status, "conditions");
	const char *text;
	size_t i;

	for (i = 0; i < list->count; i++) {
		text = yaml_get_text(list->items[i].node, "type");
		if (strcmp(text, type) == 0)
			return list->items[i].node;
	}
	return NULL;
}

/* One life: each step's words, and which conditions are there then. */
static const struct {
	struct job_progress progress;
	const char *word;
	const char *conditions; /* "TYPE=STATUS ..." */
	bool is_over;
} steps[] = {
	{ { .phase = JOB_PENDING,
	      .instances = 1,
	      .now_s = 1,
	      .reason = "PartitionPending",
	      .message = "waiting" },
	    "Pending", "Created=True ", false },
	{ { .phase = JOB_RUNNING,
	      .instances = 1,
	      .current = 1,
	      .now_s = 2,
	      .active = 1,
	      .has_partition = true,
	      .reason = "IPUJobRunning",
	      .message = "All instances running" },
	    "Running", "Created=True Running=True ", false },
	{ { .phase = JOB_RESTARTING,
	      .instances = 1,
	      .now_s = 3,
	      .restarts = 1,
	      .failed = 1,
	      .reason = "IPUJobRestarting",
	      .message = "pod x: Error" },
	    "Restarting", "Created=True Running=False Restarting=True ",
	    false },
	{ { .phase = JOB_RUNNING,
	      .instances = 1,
	      .current = 1,
	      .now_s = 4,
	      .restarts = 1,
	      .reason = "IPUJobRunning",
	      .message = "m" },
	    "Running", "Created=True Running=True Restarting=False ", false },
	{ { .phase = JOB_COMPLETED,
	      .instances = 1,
	      .now_s = 5,
	      .restarts = 1,
	      .succeeded = 1,
	      .reason = "IPUJobSucceeded",
	      .message = "All instances done" },
	    "Completed",
	    "Created=True Running=False Restarting=False Succeeded=True ",
	    true },
};

static void
describe_conditions(const struct yaml_node *status, char *out, size_t size)
{
	const struct yaml_node *list = yaml_get(status, "conditions");
	size_t i, used = 0;

	out[0] = '\0';
	for (i = 0; i < list->count; i++)
		used += (size_t)snprintf(out + used, size - used, "%s=%s ",
		    yaml_get_text(list->items[i].node, "type"),
		    yaml_get_text(list->items[i].node, "status"));
}

static void
test_life(struct yaml_arena *arena)
{
	struct yaml_node *status = NULL;
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		status = job_status_update(arena, status, &steps[i].progress);
		is_str(yaml_get_text(status, "launcherStatus"), steps[i].word,
		    "the word of STATUS");
		describe_conditions(status, text, sizeof(text));
		is_str(text, steps[i].conditions, "its conditions");
		is_int(job_status_is_over(status), steps[i].is_over,
		    "whether it is over");
		is_int(job_status_phase(status), steps[i].progress.phase,
		    "the phase is read back");
	}
	is_str(yaml_get_text(status, "startTime"), "1970-01-01T00:00:01Z",
	    "it began with the first one");
	is_str(yaml_get_text(status, "completionTime"), "1970-01-01T00:00:05Z",
	    "and ended with the last one");
	is_int(yaml_get_integer(status, "restartCount", -1), 1, "restarts");
	is_int(yaml_get_integer(status, "workersStatus/succeeded", -1), 1,
	    "its pods");
	is_str(yaml_get_text(condition(status, "Running"),
		   "lastTransitionTime"),
	    "1970-01-01T00:00:05Z", "a condition has the time when it changed");
	is_str(yaml_get_text(condition(status, "Created"),
		   "lastTransitionTime"),
	    "1970-01-01T00:00:01Z", "and keeps that of one that did not");
	is_str(yaml_get_text(condition(status, "Running"), "reason"),
	    "IPUJobRunning", "one that is no longer true keeps its reason");
}

static void
test_same_again(struct yaml_arena *arena)
{
	struct job_progress p = { .phase = JOB_RUNNING,
		.instances = 2,
		.current = 1,
		.now_s = 10,
		.reason = "r",
		.message = "1/2" };
	struct yaml_node *status = job_status_update(arena, NULL, &p);

	p.now_s = 20;
	p.message = "2/2";
	status = job_status_update(arena, status, &p);
	is_str(yaml_get_text(condition(status, "Running"), "message"), "2/2",
	    "another message");
	is_str(yaml_get_text(condition(status, "Running"),
		   "lastTransitionTime"),
	    "1970-01-01T00:00:10Z", "is no transition");
	is_str(yaml_get_text(condition(status, "Running"), "lastUpdateTime"),
	    "1970-01-01T00:00:20Z", "but an update");
}

static const struct {
	int restarts;
	long long first_ms, delay_ms;
} delays[] = { { 0, 10000, 10000 }, { 1, 10000, 20000 }, { 2, 10000, 40000 },
	{ 4, 10000, 160000 }, { 5, 10000, 300000 }, { 6, 10000, 300000 },
	{ 2147483647, 10000, 300000 }, { 3, 1000, 8000 },
	{ 0, 999999, 300000 } };

static void
test_delays(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(delays); i++)
		is_int(job_status_delay_ms(delays[i].restarts,
			   delays[i].first_ms),
		    delays[i].delay_ms, "the time before a restart");
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();

	test_life(arena);
	test_same_again(arena);
	test_delays();
	ok(!job_status_is_over(NULL), "no status yet: it is not over");
	is_int(job_status_phase(NULL), JOB_PENDING, "it is to begin");
	yaml_arena_free(arena);
	return tap_done();
}
