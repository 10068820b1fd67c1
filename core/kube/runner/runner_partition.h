/*
 * The partition of one instance of a job: asked for in a process of its own,
 * for that may wait in a queue, and held until the runner gives it up or is
 * gone.
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
	RUNNER_PARTITION_ASKED,	  /* nothing was heard yet */
	RUNNER_PARTITION_WAITING, /* in the queue */
	RUNNER_PARTITION_READY,
	RUNNER_PARTITION_FAILED
};

struct runner_partition {
	enum runner_partition_state state;
	char name[NAME_SIZE];
	char text[1024];  /* what it waits for, why it failed */
	char server[256]; /* "local", or the server's host */
	int port;
	pid_t pid;    /* of who asks, 0: none */
	int messages; /* from there, -1 */
	int hold;     /* closed: it is given up; -1 */
	struct owner_lock owner;
};

/* None is asked for. */
void runner_partition_init(struct runner_partition *);

/*
 * Ask for it, in the name of "ipujob NAMESPACE/NAME".  Where one of that name
 * was left by this job's last runner, it is reset and used.  In the process
 * that asks `in_child` is called first, to close what is the runner's alone.
 */
int runner_partition_ask(struct runner_partition *,
    const struct partition_request *, const char *owner,
    void (*in_child)(void *), void *context, struct error *);

/* When `messages` can be read: the state follows from what came. */
void runner_partition_read(struct runner_partition *);

/* Configure it again, for a restart: -1, and the reason, where it is gone. */
int runner_partition_reset(struct runner_partition *, struct error *);

/* Give it up, whatever became of it: it is free when this returns. */
void runner_partition_release(struct runner_partition *);

#endif
