/*
 * The job as a whole, for runner.c: what is asked for, as the files say it, and
 * what is told of it.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_JOB_H
#define APPLETS_IPUBOX_JOB_RUNNER_JOB_H

#include "applets/ipubox-job/runner_internal.h"

/* Read the object, and what the last runner left of the job. */
int	runner_job_open(struct job_runner *, struct error *);

/* Look again what is asked for: a deletion, another number of instances, pods
   that are to go. */
void	runner_job_reload(struct job_runner *);

/* End all of it, for good, with that reason in its pods. */
void	runner_job_end(struct job_runner *, const char *reason,
	    const char *message);

/* Write the status, where it is another one than was written. */
void	runner_job_write_status(struct job_runner *);

/* Whether nothing is left to be done. */
bool	runner_job_is_over(const struct job_runner *);

/* The last thing: one that is deleted goes.  Interrupted: it is left as it is
   for the next runner. */
void	runner_job_finish(struct job_runner *, bool interrupted);

#endif
