/*
 * pod_object: times, words, and a state that is read back.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"
#include "tests/unit/tap.h"

/* Each threshold of duration.HumanDuration, on both sides. */
static const struct {
	long long seconds;
	const char *text;
} ages[] = { { -2, "<invalid>" }, { -1, "0s" }, { 0, "0s" }, { 1, "1s" },
	{ 60, "60s" }, { 119, "119s" }, { 120, "2m" }, { 121, "2m1s" },
	{ 599, "9m59s" }, { 600, "10m" }, { 661, "11m" }, { 10799, "179m" },
	{ 10800, "3h" }, { 10860, "3h1m" }, { 28799, "7h59m" }, { 28800, "8h" },
	{ 172799, "47h" }, { 172800, "2d" }, { 176400, "2d1h" },
	{ 691199, "7d23h" }, { 691200, "8d" }, { 63071999, "729d" },
	{ 63072000, "2y" }, { 63158400, "2y1d" }, { 252287999, "7y364d" },
	{ 252288000, "8y" } };

static void
test_ages(void)
{
	char text[CLOCK_TEXT_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ages); i++) {
		pod_object_age(ages[i].seconds, text);
		is_str(text, ages[i].text, "an age");
	}
}

static void
test_times(void)
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(1795447175, text);
	is_str(text, "2026-11-23T15:19:35Z", "a time as RFC 3339 has it");
	is_int(pod_object_read_time(text), 1795447175, "and back");
	is_int(pod_object_read_time(NULL), 0, "none");
	is_int(pod_object_read_time("yesterday"), 0, "no time");
	is_int(pod_object_read_time("2026-11-23T15:19:35Z and more"), 0,
	    "nor this");
}

static const struct {
	struct pod_state state;
	const char *word;
} words[] = {
	{ { .phase = POD_PENDING, .reason = "ContainerCreating" },
	    "ContainerCreating" },
	{ { .phase = POD_PENDING }, "Pending" },
	{ { .phase = POD_PENDING,
	      .reason = "ContainerCreating",
	      .started_s = 1,
	      .steps = 2,
	      .steps_done = 1 },
	    "Init:1/2" },
	{ { .phase = POD_RUNNING }, "Running" },
	{ { .phase = POD_RUNNING, .reason = "CrashLoopBackOff" },
	    "CrashLoopBackOff" },
	{ { .phase = POD_SUCCEEDED, .reason = "Completed", .finished_s = 1 },
	    "Completed" },
	{ { .phase = POD_FAILED, .reason = "Evicted", .finished_s = 1 },
	    "Evicted" },
	{ { .phase = POD_FAILED, .reason = "Error", .finished_s = 1 },
	    "Error" },
};

static void
test_words(void)
{
	char word[POD_REASON_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		pod_object_word(&words[i].state, word);
		is_str(word, words[i].word, "what STATUS shows");
	}
	is_str(pod_object_end_reason(0), "Completed", "an end that is well");
	is_str(pod_object_end_reason(3), "Error", "and one that is not");
}

static const char manifest[] =
    "metadata: {name: job, uid: u-1}\n"
    "spec:\n"
    "  launcher: {command: [mpirun, hostname], env: [{name: A, value: b}]}\n"
    "  workers:\n"
    "    template:\n"
    "      metadata: {labels: {app: bert}, annotations: {why: not}}\n"
    "      spec:\n"
    "        initContainers: [{name: prep, command: [\"true\"]}]\n"
    "        containers:\n"
    "        - {name: main, image: i, command: [python3], args: [t.py]}\n"
    "        - {name: beside, image: i, command: [tensorboard]}\n";

static struct yaml_node *
parse(struct yaml_arena *arena)
{
	struct yaml_node **documents;

	return yaml_parse(arena, "test", manifest, strlen(manifest), &documents,
		   NULL) == 1 ?
	    documents[0] :
	    NULL;
}

static const char *
first_word(const struct yaml_node *list)
{
	return list != NULL && list->count > 0 ?
	    list->items[0].node->text :
	    NULL;
}

