/*
 * The supervisor: it starts the instances, each in a separate process group,
 * and is the subreaper of everything they start.  It ends the whole tree when
 * an instance fails, when poprun says so, or when poprun or the reaper is gone.
 * It exits when the tree is empty.
 *
 *	poprun <-- socket of messages --> supervisor --> instance 0
 *	                                         --> instance 1 --> ...
 *
 * The reaper stands between the two in case one of them is killed.  It is a
 * subreaper as well, so it adopts what the supervisor leaves.
 *
 *	poprun --> reaper --> supervisor --> instances
 *
 * Each of the three ends the whole tree, with SIGTERM and after the grace time
 * with SIGKILL, when the others cannot:
 *
 *	poprun is gone			the supervisor does
 *	the supervisor is gone		the reaper does
 *	the reaper is gone		the supervisor does
 *	the supervisor and another	the remaining one does
 *	all three			the kernel kills the instances
 *
 * A process that hangs or is stopped (SIGSTOP) counts as gone one second after
 * the grace time in which it should have ended the tree.
 */
#ifndef CORE_PROCESS_SUPERVISOR_H
#define CORE_PROCESS_SUPERVISOR_H

#include <sys/ioctl.h>
#include <sys/resource.h>

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/process/binding.h"
#include "core/process/job_directory.h"

struct supervisor_plan {
	int count; /* number of processes to start */
	const char *path;
	char *const *argv;
	char *const *const *environments; /* one per process */
	const int *inputs;		  /* stdin of each process; -1: none */
	int64_t grace_ms;		  /* from SIGTERM to SIGKILL */
	sigset_t mask;			  /* signal mask of the processes */
	struct rlimit open_files;	  /* theirs; a maximum of 0: unknown */
	const struct job_directory *directory; /* removed at the end, or NULL */
	const struct job_directory *scratch;   /* also removed, or NULL */
	bool keep_scratch; /* keep `scratch`, unless poprun or the supervisor
			      was killed */
	const char *const *working;	/* directory of each process, NULL:
					   unchanged; or NULL */
	bool merge_stderr;		/* stderr goes to stdout */
	const struct winsize *terminal; /* make stdout a pseudo terminal of this
					   size if possible; NULL: a pipe */
	const struct binding_rule *binding; /* their processors; NULL: not
					       bound */
};

enum supervisor_kind {
	/* from the supervisor; `pid` is set in READY, STARTED and ENDED,
	   `instance` in all but READY and DONE */
	SUPERVISOR_READY,	 /* pid: the supervisor's */
	SUPERVISOR_STARTED,	 /* carries the read ends of its stdout and
				    stderr */
	SUPERVISOR_CANNOT_PIPE,	 /* value: errno */
	SUPERVISOR_CANNOT_FORK,	 /* value: errno; instance: -1 for the
				    supervisor */
	SUPERVISOR_CANNOT_START, /* value: errno; instead of ENDED, after
				    STARTED */
	SUPERVISOR_ENDED,	 /* value: status of waitpid(2);
				    told_to_end */
	SUPERVISOR_DONE,	 /* the tree is empty, and the plan's
				    directories are removed */
	/* to the supervisor */
	SUPERVISOR_SIGNAL, /* value: signal to pass on */
	SUPERVISOR_END	   /* value: signal to end the tree with */
};

struct supervisor_message {
	int32_t kind;
	int32_t instance;
	int32_t pid;
	int32_t value;
	int32_t told_to_end; /* 1: it was told to end before it ended */
};

/* An instance's outputs: stdout and stderr. */
enum { SUPERVISOR_OUTPUTS = 2 };

/* Fork the supervisor, which talks to poprun over this end of a socket, in
   packets (packet.h).  Returns its pid; -1: not started, and poprun was told.
   The reaper calls it from its main thread. */
pid_t supervisor_start(const struct supervisor_plan *, int socket);

/* Close the processes' inputs except standard input itself, in poprun and the
   reaper after the supervisor's start. */
void supervisor_close_inputs(const struct supervisor_plan *);

/* Time beyond the grace time that others may need to end the tree. */
enum { REAPER_PATIENCE_MS = 1000 };

/*
 * Start the reaper, and below it the supervisor.  Sets *reaper to its pid, and
 * returns poprun's end of the supervisor's socket, which delivers packets until
 * the supervisor is gone.  -1: nothing was started.  The reaper exits when
 * nothing is left below it; SIGCHLD reports that.  It first calls `in_reaper`
 * to close what only poprun needs; other descriptors stay open, such as locks
 * and pipes that show that the job exists.  Call it from the main thread: the
 * kernel signals a child when the thread that made it ends.
 */
int reaper_start(const struct supervisor_plan *, void (*in_reaper)(void *),
    void *context, pid_t *reaper, struct error *);

#endif
