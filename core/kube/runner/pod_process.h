/*
 * The processes of a pod's container: the one that it is, and those that join
 * it.
 */
#ifndef CORE_KUBE_RUNNER_POD_PROCESS_H
#define CORE_KUBE_RUNNER_POD_PROCESS_H

#include <sys/types.h>

#include "core/base/error.h"

/* What the runner starts: ipubox __pod DIRECTORY */
#define POD_PROCESS_WORD	"__pod"

/*
 * Become the container that the directory's file describes; comes back with an
 * exit status and the reason where that fails.
 */
int	pod_process_run(const char *directory, struct error *);

/*
 * Join the container that runs in the pod, and execute a program in it; comes
 * back as above.  ERROR_NOT_FOUND: it does not run.
 */
int	pod_process_exec(const char *directory, char *const *argv,
	    struct error *);

/*
 * Be where the container's processes are, or would be where it is over, with
 * its working directory: for who copies files.
 */
int	pod_process_visit(const char *directory, struct error *);

/* The process of the container; 0: it is over, or not there yet. */
pid_t	pod_process_find(const char *directory);

#endif
