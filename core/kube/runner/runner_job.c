/*
 * The whole job: the requests for it, and its status.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/utsname.h>

#include <bsd/string.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/process/process.h"
#include "core/state/state.h"

/* A file of the entry with this prefix requests the end of a pod. */
static const char request_prefix[] = "delete-";

/* Read a new object; the old one's texts stay in use. */
static int
runner_job_read_object(struct job_runner *r, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *object;
	struct ipujob job;

	object = job_entry_read(r->entry, arena, JOB_OBJECT, e);
	if (object == NULL ||
	    ipujob_read(object, r->entry->space, &job, e) != 0) {
		yaml_arena_free(arena);
		return -1;
	}
	yaml_arena_free(r->arena);
	r->arena = arena;
	r->object = object;
	r->job = job;
	r->is_deleted = yaml_path(object, "metadata/deletionTimestamp") != NULL;
	return 0;
}

static int
runner_job_find_places(struct job_runner *r, struct error *e)
{
	struct state_paths paths;
	struct utsname host;
	struct strvec itself;

	strvec_init(&itself);
	if (paths_find(&paths, e) != 0 || own_program_add(&itself, e) != 0) {
		strvec_release(&itself);
		return -1;
	}
	r->own_file = xstrdup(itself.items[0]);
	strvec_release(&itself);
	r->state = xstrdup(paths.directory);
	r->registry = xstrdup(paths.registry);
	r->host = xstrdup(uname(&host) == 0 ? host.nodename : "localhost");
	return 0;
}

static void
add_instance(struct job_runner *r)
{
	r->instances = xreallocarray(r->instances, (size_t)r->count + 1,
	    sizeof(struct runner_instance *));
	r->instances[r->count] = runner_instance_new(r, r->count);
	r->count++;
}

int
runner_job_open(struct job_runner *r, struct error *e)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node *status;
	struct error why = { .text = "" };
	bool over;
	int i;

	status = job_entry_read(r->entry, arena, JOB_STATUS, NULL);
	over = job_status_is_over(status);
	r->restarts = (int)yaml_get_integer(status, "restartCount", 0);
	yaml_arena_free(arena);
	if (runner_job_find_places(r, e) != 0 ||
	    runner_job_read_object(r, e) != 0 ||
	    job_settings_restart_delay(&r->delay_ms, e) != 0)
		return -1;
	r->may_mount = sandbox_is_possible(&why);
	(void)strlcpy(r->mount_refusal, why.text, sizeof(r->mount_refusal));
	r->gcds = job_gcds_count(&r->job);
	r->is_ending = r->is_deleted;
	for (i = 0; i < r->job.instances; i++) {
		add_instance(r);
		if (over)
			r->instances[i]->state = RUNNER_OVER;
		else
			runner_instance_recover(r, r->instances[i]);
	}
	r->was_over = over;
	return 0;
}

/* Apply `kubectl scale`: remove the last instances, or append new ones. */
static void
scale(struct job_runner *r)
{
	int i;

	for (i = r->job.instances; i < r->count; i++)
		if (!r->instances[i]->is_dropped) {
			r->instances[i]->is_dropped = true;
			runner_instance_stop(r, r->instances[i], "Completed",
			    "the job was scaled down");
		}
	/* A removed instance frees its place for the next. */
	while (r->count > r->job.instances &&
	    r->instances[r->count - 1]->state == RUNNER_OVER)
		runner_instance_free(r->instances[--r->count]);
	while (r->count < r->job.instances && !r->is_ending)
		add_instance(r);
}

struct runner_pod *
runner_job_find_pod(const struct job_runner *r, const char *name,
    struct runner_instance **in)
{
	int i, k;

	for (i = 0; i < r->count; i++)
		for (k = 0; k < r->instances[i]->pod_count; k++)
			if (strcmp(r->instances[i]->pods[k].name, name) == 0) {
				*in = r->instances[i];
				return &r->instances[i]->pods[k];
			}
	return NULL;
}

/* Take requests.  A pod that is deleted while its instance runs comes back with
   the instance's other pods, which start again. */
