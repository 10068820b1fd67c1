/*
 * One instance of a job: its partition, its pods, and what follows from their
 * ends.  For the runner alone.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_INSTANCE_H
#define APPLETS_IPUBOX_JOB_RUNNER_INSTANCE_H

#include "applets/ipubox-job/runner_internal.h"

struct runner_instance	*runner_instance_new(struct job_runner *, int index);
void	runner_instance_free(struct runner_instance *);
/* Do what is to be done now; whether anything was. */
bool	runner_instance_step(struct job_runner *, struct runner_instance *,
	    int64_t now_ms);
/* When it has something to do by itself, -1: never. */
int64_t	runner_instance_due(const struct runner_instance *);
/* End its pods and give its partition up. */
void	runner_instance_stop(struct job_runner *, struct runner_instance *,
	    const char *reason, const char *message);
/* What the files of the last runner say of it. */
void	runner_instance_recover(struct job_runner *, struct runner_instance *);

#endif
