/*
 * The part of a plan that is mpirun's: its command lines.
 */
#ifndef CORE_LAUNCH_PLAN_PLAN_MPIRUN_H
#define CORE_LAUNCH_PLAN_PLAN_MPIRUN_H

#include "core/base/error.h"
#include "core/base/strvec.h"

struct plan;

/*
 * Make plan->command, which a person is shown and which works also where poprun
 * is not, and plan->run, with our parents below mpirun.  In both each instance
 * is one app context.
 */
int	plan_mpirun_complete(struct plan *, struct error *);

/* For a dry run: what would be run where the hosts are not emulated, with these
   environments of the instances. */
void	plan_mpirun_show(struct plan *, const struct strvec *environments);

#endif
