/*
 * Runs poprun's plan, and reports on the run.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <bsd/string.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/network.h"
#include "core/base/text.h"
#include "core/job/job.h"
#include "core/launch/launch.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/run.h"
#include "core/process/process.h"

enum {
	TIMED_OUT_STATUS = 110, /* mpirun's: Linux's ETIMEDOUT */
	FILES_BESIDE = 24,
	MS_A_SECOND = 1000
};

/* Return the name of the launch's engine. */
static const char *
engine_name(const struct plan *p)
{
	return p->launcher == LAUNCHER_SRUN ? "srun" : "mpirun";
}

/* Name a process of the launch: "mpirun", "instance 3". */
static void
process_name(const struct plan *p, int instance, char *name, size_t size)
{
	if (instance == LAUNCH_ENGINE)
		(void)snprintf(name, size, "%s", engine_name(p));
	else
		(void)snprintf(name, size, "instance %d", instance);
}

/* Return an event's level: the real tool only reports mpirun's end. */
static enum log_level
event_level(const struct plan *p, const struct launch_event *event)
{
	const bool started = event->kind == LAUNCH_STARTED;

	if (p->launcher == LAUNCHER_LOCAL)
		return started ? LOG_DEBUG : LOG_INFO;
	return started || event->instance != LAUNCH_ENGINE ?
	    LOG_TRACE :
	    LOG_INFO;
}

/* Log the launch's progress in the real tool's words. */
static void
print_event(const void *context, const struct launch_event *event, FILE *out)
{
	const struct plan *p = context;
	const enum log_level level = event_level(p, event);
	char name[32];
	long pid = (long)event->pid;

	process_name(p, event->instance, name, sizeof(name));
	switch (event->kind) {
	case LAUNCH_STARTED:
		job_log_print(out, level, "Started %s (PID %ld)", name, pid);
		break;
	case LAUNCH_WAITING:
		if (event->instance == LAUNCH_ENGINE ||
		    p->layout.num_instances == 1)
			job_log_print(out, LOG_INFO, "Waiting for %s (PID %ld)",
			    name, pid);
		else
			job_log_print(out, LOG_INFO, "Waiting for %d instances",
			    p->layout.num_instances);
		break;
	case LAUNCH_COPY_ENDED:
		job_log_print_warning(out,
		    "cannot write %s: %s; the file is incomplete, and the job "
		    "goes on",
		    event->path, strerror(event->value));
		break;
	case LAUNCH_SIGNAL:
		job_log_print(out, LOG_INFO,
		    "Received signal %d (%s), ending the job", event->value,
		    strsignal(event->value));
		break;
	case LAUNCH_ENDED:
		if (WIFSIGNALED(event->value))
			job_log_print(out, level,
			    "%s (PID %ld) terminated by signal %d (%s)", name,
			    pid, WTERMSIG(event->value),
			    strsignal(WTERMSIG(event->value)));
		else
			job_log_print(out, level,
			    "%s (PID %ld) terminated with exit code %d", name,
			    pid, WEXITSTATUS(event->value));
		break;
	}
}

/* Print "NAME (pid N) exited with status 3". */
static void
describe_end(const char *name, pid_t pid, bool killed, int value,
    char text[RUN_FAILURE_SIZE])
{
	if (killed)
		(void)snprintf(text, RUN_FAILURE_SIZE,
		    "%s (pid %ld) was killed by signal %d (%s)", name,
		    (long)pid, value, strsignal(value));
	else
		(void)snprintf(text, RUN_FAILURE_SIZE,
		    "%s (pid %ld) exited with status %d", name, (long)pid,
		    value);
}

/* Return the host of an instance, or "" in a job on this machine alone. */
static const char *
run_host(const struct plan *p, int instance)
{
	return instance == LAUNCH_ENGINE || p->far == NULL ?
	    "" :
	    p->hosts.items[layout_instance(&p->layout, instance).host];
}

