/*
 * Finds the hosts of a job that remain.  Read restart_hosts_look().
 */
#include "core/launch/plan/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/launch/plan/on_hosts.h"
#include "core/launch/plan/plan.h"

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

int
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
