/*
 * What the runner of one job knows; runner_parts.h has what it does.
 *
 *	runner --> queue process, one per job instance, while it waits
 *	       --> reaper --> supervisor --> container, of each pod
 *
 * One thread, which waits in poll(2).  All that it knows is in files as well:
 * the next runner reads them when this one was killed.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_INTERNAL_H
#define CORE_KUBE_RUNNER_RUNNER_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/kube/runner/runner_partition.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/schema/schema.h"

#define RUNNER_ADDRESS "127.0.0.1" /* of all pods */
enum { RUNNER_OUTPUTS = 2 };

/* What a pod is doing, as far as its processes go. */
enum runner_pod_activity {
	RUNNER_POD_IDLE, /* it has no process */
	RUNNER_POD_RUNS,
	RUNNER_POD_ENDS /* its end has begun */
};

struct runner_pod {
	char name[IPUJOB_NAME_SIZE];
	char uid[40];
	char *directory;
	enum pod_role role;
	int instance;
	int worker;
	struct pod_state state;
	enum runner_pod_activity activity;
	bool is_through; /* all its containers are over */
	bool is_unclean; /* its supervisor was killed */
	bool is_there;	 /* its container can be joined */
	int step;	 /* containers that are over */
	int wait_status; /* of the main process */
	bool is_waiting;
	int64_t retry_ms;		  /* then: to be tried again */
	int64_t deadline_ms;		  /* activeDeadlineSeconds, 0: none */
	char end_reason[POD_REASON_SIZE]; /* why we ended it, "" */
	char end_message[POD_MESSAGE_SIZE];
	int socket; /* of its supervisor, -1 */
	int outputs[RUNNER_OUTPUTS];
	struct container_log *log;
	struct container_plan plan; /* of the container that runs */
	bool has_plan;
};

enum runner_instance_state {
	RUNNER_NEW,
	RUNNER_ASKING, /* for a partition */
	RUNNER_RUNNING,
	RUNNER_STOPPING, /* its pods are being ended */
	RUNNER_DELAYED,	 /* until the next start */
	RUNNER_OVER
};

struct runner_instance {
	int index;
	enum runner_instance_state state;
	struct runner_partition partition;
	struct runner_pod *pods; /* workers, then the launcher */
	int pod_count;
	int restarts;
	int64_t next_ms;   /* of RUNNER_DELAYED */
	bool is_dropped;   /* the job was made smaller */
	bool is_respawned; /* a pod of it was deleted */
	bool has_result;
	int result;		      /* exit status */
	char cause[POD_MESSAGE_SIZE]; /* "pod x: Error (3)" */
};

/* A command that a pod runs in another one. */
struct runner_exec {
	pid_t pid;
	int socket; /* of the process that asked, -1 */
};

struct job_runner {
	struct job_store *store;
	struct job_entry *entry;
	struct yaml_arena *arena; /* of the object */
	struct yaml_node *object;
	struct ipujob job;
	struct runner_instance **instances;
	int count, starting;	/* the latter: a child's */
	int lock, signals;	/* a signalfd(2) */
	int changes;		/* of job_entry_listen() */
	int told;		/* the starter's pipe, -1 */
	char *own_file;		/* of this program */
	char *host;		/* this one's name */
	char *state, *registry; /* the state directory */
	bool may_mount;
	char why_not[512]; /* it may not */
	bool said_image;   /* that one is not mapped */
	int exec_door;	   /* where they are asked for */
	struct runner_exec *execs;
	size_t exec_count;
	bool is_deleted;
	bool is_ending;	  /* deleted, or at its end */
	bool was_over;	  /* before this runner */
	bool has_changed; /* a file of the entry */
	int64_t ttl_ms;	  /* when it ends by itself, 0 */
	int64_t usage_ms; /* next look at emptyDirs */
	int gcds;	  /* of each partition, or: */
	int64_t delay_ms; /* before the first restart */
	int restarts;
	char *written; /* the last status, in short */
};

#endif
