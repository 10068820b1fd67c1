/*
 * The hosts that a job runs on.
 */
#ifndef CORE_LAUNCH_PLAN_HOSTS_H
#define CORE_LAUNCH_PLAN_HOSTS_H

#include <stdbool.h>

#include "core/launch/plan/plan.h"

/*
 * Find plan->named: the hosts of the settings, else those of the file that
 * mpirun would take by itself, which its parameter orte_default_hostfile names.
 * -1: that file is not a list of hosts.
 */
int	hosts_find(struct plan *, struct error *);

/*
 * Choose the hosts that the job uses: a label for each and its instances in
 * plan->hosts and plan->layout, and plan->far.  They are those of the list
 * without the absent ones, of which fewer instances than hosts use the first;
 * without a list it is this one, by its name in a Slurm job, or "localhost".
 * With emulated hosts every name is this machine; without, all names of this
 * host are one, and the others are hosts of their own.
 *
 * -1: none is left, or they have too few slots.
 */
int	hosts_choose(struct plan *, struct error *);

/*
 * Says how hosts are emulated, where the job failed before one of its instances
 * was started, and the user named a host that is another machine.
 */
void	hosts_advise(const struct plan *, int status);

/* Which of a job's hosts is this one, -1: none is. */
int	hosts_find_own(const struct plan *);

#endif
