/*
 * One pod of a job: its containers one after another, each below a reaper and a
 * supervisor of its own, and what becomes of them.  For the runner alone.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_POD_H
#define APPLETS_IPUBOX_JOB_RUNNER_POD_H

#include "applets/ipubox-job/runner_internal.h"

/* Begin it anew: its object, its directory, its first container. */
void	runner_pod_begin(struct job_runner *, struct runner_pod *,
    bool restarted);
/* What the supervisor said, and what the container wrote. */
void	runner_pod_read_socket(struct job_runner *, struct runner_pod *);
void	runner_pod_read_output(struct job_runner *, struct runner_pod *,
	    int output);
/* End it, with that reason; fine for one that is over. */
void	runner_pod_end(struct job_runner *, struct runner_pod *,
	    const char *reason, const char *message);
/* What is due by time: another try, a deadline. */
void	runner_pod_tick(struct job_runner *, struct runner_pod *,
    int64_t now_ms);
/* When runner_pod_tick() is to be called next, -1: never. */
int64_t	runner_pod_due(const struct runner_pod *);
/* Evict it, where a volume holds more than it may. */
void	runner_pod_check_usage(struct job_runner *, struct runner_pod *);
/* Remove it with all it has; it has no process. */
void	runner_pod_remove(struct job_runner *, struct runner_pod *);
void	runner_pod_release(struct runner_pod *);
/* Of the last runner: end what it left, and say so in the pod's state. */
void	runner_pod_recover(struct job_runner *, struct runner_pod *);

#endif
