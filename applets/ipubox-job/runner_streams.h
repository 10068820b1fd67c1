/*
 * The descriptors of a runner, in itself and in its children.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_STREAMS_H
#define APPLETS_IPUBOX_JOB_RUNNER_STREAMS_H

#include "applets/ipubox-job/runner_internal.h"

/* Close those of a pod. */
void	runner_streams_close(struct runner_pod *);

/* In a child of the runner, which is the context: close what is the runner's
   alone.  Of the instance for which it was started the lock of the partition's
   owner stays: it says that something of that lives. */
void	runner_streams_leave(void *runner);

#endif
