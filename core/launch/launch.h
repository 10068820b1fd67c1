/*
 * Running a job: start its instances, forward what they write, pass signals on,
 * and wait until nothing of it is left.  The supervisor starts them, or an
 * engine such as mpirun, which the supervisor starts and which starts a parent
 * (parent.h) for each of them.
 */
#ifndef CORE_LAUNCH_LAUNCH_H
#define CORE_LAUNCH_LAUNCH_H

#include <sys/types.h>

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/link/link.h"
#include "core/process/process.h"

/*
 * Hold the signals that end a job or are passed on until launch_run(), so that
 * none comes between a partition and its removal; *mask gets the mask before.
 * Signals that the caller ignores stay ignored, as nohup(1) needs it.
 */
void launch_signals_hold(sigset_t *mask);

/* A pending signal that would end the job, or 0. */
int launch_signals_pending(void);

/* Wait until there is such a signal, at most that long. */
void launch_signals_wait(int64_t ms);

/* The set that launch_run() takes: those above and SIGCHLD. */
void launch_signals_held(sigset_t *);

/* Whether the signal ends the job; the others are passed on. */
bool launch_signals_end(int signal);

/* LINK_START, which tells a parent to start its instance: 32-bit numbers in
   this order. */
struct parent_start {
	int grace_ms;	   /* from SIGTERM to SIGKILL */
	int terminal;	   /* 1: stdout is a pseudo terminal */
	int rows, columns; /* of it */
	int merge_errors;  /* 1: stderr goes where stdout does */
	int placement;	   /* enum binding_policy */
	int local_index;   /* among so many of its host */
	int local_count;
	int input; /* 1: stdin is stream 0; 0: empty */
};

/* The body of LINK_START, PARENT_START_BYTES long. */
enum { PARENT_START_BYTES = 9 * 4 };
void parent_start_put(const struct parent_start *,
    unsigned char body[PARENT_START_BYTES]);
bool parent_start_get(const struct link_message *, struct parent_start *);

enum { LAUNCH_INSTANCE_HOST_SIZE = 256 };

enum launch_state {
	LAUNCH_INSTANCE_WAITS, /* not started, or not yet */
	LAUNCH_INSTANCE_RUNS,
	LAUNCH_INSTANCE_ENDED,
	LAUNCH_INSTANCE_REFUSED, /* status: errno of execve(2) */
	LAUNCH_INSTANCE_LOST	 /* it ran, and its end is unknown */
};

struct launch_instance {
	enum launch_state state;
	pid_t pid;
	char host[LAUNCH_INSTANCE_HOST_SIZE]; /* "": this one */
	int64_t started_ms;		      /* of clock_monotonic_ms() */
	int64_t ended_ms;
	int status; /* of waitpid(2) */
	bool told;  /* it was told to end: a consequence of the failure, not its
		       cause */
};

/* Record that it started now, on that host; "" is this one. */
void launch_instance_started(struct launch_instance *, pid_t, const char *host);

/* Record its end, in one of the last three states. */
void launch_instance_ended(struct launch_instance *, enum launch_state,
    int status, bool told);

/* How many of them were started, and how many are in one of the last three
   states. */
int launch_instance_count_started(const struct launch_instance *, int count);
int launch_instance_count_ended(const struct launch_instance *, int count);

/* How a launch ended: the first cause counts. */
enum launch_end {
	LAUNCH_DONE,		    /* all exited with status 0 */
	LAUNCH_EXITED,		    /* value: exit status of `instance` */
	LAUNCH_KILLED,		    /* value: the signal it died of */
	LAUNCH_CANNOT_PIPE,	    /* value: errno */
	LAUNCH_CANNOT_FORK,	    /* value: errno; instance: -1 for the
				       supervisor */
	LAUNCH_CANNOT_START,	    /* value: errno of execve(2) */
	LAUNCH_INTERRUPTED,	    /* value: signal that poprun got */
	LAUNCH_TIMED_OUT,	    /* value: seconds */
	LAUNCH_NOT_STARTED_IN_TIME, /* value: seconds */
	LAUNCH_CANNOT_WRITE,	    /* value: errno; instance: 0 stdout, 1
				       stderr */
	LAUNCH_NO_SUPERVISOR,	    /* the supervisor was killed: pid */
	LAUNCH_NO_REAPER,	    /* the reaper was killed: pid */
	LAUNCH_NO_PARENT,	    /* that of `instance` is gone; value:
				       seconds that its host was silent, or 0 */
	LAUNCH_ENGINE_ENDED	    /* before the job did: pid; value: status of
				       waitpid(2) */
};

struct launch_result {
	enum launch_end end;
	int instance;
	pid_t pid;
	int value;
	struct launch_instance *instances;
	int count;
	char *tail; /* the last lines that `instance` wrote; NULL: none */
	size_t tail_size;
};

/* Free what launch_run() has filled, also after it returned -1. */
void launch_result_release(struct launch_result *);

enum { LAUNCH_ENGINE = -1 }; /* in place of an instance */

enum launch_kind {
	LAUNCH_STARTED,
	LAUNCH_ENDED,	   /* value: status of waitpid(2) */
	LAUNCH_WAITING,	   /* all are started */
	LAUNCH_COPY_ENDED, /* value: errno; path: the file that cannot be
			      written any more */
	LAUNCH_SIGNAL	   /* value: poprun got this signal */
};

struct launch_event {
	enum launch_kind kind;
	int instance;
	pid_t pid;
	int value;
	const char *path; /* of a file, or NULL */
};

struct launch {
	int count;			   /* instances */
	bool engine;			   /* one process is executed, which
					      starts a parent for each
					      instance */
	const struct link_reach *reach;	   /* where the parents on other
					      hosts find this one; NULL: all
					      are on it */
	const struct parent_start *starts; /* what each parent is told, or NULL
					      where there is no engine */
	const char *path;
	char *const *argv;
	char *const *const *environments;      /* one per process */
	const struct job_directory *directory; /* of the job, removed when
						  nothing of the job is left;
						  or NULL where there is no
						  engine */
	const struct job_directory *scratch;   /* another that is removed with
						  it, or NULL */
	bool keep_scratch;		       /* while the caller is there */
	const char *const *working; /* one directory per process, NULL: the
				       caller's; or NULL */
	int64_t grace_ms;	    /* from SIGTERM to SIGKILL */
	int stdin_to;		    /* who reads standard input, if there is no
				       engine: it, or STDIN_... */
	int timeout_s;		    /* the job ends then; 0: it may run */
	int64_t began_ms;	    /* since then, monotonic; 0: now */
	int start_timeout_s;	    /* all instances are started by then; 0:
				       whenever */
	/* Of what the instances write: */
	bool merge_stderr;		/* stderr goes where stdout does */
	struct mux_options output;	/* of `count` instances */
	const struct winsize *terminal; /* stdout is one of that size where one
					   can be had; NULL: a pipe */
	const struct binding_rule *binding; /* NULL: they run where they may */
	sigset_t mask; /* as launch_signals_hold() gave it */
	/* Told of each event, and of each line that the engine itself writes.
	   What they print goes to stderr, or where the line came from. */
	void (*event)(const void *context, const struct launch_event *,
	    FILE *notes);
	void (*engine_line)(const void *context, const char *line,
	    bool is_error, FILE *notes);
	const void *context;
};

/*
 * Run the job to its end.  -1 when it could not be started at all.  The
 * caller's standard input is /dev/null afterwards.  To be called from the main
 * thread.
 */
int launch_run(const struct launch *, struct launch_result *, struct error *);

#endif
