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
 * without, names of this host are this host, and any other is refused.
 */
int	hosts_choose(const struct poprun_settings *, bool emulated,
	    struct strvec *labels, struct error *);

#endif
