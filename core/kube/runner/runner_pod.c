/*
 * A pod of a job: its containers one after another, each below a separate
 * reaper and supervisor, their output, and their ends.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file_set.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/process/process.h"

enum {
	RETRY_MS = 2000,   /* for missing objects and a full disk */
	MEMBERS_MS = 2000, /* to end the leftovers of a kill */
	SIGNAL_BASE = 128
};

static int64_t
now_s(void)
{
	return clock_real_ms() / 1000;
}

/* Write its object with the present state; where the disk refuses, again after
   a while. */
static void
write_state(struct job_runner *r, struct runner_pod *p)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *pod;
	const bool is_retry = p->is_unwritten;
	struct error e;

	p->is_unwritten = false;
	pod = job_entry_read_pod(r->entry, arena, p->name, &e);
	if (pod != NULL)
		pod_object_set_state(arena, pod, &p->state);
	if (pod != NULL &&
	    job_entry_write_pod(r->entry, p->name, pod, &e) != 0) {
		p->is_unwritten = e.code == ERROR_IO;
		if (!is_retry)
			runner_event_add(r, "Warning", "FailedWrite", p->name,
			    "%s", e.text);
	}
	if (p->is_unwritten && !p->is_waiting)
		p->retry_ms = clock_monotonic_ms() + RETRY_MS;
	yaml_arena_free(arena);
}

/* Kill all processes that have its mark. */
static void
kill_members(const struct runner_pod *p)
{
	(void)sandbox_member_kill(&(struct sandbox_mark){ .text = p->uid,
				      .directory = p->directory },
	    MEMBERS_MS, NULL);
}

static void
set_state(struct job_runner *r, struct runner_pod *p, enum pod_phase phase,
    const char *reason, const char *message)
{
	p->state.phase = phase;
	(void)strlcpy(p->state.reason, reason, sizeof(p->state.reason));
	(void)strlcpy(p->state.message, message, sizeof(p->state.message));
	write_state(r, p);
}

/* Mark it as over, with no process left. */
static void
set_finished(struct job_runner *r, struct runner_pod *p, int status,
    const char *reason, const char *message)
{
	const int sig = pod_object_signal(status);

	p->is_finished = true;
	p->is_waiting = false;
	p->activity = RUNNER_POD_IDLE;
	p->state.status = status;
	p->state.finished_s = now_s();
	set_state(r, p, status == 0 ? POD_SUCCEEDED : POD_FAILED, reason,
	    message);
	runner_event_add(r, status == 0 ? "Normal" : "Warning", reason, p->name,
	    status == 0	 ? "all containers have ended" :
		sig != 0 ? "the container was killed by signal %d%s%s" :
			   "the container ended with status %d%s%s",
	    sig != 0 ? sig : status, message[0] != '\0' ? ": " : "", message);
}

/* Start a process that becomes the container by the sheet. */
static int
start_container(struct job_runner *r, struct runner_pod *p, struct error *e)
{
	char *mark = xasprintf("%s=%s", SANDBOX_MEMBER_VARIABLE, p->uid);
	char *argv[] = { r->own_file, xstrdup(OWN_PROGRAM_WORD),
		xstrdup(POD_PROCESS_WORD), p->directory, NULL };
	char *environment[] = { mark, NULL };
	char *const *environments[] = { environment };
	const int inputs[] = { -1 };
	struct supervisor_plan plan = { .count = 1,
		.path = r->own_file,
		.argv = argv,
		.environments = environments,
		.inputs = inputs,
		.grace_ms = p->plan.grace_s * 1000 };
	pid_t reaper;

	(void)sigemptyset(&plan.mask);
	r->starting = p->instance;
	p->socket = reaper_start(&plan, runner_streams_leave, r, &reaper, e);
	free(mark);
	free(argv[1]);
	free(argv[2]);
	return p->socket == -1 ? -1 : 0;
}

/* Return the container of this step: initContainers, then the main one. */
static struct yaml_node *
step_container(const struct runner_pod *p, const struct yaml_node *pod)
{
	struct yaml_node *init = yaml_path(pod, "spec/initContainers");

	return init != NULL && (size_t)p->step < init->count ?
	    init->items[p->step].node :
	    pod_object_container(pod);
}

/* Wait for a problem to be repaired, like Kubernetes. */
static void
wait_for_repair(struct job_runner *r, struct runner_pod *p, const char *reason,
    const char *message)
{
	const bool first = strcmp(p->state.reason, reason) != 0;

	p->is_waiting = true;
	p->retry_ms = clock_monotonic_ms() + RETRY_MS;
	set_state(r, p, POD_PENDING, reason, message);
	if (first)
		runner_event_add(r, "Warning", reason, p->name, "%s", message);
}

