/*
 * The loop around the runs of a job.  A run that fails leaves nothing behind
 * but its partition and the cache of executables; all else is made anew.
 *
 * Source: torchrun's --max-restarts, and TORCHELASTIC_RESTART_COUNT.
 */
#include "core/launch/plan/plan.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/launch/launch.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/run.h"

enum {
	AT_ONCE_MS = 1000,     /* a run that ended before that ... */
	FIRST_DELAY_MS = 100,  /* ... is followed by such a wait, */
	LAST_DELAY_MS = 10000, /* twice as long each time, up to */
	LOOK_MS = 200	       /* at a partition that is waited for */
};

struct restart {
	struct plan *plan;
	const sigset_t *mask; /* of what is started */
	int count;	      /* starts behind the first one */
	int input;	      /* copy of standard input; -1: none */
	struct run_times times;
	int64_t start_ms; /* of the last run, real time */
	int64_t delay_ms; /* before the next one */
	bool changed;	  /* other hosts */
};

bool
restart_may_follow(const struct launch_result *r)
{
	switch (r->end) {
	case LAUNCH_EXITED:
	case LAUNCH_KILLED:
	case LAUNCH_NO_PARENT:
		return true;
	case LAUNCH_ENGINE_ENDED:
		/* Before that it is a start that failed. */
		return launch_instance_count_started(r->instances, r->count) ==
		    r->count;
	default:
		return false;
	}
}

int64_t
restart_delay(int64_t ran_ms, int64_t before_ms)
{
	if (ran_ms >= AT_ONCE_MS)
		return 0;
	if (before_ms == 0)
		return FIRST_DELAY_MS;
	return before_ms < LAST_DELAY_MS / 2 ? 2 * before_ms : LAST_DELAY_MS;
}

/* The exit status where the job's time is over or a signal ends it, or 0. */
static int
restart_stop(const struct restart *r)
{
	const int signal = launch_signals_pending();
	const int timeout_s = run_timeout(r->plan);

	if (signal != 0)
		return RUN_SIGNAL_STATUS + signal;
	if (timeout_s == 0 ||
	    clock_monotonic_ms() - r->times.began_ms <
		(int64_t)timeout_s * 1000)
		return 0;
	return run_report_timeout(timeout_s);
}

/*
 * Whether the partition is there, and free: what ran on a host that was cut off
 * holds its IPUs until the server has heard nothing of it for long enough.
 */
static int
restart_look_at_partition(struct restart *r, struct error *e)
{
	const struct plan *p = r->plan;
	const int found = job_partition_look(&p->partition, e);

	return found == 1 && p->host_directory != NULL &&
		!p->settings->offline &&
		job_partition_check_unused(&p->partition, e) != 0 ?
	    0 :
	    found;
}

/* A job on this host alone has no directory on others. */
static int
restart_look_at_hosts(struct restart *r, struct error *e)
{
	return r->plan->host_directory == NULL ?
	    1 :
	    restart_hosts_look(r->plan, r->mask, &r->changed, e);
}

/*
 * What a start needs is waited for, no longer than at the start of a job: a
 * machine that reboots comes back by itself, and the partition with it.  `look`
 * says 1: it is there; 0: not yet, and why; -1: it will not come.
 */
static int
restart_await(struct restart *r, const char *what,
    int (*look)(struct restart *, struct error *))
{
	const int timeout_s = r->plan->settings->start_timeout_s;
	const int64_t until = clock_monotonic_ms() + (int64_t)timeout_s * 1000;
	struct error e;
	bool told = false;
	int status, found;

	for (;;) {
		if ((status = restart_stop(r)) != 0)
			return status;
		found = look(r, &e);
		if (found == 1)
			return 0;
		if (found == -1)
			return job_log_error("the job is not started again: %s",
			    e.text);
		if (clock_monotonic_ms() >= until)
			return job_log_error(
			    "the job is not started again: %s after the %d s "
			    "of --start-timeout",
			    e.text, timeout_s);
		if (!told)
			job_log_warning("waiting for %s: %s", what, e.text);
		told = true;
		launch_signals_wait(LOOK_MS);
	}
}

