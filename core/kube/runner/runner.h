/*
 * Runners: one process per IPUJob, which does for it what the operator does on
 * a cluster, and lives until the job is over.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_H
#define CORE_KUBE_RUNNER_RUNNER_H

#include "core/base/error.h"
#include "core/kube/runtime/runtime.h"

/*
 * Start one for the job, and come back when it has its place in the queue, or
 * more: those that are started one after another are served in that order.
 * The store may be taken or not.  0 also where the job has one.
 */
int	runner_start(struct job_store *, const struct job_entry *,
	    struct error *);

/*
 * Before anything is shown: start one for each job that is not over, or is to
 * be removed, and has none, because it was killed or the host was started anew.
 * What cannot be is told by the job's status.
 */
int	runner_adopt_all(struct job_store *, struct error *);

#endif
