/*
 * One run of poprun's plan: its processes from their start to their end, and
 * what is told of a failure.
 */
#ifndef CORE_LAUNCH_PLAN_RUN_H
#define CORE_LAUNCH_PLAN_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/launch/launch.h"

struct plan;

enum {
	RUN_FAILURE_SIZE = 160,
	RUN_SIGNAL_STATUS = 128		/* 128 + n: ended by signal n */
};

/* Where the run stands among those of its job. */
struct run_times {
	int64_t	began_ms;		/* the first run, monotonic */
	bool	may_follow;		/* another one behind it */
};

/*
 * Run the plan once.  0: it ran, and *result says how it went, which nobody
 * was told yet; else the exit status, and the reason was told.  Either way the
 * caller releases *result.
 */
int	run_plan(struct plan *, const struct run_times *, const sigset_t *mask,
	    struct launch_result *);

/*
 * Tell how a run that began at `start_ms` (of clock_real_ms) failed, if it
 * did.  The exit status.
 */
int	run_report(const struct plan *, const struct launch_result *,
	    int64_t start_ms);

/* "instance 1 (pid 23) exited with status 3": an end that another run may
   follow. */
void	run_describe_failure(const struct plan *, const struct launch_result *,
	    char text[RUN_FAILURE_SIZE]);

/* How long the job may take, in seconds; 0: as it likes. */
int	run_timeout(const struct plan *);

/* Tell that this was over.  The exit status. */
int	run_report_timeout(int timeout_s);

#endif
