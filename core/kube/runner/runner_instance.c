/*
 * One instance of a job: its partition, its pods, and its reaction to their
 * ends.  Read runner_instance_step() first.
 */
#include "core/kube/runner/runner_parts.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/runtime/runtime.h"
#include "core/pod/pod.h"

/*
 * The states of an instance:
 *
 *	NEW -> REQUESTING -> RUNNING -> STOPPING -> OVER
 *	                        ^           |
 *	                        +- DELAYED <+	by the restart policy
 *
 * REQUESTING becomes OVER without a partition, and DELAYED becomes NEW if the
 * partition was lost.  NEW becomes STOPPING if the instance is not wanted any
 * more.  Source: the IPU Operator's guide, restart policies; Kubernetes, pod
 * lifecycle.
 */

/* Result of an instance that the runner ended: 128 + SIGTERM. */
enum { ENDED_BY_US = 143 };

/* Order the pods: the workers, then the launcher if there is one. */
struct runner_instance *
runner_instance_new(struct job_runner *r, int index)
{
	struct runner_instance *in = xcalloc(1, sizeof(*in));
	struct runner_pod *p;
	int i;

	in->index = index;
	runner_partition_init(&in->partition);
	in->pod_count = r->job.workers + (r->job.launcher != NULL);
	in->pods = xcalloc((size_t)in->pod_count, sizeof(*in->pods));
	for (i = 0; i < in->pod_count; i++) {
		p = &in->pods[i];
		p->instance = index;
		p->worker = i;
		p->role = i < r->job.workers ? POD_WORKER : POD_LAUNCHER;
		p->socket = p->outputs[0] = p->outputs[1] = -1;
		if (p->role == POD_WORKER)
			ipujob_worker_name(&r->job, index, i, p->name);
		else
			ipujob_launcher_name(&r->job, index, p->name);
		p->directory = job_entry_pod_path(r->entry, p->name);
	}
	return in;
}

void
runner_instance_free(struct runner_instance *in)
{
	int i;

	for (i = 0; i < in->pod_count; i++)
		runner_pod_release(&in->pods[i]);
	free(in->pods);
	free(in);
}

static void
runner_instance_make_request(const struct job_runner *r,
    const struct runner_instance *in, struct partition_request *request)
{
	char name[IPUJOB_NAME_SIZE];

	request_init(request);
	ipujob_partition_name(&r->job, in->index, name);
	(void)strlcpy(request->name, name, sizeof(request->name));
	request->size = r->job.ipus;
	request->reconfigurable = r->gcds == JOB_GCDS_RECONFIGURABLE;
	if (request->reconfigurable)
		return;
	request->num_gcds = r->gcds;
	request->num_replicas = r->gcds;
}

static void
set_result(struct runner_instance *in, int result, const char *cause)
{
	if (in->has_result)
		return;
	in->has_result = true;
	in->result = result;
	(void)strlcpy(in->cause, cause, sizeof(in->cause));
}

static void
ask_for_partition(struct job_runner *r, struct runner_instance *in)
{
	struct partition_request request;
	struct error e;
	char owner[IPUJOB_NAME_SIZE + 80];

	runner_instance_make_request(r, in, &request);
	(void)snprintf(owner, sizeof(owner), "ipujob %s/%s", r->job.space,
	    r->job.name);
	in->state = RUNNER_REQUESTING;
	r->starting = in->index;
	if (runner_partition_request(&in->partition, &request, owner,
		runner_streams_leave, r, &e) == 0)
		return;
	(void)strlcpy(in->partition.text, e.text, sizeof(in->partition.text));
	in->partition.state = RUNNER_PARTITION_FAILED;
}

static void
start_pods(struct job_runner *r, struct runner_instance *in, bool restarted)
{
	int i;

	in->has_result = false;
	in->state = RUNNER_RUNNING;
	for (i = 0; i < in->pod_count; i++)
		if (in->pods[i].role == POD_WORKER)
			runner_pod_begin(r, &in->pods[i], restarted);
		else
			/* The launcher starts after the workers.  Forget its
			   end in the previous run. */
			in->pods[i].is_finished = false;
}

