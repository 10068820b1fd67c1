/*
 * What the parts of a runner offer each other: events, the job, its instances,
 * their pods, and what a pod is given.  For the runner alone.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_PARTS_H
#define CORE_KUBE_RUNNER_RUNNER_PARTS_H

#include "core/kube/runner/runner_internal.h"

/* Something happened, for `describe`: "Normal" or "Warning", a word for it, and
   to which object. */
void	runner_event_add(struct job_runner *, const char *type,
	    const char *reason, const char *object, const char *, ...)
	    __attribute__((format(printf, 5, 6)));

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

/* Read the object, and what the last runner left of the job. */
int	runner_job_open(struct job_runner *, struct error *);
/* Look again what is asked for: a deletion, another number of instances, pods
   that are to go. */
void	runner_job_reload(struct job_runner *);
/* The pod of that name, with its instance; NULL: the job has no such pod. */
struct runner_pod	*runner_job_find_pod(const struct job_runner *,
			    const char *name, struct runner_instance **);
/* End all of it, for good, with that reason in its pods. */
void	runner_job_end(struct job_runner *, const char *reason,
	    const char *message);
/* Write the status, where it is another one than was written. */
void	runner_job_write_status(struct job_runner *);
/* Whether nothing is left to be done. */
bool	runner_job_is_over(const struct job_runner *);
/* The last thing: one that is deleted goes.  Interrupted: it is left as it is
   for the next runner. */
void	runner_job_finish(struct job_runner *, bool interrupted);

/* A new instance; its pods have not begun. */
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

/* Begin it anew: its object, its directory, its first container. */
void	runner_pod_begin(struct job_runner *, struct runner_pod *,
    bool restarted);
/* What the supervisor said, and what the container wrote. */
void	runner_pod_read_socket(struct job_runner *, struct runner_pod *);
void	runner_pod_read_output(struct job_runner *, struct runner_pod *,
	    int output);
/* End it, with that reason; fine for one that is over. */
void	runner_pod_end(struct job_runner *, struct runner_pod *,
	    const char *reason, const char *message);
/* What is due by time: another try, a deadline. */
void	runner_pod_tick(struct job_runner *, struct runner_pod *,
    int64_t now_ms);
/* When runner_pod_tick() is to be called next, -1: never. */
int64_t	runner_pod_due(const struct runner_pod *);
/* Evict it, where a volume holds more than it may. */
void	runner_pod_check_usage(struct job_runner *, struct runner_pod *);
/* Remove it with all it has; it has no process. */
void	runner_pod_remove(struct job_runner *, struct runner_pod *);
void	runner_pod_release(struct runner_pod *);
/* Of the last runner: end what it left, and say so in the pod's state. */
void	runner_pod_recover(struct job_runner *, struct runner_pod *);

/*
 * Fill the pod's plan, to be released in any case, and write what it needs into
 * its directory.  -1: a volume or a variable, and what is wrong with it;
 * ERROR_NOT_FOUND where something is missing that may still come.
 */
int	pod_setup_make(struct job_runner *, struct runner_pod *,
	    const struct yaml_node *pod, const struct yaml_node *container,
	    const char *directory, struct error *);

/* The directory PATH with the launcher's hostfile and its agent. */
int	pod_files_make_mpi(const struct job_runner *, const struct runner_pod *,
	    const char *path, struct error *);
/* DIRECTORY/hosts: a copy of SOURCE, where there is one, and the pod's name. */
int	pod_files_write_hosts(const char *directory, const char *source,
	    const char *address, const char *hostname, struct error *);
/* HOME/.profile, where there is none: login shells find the tools of
   HOME/../bin. */
int	pod_files_write_profile(const char *home, struct error *);

#endif
