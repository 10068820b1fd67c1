/*
 * Runners: one process per IPUJob that does the work of the operator on a
 * cluster, and lives until the job is over.  runner.c has its loop, and
 * runner_internal.h draws its processes.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_H
#define CORE_KUBE_RUNNER_RUNNER_H

#include "core/kube/runtime/runtime.h"
#include "core/state/state.h"

/* Start a runner for the job.  Returns 0 when each instance has its IPUs or a
   place in the queue, at the latest after 30 s, so that jobs are served in the
   order of their starts.  The caller may hold the store's lock or not.  Returns
   0 also if the job already has a runner, or the new one has ended: its events
   say why.  -1: no runner could be started. */
int runner_start(struct job_store *, const struct job_entry *, struct error *);

/* Start a runner for each job that is not over (or is to be removed) and lost
   its runner because of a kill or a restart of the host.  Call it before
   showing anything.  It waits for each as runner_start() does.  A job is
   skipped if its runner cannot be started; -1: the jobs cannot be listed. */
int runner_adopt_all(struct job_store *, struct error *);

/* Draw a new identity for metadata.uid: a random UUID (RFC 4122). */
enum { RUNNER_UID_SIZE = 40 };
void runner_draw_uid(char uid[RUNNER_UID_SIZE]);

/* Command that the runner executes: ipubox __pod DIRECTORY. */
#define POD_PROCESS_WORD "__pod"

/* Become the container that the sheet in the pod's directory describes
   (pod_process_write_sheet()).  Returns only on failure: the exit status for
   this process, with the reason in the error. */
int pod_process_run(const char *directory, struct error *);

/* Join the running container of the pod, and execute a program in place of this
   process.  Returns as pod_process_run().  ERROR_NOT_FOUND: the container does
   not run. */
int pod_process_exec(const char *directory, char *const *argv, struct error *);

/* Move this process into the place of the container's processes, with its
   working directory, to copy files.  If the container is over, into a new place
   like it.  -1: this process may be half inside and must end. */
int pod_process_visit(const char *directory, struct error *);

/* Return the container's process, or 0 if it is over or has not yet entered its
   place. */
pid_t pod_process_find(const char *directory);

/* Ask the job's runner to run a command in the pod of this directory, and wait
   until it ends.  For a pod's process that cannot join that pod.  Signals that
   would end this process are passed on to the command, and stay blocked
   afterwards.  Returns the exit status as a shell counts it, or -1: the runner
   does not exist, has ended or does not know the pod. */
int runner_exec_run(const char *pod_directory, char *const *argv,
    struct error *);

/*
 * The partition of one instance of a job.  A child process requests it, as that
 * may mean to wait in a queue.  The partition lasts until the runner releases
 * it or dies.
 */

enum runner_partition_state {
	RUNNER_PARTITION_NONE,
	RUNNER_PARTITION_REQUESTED, /* requested, no message yet */
	RUNNER_PARTITION_WAITING,   /* in the queue */
	RUNNER_PARTITION_READY,
	RUNNER_PARTITION_FAILED
};

struct runner_partition {
	enum runner_partition_state state;
	char name[NAME_SIZE];
	char text[1024];	 /* what it waits for, or why it failed */
	char server[256];	 /* "local", or the server's host; if READY */
	int port;		 /* if READY */
	pid_t pid;		 /* the requesting process, or 0 */
	int messages;		 /* from that process, to be polled; or -1 */
	int hold;		 /* keeps a server's partition; or -1 */
	struct owner_lock owner; /* keeps a local one */
};

/* Begin without a request. */
void runner_partition_init(struct runner_partition *);

/* Request a partition, without waiting, for the owner "ipujob NAMESPACE/NAME".
   If this job's last runner left a local partition with the requested name, it
   is reset and used.  The child process first calls `in_child`, which closes
   the runner's descriptors.  -1: nothing was requested, and `state` has not
   changed. */
int runner_partition_request(struct runner_partition *,
    const struct partition_request *, const char *owner,
    void (*in_child)(void *), void *context, struct error *);

/* Read `messages` when it is readable, and update the state. */
void runner_partition_read(struct runner_partition *);

/* Configure the partition again for a restart, by force, and wait until that
   ends.  -1: it is lost, and is still to be released. */
int runner_partition_reset(struct runner_partition *, struct error *);

/* Release a partition in any state, and set it as _init() does.  A local
   partition's IPUs are free on return, a server's when it notices the end of
   the connection. */
void runner_partition_release(struct runner_partition *);

#endif
