/*
 * A pod of an IPUJob as an object: the contents of `get pod -o yaml`, which a
 * runner reads back after the last one was killed.
 */
#include "core/kube/runtime/runtime.h"

#include <bsd/string.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/kube/schema/schema.h"

enum {
	SECOND = 1,
	MINUTE = 60,
	HOUR = 60 * MINUTE,
	DAY = 24 * HOUR,
	YEAR = 365 * DAY,
	SIGNAL_BASE = 128, /* base of exit statuses after a signal */
	SIGNAL_MAX = 64
};

/* Reason of a container that waits for the pod's initContainers. */
static const char initializing[] = "PodInitializing";

static const char *const phase_names[] = { [POD_PENDING] = "Pending",
	[POD_RUNNING] = "Running",
	[POD_SUCCEEDED] = "Succeeded",
	[POD_FAILED] = "Failed" };

int64_t
pod_object_read_time(const char *text)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *end;

	if (text == NULL)
		return 0;
	end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return end != NULL && *end == '\0' ? (int64_t)timegm(&tm) : 0;
}

/* Write an age in two units, "3d2h": the larger one and the remainder. */
static void
age_of_two(int64_t seconds, int64_t large, char large_unit, int64_t small,
    char small_unit, char text[POD_TIME_SIZE])
{
	const long long a = seconds / large, b = seconds % large / small;

	if (b == 0)
		(void)snprintf(text, POD_TIME_SIZE, "%lld%c", a, large_unit);
	else
		(void)snprintf(text, POD_TIME_SIZE, "%lld%c%lld%c", a,
		    large_unit, b, small_unit);
}

/*
 * Source: k8s.io/apimachinery, duration.HumanDuration: two units while the
 * larger one is small, then one.
 */
void
pod_object_age(int64_t s, char text[POD_TIME_SIZE])
{
	if (s < -1)
		(void)snprintf(text, POD_TIME_SIZE, "<invalid>");
	else if (s < 0)
		(void)snprintf(text, POD_TIME_SIZE, "0s");
	else if (s < 2 * MINUTE)
		(void)snprintf(text, POD_TIME_SIZE, "%llds", (long long)s);
	else if (s < 10 * MINUTE)
		age_of_two(s, MINUTE, 'm', SECOND, 's', text);
	else if (s < 3 * HOUR)
		(void)snprintf(text, POD_TIME_SIZE, "%lldm",
		    (long long)(s / MINUTE));
	else if (s < 8 * HOUR)
		age_of_two(s, HOUR, 'h', MINUTE, 'm', text);
	else if (s < 2 * DAY)
		(void)snprintf(text, POD_TIME_SIZE, "%lldh",
		    (long long)(s / HOUR));
	else if (s < 8 * DAY)
		age_of_two(s, DAY, 'd', HOUR, 'h', text);
	else if (s < 2 * (int64_t)YEAR)
		(void)snprintf(text, POD_TIME_SIZE, "%lldd",
		    (long long)(s / DAY));
	else if (s < 8 * (int64_t)YEAR)
		age_of_two(s, YEAR, 'y', DAY, 'd', text);
	else
		(void)snprintf(text, POD_TIME_SIZE, "%lldy",
		    (long long)(s / YEAR));
}

const char *
pod_object_end_reason(int status)
{
	return status == 0 ? "Completed" : "Error";
}

/* Merge the job's and the template's labels, with the operator's first. */
static struct yaml_node *
pod_labels(struct yaml_arena *arena, const struct yaml_node *template,
    const struct ipujob *job, const struct pod_place *p)
{
	struct yaml_node *own = yaml_path(template, "metadata/labels");
	struct yaml_node *labels = own != NULL ?
	    yaml_copy(arena, own) :
	    yaml_new_map(arena);
	char number[16];

	yaml_set_text(arena, labels, "graphcore.ai/job-name", job->name);
	(void)snprintf(number, sizeof(number), "%d", p->instance);
	yaml_set_text(arena, labels, "graphcore.ai/job-instance", number);
	yaml_set_text(arena, labels, "graphcore.ai/replica-type",
	    p->role == POD_LAUNCHER ? "launcher" : "worker");
	return labels;
}