/* Open the log; a restart keeps one previous log. */
static int
open_log(struct runner_pod *p, const char *container, struct error *e)
{
	char *log = xasprintf("%s/%s.log", p->directory, container);
	char *previous = xasprintf("%s/%s.previous.log", p->directory,
	    container);

	if (p->state.restarts > 0) {
		container_log_remove(previous);
		(void)rename(log, previous);
		container_log_remove(log);
	}
	p->log = container_log_open(log, e);
	free(previous);
	free(log);
	return p->log != NULL ? 0 : -1;
}

static int
prepare_step(struct job_runner *r, struct runner_pod *p, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *pod, *container;
	int status = -1;

	container_plan_release(&p->plan);
	p->has_plan = false;
	pod = job_entry_read_pod(r->entry, arena, p->name, e);
	container = pod != NULL ? step_container(p, pod) : NULL;
	if (pod != NULL && container == NULL)
		(void)error_set(e, "the pod has no container");
	if (container != NULL) {
		status = pod_setup_make(r, p, pod, container, e);
		p->has_plan = true;
	}
	if (status == 0)
		status = open_log(p, yaml_get_text(container, "name"), e);
	yaml_arena_free(arena);
	return status;
}

static void
begin_step(struct job_runner *r, struct runner_pod *p)
{
	struct error e = { .code = ERROR_NONE };

	p->is_waiting = p->is_joinable = false;
	if (prepare_step(r, p, &e) != 0) {
		runner_streams_close(p);
		if (e.code == ERROR_NOT_FOUND)
			wait_for_repair(r, p, "CreateContainerConfigError",
			    e.text);
		else
			set_finished(r, p, SIGNAL_BASE, "CreateContainerError",
			    e.text);
	} else if (start_container(r, p, &e) != 0) {
		runner_streams_close(p);
		set_finished(r, p, SIGNAL_BASE, "RunContainerError", e.text);
	} else {
		p->activity = RUNNER_POD_RUNS;
	}
}

/* Create the pod at its first start. */
static int
make_pod(struct job_runner *r, struct runner_pod *p, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *pod, *init;
	struct pod_place place = { .role = p->role,
		.instance = p->instance,
		.name = p->name,
		.host = r->host };
	int status = 0;

	runner_draw_uid(p->uid);
	(void)strlcpy(place.uid, p->uid, sizeof(place.uid));
	p->state.created_s = now_s();
	pod = pod_object_new(arena, r->object, &r->job, &place,
	    p->state.created_s);
	init = yaml_path(pod, "spec/initContainers");
	p->state.steps = init != NULL ? (int)init->count : 0;
	pod_object_set_state(arena, pod, &p->state);
	if (mkdir(p->directory, 0700) != 0 && errno != EEXIST)
		status = error_set_errno(e, "cannot make %s", p->directory);
	if (status == 0)
		status = job_entry_write_pod(r->entry, p->name, pod, e);
	yaml_arena_free(arena);
	return status;
}

void
runner_pod_begin(struct job_runner *r, struct runner_pod *p, bool restarted)
{
	const int64_t last_s = p->state.finished_s;
	const int64_t active_s = yaml_get_integer(r->object,
	    "spec/workers/template/spec/activeDeadlineSeconds", 0);
	struct error e;

	p->is_finished = p->is_unclean = false;
	p->end_reason[0] = p->end_message[0] = '\0';
	p->step = 0;
	p->deadline_ms = active_s > 0 ?
	    clock_monotonic_ms() + active_s * 1000 :
	    0;
	p->state.phase = POD_PENDING;
	p->state.steps_done = 0;
	p->state.started_s = p->state.finished_s = 0;
	p->state.status = 0;
	(void)strlcpy(p->state.reason, "ContainerCreating",
	    sizeof(p->state.reason));
	p->state.message[0] = '\0';
	if (restarted && p->state.created_s != 0) {
		p->state.restarts++;
		p->state.last_finished_s = last_s;
	}
	if (p->state.created_s == 0 && make_pod(r, p, &e) != 0) {
		set_finished(r, p, SIGNAL_BASE, "FailedCreate", e.text);
		return;
	}
	write_state(r, p);
	begin_step(r, p);
}

