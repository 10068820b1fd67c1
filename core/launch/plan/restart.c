/*
 * The loop over the runs of a job.  Only the partition and the cache of
 * executables survive a failed run; everything else is made anew.
 *
 * Source: torchrun's --max-restarts, and TORCHELASTIC_RESTART_COUNT.
 */
#include "core/launch/plan/plan.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/launch/launch.h"
#include "core/launch/plan/hosts.h"
#include "core/launch/plan/on_hosts.h"
#include "core/launch/plan/run.h"

enum { RESTART_ASK_S = 30 };

/* Find the named hosts that did not answer.  Returns their number and the first
   one's reason. */
static size_t
find_absent(const struct plan *p, const struct on_hosts *o, bool *absent,
    struct error *e)
{
	const struct strvec *hosts = p->named;
	struct error reason;
	size_t count = 0, asked = 0, i;

	for (i = 0; i < hosts->count && asked < o->count; i++) {
		/* This host was not asked. */
		if (o->all[asked].host != hosts->items[i])
			continue;
		if (!o->all[asked].good) {
			absent[i] = true;
			on_hosts_explain(o, &o->all[asked], &reason);
			if (count++ == 0)
				(void)error_set(e,
				    "host %s does not answer: %s",
				    hosts->items[i], reason.text);
		}
		asked++;
	}
	return count;
}

/* Log the hosts that leave and those that come back. */
static void
tell_changes(const struct plan *p, const bool *absent)
{
	const struct strvec *hosts = p->named;
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		const bool was = p->absent != NULL && p->absent[i];

		if (absent[i] && !was)
			job_log_warning("the job goes on without host %s, "
					"which does not answer",
			    hosts->items[i]);
		else if (!absent[i] && was)
			job_log_warning(
			    "host %s answers again, and takes part in the job",
			    hosts->items[i]);
	}
}

/* Plan the job on the available hosts. */
static int
replan(struct plan *p, bool *absent, const sigset_t *mask, struct error *e)
{
	tell_changes(p, absent);
	free(p->absent);
	p->absent = absent;
	if (plan_change_hosts(p, mask, e) != 0)
		return -1;
	(void)plan_print_topology(p);
	return 1;
}

/* Judge the answers.  Returns 1: keep the plan, or a new one was made; 0: wait
   for a host; -1: no new plan is possible. */
static int
judge(struct plan *p, const struct on_hosts *o, bool *changed, struct error *e)
{
	const size_t count = p->named->count;
	const size_t bytes = count * sizeof(bool);
	bool *absent = xcalloc(count, sizeof(*absent));
	const size_t missing = find_absent(p, o, absent, e);
	const bool *before = p->absent;
	const bool same = before == NULL ?
	    missing == 0 :
	    memcmp(before, absent, bytes) == 0;

	if (missing > 0 &&
	    (!p->settings->allow_oversubscribe || missing == count)) {
		free(absent);
		return 0;
	}
	if (same) {
		free(absent);
		return 1;
	}
	*changed = true;
	return replan(p, absent, o->mask, e);
}

static int
restart_hosts_look(struct plan *p, const sigset_t *mask, bool *changed,
    struct error *e)
{
	struct on_hosts o;
	const struct on_hosts_work work = { .script = "exit 0",
		.limit_s = RESTART_ASK_S };
	int status = -1, signal;

	/* Ask all named hosts, not only those in the plan. */
	if (on_hosts_init(&o, &p->agent, p->named, false, mask, e) == 0) {
		if ((signal = on_hosts_run(&o, &work)) == 0)
			status = judge(p, &o, changed, e);
		else {
			/* It is held, and ends the job in restart.c. */
			(void)raise(signal);
			(void)error_set(e, "a signal came");
			status = 0;
		}
	}
	on_hosts_release(&o);
	return status;
}

enum {
	AT_ONCE_MS = 1000,     /* a shorter run has failed at once */
	FIRST_DELAY_MS = 100,  /* after such a run; doubled after each */
	LAST_DELAY_MS = 10000, /* the longest one */
	LOOK_MS = 200	       /* interval of looks at the partition */
};

struct restart {
	struct plan *plan;
	const sigset_t *mask; /* for started processes */
	int count;	      /* starts after the first */
	int input;	      /* copy of standard input, or -1 */
	struct run_times times;
	int64_t start_ms; /* the last run's, real time */
	int64_t delay_ms; /* before the next run */
	bool changed;	  /* the set of hosts changed */
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
		/* Before that it is a failed start. */
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

/* Return the exit status if the job's time is over or a signal ends it, else
   0. */
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

/* Look whether the partition is active and unused.  Programs on a
   disconnected host hold its IPUs until the server has not heard from them
   for long enough. */
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

/* Wait for something that a start needs, as long as at the start of a job: a
   machine that reboots comes back, and the partition with it.  `look` returns
   1: available; 0: not yet, with the reason; -1: never. */
static int
restart_await(struct restart *r, const char *what,
    int (*look)(struct restart *, struct error *))
{
	const int timeout_s = r->plan->settings->start_timeout_s;
	const int64_t until = clock_monotonic_ms() + (int64_t)timeout_s * 1000;
	struct error e;
	bool logged = false;
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
			    "the job is not started again: %s; gave up after "
			    "the %d s of --start-timeout",
			    e.text, timeout_s);
		if (!logged)
			job_log_warning("waiting for %s: %s", what, e.text);
		logged = true;
		launch_signals_wait(LOOK_MS);
	}
}

/* Wait before the next start, but not beyond the job's time. */
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

/* Prepare the next run.  It gets the part of standard input that was not
   read. */
static int
restart_prepare(struct restart *r)
{
	char mark[64];
	struct error e;
	int status;

	restart_wait(r);
	/* A start without a lost host would fail. */
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
	(void)snprintf(mark, sizeof(mark), "--- restart %d of %d ---", r->count,
	    r->plan->settings->max_restarts);
	if (r->plan->settings->log_dir != NULL)
		output_copy_mark(&r->plan->output->logs, mark);
	return 0;
}

/* Log why the job is restarted.  If it must not be, log how it ended, set
   *status and return false. */
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
		/* The instance's last words are in its files alone. */
		if (r->plan->settings->log_dir != NULL)
			explain_failure(r->plan, result);
		return true;
	}
	*status = run_report(r->plan, result, r->start_ms);
	if (max > 0 && restart_may_follow(result))
		(void)job_log_error("the job failed after %d restart%s, the "
				    "limit of --max-restarts",
		    max, max == 1 ? "" : "s");
	return false;
}

/* Run once.  Returns 0 with the result in *result, or the exit status. */
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
	/* The parents on a host remove the copied program. */
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