/* Describe the loss of an instance's parent, or of its host. */
static void
describe_loss(const struct plan *p, const struct launch_result *r,
    const char *name, char text[RUN_FAILURE_SIZE])
{
	const char *host = run_host(p, r->instance);

	if (r->value > 0)
		(void)snprintf(text, RUN_FAILURE_SIZE,
		    "host %s, with %s, was silent for %d s", host, name,
		    r->value);
	else
		(void)snprintf(text, RUN_FAILURE_SIZE,
		    "the parent of %s%s%s was killed, or poprun's connection "
		    "to it is lost",
		    name, *host != '\0' ? " on " : "", host);
}

void
run_describe_failure(const struct plan *p, const struct launch_result *r,
    char text[RUN_FAILURE_SIZE])
{
	bool killed = r->end == LAUNCH_KILLED;
	int value = r->value;
	char name[32];

	process_name(p, r->instance, name, sizeof(name));
	if (r->end == LAUNCH_NO_PARENT) {
		describe_loss(p, r, name, text);
		return;
	}
	if (r->end == LAUNCH_ENGINE_ENDED) {
		(void)strlcpy(name, engine_name(p), sizeof(name));
		killed = WIFSIGNALED(value);
		value = killed ? WTERMSIG(value) : WEXITSTATUS(value);
	}
	describe_end(name, r->pid, killed, value, text);
}

/* Report that mpirun ended before the job, or failed by itself. */
static int
report_engine(const struct plan *p, const struct launch_result *r)
{
	const long pid = (long)r->pid;
	char text[RUN_FAILURE_SIZE];

	if (!WIFSIGNALED(r->value) && WEXITSTATUS(r->value) == 0)
		return job_log_error(
		    "%s (pid %ld) ended when %d of %d instances had been "
		    "started and %d had ended",
		    engine_name(p), pid,
		    launch_instance_count_started(r->instances, r->count),
		    r->count,
		    launch_instance_count_ended(r->instances, r->count));
	run_describe_failure(p, r, text);
	(void)job_log_error("%s%s", text,
	    WIFSIGNALED(r->value) ? "; the job was stopped" : "");
	return WIFSIGNALED(r->value) ? RUN_SIGNAL_STATUS + WTERMSIG(r->value) :
				       WEXITSTATUS(r->value);
}

/* Report the failure of an instance in a sentence. */
static void
report_failure(const struct plan *p, const struct launch_result *r)
{
	char text[RUN_FAILURE_SIZE];

	run_describe_failure(p, r, text);
	(void)job_log_error("%s%s", text,
	    p->layout.num_instances > 1 ? "; the others were stopped" : "");
}

int
run_report_timeout(int timeout_s)
{
	(void)job_log_error(
	    "the job ran longer than the %d s of --timeout, and was stopped",
	    timeout_s);
	return TIMED_OUT_STATUS;
}

/* A reader that has read enough, such as head(1), is not reported: poprun ends
   like a program that SIGPIPE kills. */
static int
report_unwritten(const struct launch_result *r)
{
	const char *name = r->instance == 0 ? "output" : "error";

	if (r->value != EPIPE)
		return job_log_error(
		    "cannot write to standard %s: %s; the job was stopped",
		    name, strerror(r->value));
	job_log_line(LOG_INFO,
	    "Standard %s has no reader any more, the job was stopped", name);
	return RUN_SIGNAL_STATUS + SIGPIPE;
}