static void
runner_pod_take_outputs(struct runner_pod *p, struct packet *packet,
    size_t *used)
{
	int i;

	for (i = 0; i < RUNNER_OUTPUTS && *used < packet->file_count; i++) {
		p->outputs[i] = packet->files[(*used)++];
		(void)fcntl(p->outputs[i], F_SETFL, O_NONBLOCK);
	}
}

/* The container has entered its place, also if it has ended already. */
static void
container_started(struct job_runner *r, struct runner_pod *p)
{
	if (p->is_joinable)
		return;
	p->is_joinable = true;
	if (p->state.started_s == 0)
		p->state.started_s = now_s();
	if (p->step < p->state.steps) {
		write_state(r, p);
		return;
	}
	set_state(r, p, POD_RUNNING, "", "");
	runner_event_add(r, "Normal", "Started", p->name,
	    "the container was started");
}

static void
tell_supervisor(const struct runner_pod *p, int kind, int value)
{
	struct packet packet;

	packet_init(&packet);
	packet.messages[packet.count++] =
	    (struct supervisor_message){ .kind = kind, .value = value };
	(void)packet_send(&packet, p->socket);
}

/*
 * Handle the end of a container without any process left: start the next
 * container, or end the pod.  A pod that the runner ended gets the runner's
 * reason.
 */
static void
container_over(struct job_runner *r, struct runner_pod *p)
{
	const int s = p->wait_status;
	const int status = p->is_unclean ? SIGNAL_BASE + SIGKILL :
	    WIFSIGNALED(s)		 ? SIGNAL_BASE + WTERMSIG(s) :
					   WEXITSTATUS(s);

	runner_streams_close(p);
	/* Kill leftovers of a killed supervisor, and processes that others
	   started in it. */
	kill_members(p);
	p->activity = RUNNER_POD_IDLE;
	if (p->end_reason[0] != '\0') {
		set_finished(r, p,
		    strcmp(p->end_reason, "Completed") == 0 ? 0 :
			status != 0			    ? status :
				      SIGNAL_BASE + SIGTERM,
		    p->end_reason, p->end_message);
	} else if (status == 0 && p->step < p->state.steps) {
		p->step++;
		p->state.steps_done++;
		begin_step(r, p);
	} else {
		set_finished(r, p, status, pod_object_end_reason(status),
		    p->is_unclean ? "its supervisor was killed" : "");
	}
}

/* Check for the end: the supervisor has finished, and all output has been
   read. */
static void
check_end(struct job_runner *r, struct runner_pod *p)
{
	if (p->socket == -1 && p->outputs[0] == -1 && p->outputs[1] == -1 &&
	    p->activity != RUNNER_POD_IDLE)
		container_over(r, p);
}

/* Handle a message.  1: the supervisor has finished; -1: it failed. */
static int
runner_pod_take_message(struct job_runner *r, struct runner_pod *p,
    const struct supervisor_message *m)
{
	switch (m->kind) {
	case SUPERVISOR_ENDED:
		container_started(r, p);
		p->wait_status = m->value;
		p->activity = RUNNER_POD_ENDS;
		/* Background processes end with it. */
		tell_supervisor(p, SUPERVISOR_END, SIGTERM);
		return 0;
	case SUPERVISOR_CANNOT_PIPE:
	case SUPERVISOR_CANNOT_FORK:
	case SUPERVISOR_CANNOT_START:
		p->wait_status = PROGRAM_CANNOT_EXECUTE << 8;
		(void)strlcpy(p->end_reason, "RunContainerError",
		    sizeof(p->end_reason));
		(void)strlcpy(p->end_message, strerror(m->value),
		    sizeof(p->end_message));
		return 0;
	case SUPERVISOR_DONE:
		return 1;
	default:
		return 0;
	}
}

void
runner_pod_read_socket(struct job_runner *r, struct runner_pod *p)
{
	struct packet packet;
	size_t used = 0, i;
	bool done = false;

	if (packet_receive(&packet, p->socket) != 0) {
		/* It ended without a message: it was killed. */
		p->is_unclean = true;
		done = true;
	}
	for (i = 0; i < packet.count; i++) {
		if (packet.messages[i].kind == SUPERVISOR_STARTED)
			runner_pod_take_outputs(p, &packet, &used);
		done |= runner_pod_take_message(r, p, &packet.messages[i]) == 1;
	}
	for (; used < packet.file_count; used++)
		(void)close(packet.files[used]);
	if (!done)
		return;
	(void)close(p->socket);
	p->socket = -1;
	runner_streams_take_rest(p);
	check_end(r, p);
}

