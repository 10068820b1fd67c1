/*
 * poprun --max-restarts: a job whose instance failed is started again, as
 * torchrun does.
 */
#ifndef CORE_LAUNCH_PLAN_RESTART_H
#define CORE_LAUNCH_PLAN_RESTART_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/launch/launch.h"

struct plan;

/*
 * Run the plan, and again on the same partition where an instance fails, as
 * often as the settings say.  The exit status of the last run; *mask is as
 * launch_signals_hold() gave it.
 */
int	restart_run(struct plan *, const sigset_t *mask);

/*
 * Whether a job may go on with a new start after this end: one of its
 * instances, or what carried it, failed when all had been started.
 */
bool	restart_may_follow(const struct launch_result *);

/*
 * How long to wait before the next start, in ms, after a run that took
 * `ran_ms`; `before_ms` is what this returned the last time, 0 at first.  A job
 * that fails at once is started again ever more slowly.
 */
int64_t	restart_delay(int64_t ran_ms, int64_t before_ms);

#endif