static bool
step_requesting(struct job_runner *r, struct runner_instance *in)
{
	switch (in->partition.state) {
	case RUNNER_PARTITION_READY:
		runner_event_add(r, "Normal", "PartitionCreated", r->job.name,
		    "partition %s of %d IPU%s is ready", in->partition.name,
		    r->job.ipus, r->job.ipus == 1 ? "" : "s");
		start_pods(r, in, in->restarts > 0);
		return true;
	case RUNNER_PARTITION_FAILED:
		runner_event_add(r, "Warning", "PartitionFailed", r->job.name,
		    "%s", in->partition.text);
		set_result(in, 1, in->partition.text);
		in->state = RUNNER_OVER;
		runner_partition_release(&in->partition);
		return true;
	default:
		return false;
	}
}

/* Write "pod JOB-worker-0: Error (exit status 3)", and the pod's message. */
static void
runner_instance_describe_end(const struct runner_pod *p,
    char text[POD_MESSAGE_SIZE])
{
	const int sig = pod_object_signal(p->state.status);

	(void)snprintf(text, POD_MESSAGE_SIZE, "pod %s: %s", p->name,
	    p->state.reason);
	if (p->state.status != 0)
		(void)snprintf(text + strlen(text),
		    POD_MESSAGE_SIZE - strlen(text),
		    sig != 0 ? " (killed by signal %d)" : " (exit status %d)",
		    sig != 0 ? sig : p->state.status);
	if (p->state.message[0] != '\0') {
		(void)strlcat(text, ": ", POD_MESSAGE_SIZE);
		(void)strlcat(text, p->state.message, POD_MESSAGE_SIZE);
	}
}

/* Return true if all workers run, so that the launcher may start. */
static bool
are_workers_running(const struct job_runner *r,
    const struct runner_instance *in)
{
	int i;

	for (i = 0; i < r->job.workers; i++)
		if (in->pods[i].state.phase != POD_RUNNING)
			return false;
	return true;
}

/*
 * Set the result from the first finished pod that decides it: a pod that
 * failed, or under a launcher any pod.  A worker is to run until its launcher
 * ends, so its own early success there is result 1.  If no pod decides, the
 * result is 0 after all have finished.
 */
static void
find_result(const struct job_runner *r, struct runner_instance *in)
{
	const bool has_launcher = r->job.launcher != NULL;
	const struct runner_pod *p;
	char text[POD_MESSAGE_SIZE];
	int i, through = 0;

	for (i = 0; i < in->pod_count && !in->has_result; i++) {
		p = &in->pods[i];
		if (!p->is_finished)
			continue;
		through++;
		if (p->state.phase == POD_FAILED ||
		    (has_launcher &&
			(p->role == POD_LAUNCHER ||
			    p->state.phase == POD_SUCCEEDED))) {
			runner_instance_describe_end(p, text);
			set_result(in,
			    p->role == POD_WORKER && p->state.status == 0 ?
				1 :
				p->state.status,
			    text);
			/* An evicted pod has failed, whatever its exit
			   status. */
			if (p->state.phase == POD_FAILED && in->result == 0)
				in->result = 1;
		}
	}
	if (!in->has_result && through == in->pod_count)
		set_result(in, 0, "all its pods have ended");
}

static bool
step_running(struct job_runner *r, struct runner_instance *in)
{
	struct runner_pod *launcher = &in->pods[in->pod_count - 1];

	if (launcher->role == POD_LAUNCHER && !launcher->is_finished &&
	    launcher->activity == RUNNER_POD_IDLE && !launcher->is_waiting &&
	    are_workers_running(r, in)) {
		runner_pod_begin(r, launcher, in->restarts > 0);
		return true;
	}
	find_result(r, in);
	if (!in->has_result)
		return false;
	runner_instance_stop(r, in, in->result == 0 ? "Completed" : "Error",
	    in->result == 0 ? "" : "another pod of the job failed");
	return true;
}

/* Return true if the restart policy restarts the instance, within the back-off
   limit. */
static bool
is_restarted(const struct job_runner *r, const struct runner_instance *in)
{
	if (r->is_ending || in->is_dropped ||
	    in->restarts >= r->job.backoff_limit)
		return false;
	switch (r->job.restart) {
	case RESTART_ALWAYS:
		return true;
	case RESTART_ON_FAILURE:
		return in->result != 0;
	case RESTART_EXIT_CODE:
		return in->result != 0 &&
		    ipujob_is_retried(&r->job, in->result);
	default:
		return false;
	}
}

/* Remove the pods that cleanPodPolicy names, or all of a dropped instance.  The
   others stay for their logs. */
