/*
 * Over which network the hosts of a job talk: mpirun's own processes, MPI
 * programs, and our connections.
 *
 * Source: PopRun user guide 2.2.2; --host-subnet and published logs.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_NETWORK_H
#define CORE_LAUNCH_PLAN_JOB_NETWORK_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/network.h"
#include "core/base/strvec.h"

struct plan;

struct job_network {
	struct network	own;	/* this host's; "" where the job is on it
				   alone */
	const char	*asked;	/* --host-subnet's value, or NULL */
	bool		 holds_all; /* each host has its address in it */
	char		 first[256]; /* where the others find the first host */
};

/*
 * Find it for a job that has other hosts: the one that --host-subnet names, or
 * else that by which the first of them is reached.  Behind an agent that is not
 * ssh (remote_hosts.h) it is before that the one that the user names for
 * mpirun; and hosts that share this one's network need no other, and be it the
 * loop.  Nothing is done for a job on this host alone.  -1: there is no such
 * network.
 */
int	job_network_choose(struct plan *, struct error *);

/* What the real tool logs of it. */
void	job_network_log(const struct plan *);

/*
 * Add mpirun's arguments for it, where the user has given none of that kind,
 * and where all hosts are in it.
 */
void	job_network_add_args(const struct plan *, struct strvec *);

#endif