static struct yaml_node *
pod_metadata(struct yaml_arena *arena, const struct yaml_node *ipujob,
    const struct ipujob *job, const struct pod_place *p, int64_t now_s)
{
	const struct yaml_node *own = yaml_path(job->template,
	    "metadata/annotations");
	struct yaml_node *m = yaml_new_map(arena), *owner, *list;
	char now[CLOCK_TEXT_SIZE];

	if (own != NULL)
		(void)yaml_set(arena, m, "annotations", yaml_copy(arena, own));
	clock_text(now_s, now);
	yaml_set_text(arena, m, "creationTimestamp", now);
	(void)yaml_set(arena, m, "labels",
	    pod_labels(arena, job->template, job, p));
	yaml_set_text(arena, m, "name", p->name);
	yaml_set_text(arena, m, "namespace", job->space);
	list = yaml_set(arena, m, "ownerReferences", yaml_new_list(arena));
	owner = yaml_new_map(arena);
	yaml_set_text(arena, owner, "apiVersion", "graphcore.ai/v1alpha1");
	yaml_set_bool(arena, owner, "blockOwnerDeletion", true);
	yaml_set_bool(arena, owner, "controller", true);
	yaml_set_text(arena, owner, "kind", "IPUJob");
	yaml_set_text(arena, owner, "name", job->name);
	yaml_set_text(arena, owner, "uid",
	    yaml_get_text(ipujob, "metadata/uid"));
	yaml_add(arena, list, owner);
	yaml_set_text(arena, m, "uid", p->uid);
	return m;
}

/* Make the launcher: the worker's container with another command. */
static void
pod_object_set_launcher(struct yaml_arena *arena, struct yaml_node *spec,
    const struct ipujob *job)
{
	struct yaml_node *containers = yaml_get(spec, "containers"), *c;
	const struct yaml_node *env = yaml_get(job->launcher, "env");
	size_t i;

	if (containers == NULL || containers->count == 0)
		return;
	c = containers->items[0].node;
	(void)yaml_set(arena, c, "command",
	    yaml_copy(arena, yaml_get(job->launcher, "command")));
	yaml_unset(c, "args");
	yaml_unset(spec, "initContainers");
	if (env == NULL)
		return;
	if (yaml_get(c, "env") == NULL)
		(void)yaml_set(arena, c, "env", yaml_new_list(arena));
	for (i = 0; i < env->count; i++)
		yaml_add(arena, yaml_get(c, "env"), env->items[i].node);
}

/* Make a worker wait for commands of its launcher. */
static void
set_waiting_worker(struct yaml_arena *arena, struct yaml_node *spec)
{
	struct yaml_node *containers = yaml_get(spec, "containers");
	struct yaml_node *command;

	if (containers == NULL || containers->count == 0)
		return;
	command = yaml_new_list(arena);
	yaml_add(arena, command, yaml_new_text(arena, "sleep"));
	yaml_add(arena, command, yaml_new_text(arena, "365d"));
	(void)yaml_set(arena, containers->items[0].node, "command", command);
	yaml_unset(containers->items[0].node, "args");
}

/* Whether the command is missing; an interactive job needs none, because it is
   never run. */
static bool
lacks_command(const struct ipujob *job, const struct yaml_node *spec)
{
	const struct yaml_node *containers = yaml_get(spec, "containers");

	return job->ttl_seconds >= 0 && containers != NULL &&
	    containers->count > 0 &&
	    yaml_get(containers->items[0].node, "command") == NULL;
}

struct yaml_node *
pod_object_new(struct yaml_arena *arena, const struct yaml_node *ipujob,
    const struct ipujob *job, const struct pod_place *p, int64_t now_s)
{
	const struct yaml_node *own = yaml_get(job->template, "spec");
	struct yaml_node *pod = yaml_new_map(arena), *spec;

	yaml_set_text(arena, pod, "apiVersion", "v1");
	yaml_set_text(arena, pod, "kind", "Pod");
	(void)yaml_set(arena, pod, "metadata",
	    pod_metadata(arena, ipujob, job, p, now_s));
	spec = yaml_set(arena, pod, "spec",
	    own != NULL ? yaml_copy(arena, own) : yaml_new_map(arena));
	/* Drop other containers; lint warns about them. */
	pod_node_cut(spec, "containers", 1);
	if (p->role == POD_LAUNCHER)
		pod_object_set_launcher(arena, spec, job);
	else if (job->launcher != NULL || lacks_command(job, spec))
		set_waiting_worker(arena, spec);
	if (yaml_get(spec, "hostname") == NULL)
		yaml_set_text(arena, spec, "hostname", p->name);
	yaml_set_text(arena, spec, "nodeName", p->host);
	return pod;
}

