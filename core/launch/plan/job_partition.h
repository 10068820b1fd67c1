/*
 * The partition of a job: chosen or created, watched, and removed again.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_PARTITION_H
#define CORE_LAUNCH_PLAN_JOB_PARTITION_H

#include "core/control/control.h"
#include "core/launch/plan/launch_settings.h"

struct job_server;
struct plan;

/* A process that removes a partition after poprun was killed. */
struct guard {
	int pipe; /* writing to it ends the guard; -1: no guard */
	pid_t pid;
};

/* The partition that the guard removes: one of an owner, or one of a server, by
   its lease if the server supports leases. */
struct guard_task {
	const struct owner_lock *owner; /* NULL: at a server */
	struct controller *lease;	/* connection of the lease, or NULL */
	/* For a partition with neither of these: */
	const struct job_server *server;
	const struct partition *partition;
};

/*
 * Start a guard, which removes the partition once this process and the
 * supervisor of the instances have ended.  If a program is attached then, a
 * partition with an owner or a lease goes later, with the next command or with
 * the lease; another one stays.  The controller is the caller's open one; for a
 * lease, that of the task.  The guard of an owner closes its copy.  The guard
 * of a lease takes the connection over, so the caller must call
 * controller_leave().  -1: no guard was started.
 */
int guard_start(struct guard *, const struct guard_task *, struct controller *,
    struct error *);

/* End the guard, if any, and wait; a leased partition ends too, others stay. */
void guard_stop(struct guard *);

/* The partition that the job runs on. */
struct job_partition {
	char name[NAME_SIZE];		 /* "": none, as offline */
	const struct job_server *server; /* the plan's */
	bool reconfigurable;
	bool created;		 /* by this poprun */
	bool planned;		 /* a dry run does not create it */
	bool without_cluster;	 /* --vipu-cluster has no effect here */
	bool without_allocation; /* --vipu-allocation has none */
	char *options;		 /* its POPLAR_TARGET_OPTIONS */
	/* The next four: for a reconfigurable partition, else NULL and 0. */
	char *device_options;	 /* those of the job's device */
	char *device_text;	 /* the same for the log */
	int device_count;	 /* devices of the job's size */
	int device_id;		 /* the first of them */
	int num_ilds;		 /* number of IPU-Link domains */
	struct error unplanned;	 /* why its place cannot be planned; code
				    ERROR_NONE: it can */
	struct partition known;	 /* as it was when the job began */
	struct owner_lock owner; /* of one that ends with the job */
	struct guard guard;
};

/*
 * Choose the partition of the settings and make it ready: reset it if wanted,
 * and wait until it is active.  With --update-partition, create a missing one
 * and replace one that does not fit or does not become ready.  A guard removes
 * a created one if poprun is killed.  A dry run changes nothing.
 * job_partition_release(), to be called also after a failure, removes what was
 * created unless the settings say otherwise, and ends the guard; plan_release()
 * frees the texts.
 */
int job_partition_ensure(const struct plan *, struct job_partition *,
    struct error *);
int job_partition_release(const struct launch_settings *,
    struct job_partition *, struct error *);

/* Refuse a number of IPUs that is not a power of two or larger than any pod,
   and instances with more IPUs than an IPU-Link domain has. */
int job_partition_check_layout(const struct layout *, struct error *);

/* Look at the partition.  1: programs can use it, or the job has none; 0: it is
   not active or cannot be read, and the error says why; -1: it no longer
   exists. */
int job_partition_look(const struct job_partition *, struct error *);

/* Return -1 if a program, which the error names, uses an IPU of the partition;
   else 0, also if that cannot be found out. */
int job_partition_check_unused(const struct job_partition *, struct error *);

/* Return true, with the error set, if the partition had an error since
   `since_ms` (of clock_real_ms()) or no longer exists; else false, also if that
   cannot be found out. */
bool job_partition_failed(const struct job_partition *, int64_t since_ms,
    struct error *);

/* Append the smallest known pod that has room for the partition, with the
   command that makes it, to the error, if such a pod exists.  Returns -1. */
int pod_hint_append(const struct partition_request *, struct error *);

#endif
