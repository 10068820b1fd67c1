/*
 * What happens to a job and its pods, kept for people.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_EVENT_H
#define APPLETS_IPUBOX_JOB_RUNNER_EVENT_H

#include "applets/ipubox-job/runner_internal.h"

/* Something happened, for `describe`: "Normal" or "Warning", a word for it, and
   to which object. */
void	runner_event_add(struct job_runner *, const char *type,
	    const char *reason, const char *object, const char *, ...)
	    __attribute__((format(printf, 5, 6)));

#endif