struct yaml_node *
pod_object_container(const struct yaml_node *pod)
{
	struct yaml_node *list = yaml_path(pod, "spec/containers");

	return list != NULL && list->kind == YAML_LIST && list->count > 0 ?
	    list->items[0].node :
	    NULL;
}

/* Whether the reason is the whole pod's; all others are a container's. */
static bool
is_pod_reason(const char *reason)
{
	static const char *const reasons[] = { "DeadlineExceeded", "Evicted",
		"NodeLost", "UnexpectedAdmissionError" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (strcmp(reason, reasons[i]) == 0)
			return true;
	return false;
}

/* Whether the reason is the default of a waiting container. */
static bool
pod_object_is_plain(const char *reason)
{
	return reason[0] == '\0' || strcmp(reason, "ContainerCreating") == 0 ||
	    strcmp(reason, initializing) == 0;
}

/* Whether the state is that of an initContainer. */
static bool
is_in_steps(const struct pod_state *s)
{
	return s->steps_done < s->steps &&
	    (s->phase == POD_PENDING || s->phase == POD_FAILED);
}

static void
pod_object_set_time(struct yaml_arena *arena, struct yaml_node *map,
    const char *key, int64_t s)
{
	char text[CLOCK_TEXT_SIZE];

	if (s == 0)
		return;
	clock_text(s, text);
	yaml_set_text(arena, map, key, text);
}

/* Set a text unless it is empty. */
static void
set_filled(struct yaml_arena *arena, struct yaml_node *map, const char *key,
    const char *text)
{
	if (text[0] != '\0')
		yaml_set_text(arena, map, key, text);
}

static struct yaml_node *
waiting_state(struct yaml_arena *arena, const char *reason, const char *message)
{
	struct yaml_node *state = yaml_new_map(arena);
	struct yaml_node *in = yaml_set(arena, state, "waiting",
	    yaml_new_map(arena));

	set_filled(arena, in, "message", message);
	set_filled(arena, in, "reason", reason);
	return state;
}

static struct yaml_node *
running_state(struct yaml_arena *arena, const struct pod_state *s)
{
	struct yaml_node *state = yaml_new_map(arena);

	pod_object_set_time(arena,
	    yaml_set(arena, state, "running", yaml_new_map(arena)), "startedAt",
	    s->started_s);
	return state;
}

int
pod_object_signal(int status)
{
	return status > SIGNAL_BASE && status <= SIGNAL_BASE + SIGNAL_MAX ?
	    status - SIGNAL_BASE :
	    0;
}

static struct yaml_node *
terminated_state(struct yaml_arena *arena, const struct pod_state *s)
{
	struct yaml_node *state = yaml_new_map(arena);
	struct yaml_node *in = yaml_set(arena, state, "terminated",
	    yaml_new_map(arena));
	const bool of_pod = is_pod_reason(s->reason);

	yaml_set_integer(arena, in, "exitCode", s->status);
	pod_object_set_time(arena, in, "finishedAt", s->finished_s);
	set_filled(arena, in, "message", of_pod ? "" : s->message);
	set_filled(arena, in, "reason",
	    of_pod ? pod_object_end_reason(s->status) : s->reason);
	if (pod_object_signal(s->status) != 0)
		yaml_set_integer(arena, in, "signal",
		    pod_object_signal(s->status));
	pod_object_set_time(arena, in, "startedAt", s->started_s);
	return state;
}

/* Return the state of the main container, nested like in Kubernetes. */
static struct yaml_node *
container_state(struct yaml_arena *arena, const struct pod_state *s)
{
	if (is_in_steps(s))
		return waiting_state(arena, initializing, "");
	if (s->phase == POD_PENDING)
		return waiting_state(arena, s->reason, s->message);
	if (s->phase == POD_RUNNING)
		return running_state(arena, s);
	return terminated_state(arena, s);
}

/* Return the state of an initContainer; they run one after the other. */
static struct yaml_node *
step_state(struct yaml_arena *arena, const struct pod_state *s, int step)
{
	const struct pod_state done = { .reason = "Completed" };

	if (step < s->steps_done ||
	    (step == s->steps_done && s->phase == POD_SUCCEEDED))
		return terminated_state(arena, &done);
	if (step > s->steps_done)
		return waiting_state(arena, initializing, "");
	if (s->phase == POD_FAILED)
		return terminated_state(arena, s);
	if (!pod_object_is_plain(s->reason))
		return waiting_state(arena, s->reason, s->message);
	return s->started_s != 0 ? running_state(arena, s) :
				   waiting_state(arena, initializing, "");
}

static struct yaml_node *
container_status(struct yaml_arena *arena, const struct yaml_node *pod,
    const struct pod_state *s)
{
	const struct yaml_node *c = pod_object_container(pod);
	struct yaml_node *status = yaml_new_map(arena), *last;

	yaml_set_text(arena, status, "image", yaml_get_text(c, "image"));
	last = yaml_set(arena, status, "lastState", yaml_new_map(arena));
	if (s->last_finished_s != 0)
		pod_object_set_time(arena,
		    yaml_set(arena, last, "terminated", yaml_new_map(arena)),
		    "finishedAt", s->last_finished_s);
	yaml_set_text(arena, status, "name", yaml_get_text(c, "name"));
	yaml_set_bool(arena, status, "ready", s->phase == POD_RUNNING);
	yaml_set_integer(arena, status, "restartCount", s->restarts);
	yaml_set_bool(arena, status, "started", s->phase == POD_RUNNING);
	(void)yaml_set(arena, status, "state", container_state(arena, s));
	return status;
}

static struct yaml_node *
step_statuses(struct yaml_arena *arena, const struct yaml_node *pod,
    const struct pod_state *s)
{
	const struct yaml_node *specs = yaml_path(pod, "spec/initContainers"),
			       *c;
	struct yaml_node *list = yaml_new_list(arena), *status;
	int i;

	for (i = 0; i < s->steps; i++) {
		c = specs != NULL && (size_t)i < specs->count ?
		    specs->items[i].node :
		    NULL;
		status = yaml_new_map(arena);
		yaml_set_text(arena, status, "image",
		    yaml_get_text(c, "image"));
		yaml_set_text(arena, status, "name", yaml_get_text(c, "name"));
		yaml_set_bool(arena, status, "ready", i < s->steps_done);
		yaml_set_integer(arena, status, "restartCount", 0);
		(void)yaml_set(arena, status, "state", step_state(arena, s, i));
		yaml_add(arena, list, status);
	}
	return list;
}

static void
add_pod_condition(struct yaml_arena *arena, struct yaml_node *list,
    const char *type, bool holds, int64_t since_s, const char *reason)
{
	struct yaml_node *c = yaml_new_map(arena);

	pod_object_set_time(arena, c, "lastTransitionTime", since_s);
	set_filled(arena, c, "reason", reason);
	yaml_set_text(arena, c, "status", holds ? "True" : "False");
	yaml_set_text(arena, c, "type", type);
	yaml_add(arena, list, c);
}

/* Source: the Kubernetes documentation, Pod Lifecycle, Pod conditions. */
static struct yaml_node *
pod_conditions(struct yaml_arena *arena, const struct pod_state *s)
{
	struct yaml_node *list = yaml_new_list(arena);
	const bool in_steps = is_in_steps(s);
	const bool ready = s->phase == POD_RUNNING;
	const char *end = s->phase == POD_SUCCEEDED ? "PodCompleted" :
	    s->phase == POD_FAILED		    ? "PodFailed" :
						      "";
	const char *reason = ready || end[0] != '\0' ?
	    end :
	    "ContainersNotReady";
	const int64_t since_s = ready ? s->started_s :
	    s->finished_s != 0	      ? s->finished_s :
					s->created_s;

	add_pod_condition(arena, list, "Initialized", !in_steps,
	    !in_steps && s->started_s != 0 ? s->started_s : s->created_s,
	    in_steps ? "ContainersNotInitialized" : "");
	add_pod_condition(arena, list, "Ready", ready, since_s, reason);
	add_pod_condition(arena, list, "ContainersReady", ready, since_s,
	    reason);
	add_pod_condition(arena, list, "PodScheduled", true, s->created_s, "");
	return list;
}

void
pod_object_set_state(struct yaml_arena *arena, struct yaml_node *pod,
    const struct pod_state *s)
{
	struct yaml_node *status = yaml_new_map(arena), *list;

	(void)yaml_set(arena, status, "conditions", pod_conditions(arena, s));
	list = yaml_new_list(arena);
	yaml_add(arena, list, container_status(arena, pod, s));
	(void)yaml_set(arena, status, "containerStatuses", list);
	if (s->steps > 0)
		(void)yaml_set(arena, status, "initContainerStatuses",
		    step_statuses(arena, pod, s));
	yaml_set_text(arena, status, "phase", phase_names[s->phase]);
	if (is_pod_reason(s->reason)) {
		set_filled(arena, status, "message", s->message);
		yaml_set_text(arena, status, "reason", s->reason);
	}
	pod_object_set_time(arena, status, "startTime", s->created_s);
	(void)yaml_set(arena, pod, "status", status);
}

static void
read_filled(const struct yaml_node *map, const char *key, char *text,
    size_t size)
{
	const char *value = yaml_get_text(map, key);

	if (value != NULL)
		(void)strlcpy(text, value, size);
}

/* Read the state of a container; without a reason it gets the one that `get
   pods` shows for its exit status. */
static void
read_container(const struct yaml_node *c, struct pod_state *s)
{
	const struct yaml_node *waiting = yaml_path(c, "state/waiting");
	const struct yaml_node *ended = yaml_path(c, "state/terminated");
	const struct yaml_node *in = ended != NULL ?
	    ended :
	    yaml_path(c, "state/running");
	int number;

	read_filled(ended != NULL ? ended : waiting, "reason", s->reason,
	    sizeof(s->reason));
	read_filled(ended != NULL ? ended : waiting, "message", s->message,
	    sizeof(s->message));
	s->status = (int)yaml_get_integer(ended, "exitCode", 0);
	s->started_s = pod_object_read_time(yaml_get_text(in, "startedAt"));
	s->finished_s =
	    pod_object_read_time(yaml_get_text(ended, "finishedAt"));
	if (ended == NULL || s->reason[0] != '\0')
		return;
	number = (int)yaml_get_integer(ended, "signal", 0);
	(void)snprintf(s->reason, sizeof(s->reason), "%s:%d",
	    number != 0 ? "Signal" : "ExitCode",
	    number != 0 ? number : s->status);
}

/* Read the number of finished initContainers; return the next one, or NULL. */
static const struct yaml_node *
pod_object_read_steps(const struct yaml_node *status, struct pod_state *s)
{
	const struct yaml_node *list = yaml_get(status,
				   "initContainerStatuses"),
			       *c;

	if (list == NULL || list->kind != YAML_LIST)
		return NULL;
	s->steps = (int)list->count;
	for (; s->steps_done < s->steps; s->steps_done++) {
		c = list->items[s->steps_done].node;
		if (yaml_get_integer(c, "state/terminated/exitCode", -1) != 0)
			return c;
	}
	return NULL;
}

void
pod_object_state(const struct yaml_node *pod, struct pod_state *s)
{
	const struct yaml_node *status = yaml_get(pod, "status"), *step;
	const struct yaml_node *list = yaml_get(status, "containerStatuses");
	const struct yaml_node *c = list != NULL && list->count > 0 ?
	    list->items[0].node :
	    NULL;
	const char *phase = yaml_get_text(status, "phase");
	size_t i;

	*s = (struct pod_state){ .phase = POD_PENDING };
	for (i = 0; phase != NULL && i < ARRAY_SIZE(phase_names); i++)
		if (strcmp(phase, phase_names[i]) == 0)
			s->phase = (enum pod_phase)i;
	step = pod_object_read_steps(status, s);
	read_container(step != NULL && is_in_steps(s) ? step : c, s);
	if (yaml_get_text(status, "reason") != NULL) {
		read_filled(status, "reason", s->reason, sizeof(s->reason));
		read_filled(status, "message", s->message, sizeof(s->message));
	}
	s->restarts = (int)yaml_get_integer(c, "restartCount", 0);
	s->created_s = pod_object_read_time(yaml_get_text(pod,
	    "metadata/creationTimestamp"));
	s->last_finished_s = pod_object_read_time(yaml_get_text(c,
	    "lastState/terminated/finishedAt"));
}

/* Source: kubernetes/pkg/printers, printPod(). */
void
pod_object_word(const struct pod_state *s, char word[POD_REASON_SIZE])
{
	if (is_in_steps(s) && !is_pod_reason(s->reason) &&
	    pod_object_is_plain(s->reason))
		(void)snprintf(word, POD_REASON_SIZE, "Init:%d/%d",
		    s->steps_done, s->steps);
	else if (is_in_steps(s) && !is_pod_reason(s->reason))
		(void)snprintf(word, POD_REASON_SIZE, "Init:%.*s",
		    POD_REASON_SIZE - 6, s->reason);
	else
		(void)strlcpy(word,
		    s->reason[0] != '\0' ? s->reason : phase_names[s->phase],
		    POD_REASON_SIZE);
}
