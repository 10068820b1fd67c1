/*
 * A job of Kubernetes on this host: the files that say what it is and how it
 * stands, and what a container of its pods needs.  Nothing here starts a
 * process (core/kube/runner does).  Read job_entry.h first, then
 * container_plan.h:
 *
 *	job_store.h	the directory of all jobs, ConfigMaps, Secrets, claims
 *	job_entry.h	the directory of one job
 *	pod_object.h	the object of a pod, and its state in it
 *	container_plan.h	command, environment and volumes of a container
 *	container_log.h	what a container wrote
 */
#ifndef CORE_KUBE_RUNTIME_RUNTIME_H
#define CORE_KUBE_RUNTIME_RUNTIME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/kube/runtime/container_log.h"
#include "core/kube/runtime/container_plan.h"
#include "core/kube/runtime/job_entry.h"
#include "core/kube/runtime/job_store.h"
#include "core/kube/runtime/pod_object.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"

enum job_phase {
	JOB_PENDING, /* no IPUs yet, or pods that do not run yet */
	JOB_RUNNING,
	JOB_RESTARTING, /* between an end and the next start */
	JOB_COMPLETED,
	JOB_FAILED,
	JOB_PHASES
};

/* How a job stands. */
struct job_progress {
	enum job_phase phase;
	int instances; /* that are asked for */
	int current;   /* instances that run */
	int active;    /* worker pods, by what they do */
	int succeeded;
	int failed;
	int restarts;
	bool has_partition;
	const char *reason; /* "PartitionPending" */
	const char *message;
	int64_t now_s;
};

/*
 * Brings a status (NULL: a new one) up to how the job stands, and returns it.
 * Conditions keep the time of their last transition.
 *
 * Source: the status of the CRD; printed rows of EIDF's guide.
 */
struct yaml_node *job_status_update(struct yaml_arena *,
    struct yaml_node *status, const struct job_progress *);

/* How the job stood when the status was written. */
enum job_phase job_status_phase(const struct yaml_node *status);
bool job_status_is_over(const struct yaml_node *status);

/*
 * How long to wait before the next start, after so many: `first_ms`, then twice
 * as long each time, at most five minutes.
 *
 * Source: Kubernetes, pod lifecycle, container restarts.
 */
int64_t job_status_delay_ms(int restarts, int64_t first_ms);

/* A reconfigurable partition, which has as many GCDs as each program wants. */
enum { JOB_GCDS_RECONFIGURABLE = 0 };

/*
 * How many GCDs the partition of a job instance has, of a job without errors:
 * one for each instance of the command's poprun; reconfigurable where the
 * command does not say how many, or not always the same.  Workers that run by
 * themselves have one each; all share one where the IPUs cannot be divided.
 *
 * Source: the guides of the IPU Operator and of poprun.
 */
int job_gcds_count(const struct ipujob *);

/*
 * Reads from ipubox.conf the directory that is the root of a container with
 * that image, NULL: it names none; "": this host's own files, where *is_mapped
 * tells whether the files say so.  A name without a tag is for all its tags.
 * -1: the files are refused.
 */
int job_settings_image(const char *image, char root[PATH_MAX], bool *is_mapped,
    struct error *);

/* The same: below which a hostPath may be ("": none may), and the time before
   the first restart of a job. */
int job_settings_host_root(char root[PATH_MAX], struct error *);
int job_settings_restart_delay(int64_t *ms, struct error *);

/*
 * Makes a list of Events of the runner's lines, which are maps of time, type,
 * reason, object and message (job_entry.h).  Lines that say the same of the
 * same object are one Event with a count, a first and a last time; it stands
 * where its last line does.
 *
 * Source: the API reference of Kubernetes, Event (core/v1).
 */
struct yaml_node *job_status_events(struct yaml_arena *,
    const struct yaml_node *lines, const char *job, const char *space);

/* Whether it happened to that object: "IPUJob" or "Pod", and its name. */
bool job_status_is_about(const struct yaml_node *event, const char *kind,
    const char *name);

/*
 * Puts "(6 bytes)" in place of each value of the Secret, all under data, and
 * drops the annotation in which kubectl keeps a copy of the manifest.  What is
 * printed of it cannot be taken for the Secret: "(" is not base64.
 */
void pod_data_hide(struct yaml_arena *, struct yaml_node *secret);

/* Fields that a variable, or a file, can have of its pod: not all are for
   both. */
enum pod_field_use { POD_FIELD_VARIABLE = 1, POD_FIELD_FILE = 2 };

/*
 * Checks a fieldPath, and a resource, of the downward API.  -1, ERROR_INVALID:
 * "metadata.nmae is not a field that a file can have (did you mean ...)", and
 * "must be limits or ...".
 *
 * Source: the Kubernetes documentation, Downward API, available fields.
 */
int pod_field_check(const char *path, enum pod_field_use, struct error *);
int pod_field_check_resource(const char *resource, struct error *);

/*
 * Makes what the plan's volumes need, each time before the container starts:
 * volumes/NAME (0700) in the pod's directory; the files with their modes,
 * whatever the umask; and what subPaths and hostPaths name.  The directory
 * exists and is the plan's own (struct pod_host), absolute and without symbolic
 * links.  What an emptyDir and a claim hold already stays; a volume of files
 * has those of the plan afterwards, and nothing else.
 *
 * All goes by descriptors, and no symbolic link below a volume is followed,
 * also not in a subPath (ERROR_UNSAFE); those of a hostPath are, where they
 * stay below its root (ERROR_DENIED).  -1: "volume data: ...".
 */
int pod_disk_make(const struct container_plan *, const char *directory,
    struct error *);

enum { POD_DISK_DEPTH_MAX = 100, POD_DISK_ENTRIES_MAX = 1000000 };

/*
 * Counts the bytes that a directory takes on its disk with all that is below
 * it, as du(1) has them, until they are over the limit (0: none).  Not counted:
 * what is deeper than POD_DISK_DEPTH_MAX, after POD_DISK_ENTRIES_MAX entries,
 * on another file system, or unreadable; symbolic links are not followed.  -1:
 * the directory itself cannot be read.
 */
int pod_disk_usage(const char *path, int64_t limit, int64_t *bytes,
    struct error *);

#endif
