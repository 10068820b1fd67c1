/*
 * A job of Kubernetes on this host: the files with its object and its status,
 * and the needs of its containers.  Nothing here starts a process
 * (core/kube/runner does).  Read job_entry.h first, then container_plan.h:
 *
 *	job_store.h	the directory of all jobs, ConfigMaps, Secrets, claims
 *	job_entry.h	the directory of one job
 *	container_plan.h	command, environment and volumes of a container
 */
#ifndef CORE_KUBE_RUNTIME_RUNTIME_H
#define CORE_KUBE_RUNTIME_RUNTIME_H

#include <sys/types.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/kube/runtime/container_plan.h"
#include "core/kube/runtime/job_entry.h"
#include "core/kube/runtime/job_store.h"
#include "core/kube/schema/schema.h"

/*
 * A pod of an IPUJob as the object that kubectl shows, and its state as a
 * struct.
 *
 * Source: the API reference of Kubernetes, Pod and PodStatus.
 */

enum pod_phase { POD_PENDING, POD_RUNNING, POD_SUCCEEDED, POD_FAILED };

enum { POD_REASON_SIZE = 48, POD_MESSAGE_SIZE = 512, POD_TIME_SIZE = 32 };

/* Times are seconds since the epoch; 0: not yet. */
struct pod_state {
	enum pod_phase phase;
	char reason[POD_REASON_SIZE]; /* "ContainerCreating" */
	char message[POD_MESSAGE_SIZE];
	int status; /* once it ended: exit status, or 128 + signal */
	int restarts;
	int steps_done; /* initContainers that succeeded */
	int steps;	/* initContainers */
	int64_t created_s;
	int64_t started_s;
	int64_t finished_s;
	int64_t last_finished_s; /* end of the previous run */
};

enum pod_role { POD_WORKER, POD_LAUNCHER };

/* The position of a pod in a job. */
struct pod_place {
	enum pod_role role;
	int instance;
	const char *name;
	const char *host; /* node name: this host */
	char uid[40];
};

/* Create the object of a pod in the arena: metadata, and the spec of the job's
   template with only its first container.  A launcher gets the command of
   spec.launcher instead and its env in addition, and loses the initContainers.
   A worker gets "sleep" if the job has a launcher, or is interactive and
   without a command. */
struct yaml_node *pod_object_new(struct yaml_arena *,
    const struct yaml_node *ipujob, const struct ipujob *,
    const struct pod_place *, int64_t now_s);

/* Store the state as the object's status.  pod_object_state() reads it back;
   without a status all is 0 and POD_PENDING, but for created_s. */
void pod_object_set_state(struct yaml_arena *, struct yaml_node *pod,
    const struct pod_state *);
void pod_object_state(const struct yaml_node *pod, struct pod_state *);

/* Return the main container, the first of the spec, or NULL. */
struct yaml_node *pod_object_container(const struct yaml_node *pod);

/* Write the STATUS of `get pods`: "Completed", "Init:0/1", "Running". */
void pod_object_word(const struct pod_state *, char word[POD_REASON_SIZE]);

/* Return the signal of an exit status 128 + SIGNAL, or 0 for another status. */
int pod_object_signal(int status);

/* Return "Completed" or "Error", by the exit status of a container. */
const char *pod_object_end_reason(int status);

/* Parse clock_text()'s form into seconds since the epoch; 0: NULL or
   malformed. */
int64_t pod_object_read_time(const char *text);

/* Write an age like kubectl: "10m", "2m56s", "3d2h"; "<invalid>" below -1. */
void pod_object_age(int64_t seconds, char text[POD_TIME_SIZE]);

/*
 * The output of a container, line by line with its time in Kubernetes' format,
 * in rotated files:
 *
 *	2026-11-23T14:19:35.123456789Z stdout F a whole line
 *	2026-11-23T14:19:35.223456789Z stderr P part of one, more follows
 *
 *	LOG, LOG.1, LOG.2 ...			the newest first
 *
 * Source: the log format of CRI (kubelet-cri-logging.md).
 */

enum {
	CONTAINER_LOG_BYTES = 10 * 1024 * 1024, /* of a file */
	CONTAINER_LOG_FILES = 5			/* including the newest */
};

enum container_stream { CONTAINER_STDOUT, CONTAINER_STDERR };

/* Open a log to append to it; the caller ensures that no other process has it
   open.  A missing one is created (0600).  NULL: it cannot be opened. */
struct container_log;
struct container_log *container_log_open(const char *path, struct error *);
/* Add output that arrived at that time of clock_real_ns().  Nothing is
   buffered: bytes without a final newline become a part of a line.  -1: a line
   cannot be written, as on a full disk: it and the rest of these bytes are
   lost. */
int container_log_add(struct container_log *, enum container_stream,
    const char *bytes, size_t size, int64_t now_ns, struct error *);
void container_log_close(struct container_log *); /* NULL is fine */

/* Remove a log with all its files. */
void container_log_remove(const char *path);

/* The part of a log to print. */
struct container_view {
	int64_t since_ns;   /* of clock_real_ns(); 0: from the beginning */
	long tail;	    /* number of last lines, -1: all */
	int64_t limit;	    /* bytes without times and prefixes, -1: all */
	bool timestamps;    /* print the time before each line */
	const char *prefix; /* before each line, or NULL */
};

/* A reader's position; all zero: the beginning. */
struct container_place {
	ino_t inode;	 /* the file of the log that was read last */
	off_t offset;	 /* in that file */
	bool within;	 /* part of a line was printed */
	int64_t printed; /* bytes, counted like the limit */
};

/* Print the log from the position, which moves to the log's present end.
   `tail` has an effect only if the position is all zero.  Returns 0, also if
   the log is missing or cannot be read; 1: the limit cut the output off; -1:
   `out` failed. */
