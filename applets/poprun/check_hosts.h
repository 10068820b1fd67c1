/*
 * poprun --check for a job that has other hosts: what this one needs for them,
 * and the way to them.
 */
#ifndef APPLETS_POPRUN_CHECK_HOSTS_H
#define APPLETS_POPRUN_CHECK_HOSTS_H

#include "applets/poprun/check_table.h"

struct plan;

/*
 * The checks that there are for such a job alone, of this host.  To be called
 * after the launcher's; the plan's network is chosen.
 */
void	check_hosts_run_own(struct plan *, struct diagnosis *);

/*
 * Ask all other hosts by ssh, or by the agent, many at a time: this program
 * looks at them from within.  The columns are those of the plan's hosts, where
 * there is one more behind that of this host; `own` is the index of this
 * host's, which is left alone.  A host that cannot be reached has "reachable"
 * alone.
 */
void	check_hosts_run(const struct plan *, struct check_column *, int count,
	    int own);

#endif