static void
take_requests(struct job_runner *r)
{
	struct runner_instance *in;
	struct runner_pod *p;
	char **names;
	long count, i;

	count = directory_names(&r->entry->directory, "", &names, NULL);
	for (i = 0; i < count; i++) {
		if (strncmp(names[i], request_prefix, strlen(request_prefix)) !=
		    0)
			continue;
		p = runner_job_find_pod(r, names[i] + strlen(request_prefix),
		    &in);
		if (p != NULL && in->state == RUNNER_RUNNING) {
			runner_event_add(r, "Normal", "Killing", p->name,
			    "the pod was deleted");
			in->is_respawned = true;
			runner_instance_stop(r, in, "Error",
			    "the pod was deleted");
		}
		(void)file_remove(&r->entry->directory, names[i], NULL);
	}
	if (count > 0)
		directory_names_free(names, count);
}

void
runner_job_reload(struct job_runner *r)
{
	r->has_changed = false;
	if (runner_job_read_object(r, NULL) != 0)
		return;
	take_requests(r);
	scale(r);
	if (r->is_deleted && !r->is_ending)
		runner_job_end(r, "Killing", "the job was deleted");
}

void
runner_job_end(struct job_runner *r, const char *reason, const char *message)
{
	int i;

	r->is_ending = true;
	for (i = 0; i < r->count; i++)
		runner_instance_stop(r, r->instances[i], reason, message);
}

static int
count_states(const struct job_runner *r, enum runner_instance_state state)
{
	int i, count = 0;

	for (i = 0; i < r->count; i++)
		count += r->instances[i]->state == state;
	return count;
}

static bool
is_done(const struct job_runner *r)
{
	return count_states(r, RUNNER_OVER) == r->count;
}

bool
runner_job_is_over(const struct job_runner *r)
{
	return is_done(r) &&
	    (r->was_over || r->is_deleted || r->written != NULL);
}

/* Whether the disk has refused the present state of a pod. */
static bool
has_unwritten(const struct job_runner *r)
{
	int i, k;

	for (i = 0; i < r->count; i++)
		for (k = 0; k < r->instances[i]->pod_count; k++)
			if (r->instances[i]->pods[k].is_unwritten)
				return true;
	return false;
}

/* Describe why a job waits, by its first instance. */
static void
describe_waiting(const struct job_runner *r, struct job_progress *p)
{
	const struct runner_instance *in;
	int i;

	p->reason = "PodsPending";
	p->message = "the pods are being created";
	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		if (in->state != RUNNER_REQUESTING && in->state != RUNNER_NEW)
			continue;
		p->reason = "PartitionPending";
		p->message = in->partition.text[0] != '\0' ?
		    in->partition.text :
		    "asking for a partition";
		return;
	}
	for (i = 0; i < r->count; i++)
		if (r->instances[i]->pods[0].state.message[0] != '\0')
			p->message = r->instances[i]->pods[0].state.message;
}

static void
count_workers(const struct job_runner *r, struct job_progress *p)
{
	const struct runner_instance *in;
	int i, k;

	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		for (k = 0; k < in->pod_count; k++) {
			if (in->pods[k].role != POD_WORKER)
				continue;
			p->active += in->pods[k].state.phase == POD_RUNNING;
			p->succeeded += in->pods[k].state.phase ==
			    POD_SUCCEEDED;
			p->failed += in->pods[k].state.phase == POD_FAILED;
		}
		p->has_partition |= in->partition.state ==
		    RUNNER_PARTITION_READY;
	}
}

/* Count the instances in which all workers run. */
static int
count_running(const struct job_runner *r)
{
	const struct runner_instance *in;
	int i, k, count = 0;
	bool runs;

	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		runs = in->state == RUNNER_RUNNING;
		for (k = 0; k < in->pod_count && runs; k++)
			runs = in->pods[k].role == POD_LAUNCHER ||
			    in->pods[k].state.phase == POD_RUNNING ||
			    in->pods[k].state.phase == POD_SUCCEEDED;
		count += runs;
	}
	return count;
}

static void
runner_job_describe_end(const struct job_runner *r, struct job_progress *p)
{
	int i;

	p->phase = JOB_COMPLETED;
	p->reason = "IPUJobSucceeded";
	p->message = "All instances done";
	for (i = 0; i < r->count; i++)
		if (r->instances[i]->result != 0) {
			p->phase = JOB_FAILED;
			p->reason = "IPUJobFailed";
			p->message = r->instances[i]->cause;
			return;
		}
}

