/*
 * The partition of a job: chosen or created, watched, and removed again.
 */
#ifndef CORE_LAUNCH_PLAN_JOB_PARTITION_H
#define CORE_LAUNCH_PLAN_JOB_PARTITION_H

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/job/layout.h"
#include "core/launch/plan/launch_settings.h"
#include "core/pod/pod.h"
#include "core/state/owner_lock.h"
#include "core/state/snapshot.h"

struct job_server;
struct plan;

/* A process that removes a partition after poprun was killed. */
struct guard {
	int pipe; /* -1: no guard */
	pid_t pid;
};

/* The partition that the guard removes: one of an owner, or one of a server, by
   its lease if the server supports leases. */
struct guard_task {
	const struct owner_lock *owner; /* NULL: at a server */
	struct controller *lease;	/* its connection, or NULL */
	const struct job_server *server;
	const struct partition *partition;
};

/*
 * Start a guard, which removes the partition once this process and its
 * supervisor have ended.  If a program is attached then, the partition goes
 * after that: with the next command, or with its lease.  The guard of an owner
 * closes its copy of the controller.  The guard of a lease takes its connection
 * over, and the caller calls controller_leave().
 */
int guard_start(struct guard *, const struct guard_task *, struct controller *,
    struct error *);

/* End the guard.  A leased partition ends with it; any other stays. */
void guard_stop(struct guard *);

/* The partition that the job runs on. */
struct job_partition {
	char name[NAME_SIZE];		 /* "": offline */
	const struct job_server *server; /* the plan's, where the partition
					    is */
	bool reconfigurable;
	bool created;	      /* by this poprun */
	bool planned;	      /* a dry run does not create it */
	char *options;	      /* its POPLAR_TARGET_OPTIONS */
	char *device_options; /* its device's, NULL: not asked */
	char *device_text;    /* the same for the log */
	int device_count;     /* of the job's size */
	int device_id;	      /* the first of them */
	int num_ilds;
	struct error unplanned;	 /* why its place cannot be planned; its code is
				    ERROR_NONE: it can */
	struct partition known;	 /* as it was when the job began */
	struct owner_lock owner; /* of one that goes with the job */
	struct guard guard;
};

/*
 * Choose the partition of the settings and make it ready: reset it if wanted,
 * and wait until it is active.  With --update-partition, create a missing one
 * and replace one that does not fit.  A guard protects one that is to be
 * removed.  A dry run changes nothing.  job_partition_release() removes what
 * was created unless the settings say otherwise.
 */
int job_partition_ensure(const struct plan *, struct job_partition *,
    struct error *);
int job_partition_release(const struct launch_settings *,
    struct job_partition *, struct error *);

/* Refuse sizes that no partition has. */
int job_partition_check_layout(const struct layout *, struct error *);

/* Look at the partition.  1: programs can use it; 0: not yet, and the error has
   its state; -1: it no longer exists. */
int job_partition_look(const struct job_partition *, struct error *);

/* Check its IPUs.  -1: a program, which the error names, uses one. */
int job_partition_check_unused(const struct job_partition *, struct error *);

/* Whether the partition had an error since `since_ms`, or no longer exists. */
bool job_partition_failed(const struct job_partition *, int64_t since_ms,
    struct error *);

/* Find the name: that of the command line or the environment, else that of the
   only partition (PopRun user guide 2.7).  -1: none or several exist. */
int partition_choice_name(const struct launch_settings *,
    const struct controller *, const struct snapshot *, char name[NAME_SIZE],
    struct error *);

/* Append the smallest known pod that has room for the partition, with the
   command that makes it, to the error, if such a pod exists.  Returns -1. */
int pod_hint_append(const struct partition_request *, struct error *);

#endif