/* Report the failure in a sentence.  Returns the exit status. */
static int
report_result(const struct plan *p, const struct launch_result *r)
{
	char name[32], text[RUN_FAILURE_SIZE];
	struct error e;

	process_name(p, r->instance, name, sizeof(name));
	switch (r->end) {
	case LAUNCH_DONE:
		return EXIT_SUCCESS;
	case LAUNCH_EXITED:
		report_failure(p, r);
		return r->value;
	case LAUNCH_KILLED:
		report_failure(p, r);
		return RUN_SIGNAL_STATUS + r->value;
	case LAUNCH_CANNOT_PIPE:
		return job_log_error(
		    "cannot make a pipe for instance %d's output: %s; raise "
		    "ulimit -n or use fewer instances",
		    r->instance, strerror(r->value));
	case LAUNCH_CANNOT_SERVE:
		return job_log_error(
		    "cannot serve the collectives of the job: %s; raise "
		    "ulimit -n and -u or use fewer instances",
		    strerror(r->value));
	case LAUNCH_CANNOT_FORK:
		(void)program_fork_error(&e, r->value,
		    r->instance == -1 ? "the keeper" : name);
		return job_log_error("%s", e.text);
	case LAUNCH_CANNOT_START:
		(void)job_log_error("cannot execute %s for %s%s%s: %s%s",
		    r->instance == LAUNCH_ENGINE      ? p->mpirun :
			p->launcher != LAUNCHER_LOCAL ? p->program.items[0] :
							p->path,
		    name,
		    r->instance != LAUNCH_ENGINE && p->far != NULL ? " on " :
								     "",
		    run_host(p, r->instance), strerror(r->value),
		    r->value != E2BIG ?
			"" :
			r->instance == LAUNCH_ENGINE ?
			"; it gets the arguments once for each instance" :
			"; the arguments and the environment count together");
		return r->value == ENOENT ? PROGRAM_NOT_FOUND :
					    PROGRAM_CANNOT_EXECUTE;
	case LAUNCH_INTERRUPTED:
		return RUN_SIGNAL_STATUS + r->value;
	case LAUNCH_TIMED_OUT:
		return run_report_timeout(r->value);
	case LAUNCH_NOT_STARTED_IN_TIME:
		(void)job_log_error(
		    "only %d of %d instances had started after the %d s of "
		    "--start-timeout; the job was stopped",
		    launch_instance_count_started(r->instances, r->count),
		    r->count, r->value);
		return TIMED_OUT_STATUS;
	case LAUNCH_CANNOT_WRITE:
		return report_unwritten(r);
	case LAUNCH_NO_SUPERVISOR:
		return job_log_error("the keeper of the job (pid %ld) was "
				     "killed; the job was stopped",
		    (long)r->pid);
	case LAUNCH_NO_PARENT:
		run_describe_failure(p, r, text);
		return job_log_error("%s; the job was stopped", text);
	case LAUNCH_ENGINE_ENDED:
		return report_engine(p, r);
	case LAUNCH_NO_REAPER:
		return job_log_error("the reaper of the job (pid %ld) was "
				     "killed; the job was stopped",
		    (long)r->pid);
	}
	return EXIT_FAILURE;
}

/* A job that lost its IPUs fails for that reason. */
static void
report_partition(const struct plan *p, const struct launch_result *r,
    int64_t start_ms)
{
	struct error e;

	if ((r->end == LAUNCH_EXITED || r->end == LAUNCH_KILLED) &&
	    job_partition_failed(&p->partition, start_ms, &e))
		(void)job_log_error("%s", e.text);
}

/* Make the start parameters of the parents below mpirun. */
static struct parent_start *
make_starts(const struct plan *p, const struct launch *launch)
{
	const struct winsize *size = &p->output->size;
	const int count = p->layout.num_instances;
	struct parent_start *starts = xcalloc((size_t)count, sizeof(*starts));
	int i;

	for (i = 0; i < count; i++) {
		const struct instance one = layout_instance(&p->layout, i);

		starts[i] = (struct parent_start){
			.grace_ms = p->settings->grace_s * MS_A_SECOND,
			.terminal = launch->terminal != NULL,
			.rows = size->ws_row,
			.columns = size->ws_col,
			.merge_errors = p->local[0].merge_stderr,
			.placement = p->binding.policy,
			.local_index = one.local_index,
			.local_count = layout_host_instances(&p->layout,
			    one.host)
		};
	}
	return starts;
}

int
run_report(const struct plan *p, const struct launch_result *r,
    int64_t start_ms)
{
	int status = report_result(p, r);

	report_partition(p, r, start_ms);
	explain_failure(p, r);
	return status;
}

/* Return the shorter of two time limits, of which 0 means none. */
int
run_timeout(const struct plan *p)
{
	const int own = p->settings->timeout_s;
	const int other = p->local[0].timeout_s;

	return own == 0 || (other != 0 && other < own) ? other : own;
}

