/*
 * What is done on the other hosts of a job before it is launched: the options
 * --distribute-ssh-key, --synchronise-python-venv, --synchronise-poplar-sdk and
 * --bring-ipubox, in this order.
 */
#ifndef CORE_LAUNCH_PLAN_PREPARE_HOSTS_H
#define CORE_LAUNCH_PLAN_PREPARE_HOSTS_H

#include <signal.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

struct plan;

/* Refuse what cannot be done, before anything is; what would be done is added
   to `would`, a sentence for each option. */
int	prepare_hosts_check(const struct plan *, struct strvec *would,
	    struct error *);

/*
 * Do it; nothing without other hosts, and in a dry run.  The signals that end a
 * job are held, and *mask is what it was before: one of them ends this.  0, or
 * the exit status, and it was told.
 */
int	prepare_hosts_run(struct plan *, const sigset_t *mask);

#endif
