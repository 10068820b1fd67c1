/*
 * The partition of one instance of a job.  A child process requests it, as that
 * may mean to wait in a queue.  The partition lasts until the runner releases
 * it or dies.
 */
#ifndef CORE_KUBE_RUNNER_RUNNER_PARTITION_H
#define CORE_KUBE_RUNNER_RUNNER_PARTITION_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

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
	char text[1024];  /* what it waits for, or why it failed */
	char server[256]; /* "local", or the server's host; if READY */
	int port;	  /* if READY */
	pid_t pid;	  /* the requesting process, or 0 */
	int messages;	  /* from that process, or -1 */
	int hold;	  /* closing it releases a server's partition; or -1 */
	struct owner_lock owner; /* closing it releases a local one */
};

/* Begin without a request. */
void runner_partition_init(struct runner_partition *);

/* Request a partition for the owner "ipujob NAMESPACE/NAME".  If this job's
   last runner left a local partition with the requested name, it is reset and
   used.  The child process first calls `in_child`, which closes the runner's
   descriptors.  -1: nothing was requested, and `state` has not changed. */
int runner_partition_request(struct runner_partition *,
    const struct partition_request *, const char *owner,
    void (*in_child)(void *), void *context, struct error *);

/* Read `messages` when it is readable, and update the state. */
void runner_partition_read(struct runner_partition *);

/* Configure the partition again for a restart, by force, and wait until that
   ends.  -1: it is lost. */
int runner_partition_reset(struct runner_partition *, struct error *);

/* Release a partition in any state.  A local partition's IPUs are free on
   return, a server's when it notices the end of the connection. */
void runner_partition_release(struct runner_partition *);

#endif
