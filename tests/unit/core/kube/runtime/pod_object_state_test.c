/*
 * The state of a pod in its object, and the words that `get pods` has for it.
 */
#include "core/kube/runtime/runtime.h"

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { CREATED = 1795443000, STARTED = CREATED + 10, FINISHED = CREATED + 70 };

/* States as the runner has them; each is read back as it was. */
static const struct {
	struct pod_state state;
	const char *word;
	const char *conditions; /* Initialized, Ready, ContainersReady,
				   PodScheduled */
} states[] = {
	{ { .phase = POD_PENDING, .reason = "ContainerCreating" },
	    "ContainerCreating", "TFFT" },
	{ { .phase = POD_PENDING,
	      .reason = "CreateContainerConfigError",
	      .message = "secret \"wandb\" not found" },
	    "CreateContainerConfigError", "TFFT" },
	{ { .phase = POD_RUNNING, .started_s = STARTED }, "Running", "TTTT" },
	{ { .phase = POD_RUNNING,
	      .started_s = STARTED,
	      .restarts = 2,
	      .last_finished_s = CREATED + 5 },
	    "Running", "TTTT" },
	{ { .phase = POD_SUCCEEDED,
	      .reason = "Completed",
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "Completed", "TFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "Error",
	      .status = 3,
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "Error", "TFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "OOMKilled",
	      .status = 137,
	      .message = "over 200Gi",
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "OOMKilled", "TFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "Evicted",
	      .status = 143,
	      .message = "Usage of EmptyDir volume \"x\" exceeds the limit",
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "Evicted", "TFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "RunContainerError",
	      .status = 128,
	      .finished_s = FINISHED },
	    "RunContainerError", "TFFT" },
	{ { .phase = POD_PENDING, .reason = "PodInitializing", .steps = 2 },
	    "Init:0/2", "FFFT" },
	{ { .phase = POD_PENDING,
	      .steps = 2,
	      .steps_done = 1,
	      .started_s = STARTED },
	    "Init:1/2", "FFFT" },
	{ { .phase = POD_PENDING,
	      .reason = "CreateContainerConfigError",
	      .message = "configmap x not found",
	      .steps = 2,
	      .steps_done = 1 },
	    "Init:CreateContainerConfigError", "FFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "Error",
	      .status = 1,
	      .steps = 2,
	      .steps_done = 1,
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "Init:Error", "FFFT" },
	{ { .phase = POD_FAILED,
	      .reason = "DeadlineExceeded",
	      .status = 143,
	      .message = "Pod was active on the node longer than the specified "
			 "deadline",
	      .steps = 1,
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "DeadlineExceeded", "FFFT" },
	{ { .phase = POD_RUNNING,
	      .steps = 2,
	      .steps_done = 2,
	      .started_s = STARTED },
	    "Running", "TTTT" },
	{ { .phase = POD_SUCCEEDED,
	      .reason = "Completed",
	      .steps = 2,
	      .steps_done = 2,
	      .started_s = STARTED,
	      .finished_s = FINISHED },
	    "Completed", "TFFT" },
};

/* Objects that others wrote. */
static const struct {
	const char *pod;
	const char *word;
} foreign[] = {
	{ "{\"status\": {\"phase\": \"Running\", \"containerStatuses\": "
	  "[{\"state\": {\"waiting\": {\"reason\": \"CrashLoopBackOff\"}}}]}}",
	    "CrashLoopBackOff" },
	{ "{\"status\": {\"phase\": \"Failed\", \"containerStatuses\": "
	  "[{\"state\": {\"terminated\": {\"exitCode\": 143, \"signal\": "
	  "15}}}]}}",
	    "Signal:15" },
	{ "{\"status\": {\"phase\": \"Failed\", \"containerStatuses\": "
	  "[{\"state\": {\"terminated\": {\"exitCode\": 3}}}]}}",
	    "ExitCode:3" },
	{ "{\"status\": {\"phase\": \"Pending\"}}", "Pending" },
	{ "{\"status\": {\"phase\": \"Succeeded\", \"containerStatuses\": "
	  "[{\"state\": {\"terminated\": {\"reason\": \"Completed\"}}}]}}",
	    "Completed" },
	{ "{\"status\": {\"phase\": \"Failed\", \"reason\": \"NodeLost\"}}",
	    "NodeLost" },
	{ "{}", "Pending" },
};

static const char pod_text[] =
    "{\"metadata\": {\"name\": \"bert-worker-0\", \"creationTimestamp\": "
    "\"2026-11-23T14:10:00Z\"}, \"spec\": {\"initContainers\": [{\"name\": "
    "\"fetch\"}, {\"name\": \"unpack\"}], \"containers\": [{\"name\": "
    "\"train\", \"image\": \"i\"}]}}";

static void
test_conditions(const struct yaml_node *pod, const char *wanted)
{
	static const char *const types[] = { "Initialized", "Ready",
		"ContainersReady", "PodScheduled" };
	const struct yaml_node *list = yaml_path(pod, "status/conditions"), *c;
	size_t i;

	if (!is_int((long long)list->count, 4, "conditions"))
		return;
	for (i = 0; i < list->count; i++) {
		c = list->items[i].node;
		is_str(yaml_get_text(c, "type"), types[i], "a condition");
		is_str(yaml_get_text(c, "status"),
		    wanted[i] == 'T' ? "True" : "False", "its status");
		ok(pod_object_read_time(yaml_get_text(c,
		       "lastTransitionTime")) >= CREATED,
		    "since when");
	}
}

static void
test_state(struct yaml_arena *arena, struct yaml_node *pod, size_t row)
{
	struct pod_state s = states[row].state, back;
	char word[POD_REASON_SIZE];

	s.created_s = CREATED;
	pod_object_set_state(arena, pod, &s);
	pod_object_state(pod, &back);
	pod_object_word(&back, word);
	is_str(word, states[row].word, "the word");
	is_int((int)back.phase, (int)s.phase, "the phase");
	/* The reason of a pod that initializes may be left out. */
	if (s.reason[0] != '\0')
		is_str(back.reason, s.reason, "the reason");
	is_str(back.message, s.message, "the message");
	is_int(back.status, s.status, "the exit status");
	is_int(back.restarts, s.restarts, "the restarts");
	is_int(back.steps, s.steps, "the initContainers");
	is_int(back.steps_done, s.steps_done, "of which are done");
	is_int(back.created_s, CREATED, "when it was made");
	is_int(back.started_s, s.started_s, "when it was started");
	is_int(back.finished_s, s.finished_s, "when it ended");
	is_int(back.last_finished_s, s.last_finished_s, "and before");
	test_conditions(pod, states[row].conditions);
}

/* What is a pod's stands in its status, what is a container's in that one's. */
static void
test_places(struct yaml_arena *arena, struct yaml_node *pod)
{
	struct pod_state s = { .phase = POD_FAILED,
		.reason = "Evicted",
		.message = "too much",
		.status = 143,
		.created_s = CREATED,
		.finished_s = FINISHED };
	const struct yaml_node *in;

	pod_object_set_state(arena, pod, &s);
	is_str(yaml_get_text(pod, "status/reason"), "Evicted", "of the pod");
	in = yaml_path(pod, "status/containerStatuses")->items[0].node;
	is_str(yaml_get_text(in, "state/terminated/reason"), "Error",
	    "of its container");
	is_str(yaml_get_text(in, "state/terminated/signal"), "15",
	    "its signal");
	is_str(yaml_get_text(in, "name"), "train", "its name");
}

/* Only what a shell makes of a signal's end stands for one. */
static void
test_signals(void)
{
	is_int(pod_object_signal(0), 0, "done");
	is_int(pod_object_signal(128), 0, "128: could not begin");
	is_int(pod_object_signal(137), 9, "137: killed");
	is_int(pod_object_signal(192), 64, "192: the last signal");
	is_int(pod_object_signal(205), 0, "205: mpirun lost a host");
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	struct pod_state s;
	char word[POD_REASON_SIZE];
	size_t i;

	if (!is_int(yaml_parse(arena, "pod", pod_text, strlen(pod_text),
			&documents, NULL),
		1, "the pod"))
		return tap_done();
	for (i = 0; i < ARRAY_SIZE(states); i++)
		test_state(arena, documents[0], i);
	test_places(arena, documents[0]);
	for (i = 0; i < ARRAY_SIZE(foreign); i++) {
		if (!is_int(yaml_parse(arena, "pod", foreign[i].pod,
				strlen(foreign[i].pod), &documents, NULL),
			1, foreign[i].pod))
			continue;
		pod_object_state(documents[0], &s);
		pod_object_word(&s, word);
		is_str(word, foreign[i].word, "the word");
	}
	yaml_arena_free(arena);
	test_signals();
	return tap_done();
}
