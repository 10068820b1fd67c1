/*
 * The functions that the files of a runner share: about the job, its instances,
 * their pods, and the set-up of a pod.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_PARTS_H
#define CORE_KUBE_RUNNER_RUNNER_PARTS_H

#include "core/kube/runner/runner.h"
#include "core/kube/runner/runner_internal.h"

/* Add an event, which `describe` shows.  type: "Normal" or "Warning"; reason: a
   word such as "Killing"; object: its name. */
void runner_event_add(struct job_runner *, const char *type, const char *reason,
    const char *object, const char *, ...)
    __attribute__((format(printf, 5, 6)));

/* Copy what is available of outputs[output] to the log.  Returns 0; or -1 if
   the output has ended and was closed. */
int runner_streams_read(struct runner_pod *, int output);
/* Copy the rest of the outputs of a finished container, and close them.  Does
   not wait for a process that still holds one: it belongs to another pod, in
   which the container ran a command. */
void runner_streams_take_rest(struct runner_pod *);
/* Close the outputs, the socket and the log. */
void runner_streams_close(struct runner_pod *);
/* Close the runner's descriptors in a child of the runner.  The lock of the
   partition's owner stays open for the child's instance: it shows that a
   process of the instance lives. */
void runner_streams_leave(void *runner);

/* Read the object and the state that the last runner left, and end its pods. */
int runner_job_open(struct job_runner *, struct error *);
/* Read the requests again: deletion, number of instances, deleted pods. */
void runner_job_reload(struct job_runner *);
/* Return the pod of that name, and set its instance, or return NULL. */
struct runner_pod *runner_job_find_pod(const struct job_runner *,
    const char *name, struct runner_instance **);
/* Begin to end the whole job for good; its pods get that reason. */
void runner_job_end(struct job_runner *, const char *reason,
    const char *message);
/* Write the status if it has changed.  _is_over: all is over and written. */
void runner_job_write_status(struct job_runner *);
bool runner_job_is_over(const struct job_runner *);
/* Lock the store and remove a deleted job, or mark the entry as over.  An
   interrupted job stays for the next runner. */
void runner_job_finish(struct job_runner *, bool interrupted);

/* Make an instance; its pods do not start yet. */
struct runner_instance *runner_instance_new(struct job_runner *, int index);
void runner_instance_free(struct runner_instance *);
/* Do a step of the work that is due; return false if none was due. */
bool runner_instance_step(struct job_runner *, struct runner_instance *,
    int64_t now_ms);
/* Return the monotonic time of its next action, or -1 for never. */
int64_t runner_instance_due(const struct runner_instance *);
/* Begin to end its pods.  After their end _step() restarts the instance or
   releases its partition. */
void runner_instance_stop(struct job_runner *, struct runner_instance *,
    const char *reason, const char *message);
/* Restore the instance from the files of the last runner. */
void runner_instance_recover(struct job_runner *, struct runner_instance *);

/* Start the pod's first container, or set is_finished or is_waiting.  The first
   start creates its object and its directory.  restarted: count a restart. */
void runner_pod_begin(struct job_runner *, struct runner_pod *, bool restarted);
/* Read the messages of the supervisor, and the container's output. */
void runner_pod_read_socket(struct job_runner *, struct runner_pod *);
void runner_pod_read_output(struct job_runner *, struct runner_pod *,
    int output);
/* Begin to end the pod with that reason; fine for one that is over. */
void runner_pod_end(struct job_runner *, struct runner_pod *,
    const char *reason, const char *message);
/* Do what is due by time, such as a retry or a deadline.  _due: return the time
   of the next call, or -1 for never. */
void runner_pod_tick(struct job_runner *, struct runner_pod *, int64_t now_ms);
int64_t runner_pod_due(const struct runner_pod *);
/* Evict the pod if a volume holds more than its limit. */
void runner_pod_check_usage(struct job_runner *, struct runner_pod *);
/* Remove a pod with all its files; it must not have processes. */
void runner_pod_remove(struct job_runner *, struct runner_pod *);
void runner_pod_release(struct runner_pod *);
/* End the processes that the last runner left, and record their end. */
void runner_pod_recover(struct job_runner *, struct runner_pod *);

/* Listen in the entry's directory for requests of commands, if possible. */
void runner_exec_open(struct job_runner *);
/* Take a request, within 1 s, and fork a child that runs it in the pod. */
void runner_exec_accept(struct job_runner *);
/* Pass a signal on to the command, or end the command if the requesting process
   has ended. */
void runner_exec_read(struct runner_exec *);
/* Return true if the ended child was a command, which is now reaped and its
   status reported; false: the caller must reap the child. */
bool runner_exec_reap(struct job_runner *, pid_t);

/* Fill in the pod's plan, which the caller releases even after a failure, and
   write the needed files into its directory.  -1: the text names a volume or
   variable and its mistake; ERROR_NOT_FOUND: an object is missing that may
   still be created. */
int pod_setup_make(struct job_runner *, struct runner_pod *,
    const struct yaml_node *pod, const struct yaml_node *container,
    struct error *);

/* Create the directory PATH with the launcher's hostfile and agent. */
int pod_files_make_mpi(const struct job_runner *, const struct runner_pod *,
    const char *path, struct error *);
/* Write DIRECTORY/hosts: a copy of /etc/hosts, and the pod's name. */
int pod_files_write_hosts(const char *directory, const char *hostname,
    struct error *);
/* Write a missing .profile into DIRECTORY/home, for DIRECTORY/bin in PATH. */
int pod_files_write_profile(const char *directory, struct error *);

/* Write the sheet from which a process becomes the container of the pod's plan.
   Its mode is 0600: it holds secrets.  root: an image's; "": this host's. */
int pod_process_write_sheet(const struct job_runner *,
    const struct runner_pod *, const char *hostname, const char *root,
    struct error *);

#endif
