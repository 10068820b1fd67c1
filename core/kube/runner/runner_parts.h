/*
 * What the files of a runner offer each other: the job, its instances, their
 * pods, and what a pod is given.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_PARTS_H
#define CORE_KUBE_RUNNER_RUNNER_PARTS_H

#include "core/kube/runner/runner.h"
#include "core/kube/runner/runner_internal.h"

/* Adds an event for `describe`: "Normal" or "Warning", a word for it, and the
   name of the object. */
void runner_event_add(struct job_runner *, const char *type, const char *reason,
    const char *object, const char *, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes into the log what has come on an output; -1: at its end, closed. */
int runner_streams_read(struct runner_pod *, int output);
/* Takes what is in the outputs when the container is over, and closes them.  A
   process that holds one still belongs to another pod, in which the container
   ran a command, and is not waited for. */
void runner_streams_take_rest(struct runner_pod *);
void runner_streams_close(struct runner_pod *);
/* In a child of the runner: closes what is the runner's alone.  The lock of the
   partition's owner stays open for the instance that the child was started for:
   it says that something of the instance lives. */
void runner_streams_leave(void *runner);

/* Reads the object, and what the last runner left of the job. */
int runner_job_open(struct job_runner *, struct error *);
/* Looks again what is asked for: a deletion, another number of instances, pods
   that are to go. */
void runner_job_reload(struct job_runner *);
/* The pod of that name, with its instance; NULL: the job has no such pod. */
struct runner_pod *runner_job_find_pod(const struct job_runner *,
    const char *name, struct runner_instance **);
/* Ends all of it, for good, with that reason in its pods. */
void runner_job_end(struct job_runner *, const char *reason,
    const char *message);
/* Writes the status, if it has changed. */
void runner_job_write_status(struct job_runner *);
bool runner_job_is_over(const struct job_runner *);
/* The last thing: removes a job that is deleted.  An interrupted one is left as
   it is for the next runner. */
void runner_job_finish(struct job_runner *, bool interrupted);

/* A new instance; its pods have not begun. */
struct runner_instance *runner_instance_new(struct job_runner *, int index);
void runner_instance_free(struct runner_instance *);
/* Does what is to be done now; returns whether anything was. */
bool runner_instance_step(struct job_runner *, struct runner_instance *,
    int64_t now_ms);
/* When it has something to do by itself, -1: never. */
int64_t runner_instance_due(const struct runner_instance *);
/* Ends its pods and gives its partition up. */
void runner_instance_stop(struct job_runner *, struct runner_instance *,
    const char *reason, const char *message);
/* Takes over what the files of the last runner say of it. */
void runner_instance_recover(struct job_runner *, struct runner_instance *);

/* Begins it anew: its object, its directory, its first container. */
void runner_pod_begin(struct job_runner *, struct runner_pod *, bool restarted);
/* Reads what the supervisor said, and what the container wrote. */
void runner_pod_read_socket(struct job_runner *, struct runner_pod *);
void runner_pod_read_output(struct job_runner *, struct runner_pod *,
    int output);
/* Ends it, with that reason; fine for one that is over. */
void runner_pod_end(struct job_runner *, struct runner_pod *,
    const char *reason, const char *message);
/* Does what is due by time, another try or a deadline; and when it is to be
   called next, -1: never. */
void runner_pod_tick(struct job_runner *, struct runner_pod *, int64_t now_ms);
int64_t runner_pod_due(const struct runner_pod *);
/* Evicts it, where a volume holds more than it may. */
void runner_pod_check_usage(struct job_runner *, struct runner_pod *);
/* Removes it with all it has; it has no process. */
void runner_pod_remove(struct job_runner *, struct runner_pod *);
void runner_pod_release(struct runner_pod *);
/* Ends what the last runner left of it, and says so in the pod's state. */
void runner_pod_recover(struct job_runner *, struct runner_pod *);

/* Listens in the entry's directory for commands in other pods; where that fails
   they are refused.  A child joins the pod. */
void runner_exec_open(struct job_runner *);
void runner_exec_accept(struct job_runner *);
/* Passes a signal on; the command ends with the process that asked for it. */
void runner_exec_read(struct runner_exec *);
/* Returns whether the child that has ended was a command; tells its asker. */
bool runner_exec_reap(struct job_runner *, pid_t);

/*
 * Fills the pod's plan, to be released in any case, and writes what it needs
 * into its directory.  -1: a volume or a variable, and what is wrong with it;
 * ERROR_NOT_FOUND where something is missing that may still come.
 */
int pod_setup_make(struct job_runner *, struct runner_pod *,
    const struct yaml_node *pod, const struct yaml_node *container,
    struct error *);

/* The directory PATH with the launcher's hostfile and its agent. */
int pod_files_make_mpi(const struct job_runner *, const struct runner_pod *,
    const char *path, struct error *);
/* DIRECTORY/hosts: a copy of /etc/hosts, if it exists, and the pod's name. */
int pod_files_write_hosts(const char *directory, const char *hostname,
    struct error *);
/* HOME/.profile, if missing: login shells find the tools of HOME/../bin. */
int pod_files_write_profile(const char *home, struct error *);

/* Writes the sheet by which a process becomes the container of the pod's plan,
   0600: there are secrets in it.  `root` is the image's, "": this host's. */
int pod_process_write_sheet(const struct job_runner *,
    const struct runner_pod *, const char *hostname, const char *root,
    struct error *);

#endif
