/*
 * The descriptors of a runner, in itself and in its children, and what comes
 * out of the pods.
 */
#ifndef APPLETS_IPUBOX_JOB_RUNNER_STREAMS_H
#define APPLETS_IPUBOX_JOB_RUNNER_STREAMS_H

#include "applets/ipubox-job/runner_internal.h"

/* Write into the log what has come on an output.  0; or -1 at its end: it is
   closed. */
int	runner_streams_read(struct runner_pod *, int output);

/* When nothing of the container is left: what is in its outputs, which end
   here.  Who has them even now is of another pod, in which it ran a command,
   and is not waited for. */
void	runner_streams_take_rest(struct runner_pod *);

/* Close those of a pod. */
void	runner_streams_close(struct runner_pod *);

/* In a child of the runner, which is the context: close what is the runner's
   alone.  Of the instance for which it was started the lock of the partition's
   owner stays: it says that something of that lives. */
void	runner_streams_leave(void *runner);

#endif