int container_log_print(const char *path, const struct container_view *,
    struct container_place *, FILE *out, struct error *);

enum job_phase {
	JOB_PENDING, /* no IPUs yet, or pods do not run yet */
	JOB_RUNNING,
	JOB_RESTARTING, /* between an end and the next start */
	JOB_COMPLETED,
	JOB_FAILED,
	JOB_PHASES
};

/* The progress of a job. */
struct job_progress {
	enum job_phase phase;
	int instances; /* requested number */
	int current;   /* running instances */
	int active;    /* worker pods that run */
	int succeeded; /* worker pods */
	int failed;    /* worker pods */
	int restarts;
	bool has_partition;
	const char *reason; /* "PartitionPending" */
	const char *message;
	int64_t now_s;
};

/* Update a status (NULL: a new one) to the job's progress, and return it.
   Conditions keep the time of their last transition.  Source: the status of the
   CRD; printed rows of EIDF's guide. */
struct yaml_node *job_status_update(struct yaml_arena *,
    struct yaml_node *status, const struct job_progress *);

/* Read the phase back from a written status; without one JOB_PENDING.
   _is_over: return true for JOB_COMPLETED and JOB_FAILED. */
enum job_phase job_status_phase(const struct yaml_node *status);
bool job_status_is_over(const struct yaml_node *status);

/* Return the delay before the next start after that many restarts: `first_ms`,
   doubled each time, at most five minutes.  Source: Kubernetes, pod lifecycle,
   container restarts. */
int64_t job_status_delay_ms(int restarts, int64_t first_ms);

/* A reconfigurable partition: each program gets as many GCDs as it wants. */
enum { JOB_GCDS_RECONFIGURABLE = 0 };

/* Return the number of GCDs in the partition of a job instance, for a job
   without errors.  It is --num-instances of the poprun in the command of the
   launcher or the only worker (1 without the option).  JOB_GCDS_RECONFIGURABLE:
   that is not a number, or several popruns have different numbers.  Without a
   poprun, or if the IPUs cannot be divided by its number, each worker has one
   GCD; all share one if the IPUs cannot be divided by the workers.  Source: the
   guides of the IPU Operator and of poprun. */
int job_gcds_count(const struct ipujob *);

/* Read from ipubox.conf the root directory for a container with that image
   (NULL: none named); "": this host's files, as for an image that ipubox.conf
   does not list.  *is_mapped: it lists the image.  A name without a tag covers
   all its tags.  -1: a settings file is refused. */
int job_settings_image(const char *image, char root[PATH_MAX], bool *is_mapped,
    struct error *);

/* Read from ipubox.conf the directory that limits hostPaths ("": not set), and
   the time before the first restart of a job (default: 10 s).  -1: a settings
   file is refused. */
int job_settings_host_root(char root[PATH_MAX], struct error *);
int job_settings_restart_delay(int64_t *ms, struct error *);

/* Make a list of Events from the runner's lines, which are maps of time, type,
   reason, object and message (job_entry.h).  Equal lines about one object
   become one Event with a count, a first and a last time, in the place of the
   last line.  Source: the API reference of Kubernetes, Event (core/v1). */
struct yaml_node *job_status_events(struct yaml_arena *,
    const struct yaml_node *lines, const char *job, const char *space);

/* Whether the event is about that object: "IPUJob" or "Pod", and its name. */
bool job_status_is_about(const struct yaml_node *event, const char *kind,
    const char *name);

/* Replace each value of the Secret by "(6 bytes)" or "(not base64)", move
   stringData to data, and drop the annotation with kubectl's copy of the
   manifest.  The output cannot be mistaken for the Secret: "(" is not
   base64. */
void pod_data_hide(struct yaml_arena *, struct yaml_node *secret);

/* The use of a pod's field: for a variable or for a file.  The two have
   different sets of fields. */
enum pod_field_use { POD_FIELD_VARIABLE = 1, POD_FIELD_FILE = 2 };

/* Check a fieldPath, and a resource, of the downward API.  -1, ERROR_INVALID:
   "metadata.nmae is not a field that a file can have (did you mean ...)", and
   "must be limits or ...".  Source: the Kubernetes documentation, Downward API,
   available fields. */
int pod_field_check(const char *path, enum pod_field_use, struct error *);
int pod_field_check_resource(const char *resource, struct error *);

/*
 * Create what the plan's volumes need, before each start of the container:
 * volumes/NAME (0700) in the pod's directory; the files with their modes,
 * whatever the umask; and the targets of subPaths and hostPaths.  The directory
 * must exist and be the plan's (struct pod_host), absolute and without symbolic
 * links.  The contents of an emptyDir and a claim stay.  A volume of files has
 * exactly the plan's files afterwards.
 *
 * All access is by descriptors.  Symbolic links below a volume are not
 * followed, also not in a subPath (ERROR_UNSAFE).  Links of a hostPath are
 * followed within its root (ERROR_DENIED), and the plan then has the path
 * without links.  -1: "volume data: ...".
 */
int pod_disk_make(struct container_plan *, const char *directory,
    struct error *);

enum { POD_DISK_DEPTH_MAX = 100, POD_DISK_ENTRIES_MAX = 1000000 };

/* Count the bytes on disk of a directory and everything below, like du(1),
   until they exceed the limit (0: none).  Skipped are: entries deeper than
   POD_DISK_DEPTH_MAX, entries after the first POD_DISK_ENTRIES_MAX, other file
   systems and unreadable entries; symbolic links are not followed.  -1: the
   directory itself is unreadable. */
int pod_disk_usage(const char *path, int64_t limit, int64_t *bytes,
    struct error *);

#endif