static void
describe(const struct job_runner *r, struct job_progress *p, char text[64])
{
	p->current = count_running(r);
	count_workers(r, p);
	if (is_done(r)) {
		runner_job_describe_end(r, p);
	} else if (p->current > 0) {
		p->phase = JOB_RUNNING;
		p->reason = "IPUJobRunning";
		(void)snprintf(text, 64, "%d/%d instances running", p->current,
		    r->job.instances);
		p->message = p->current == r->job.instances ?
		    "All instances running" :
		    text;
	} else if (count_states(r, RUNNER_DELAYED) > 0) {
		p->phase = JOB_RESTARTING;
		p->reason = "IPUJobRestarting";
		p->message = r->instances[0]->cause;
	} else if (count_states(r, RUNNER_STOPPING) > 0) {
		p->phase = JOB_RUNNING;
		p->reason = "IPUJobEnding";
		p->message = "the pods are being ended";
	} else {
		p->phase = JOB_PENDING;
		describe_waiting(r, p);
	}
}

/* Return the time when the first pod of any instance ran; 0: none has. */
static int64_t
first_start_s(const struct job_runner *r)
{
	const struct runner_instance *in;
	int64_t first_s = 0, started_s;
	int i, k;

	for (i = 0; i < r->count; i++) {
		in = r->instances[i];
		for (k = 0; k < in->pod_count; k++) {
			started_s = in->pods[k].state.started_s;
			if (started_s != 0 &&
			    (first_s == 0 || started_s < first_s))
				first_s = started_s;
		}
	}
	return first_s;
}

/* Set the end of an interactive job: its time to live starts with its first
   pods. */
static void
set_ttl(struct job_runner *r)
{
	int64_t started_s;

	if (r->job.ttl_seconds < 0 || r->ttl_ms != 0 || r->is_ending ||
	    count_running(r) == 0)
		return;
	started_s = first_start_s(r);
	r->ttl_ms = clock_monotonic_ms() +
	    (started_s + r->job.ttl_seconds) * 1000 - clock_real_ms();
}

/* An abbreviated text of the status avoids equal writes.  The end of a job is
   written after the ends of its pods, and again where the disk refuses it. */
void
runner_job_write_status(struct job_runner *r)
{
	struct job_progress p = { .instances = r->job.instances,
		.restarts = r->restarts };
	struct yaml_arena *arena;
	struct yaml_node *status;
	char text[64], *said;
	struct error e;

	set_ttl(r);
	if (r->was_over)
		return;
	describe(r, &p, text);
	said = xasprintf("%d %d %d %d %d %d %d %d %s", (int)p.phase,
	    p.instances, p.current, p.active, p.succeeded, p.failed, p.restarts,
	    (int)p.has_partition, p.message);
	if (r->written != NULL && strcmp(r->written, said) == 0) {
		free(said);
		return;
	}
	free(r->written);
	r->written = NULL;
	if (is_done(r) && has_unwritten(r)) {
		free(said);
		return;
	}
	p.now_s = clock_real_ms() / 1000;
	arena = yaml_arena_new();
	status = job_entry_read(r->entry, arena, JOB_STATUS, NULL);
	status = job_status_update(arena, status, &p);
	e.code = ERROR_NONE;
	if (job_entry_write(r->entry, JOB_STATUS, status, &e) != 0)
		runner_event_add(r, "Warning", "FailedWrite", r->entry->name,
		    "%s", e.text);
	if (e.code == ERROR_IO && is_done(r))
		free(said);
	else
		r->written = said;
	yaml_arena_free(arena);
}

void
runner_job_finish(struct job_runner *r, bool interrupted)
{
	struct error e;

	if (interrupted)
		return;
	if (!r->is_deleted) {
		job_entry_set_over(r->entry, true);
		/* A new request may have come in the meantime. */
		if (runner_job_read_object(r, &e) == 0 && !r->is_deleted)
			return;
	}
	if (job_store_lock(r->store, &e) != 0 ||
	    job_entry_remove(r->store, r->entry, &e) != 0)
		runner_event_add(r, "Warning", "FailedRemove", r->entry->name,
		    "%s", e.text);
	job_store_unlock(r->store);
}