/* Before the next start, but not beyond the job's time. */
static void
restart_wait(const struct restart *r)
{
	const int64_t end_ms = r->times.began_ms +
	    (int64_t)run_timeout(r->plan) * 1000;
	int64_t left_ms = end_ms - clock_monotonic_ms();

	if (end_ms == r->times.began_ms || left_ms > r->delay_ms)
		left_ms = r->delay_ms;
	if (left_ms > 0)
		launch_signals_wait(left_ms);
}

/* What was read of standard input is gone; the rest is there. */
static int
restart_prepare(struct restart *r)
{
	struct error e;
	int status;

	restart_wait(r);
	/* A start without a host that was lost would fail. */
	if ((status = restart_await(r, "the hosts", restart_look_at_hosts)) !=
		0 ||
	    (status = restart_await(r, "the partition",
		 restart_look_at_partition)) != 0)
		return status;
	if (r->input != -1)
		(void)dup2(r->input, STDIN_FILENO);
	if (shared_make(r->plan, r->count, &e) != 0 ||
	    (r->changed && plan_arrange(r->plan, &e) != 0))
		return job_log_error("the job is not started again: %s",
		    e.text);
	return 0;
}

/*
 * Tell why the job is started again, or, where it must not be, how it ended:
 * false, and *status.
 */
static bool
restart_follows(struct restart *r, const struct launch_result *result,
    int *status)
{
	const int max = r->plan->settings->max_restarts;
	char failure[RUN_FAILURE_SIZE];

	if (r->count < max && restart_may_follow(result)) {
		run_describe_failure(r->plan, result, failure);
		job_log_warning("%s; starting the job again (restart %d of %d)",
		    failure, ++r->count, max);
		return true;
	}
	*status = run_report(r->plan, result, r->start_ms);
	if (max > 0 && restart_may_follow(result))
		(void)job_log_error("the job was started again %d time%s, as "
				    "--max-restarts allows",
		    max, max == 1 ? "" : "s");
	return false;
}

/* 0: it ran, and *result says how it went; else the exit status. */
static int
restart_run_once(struct restart *r, struct launch_result *result)
{
	const int64_t begin_ms = clock_monotonic_ms();
	int started, status;

	if ((status = bring_place(r->plan, r->mask)) != 0)
		return status;
	r->changed = false;
	r->start_ms = clock_real_ms();
	r->times.may_follow = r->count < r->plan->settings->max_restarts;
	status = run_plan(r->plan, &r->times, r->mask, result);
	/* The parents of a host remove what was brought for them. */
	started = launch_instance_count_started(result->instances,
	    result->count);
	r->plan->bring.left = r->plan->bring.left &&
	    (status != 0 || started < result->count);
	r->plan->reaching = r->plan->reaching && started == 0;
	r->delay_ms = restart_delay(clock_monotonic_ms() - begin_ms,
	    r->delay_ms);
	return status;
}

int
restart_run(struct plan *p, const sigset_t *mask)
{
	struct restart r = { .plan = p, .mask = mask, .input = -1 };
	struct launch_result result = { .instances = NULL };
	int status = 0;
	bool again;

	r.times.began_ms = clock_monotonic_ms();
	if (p->settings->max_restarts > 0)
		r.input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC,
		    STDERR_FILENO + 1);
	do {
		if (r.count > 0)
			status = restart_prepare(&r);
		if (status == 0)
			status = restart_run_once(&r, &result);
		again = status == 0 && restart_follows(&r, &result, &status);
		launch_result_release(&result);
	} while (again);
	bring_remove(p, mask);
	if (r.input != -1)
		(void)close(r.input);
	return status;
}
