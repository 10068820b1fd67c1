/*
 * The hosts that a job runs on.
 */
#ifndef APPLETS_POPRUN_HOSTS_H
#define APPLETS_POPRUN_HOSTS_H

#include <stdbool.h>

#include "applets/poprun/poprun_internal.h"

/*
 * Add a label for each host that the job uses: those of the list, of which
 * fewer instances than hosts use the first; else this one, by its name in a
 * Slurm job, or "localhost".  With emulated hosts every name is this machine;
 * without, all names of this host are one, and the others are hosts of their
 * own.  The answer is the first of those, or NULL where there is none: then
 * the whole job runs on this machine.
 */
const char *hosts_choose(const struct poprun_settings *, bool emulated,
	    struct strvec *labels);

/* Which of a job's hosts is this one, -1: none is; and how many instances that
   one has. */
int	hosts_find_own(const struct plan *);
int	hosts_count_instances(const struct plan *, int host);

#endif
