/*
 * Running poprun's plan, and what it tells about it.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/job/environment.h"
#include "core/process/launch.h"
#include "core/process/launch_signals.h"
#include "core/process/output_copy.h"
#include "core/process/program.h"

enum {
	SIGNAL_STATUS = 128,		/* 128 + n: ended by signal n */
	TIMED_OUT_STATUS = 110		/* as mpirun: ETIMEDOUT of Linux */
};

/* What a process of the launch is called: "mpirun", "instance 3". */
static void
process_name(const struct plan *p, int instance, char *name, size_t size)
{
	if (p->launcher == LAUNCHER_MPIRUN)
		(void)snprintf(name, size, "mpirun");
	else
		(void)snprintf(name, size, "instance %d", instance);
}

/* What the launch tells as it goes, in the words of the real tool's log. */
static void
print_event(const void *context, const struct launch_event *event, FILE *out)
{
	const struct plan	*p = context;
	char			 name[32];
	long			 pid = (long)event->pid;

	process_name(p, event->instance, name, sizeof(name));
	switch (event->kind) {
	case LAUNCH_STARTED:
		log_print(out, p->launcher == LAUNCHER_MPIRUN ? LOG_TRACE :
		    LOG_DEBUG, "Started %s (PID %ld)", name, pid);
		break;
	case LAUNCH_WAITING:
		if (p->launcher == LAUNCHER_MPIRUN ||
		    p->layout.num_instances == 1)
			log_print(out, LOG_INFO, "Waiting for %s (PID %ld)",
			    name, pid);
		else
			log_print(out, LOG_INFO, "Waiting for %d instances",
			    p->layout.num_instances);
		break;
	case LAUNCH_SIGNAL:
		log_print(out, LOG_INFO, "Received signal %d (%s), ending the "
		    "job", event->value, strsignal(event->value));
		break;
	case LAUNCH_ENDED:
		if (WIFSIGNALED(event->value))
			log_print(out, LOG_INFO, "%s (PID %ld) terminated by "
			    "signal %d (%s)", name, pid,
			    WTERMSIG(event->value),
			    strsignal(WTERMSIG(event->value)));
		else
			log_print(out, LOG_INFO, "%s (PID %ld) terminated "
			    "with exit code %d", name, pid,
			    WEXITSTATUS(event->value));
		break;
	}
}

/* The failure in a sentence, and the exit status it makes. */
static int
report_result(const struct plan *p, const struct launch_result *r)
{
	const char	*others = p->launcher == LAUNCHER_LOCAL &&
	    p->layout.num_instances > 1 ? "; the others were stopped" : "";
	char		 name[32];
	struct error	 e;

	process_name(p, r->instance, name, sizeof(name));
	switch (r->end) {
	case LAUNCH_DONE:
		return EXIT_DONE;
	case LAUNCH_EXITED:
		(void)log_error("%s (pid %ld) exited with status %d%s", name,
		    (long)r->pid, r->value, others);
		return r->value;
	case LAUNCH_KILLED:
		(void)log_error("%s (pid %ld) was killed by signal %d (%s)%s",
		    name, (long)r->pid, r->value, strsignal(r->value),
		    others);
		return SIGNAL_STATUS + r->value;
	case LAUNCH_CANNOT_PIPE:
		return log_error("cannot make a pipe for instance %d's output: "
		    "%s; raise ulimit -n or use fewer instances", r->instance,
		    strerror(r->value));
	case LAUNCH_CANNOT_FORK:
		(void)program_fork_error(&e, r->value, r->instance == -1 ?
		    "the keeper" : name);
		return log_error("%s", e.text);
	case LAUNCH_CANNOT_START:
		(void)log_error("cannot execute %s for %s: %s", p->path, name,
		    strerror(r->value));
		return r->value == ENOENT ? PROGRAM_NOT_FOUND :
		    PROGRAM_CANNOT_EXECUTE;
	case LAUNCH_INTERRUPTED:
		return SIGNAL_STATUS + r->value;
	case LAUNCH_TIMED_OUT:
		(void)log_error("the job ran longer than the %d s of "
		    "--timeout, and was stopped", r->value);
		return TIMED_OUT_STATUS;
	case LAUNCH_CANNOT_WRITE:
		return log_error("cannot write to standard %s: %s; the job was "
		    "stopped", r->instance == 0 ? "output" : "error",
		    strerror(r->value));
	case LAUNCH_NO_SUPERVISOR:
		return log_error("the keeper of the job (pid %ld) was killed; "
		    "the job was stopped", (long)r->pid);
	case LAUNCH_NO_REAPER:
		return log_error("the reaper of the job (pid %ld) was killed; "
		    "the job was stopped", (long)r->pid);
	}
	return EXIT_FAILED;
}

/* A job that failed may have lost its IPUs: then that is why. */
static void
report_partition(const struct plan *p, const struct launch_result *r,
    int64_t start_ms)
{
	struct error	e;

	if ((r->end == LAUNCH_EXITED || r->end == LAUNCH_KILLED) &&
	    partition_failed(&p->partition, start_ms, &e))
		(void)log_error("%s", e.text);
}

/* Whole environments for the processes that are started. */
static char ***
merge_environments(const struct plan *p, int count)
{
	char	***merged = xcalloc((size_t)count, sizeof(*merged));
	int	   i;

	for (i = 0; i < count; i++)
		merged[i] = environment_merge(environ, p->variables.items,
		    p->launcher == LAUNCHER_LOCAL ? p->environments[i].items :
		    NULL);
	return merged;
}

/* What the local launcher honours of the arguments for mpirun. */
static int
set_local(const struct plan *p, struct launch *launch)
{
	const char	*copies = p->local[0].output_filename;
	int		 fd;

	launch->working = (const char *const *)p->working;
	launch->timeout_s = p->local[0].timeout_s;
	launch->merge_stderr = p->local[0].merge_stderr;
	launch->output_directory = copies;
	launch->only_output = p->settings->only_output;
	if (copies == NULL)
		return 0;
	/* What cannot be written is said before anything runs. */
	fd = output_copy_open(copies, 0, launch->count, "stdout");
	if (fd == -1)
		return -1;
	(void)close(fd);
	return 0;
}

/*
 * A signal that came while the partition was made ends the job before it
 * begins.
 */
int
run_plan(struct plan *p, const sigset_t *mask)
{
	struct launch_result	 result;
	struct error		 error;
	bool			 local = p->launcher == LAUNCHER_LOCAL;
	int			 count = local ? p->layout.num_instances : 1;
	int			 status, i;
	char			***environments = merge_environments(p, count);
	struct launch		 launch = {
		.count = count, .path = local ? p->path : p->mpirun,
		.argv = p->command.items,
		.environments = (char *const *const *)environments,
		.forward = local, .mask = *mask, .event = print_event,
		.context = p, .directory = &p->directory,
		.scratch = &p->cache.directory, .only_output = -1
	};
	int			 signal = launch_signals_pending();
	const int64_t		 start_ms = clock_real_ms();

	if (signal != 0) {
		status = SIGNAL_STATUS + signal;
		goto out;
	}
	if (local && set_local(p, &launch) != 0) {
		status = log_error("--output-filename %s: %s",
		    p->local[0].output_filename, strerror(errno));
		goto out;
	}
	rendezvous_close(&p->rendezvous);
	if (launch_run(&launch, &result, &error) != 0) {
		status = log_error("%s", error.text);
		goto out;
	}
	status = report_result(p, &result);
	report_partition(p, &result, start_ms);
out:
	for (i = 0; i < count; i++)
		free(environments[i]);
	free(environments);
	return status;
}
