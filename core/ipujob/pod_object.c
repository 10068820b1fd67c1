/*
 * A pod of an IPUJob as an object: what `get pod -o yaml` shows, and what the
 * runner reads back after it was killed.
 */
#include "core/ipujob/pod_object.h"

#include <bsd/string.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/array.h"

enum {
	SECOND = 1,
	MINUTE = 60,
	HOUR = 60 * MINUTE,
	DAY = 24 * HOUR,
	YEAR = 365 * DAY,
	SIGNAL_BASE = 128	/* exit status of who was killed by a signal */
};

static const char *const phase_names[] = {
	[POD_PENDING] = "Pending", [POD_RUNNING] = "Running",
	[POD_SUCCEEDED] = "Succeeded", [POD_FAILED] = "Failed"
};

void
pod_time_text(int64_t s, char text[POD_TIME_SIZE])
{
	const time_t	t = (time_t)s;
	struct tm	tm;

	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(text, POD_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		text[0] = '\0';
}

int64_t
pod_time_read(const char *text)
{
	struct tm	 tm = { .tm_isdst = 0 };
	const char	*end;

	if (text == NULL)
		return 0;
	end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return end != NULL && *end == '\0' ? (int64_t)timegm(&tm) : 0;
}

/* "3d2h": so many of the larger unit, and of the smaller what is left. */
static void
age_of_two(int64_t seconds, int64_t large, char large_unit, int64_t small,
    char small_unit, char text[POD_TIME_SIZE])
{
	const long long	a = seconds / large, b = seconds % large / small;

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
pod_age_text(int64_t s, char text[POD_TIME_SIZE])
{
	if (s < 0)
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
pod_end_reason(int status)
{
	return status == 0 ? "Completed" : "Error";
}

/* What the job's and the template's labels become: the operator's first. */
static struct yaml_node *
pod_labels(struct yaml_arena *arena, const struct yaml_node *template,
    const struct ipujob *job, const struct pod_place *p)
{
	struct yaml_node	*own = yaml_path(template, "metadata/labels");
	struct yaml_node	*labels = own != NULL ?
	    yaml_copy(arena, own) : yaml_new_map(arena);
	char			 number[16];

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
	const struct yaml_node	*own = yaml_path(job->template,
	    "metadata/annotations");
	struct yaml_node	*m = yaml_new_map(arena), *owner, *list;
	char			 now[POD_TIME_SIZE];

	if (own != NULL)
		(void)yaml_set(arena, m, "annotations", yaml_copy(arena,
		    own));
	pod_time_text(now_s, now);
	yaml_set_text(arena, m, "creationTimestamp", now);
	(void)yaml_set(arena, m, "labels", pod_labels(arena, job->template,
	    job, p));
	yaml_set_text(arena, m, "name", p->name);
	yaml_set_text(arena, m, "namespace", job->space);
	list = yaml_set(arena, m, "ownerReferences", yaml_new_list(arena));
	owner = yaml_new_map(arena);
	yaml_set_text(arena, owner, "apiVersion", "graphcore.ai/v1alpha1");
	yaml_set_bool(arena, owner, "blockOwnerDeletion", true);
	yaml_set_bool(arena, owner, "controller", true);
	yaml_set_text(arena, owner, "kind", "IPUJob");
	yaml_set_text(arena, owner, "name", job->name);
	yaml_set_text(arena, owner, "uid", yaml_get_text(ipujob,
	    "metadata/uid"));
	yaml_add(arena, list, owner);
	yaml_set_text(arena, m, "uid", p->uid);
	return m;
}

/* The launcher is the worker's container with another command. */
static void
set_launcher(struct yaml_arena *arena, struct yaml_node *spec,
    const struct ipujob *job)
{
	struct yaml_node	*containers = yaml_get(spec, "containers"), *c;
	const struct yaml_node	*env = yaml_get(job->launcher, "env");
	size_t			 i;

	if (containers == NULL || containers->count == 0)
		return;
	c = containers->items[0].node;
	(void)yaml_set(arena, c, "command", yaml_copy(arena,
	    yaml_get(job->launcher, "command")));
	yaml_unset(c, "args");
	yaml_unset(spec, "initContainers");
	if (env == NULL)
		return;
	if (yaml_get(c, "env") == NULL)
		(void)yaml_set(arena, c, "env", yaml_new_list(arena));
	for (i = 0; i < env->count; i++)
		yaml_add(arena, yaml_get(c, "env"), env->items[i].node);
}

/* Workers of a launcher wait for what it starts in them. */
static void
set_waiting_worker(struct yaml_arena *arena, struct yaml_node *spec)
{
	struct yaml_node	*containers = yaml_get(spec, "containers");
	struct yaml_node	*command;

	if (containers == NULL || containers->count == 0)
		return;
	command = yaml_new_list(arena);
	yaml_add(arena, command, yaml_new_text(arena, "sleep"));
	yaml_add(arena, command, yaml_new_text(arena, "365d"));
	(void)yaml_set(arena, containers->items[0].node, "command", command);
	yaml_unset(containers->items[0].node, "args");
}

struct yaml_node *
pod_object_new(struct yaml_arena *arena, const struct yaml_node *ipujob,
    const struct ipujob *job, const struct pod_place *p, int64_t now_s)
{
	const struct yaml_node	*own = yaml_get(job->template, "spec");
	struct yaml_node	*pod = yaml_new_map(arena), *spec;

	yaml_set_text(arena, pod, "apiVersion", "v1");
	yaml_set_text(arena, pod, "kind", "Pod");
	(void)yaml_set(arena, pod, "metadata", pod_metadata(arena, ipujob,
	    job, p, now_s));
	spec = yaml_set(arena, pod, "spec", own != NULL ?
	    yaml_copy(arena, own) : yaml_new_map(arena));
	if (p->role == POD_LAUNCHER)
		set_launcher(arena, spec, job);
	else if (ipujob_has_launcher(job))
		set_waiting_worker(arena, spec);
	if (yaml_get(spec, "hostname") == NULL)
		yaml_set_text(arena, spec, "hostname", p->name);
	yaml_set_text(arena, spec, "nodeName", p->host);
	return pod;
}

struct yaml_node *
pod_object_container(const struct yaml_node *pod)
{
	struct yaml_node	*list = yaml_path(pod, "spec/containers");

	return list != NULL && list->kind == YAML_LIST && list->count > 0 ?
	    list->items[0].node : NULL;
}

/* What the state of a container is, as Kubernetes nests it. */
static struct yaml_node *
container_state(struct yaml_arena *arena, const struct pod_state *s)
{
	struct yaml_node	*state = yaml_new_map(arena), *in;
	char			 text[POD_TIME_SIZE];

	in = yaml_new_map(arena);
	if (s->phase == POD_PENDING) {
		yaml_set_text(arena, in, "message", s->message[0] != '\0' ?
		    s->message : NULL);
		yaml_set_text(arena, in, "reason", s->reason);
		(void)yaml_set(arena, state, "waiting", in);
		return state;
	}
	pod_time_text(s->started_s, text);
	if (s->phase == POD_RUNNING) {
		yaml_set_text(arena, in, "startedAt", text);
		(void)yaml_set(arena, state, "running", in);
		return state;
	}
	yaml_set_integer(arena, in, "exitCode", s->status);
	if (s->status > SIGNAL_BASE)
		yaml_set_integer(arena, in, "signal",
		    s->status - SIGNAL_BASE);
	yaml_set_text(arena, in, "message", s->message[0] != '\0' ?
	    s->message : NULL);
	yaml_set_text(arena, in, "reason", s->reason);
	if (s->started_s != 0)
		yaml_set_text(arena, in, "startedAt", text);
	pod_time_text(s->finished_s, text);
	yaml_set_text(arena, in, "finishedAt", text);
	(void)yaml_set(arena, state, "terminated", in);
	return state;
}

static struct yaml_node *
container_status(struct yaml_arena *arena, const struct yaml_node *pod,
    const struct pod_state *s)
{
	const struct yaml_node	*c = pod_object_container(pod);
	struct yaml_node	*status = yaml_new_map(arena), *last, *in;
	char			 text[POD_TIME_SIZE];

	yaml_set_text(arena, status, "image", yaml_get_text(c, "image"));
	last = yaml_set(arena, status, "lastState", yaml_new_map(arena));
	if (s->last_finished_s != 0) {
		in = yaml_set(arena, last, "terminated",
		    yaml_new_map(arena));
		pod_time_text(s->last_finished_s, text);
		yaml_set_text(arena, in, "finishedAt", text);
	}
	yaml_set_text(arena, status, "name", yaml_get_text(c, "name"));
	yaml_set_bool(arena, status, "ready", s->phase == POD_RUNNING);
	yaml_set_integer(arena, status, "restartCount", s->restarts);
	yaml_set_bool(arena, status, "started", s->phase == POD_RUNNING);
	(void)yaml_set(arena, status, "state", container_state(arena, s));
	return status;
}

void
pod_object_set_state(struct yaml_arena *arena, struct yaml_node *pod,
    const struct pod_state *s)
{
	struct yaml_node	*status = yaml_new_map(arena), *list;
	char			 text[POD_TIME_SIZE];

	list = yaml_new_list(arena);
	yaml_add(arena, list, container_status(arena, pod, s));
	(void)yaml_set(arena, status, "containerStatuses", list);
	/* Not of Kubernetes, where each has a status of its own. */
	if (s->steps > 0) {
		yaml_set_integer(arena, status, "initContainers", s->steps);
		yaml_set_integer(arena, status, "initContainersDone",
		    s->steps_done);
	}
	yaml_set_text(arena, status, "phase", phase_names[s->phase]);
	yaml_set_text(arena, status, "reason", s->reason[0] != '\0' ?
	    s->reason : NULL);
	yaml_set_text(arena, status, "message", s->message[0] != '\0' ?
	    s->message : NULL);
	pod_time_text(s->created_s, text);
	yaml_set_text(arena, status, "startTime", text);
	(void)yaml_set(arena, pod, "status", status);
	if (s->is_deleted) {
		pod_time_text(s->finished_s, text);
		yaml_set_text(arena, yaml_get(pod, "metadata"),
		    "deletionTimestamp", text);
	}
}

void
pod_object_state(const struct yaml_node *pod, struct pod_state *s)
{
	const struct yaml_node	*status = yaml_get(pod, "status"), *in;
	const struct yaml_node	*list = yaml_get(status, "containerStatuses");
	const struct yaml_node	*c = list != NULL && list->count > 0 ?
	    list->items[0].node : NULL;
	const char		*phase = yaml_get_text(status, "phase"), *text;
	size_t			 i;

	*s = (struct pod_state){ .phase = POD_PENDING };
	for (i = 0; phase != NULL && i < ARRAY_SIZE(phase_names); i++)
		if (strcmp(phase, phase_names[i]) == 0)
			s->phase = (enum pod_phase)i;
	s->is_deleted = yaml_path(pod, "metadata/deletionTimestamp") != NULL;
	if ((text = yaml_get_text(status, "reason")) != NULL)
		(void)strlcpy(s->reason, text, sizeof(s->reason));
	if ((text = yaml_get_text(status, "message")) != NULL)
		(void)strlcpy(s->message, text, sizeof(s->message));
	s->restarts = (int)yaml_get_integer(c, "restartCount", 0);
	s->steps = (int)yaml_get_integer(status, "initContainers", 0);
	s->steps_done = (int)yaml_get_integer(status, "initContainersDone",
	    0);
	s->created_s = pod_time_read(yaml_get_text(pod,
	    "metadata/creationTimestamp"));
	s->last_finished_s = pod_time_read(yaml_get_text(c,
	    "lastState/terminated/finishedAt"));
	in = yaml_path(c, "state/terminated");
	if (in == NULL)
		in = yaml_path(c, "state/running");
	s->status = (int)yaml_get_integer(in, "exitCode", 0);
	s->started_s = pod_time_read(yaml_get_text(in, "startedAt"));
	s->finished_s = pod_time_read(yaml_get_text(in, "finishedAt"));
}

void
pod_state_word(const struct pod_state *s, char word[POD_REASON_SIZE])
{
	if (s->is_deleted && s->finished_s == 0)
		(void)strlcpy(word, "Terminating", POD_REASON_SIZE);
	else if (s->phase == POD_PENDING && s->steps_done < s->steps &&
	    s->started_s != 0)
		(void)snprintf(word, POD_REASON_SIZE, "Init:%d/%d",
		    s->steps_done, s->steps);
	else if (s->reason[0] != '\0' && s->phase != POD_RUNNING)
		(void)strlcpy(word, s->reason, POD_REASON_SIZE);
	else
		(void)strlcpy(word, phase_names[s->phase], POD_REASON_SIZE);
}