/* What the workers of a launcher do, and what the launcher runs. */
static void
test_roles(struct yaml_arena *arena, const struct yaml_node *object)
{
	const struct ipujob job = { .name = "job",
		.space = "ns",
		.launcher = yaml_path(object, "spec/launcher"),
		.template = yaml_path(object, "spec/workers/template") };
	const struct pod_place worker = { .role = POD_WORKER,
		.name = "job-worker-0",
		.host = "here",
		.uid = "p-1" };
	const struct pod_place launcher = { .role = POD_LAUNCHER,
		.name = "job-launcher",
		.host = "here",
		.uid = "p-2" };
	struct yaml_node *pod, *c;

	pod = pod_object_new(arena, object, &job, &worker, 1795447175);
	c = pod_object_container(pod);
	is_str(first_word(yaml_get(c, "command")), "sleep",
	    "a worker waits for its launcher");
	ok(yaml_get(c, "args") == NULL, "and for nothing else");
	is_int((long long)yaml_path(pod, "spec/containers")->count, 1,
	    "what would run beside it is left out");
	is_str(yaml_get_text(yaml_path(pod, "metadata/labels"), "app"), "bert",
	    "it has the template's labels");
	is_str(yaml_get_text(pod, "spec/hostname"), "job-worker-0",
	    "and its own name");
	is_str(yaml_get_text(
		   yaml_path(pod, "metadata/ownerReferences")->items[0].node,
		   "uid"),
	    "u-1", "it is the job's");
	pod = pod_object_new(arena, object, &job, &launcher, 1795447175);
	c = pod_object_container(pod);
	is_str(first_word(yaml_get(c, "command")), "mpirun",
	    "the launcher runs its own command");
	ok(yaml_get(c, "args") == NULL &&
		yaml_path(pod, "spec/initContainers") == NULL,
	    "without what the workers have");
	is_str(yaml_get_text(yaml_get(c, "env")->items[0].node, "name"), "A",
	    "with its environment");
	is_str(first_word(yaml_path(object,
		   "spec/workers/template/spec/containers")
			      ->items[0]
			      .node->items[2]
			      .node),
	    "python3", "the job's own object stays as it was");
}

static const struct pod_state states[] = {
	{ .phase = POD_PENDING,
	    .reason = "ContainerCreating",
	    .created_s = 100 },
	{ .phase = POD_PENDING,
	    .reason = "CreateContainerConfigError",
	    .message = "configmap x: not found",
	    .created_s = 100,
	    .steps = 2,
	    .steps_done = 1 },
	{ .phase = POD_RUNNING,
	    .created_s = 100,
	    .started_s = 101,
	    .restarts = 2,
	    .last_finished_s = 99 },
	{ .phase = POD_SUCCEEDED,
	    .reason = "Completed",
	    .created_s = 100,
	    .started_s = 101,
	    .finished_s = 102 },
	{ .phase = POD_FAILED,
	    .reason = "Error",
	    .message = "killed",
	    .status = 137,
	    .created_s = 100,
	    .started_s = 101,
	    .finished_s = 102,
	    .restarts = 1,
	    .last_finished_s = 90 },
	{ .phase = POD_FAILED,
	    .reason = "CreateContainerError",
	    .message = "volume data",
	    .status = 128,
	    .created_s = 100,
	    .finished_s = 102 },
};

static void
test_states(struct yaml_arena *arena, const struct yaml_node *object)
{
	const struct ipujob job = { .name = "job",
		.space = "ns",
		.template = yaml_path(object, "spec/workers/template") };
	const struct pod_place place = { .role = POD_WORKER,
		.name = "job-worker-0",
		.host = "here",
		.uid = "p-1" };
	struct yaml_node *pod;
	struct pod_state s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		pod = pod_object_new(arena, object, &job, &place, 100);
		pod_object_set_state(arena, pod, &states[i]);
		pod_object_state(pod, &s);
		ok(s.phase == states[i].phase && s.status == states[i].status &&
			s.restarts == states[i].restarts &&
			s.steps == states[i].steps &&
			s.steps_done == states[i].steps_done,
		    "what it is");
		ok(s.created_s == states[i].created_s &&
			s.started_s == states[i].started_s &&
			s.finished_s == states[i].finished_s &&
			s.last_finished_s == states[i].last_finished_s,
		    "its times");
		is_str(s.reason, states[i].reason, "its reason");
		is_str(s.message, states[i].message, "its message");
	}
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *object = parse(arena);

	test_ages();
	test_times();
	test_words();
	test_roles(arena, object);
	test_states(arena, object);
	yaml_arena_free(arena);
	return tap_done();
}