/* Make complete environments for the started processes. */
static char ***
merge_environments(const struct plan *p, int count)
{
	char ***merged = xcalloc((size_t)count, sizeof(*merged));
	int i;

	for (i = 0; i < count; i++)
		merged[i] = environment_merge(environ, p->variables.items,
		    p->launcher == LAUNCHER_LOCAL ? p->environments[i].items :
			p->launcher == LAUNCHER_SRUN ? p->tasks.items :
						       NULL);
	return merged;
}

int
run_open_files(const struct plan *p)
{
	const struct launch_settings *s = p->settings;
	const int own = hosts_find_own(p);
	const int streams = MUX_OUTPUTS +
	    (s->log_dir != NULL ? MUX_OUTPUTS : 0) +
	    (p->local[0].output_filename != NULL ? MUX_OUTPUTS : 0) +
	    (s->stdin_to == STDIN_ALL) + (p->launcher == LAUNCHER_MPIRUN);
	const int poprun = p->layout.num_instances * streams + FILES_BESIDE;
	const int mpirun = p->launcher == LAUNCHER_LOCAL ?
	    0 :
	    mpirun_open_files(p->far == NULL ? p->layout.num_instances :
		    own == -1		     ? 0 :
				layout_host_instances(&p->layout, own));

	return poprun > mpirun ? poprun : mpirun;
}

int
run_check_open_files(const struct plan *p, struct error *e)
{
	const int wanted = run_open_files(p);
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_max >= (rlim_t)wanted)
		return 0;
	return error_set(e,
	    "%d files may be open, %d instances need %d: raise ulimit -Hn, or "
	    "use fewer instances",
	    (int)limit.rlim_max, p->layout.num_instances, wanted);
}

/* A signal during the creation of the partition ends the job before it
   starts. */
int
run_plan(struct plan *p, const struct run_times *times, const sigset_t *mask,
    struct launch_result *result)
{
	const bool local = p->launcher == LAUNCHER_LOCAL;
	const int processes = local ? p->layout.num_instances : 1;
	const int signal = launch_signals_pending();
	struct parent_start *starts = NULL;
	const struct link_reach reach = {
		.address = p->network.own.address,
		.first_port = p->settings->first_port,
		.last_port = p->settings->last_port,
		.only = p->network.holds_all && p->network.asked == NULL ?
		    &p->network.own :
		    NULL,
	};
	char ***environments = merge_environments(p, processes);
	struct error error;
	int status = 0, i;
	struct launch launch = { .count = p->layout.num_instances,
		.engine = !local,
		.reach = p->far != NULL ? &reach : NULL,
		.path = local ? p->path : p->mpirun,
		.argv = local ? p->command.items : p->run.items,
		.environments = (char *const *const *)environments,
		.mask = *mask,
		.event = print_event,
		.engine_line = explain_engine_line,
		.context = p,
		.directory = &p->directory,
		.scratch = &p->cache.directory,
		.keep_scratch = times->may_follow,
		.stdin_to = p->settings->stdin_given || !p->local[0].has_stdin ?
		    p->settings->stdin_to :
		    p->local[0].stdin_to,
		.working = local ? (const char *const *)p->working : NULL,
		.grace_ms = (int64_t)p->settings->grace_s * MS_A_SECOND,
		.timeout_s = run_timeout(p),
		.began_ms = times->began_ms,
		.start_timeout_s = p->settings->start_timeout_s,
		.merge_stderr = p->local[0].merge_stderr,
		.binding =
		    local && p->binding.machine != NULL ? &p->binding : NULL };

	*result = (struct launch_result){ .end = LAUNCH_DONE };
	if (signal != 0)
		status = RUN_SIGNAL_STATUS + signal;
	else {
		output_plan_apply(p->output, &launch);
		if (!local)
			launch.starts = starts = make_starts(p, &launch);
		rendezvous_close(&p->rendezvous);
		explain_begin(p);
		status = launch_run(&launch, result, &error);
		explain_end(p, status == 0 ? result : NULL);
		if (status != 0)
			status = job_log_error("%s", error.text);
	}
	for (i = 0; i < processes; i++)
		free(environments[i]);
	free(environments);
	free(starts);
	return status;
}