void
runner_pod_read_output(struct job_runner *r, struct runner_pod *p, int output)
{
	if (runner_streams_read(p, output) != 0)
		check_end(r, p);
}

void
runner_pod_end(struct job_runner *r, struct runner_pod *p, const char *reason,
    const char *message)
{
	if (p->is_finished)
		return;
	if (p->end_reason[0] == '\0') {
		(void)strlcpy(p->end_reason, reason, sizeof(p->end_reason));
		(void)strlcpy(p->end_message, message, sizeof(p->end_message));
	}
	if (p->activity == RUNNER_POD_IDLE) {
		if (p->state.created_s != 0)
			set_finished(r, p,
			    strcmp(reason, "Completed") == 0 ?
				0 :
				SIGNAL_BASE + SIGTERM,
			    reason, message);
		p->is_finished = true;
		return;
	}
	if (p->activity == RUNNER_POD_RUNS && p->socket != -1)
		tell_supervisor(p, SUPERVISOR_END, SIGTERM);
	p->activity = RUNNER_POD_ENDS;
}

void
runner_pod_tick(struct job_runner *r, struct runner_pod *p, int64_t now_ms)
{
	if (p->is_unwritten && now_ms >= p->retry_ms)
		write_state(r, p);
	if (p->is_waiting && now_ms >= p->retry_ms)
		begin_step(r, p);
	/* Its process wakes the runner once it can be joined. */
	if (p->activity == RUNNER_POD_RUNS && !p->is_joinable &&
	    pod_process_find(p->directory) != 0)
		container_started(r, p);
	if (p->deadline_ms != 0 && now_ms >= p->deadline_ms &&
	    !p->is_finished) {
		p->deadline_ms = 0;
		runner_pod_end(r, p, "DeadlineExceeded",
		    "Pod was active on the node longer than the specified "
		    "deadline");
	}
}

int64_t
runner_pod_due(const struct runner_pod *p)
{
	int64_t due = p->is_waiting || p->is_unwritten ? p->retry_ms : -1;

	if (p->deadline_ms != 0 && !p->is_finished &&
	    (due == -1 || p->deadline_ms < due))
		due = p->deadline_ms;
	return due;
}

/* The text is the kubelet's. */
void
runner_pod_check_usage(struct job_runner *r, struct runner_pod *p)
{
	const struct container_volume *v;
	char text[POD_MESSAGE_SIZE];
	int64_t bytes;
	size_t i;

	if (!p->has_plan || p->activity != RUNNER_POD_RUNS)
		return;
	for (i = 0; i < p->plan.volume_count; i++) {
		v = &p->plan.volumes[i];
		if (v->kind != POD_DIRECTORY || v->size_bytes == 0 ||
		    pod_disk_usage(v->directory, v->size_bytes, &bytes, NULL) !=
			0 ||
		    bytes <= v->size_bytes)
			continue;
		(void)snprintf(text, sizeof(text),
		    "Usage of EmptyDir volume \"%s\" exceeds the limit of %lld "
		    "bytes",
		    v->name, (long long)v->size_bytes);
		runner_pod_end(r, p, "Evicted", text);
		return;
	}
}

void
runner_pod_remove(struct job_runner *r, struct runner_pod *p)
{
	(void)job_entry_remove_pod(r->entry, p->name, NULL);
	p->state = (struct pod_state){ .phase = POD_PENDING };
	p->is_unwritten = false;
}

void
runner_pod_release(struct runner_pod *p)
{
	runner_streams_close(p);
	container_plan_release(&p->plan);
	free(p->directory);
}

/* Processes of the last runner have the mark from the pod's object. */
void
runner_pod_recover(struct job_runner *r, struct runner_pod *p)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *pod;
	const char *uid;

	pod = job_entry_read_pod(r->entry, arena, p->name, NULL);
	if (pod != NULL) {
		pod_object_state(pod, &p->state);
		uid = yaml_get_text(pod, "metadata/uid");
		(void)strlcpy(p->uid, uid != NULL ? uid : "", sizeof(p->uid));
		p->is_finished = p->state.phase == POD_SUCCEEDED ||
		    p->state.phase == POD_FAILED;
		if (!p->is_finished) {
			if (p->uid[0] != '\0')
				kill_members(p);
			set_finished(r, p, SIGNAL_BASE + SIGKILL, "Error",
			    "the job's runner was killed, or this host was "
			    "restarted");
		}
	}
	yaml_arena_free(arena);
}
