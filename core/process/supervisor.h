/*
 * The supervisor: it starts the instances, each in a process group of its own,
 * and is the subreaper of all that they start.  When an instance fails, when
 * poprun says so, or when poprun or the reaper is gone, it ends the whole tree;
 * it ends itself when nothing of the tree is left.
 *
 *	poprun <-- socket of messages --> supervisor --> instance 0
 *	                                         --> instance 1 --> ...
 *
 * The reaper stands between the two for the case that one of them is killed.
 * It is a subreaper as well, so what the supervisor leaves comes to it.
 *
 *	poprun --> reaper --> supervisor --> instances
 *
 * Each of the three ends the whole tree, with SIGTERM and after the grace time
 * with SIGKILL, when the others cannot:
 *
 *	poprun is gone			the supervisor does
 *	the supervisor is gone		the reaper does
 *	the reaper is gone		the supervisor does
 *	the supervisor and another	the one that is left does
 *	all three			the kernel kills the instances
 *
 * One that is stopped counts as gone a second after it was to be through.
 */
#ifndef CORE_PROCESS_SUPERVISOR_H
#define CORE_PROCESS_SUPERVISOR_H

#include <sys/ioctl.h>
#include <sys/resource.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/process/binding.h"
#include "core/process/job_directory.h"

struct supervisor_plan {
	int count; /* processes to start */
	const char *path;
	char *const *argv;
	char *const *const *environments; /* one per process */
	const int *inputs;		  /* stdin of each process, -1: none */
	int64_t grace_ms;		  /* from SIGTERM to SIGKILL */
	sigset_t mask;			  /* signal mask of the processes */
	struct rlimit open_files; /* theirs; a maximum of 0: not known */
	const struct job_directory *directory; /* removed at the end, or NULL */
	const struct job_directory *scratch;   /* this one as well, or NULL */
	bool keep_scratch;		       /* unless poprun is gone */
	const char *const *working;	/* where each process runs, NULL: here;
					   or NULL */
	bool merge_stderr;		/* to where stdout goes */
	const struct winsize *terminal; /* stdout is one of that size where one
					   can be had; NULL: a pipe */
	const struct binding_rule *binding; /* where each runs, NULL: where it
					       may */
};

enum supervisor_kind {
	/* from the supervisor; `instance` and `pid` are set */
	SUPERVISOR_READY,	 /* pid: its own */
	SUPERVISOR_STARTED,	 /* with the read ends of its stdout and
				    stderr */
	SUPERVISOR_CANNOT_PIPE,	 /* value: errno */
	SUPERVISOR_CANNOT_FORK,	 /* value: errno; instance: -1 for the
				    supervisor */
	SUPERVISOR_CANNOT_START, /* value: errno */
	SUPERVISOR_ENDED,	 /* value: status of waitpid(2), told */
	SUPERVISOR_DONE,	 /* nothing of the tree is left */
	/* to the supervisor */
	SUPERVISOR_SIGNAL, /* value: signal to pass on */
	SUPERVISOR_END	   /* value: signal to end the tree with */
};

struct supervisor_message {
	int32_t kind;
	int32_t instance;
	int32_t pid;
	int32_t value;
	int32_t told; /* 1: to end, before it ended */
};

/* An instance's outputs: stdout and stderr. */
enum { SUPERVISOR_OUTPUTS = 2 };

/*
 * Fork the supervisor, which talks to poprun over this end of a socket, in
 * packets (packet.h).  Its pid; -1: not started, and poprun has been told.  The
 * reaper calls it, from its main thread.
 */
pid_t supervisor_start(const struct supervisor_plan *, int socket);

/*
 * In poprun and the reaper, when the supervisor is there: close what is the
 * processes' alone, but for standard input itself.
 */
void supervisor_close_inputs(const struct supervisor_plan *);

/* So much longer than the grace time it may take others to end the tree. */
enum { REAPER_PATIENCE_MS = 1000 };

/*
 * Start the reaper, and below it the supervisor.  Returns poprun's end of the
 * supervisor's socket, one packet of messages at a time; it ends when the
 * supervisor is gone.  -1: nothing was started.  The reaper ends when nothing
 * is left below it, and its end is told by SIGCHLD.  `in_reaper` is called in
 * it first, to close what only poprun needs; all other descriptors stay open,
 * as locks and pipes that say that the job is there.  To be called from the
 * main thread: the kernel tells a child of the end of the thread that made it.
 */
int reaper_start(const struct supervisor_plan *, void (*in_reaper)(void *),
    void *context, pid_t *reaper, struct error *);

#endif
