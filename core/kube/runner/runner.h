/*
 * Runners: one process per IPUJob, which does for it what the operator does on
 * a cluster, and lives until the job is over.  runner.c has its loop, and
 * runner_internal.h draws its processes.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_H
#define CORE_KUBE_RUNNER_RUNNER_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/kube/runtime/runtime.h"

/*
 * Starts one for the job, and returns when it has its place in the queue, or
 * more: those that are started one after another are served in that order.  The
 * store may be taken or not.  0 also where the job has one.
 */
int runner_start(struct job_store *, const struct job_entry *, struct error *);

/*
 * Starts one for each job that is not over, or is to be removed, and has none,
 * because it was killed or the host was started anew: to be called before
 * anything is shown.  A failure is told by the job's status.
 */
int runner_adopt_all(struct job_store *, struct error *);

/* A new identity, as metadata.uid has it: a random UUID (RFC 4122). */
enum { RUNNER_UID_SIZE = 40 };
void runner_draw_uid(char uid[RUNNER_UID_SIZE]);

/* What the runner starts: ipubox __pod DIRECTORY */
#define POD_PROCESS_WORD "__pod"

/*
 * Becomes the container that the directory's sheet describes; returns an exit
 * status and the reason where that fails.
 */
int pod_process_run(const char *directory, struct error *);

/* Joins the container that runs in the pod, and executes a program in it;
   returns as above.  ERROR_NOT_FOUND: the container does not run. */
int pod_process_exec(const char *directory, char *const *argv, struct error *);

/* Goes where the container's processes are, or would be where it is over, with
   its working directory: to copy files. */
int pod_process_visit(const char *directory, struct error *);

/* The process of the container; 0: it is over, or has not begun. */
pid_t pod_process_find(const char *directory);

/*
 * Asks the job's runner to run a command in the pod that has this directory,
 * for a pod's process that cannot join it, and waits for its end; signals that
 * end this process are passed on.  Its exit status as a shell has it, or -1:
 * the runner does not exist, or has ended.
 */
int runner_exec_run(const char *pod_directory, char *const *argv,
    struct error *);

#endif
