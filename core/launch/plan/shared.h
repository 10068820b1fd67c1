/*
 * What all instances of one run share: the directory where they meet on this
 * host, the port, and the variables that say so.
 */
#ifndef CORE_LAUNCH_PLAN_SHARED_H
#define CORE_LAUNCH_PLAN_SHARED_H

#include "core/base/error.h"

struct plan;

/*
 * Make it and fill the plan's variables, anew for each run: `restarts` is how
 * often the job was started before.  What is left of the run before it goes.  A
 * dry run makes nothing.
 */
int	shared_make(struct plan *, int restarts, struct error *);

#endif
