/*
 * The hosts on which a job that failed is started again.
 */
#ifndef CORE_LAUNCH_PLAN_RESTART_HOSTS_H
#define CORE_LAUNCH_PLAN_RESTART_HOSTS_H

#include <signal.h>
#include <stdbool.h>

#include "core/base/error.h"

struct plan;

/*
 * Ask all hosts that were named whether they answer to ssh.  1: those of the
 * plan do; where --allow-oversubscribe leaves some out, or takes some in again,
 * that was told, the plan has other hosts, *changed is set, and plan_arrange()
 * has to follow.  0: one does not answer, and why; it is to be asked again.
 * -1: the job cannot run on those that are left, and why.
 */
int	restart_hosts_look(struct plan *, const sigset_t *mask, bool *changed,
	    struct error *);

#endif
