/*
 * The state of one job's runner; runner_parts.h has its functions.
 *
 *	runner --> queue process of each job instance, while it requests a
 *	           partition or holds a server's
 *	       --> reaper --> supervisor --> container, of each pod
 *
 * A runner has one thread, which waits in poll(2).  Its whole state is also in
 * files, which the next runner reads after this one was killed.  Its times in
 * ms are monotonic.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_INTERNAL_H
#define CORE_KUBE_RUNNER_RUNNER_INTERNAL_H

#include "core/kube/runner/runner.h"
#include "core/kube/runtime/runtime.h"

#define RUNNER_ADDRESS "127.0.0.1" /* of all pods */
enum { RUNNER_OUTPUTS = 2 };

enum runner_pod_activity {
	RUNNER_POD_IDLE, /* it has no process */
	RUNNER_POD_RUNS,
	RUNNER_POD_ENDS /* is being ended */
};

struct runner_pod {
	char name[IPUJOB_NAME_SIZE];
	char uid[40];
	char *directory;
	enum pod_role role;
	int instance, worker;
	struct pod_state state;
	enum runner_pod_activity activity;
	bool is_finished;    /* all its containers are over */
	bool is_unclean;     /* its supervisor was killed */
	bool is_joinable;    /* its container can be joined */
	int step;	     /* containers that are over: index of the next */
	int wait_status;     /* of that container, as by waitpid(2) */
	bool is_waiting;     /* for a missing object, such as a Secret */
	bool is_unwritten;   /* its state is not on the disk yet */
	int64_t retry_ms;    /* next try, if is_waiting or is_unwritten */
	int64_t deadline_ms; /* end by activeDeadlineSeconds, or 0 */
	char end_reason[POD_REASON_SIZE]; /* why the runner ended it, or "" */
	char end_message[POD_MESSAGE_SIZE];
	int socket;		     /* to its supervisor, or -1 */
	int outputs[RUNNER_OUTPUTS]; /* standard output and error, or -1 */
	struct container_log *log;
	struct container_plan plan; /* of the running container */
	bool has_plan;
};

enum runner_instance_state {
	RUNNER_NEW,
	RUNNER_REQUESTING, /* requesting a partition */
	RUNNER_RUNNING,
	RUNNER_STOPPING, /* its pods are being ended */
	RUNNER_DELAYED,	 /* waiting for the next start */
	RUNNER_OVER
};

struct runner_instance {
	int index;
	enum runner_instance_state state;
	struct runner_partition partition;
	struct runner_pod *pods; /* workers, then the launcher */
	int pod_count;
	int restarts;
	int64_t next_ms;   /* end of RUNNER_DELAYED */
	bool is_dropped;   /* a smaller job has no such instance */
	bool is_respawned; /* a pod of it was deleted */
	bool has_result;
	int result;		      /* exit status, if has_result */
	char cause[POD_MESSAGE_SIZE]; /* "pod x: Error (3)" */
};

/* A command that one pod runs in another. */
struct runner_exec {
	pid_t pid;
	int socket; /* to the requesting process, or -1 */
};

struct job_runner {
	struct job_store *store;
	struct job_entry *entry;
	struct yaml_arena *arena; /* holds the object */
	struct yaml_node *object;
	struct ipujob job;
	struct runner_instance **instances;
	int count, starting;	/* `starting`: index of the last that forked */
	int lock, signals;	/* `signals`: signalfd(2) */
	int changes;		/* of job_entry_listen() */
	int starter;		/* pipe to the process that started it, or -1 */
	char *own_file;		/* file of this program */
	char *host;		/* name of this host */
	char *state, *registry; /* paths of the state directory and registry */
	bool may_mount;
	char mount_refusal[512]; /* reason that sandboxes are refused */
	bool reported_image;	 /* reported that the image is not mapped */
	int exec_listener;	 /* socket for requests of commands */
	struct runner_exec *execs;
	size_t exec_count;
	bool is_deleted;
	bool is_ending;	  /* deleted, or about to end */
	bool was_over;	  /* ended before this runner started */
	bool has_changed; /* a file of the entry has changed */
	int64_t ttl_ms;	  /* end of its time to live, or 0 */
	int64_t usage_ms; /* next check of emptyDirs */
	int gcds;	  /* or JOB_GCDS_RECONFIGURABLE */
	int64_t delay_ms; /* before the first restart */
	int restarts;
	char *written; /* the last written status, abbreviated; or NULL */
};

#endif