static void
clean_pods(struct job_runner *r, struct runner_instance *in)
{
	int i;

	for (i = 0; i < in->pod_count; i++)
		if (in->is_dropped || r->job.clean == CLEAN_ALL ||
		    (r->job.clean == CLEAN_WORKERS &&
			in->pods[i].role == POD_WORKER))
			runner_pod_remove(r, &in->pods[i]);
}

static bool
step_stopping(struct job_runner *r, struct runner_instance *in, int64_t now_ms)
{
	int i;

	for (i = 0; i < in->pod_count; i++)
		if (in->pods[i].activity != RUNNER_POD_IDLE)
			return false;
	find_result(r, in);
	if (!in->has_result)
		set_result(in, ENDED_BY_US, "the instance was ended");
	if (in->is_respawned && !r->is_ending && !in->is_dropped) {
		in->is_respawned = false;
		in->next_ms = now_ms;
		in->state = RUNNER_DELAYED;
		return true;
	}
	if (is_restarted(r, in)) {
		in->next_ms = now_ms +
		    job_status_delay_ms(in->restarts, r->delay_ms);
		in->restarts++;
		r->restarts++;
		in->state = RUNNER_DELAYED;
		runner_event_add(r, "Warning", "BackOff", r->job.name,
		    "restart %d of at most %d in %lld s: %s", in->restarts,
		    r->job.backoff_limit,
		    (long long)((in->next_ms - now_ms) / 1000), in->cause);
		return true;
	}
	in->state = RUNNER_OVER;
	runner_partition_release(&in->partition);
	clean_pods(r, in);
	return true;
}

/* After the delay, reset the partition and start the pods on it again.  If it
   was lost, begin anew. */
static bool
step_delayed(struct job_runner *r, struct runner_instance *in, int64_t now_ms)
{
	struct error e;

	if (now_ms < in->next_ms)
		return false;
	if (in->partition.state != RUNNER_PARTITION_READY) {
		in->state = RUNNER_NEW;
		return true;
	}
	if (runner_partition_reset(&in->partition, &e) != 0) {
		runner_event_add(r, "Warning", "PartitionLost", r->job.name,
		    "%s", e.text);
		runner_partition_release(&in->partition);
		in->state = RUNNER_NEW;
		return true;
	}
	start_pods(r, in, true);
	return true;
}

bool
runner_instance_step(struct job_runner *r, struct runner_instance *in,
    int64_t now_ms)
{
	switch (in->state) {
	case RUNNER_NEW:
		if (in->is_dropped || r->is_ending) {
			in->state = RUNNER_STOPPING;
			return true;
		}
		ask_for_partition(r, in);
		return true;
	case RUNNER_REQUESTING:
		return step_requesting(r, in);
	case RUNNER_RUNNING:
		return step_running(r, in);
	case RUNNER_STOPPING:
		return step_stopping(r, in, now_ms);
	case RUNNER_DELAYED:
		return step_delayed(r, in, now_ms);
	default:
		return false;
	}
}

int64_t
runner_instance_due(const struct runner_instance *in)
{
	int64_t due = in->state == RUNNER_DELAYED ? in->next_ms : -1, pod;
	int i;

	for (i = 0; i < in->pod_count; i++) {
		pod = runner_pod_due(&in->pods[i]);
		if (pod != -1 && (due == -1 || pod < due))
			due = pod;
	}
	return due;
}

void
runner_instance_stop(struct job_runner *r, struct runner_instance *in,
    const char *reason, const char *message)
{
	int i;

	if (in->state == RUNNER_OVER)
		return;
	for (i = 0; i < in->pod_count; i++)
		if (!in->pods[i].is_finished)
			runner_pod_end(r, &in->pods[i], reason, message);
	in->state = RUNNER_STOPPING;
}

/*
 * Stop the instance if one of its pods had begun.  A pod that ran when the last
 * runner was killed has ended with it.  That is a failure, so the restart
 * policy applies.
 */
void
runner_instance_recover(struct job_runner *r, struct runner_instance *in)
{
	bool began = false, failed = false;
	int i;

	for (i = 0; i < in->pod_count; i++) {
		runner_pod_recover(r, &in->pods[i]);
		began |= in->pods[i].state.created_s != 0;
		failed |= in->pods[i].state.phase == POD_FAILED;
		if (in->pods[i].state.restarts > in->restarts)
			in->restarts = in->pods[i].state.restarts;
	}
	if (!began)
		return;
	find_result(r, in);
	if (!in->has_result)
		set_result(in, failed ? 1 : ENDED_BY_US,
		    "the runner of the job has ended");
	in->state = RUNNER_STOPPING;
}
