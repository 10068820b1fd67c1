/*
 * The keeper: a process between poprun and what it starts.  It starts the
 * instances, each in a process group of its own, and is the subreaper of all
 * that they start.  When an instance fails, when poprun says so or when
 * poprun is gone, it ends the whole tree; it ends itself when nothing of the
 * tree is left.
 *
 *	poprun <-- socket of messages --> keeper --> instance 0
 *	                                         --> instance 1 --> ...
 */
#ifndef CORE_JOB_KEEPER_H
#define CORE_JOB_KEEPER_H

#include <sys/resource.h>

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/job/job_directory.h"

struct keeper_plan {
	int		 count;		/* processes to start */
	const char	*path;
	char *const	*argv;
	char *const *const *environments; /* one a process */
	const int	*ends;		/* stdout and stderr of each, or NULL:
					   they have the keeper's own */
	int		 input;		/* stdin of the first process */
	int64_t		 grace_ms;	/* from SIGTERM to SIGKILL */
	sigset_t	 mask;		/* signal mask of the processes */
	rlim_t		 open_files;	/* their soft limit */
	const struct job_directory *directory; /* removed at the end, or NULL */
};

enum keeper_kind {
	/* from the keeper; `instance` and `pid` are set */
	KEEPER_STARTED,
	KEEPER_CANNOT_START,		/* value: errno */
	KEEPER_ENDED,			/* value: status of waitpid(2) */
	KEEPER_DONE,			/* nothing of the tree is left */
	/* to the keeper */
	KEEPER_SIGNAL,			/* value: signal to pass on */
	KEEPER_END			/* value: signal to end the tree with */
};

struct keeper_message {
	int32_t	kind;
	int32_t	instance;
	int32_t	pid;
	int32_t	value;
};

/*
 * Start the keeper.  Returns poprun's end of the socket, one message a
 * packet; it ends when the keeper is gone.  In the keeper `in_keeper` is
 * called first, to close what only poprun needs.
 */
int	keeper_start(const struct keeper_plan *, void (*in_keeper)(void *),
	    void *context, pid_t *keeper, struct error *);

/* The time that grace times are measured by. */
int64_t	keeper_now_ms(void);

#endif
