/*
 * What the hosts behind a remote agent say of themselves.  Their names tell
 * nothing here where no resolver knows them; and some are this very machine, as
 * the pods of a job that runs on one, which need no network and no server.
 */
#ifndef CORE_LAUNCH_PLAN_REMOTE_HOSTS_H
#define CORE_LAUNCH_PLAN_REMOTE_HOSTS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

struct plan;

struct remote_hosts {
	bool		share_network;	/* each reaches what this host reaches,
					   by the same addresses */
	bool		share_pod;	/* each has this user's state directory
					   and registry at the same paths */
	bool		share_input;	/* the agent hands standard input on
					   to each */
	struct strvec	hosts;		/* those that were asked */
	struct strvec	addresses;	/* of each, with spaces between; empty:
					   it says none */
};

/*
 * Ask the plan's other hosts, all at the same time, where an agent that is not
 * ssh reaches them; else nothing is known of them.  -1: one does not answer,
 * and why in the agent's words.  A signal that ends a job ends this, and counts
 * behind it.  The mask is as in on_hosts.h.
 */
int	remote_hosts_ask(struct plan *, const sigset_t *mask, struct error *);
void	remote_hosts_release(struct remote_hosts *);

/* The addresses of that host as it says them, NULL: it was not asked. */
const char	*remote_hosts_addresses(const struct remote_hosts *,
		    const char *host);

#endif
