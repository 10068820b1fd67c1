/*
 * Running a job: start its instances, forward their output, pass signals on,
 * and wait until every process of the job has ended.  The supervisor starts the
 * instances itself, or it starts an engine such as mpirun, which starts a
 * parent (parent.h) for each instance.
 */
#ifndef CORE_LAUNCH_LAUNCH_H
#define CORE_LAUNCH_LAUNCH_H

#include "core/link/link.h"

/*
 * Block the signals that end a job or are passed on, so that none arrives
 * between the creation of a partition and its removal.  launch_run() reads
 * them, and they stay blocked after it.  *mask gets the previous mask.  Signals
 * that the caller ignores stay ignored, as nohup(1) needs, except SIGCHLD;
 * SIGPIPE is ignored.
 */
void launch_signals_hold(sigset_t *mask);

/* Return a pending signal that would end the job, or 0. */
int launch_signals_pending(void);

/* Wait at most `ms` for a signal that would end the job; it stays pending. */
void launch_signals_wait(int64_t ms);

/* Fill the set that launch_run() handles: the held signals and SIGCHLD. */
void launch_signals_held(sigset_t *);

/* Return true if the signal ends the job; other signals are passed on. */
bool launch_signals_end(int signal);

/* LINK_START, which tells a parent to start its instance.  Its body holds these
   32-bit numbers in this order. */
struct parent_start {
	int grace_ms;	   /* from SIGTERM to SIGKILL */
	int terminal;	   /* 1: stdout is a pseudo terminal */
	int rows, columns; /* size of the terminal */
	int merge_errors;  /* 1: stderr goes to stdout */
	int placement;	   /* enum binding_policy */
	int local_index;   /* index among the instances on its host */
	int local_count;   /* number of instances on its host */
	int input;	   /* 1: stdin is stream 0; 0: stdin is empty */
};

/* Encode or decode the body of LINK_START.  parent_start_get() returns false if
   the body is too short. */
enum { PARENT_START_BYTES = 9 * 4 };
void parent_start_put(const struct parent_start *,
    unsigned char body[PARENT_START_BYTES]);
bool parent_start_get(const struct link_message *, struct parent_start *);

enum { LAUNCH_INSTANCE_HOST_SIZE = 256 };

enum launch_state {
	LAUNCH_INSTANCE_WAITS, /* not started (yet) */
	LAUNCH_INSTANCE_RUNS,
	LAUNCH_INSTANCE_ENDED,
	LAUNCH_INSTANCE_REFUSED, /* execve(2) failed; status: its errno */
	LAUNCH_INSTANCE_LOST	 /* it ran; how it ended is unknown */
};

struct launch_instance {
	enum launch_state state;
	pid_t pid;
	char host[LAUNCH_INSTANCE_HOST_SIZE]; /* "": this host */
	int64_t started_ms;		      /* of clock_monotonic_ms() */
	int64_t ended_ms;
	int status;	  /* of waitpid(2); REFUSED: errno; LOST: 0 */
	bool told_to_end; /* true: poprun told it to end, so its end is a
			     consequence of the failure, not its cause */
};

/* Record that an instance started now on that host; "" means this host. */
void launch_instance_started(struct launch_instance *, pid_t, const char *host);

/* Record the end of an instance, in one of the last three states. */
void launch_instance_ended(struct launch_instance *, enum launch_state,
    int status, bool told_to_end);

/* Count the instances that were started, also those that have ended. */
int launch_instance_count_started(const struct launch_instance *, int count);
/* Count the instances in one of the last three states. */
int launch_instance_count_ended(const struct launch_instance *, int count);

/* How a launch ended.  The first cause counts. */
enum launch_end {
	LAUNCH_DONE,	     /* all exited with status 0 */
	LAUNCH_EXITED,	     /* value: exit status of `instance` */
	LAUNCH_KILLED,	     /* value: signal that killed `instance` */
	LAUNCH_CANNOT_PIPE,  /* value: errno */
	LAUNCH_CANNOT_SERVE, /* value: errno of the collectives' server */
	LAUNCH_CANNOT_FORK,  /* value: errno; instance -1: supervisor */
	LAUNCH_CANNOT_START, /* value: errno of execve(2) */
	LAUNCH_INTERRUPTED,  /* value: signal that poprun got */
	LAUNCH_TIMED_OUT,    /* value: seconds */
	LAUNCH_NOT_STARTED_IN_TIME, /* value: seconds */
	LAUNCH_CANNOT_WRITE,	    /* value: errno; instance: 0 stdout, 1
				       stderr */
	LAUNCH_NO_SUPERVISOR,	    /* the supervisor was killed: pid */
	LAUNCH_NO_REAPER,	    /* the reaper was killed: pid */
	LAUNCH_NO_PARENT,	    /* the parent of `instance` is lost; value:
				       seconds that its host was silent, or 0 */
	LAUNCH_ENGINE_ENDED	    /* the engine ended before the job; pid;
				       value: status of waitpid(2) */
};

struct launch_result {
	enum launch_end end;
	int instance; /* or LAUNCH_ENGINE */
	pid_t pid;
	int value;
	struct launch_instance *instances;
	int count;
	char *tail; /* the last lines of `instance`, or NULL */
	size_t tail_size;
};

/* Free what launch_run() filled; needed also after it returned -1. */
void launch_result_release(struct launch_result *);

enum { LAUNCH_ENGINE = -1 }; /* instead of an instance's index */

enum launch_kind {
	LAUNCH_STARTED,
	LAUNCH_ENDED,	   /* value: status of waitpid(2) */
	LAUNCH_WAITING,	   /* all instances have started; or, with an engine,
			      only the engine */
	LAUNCH_COPY_ENDED, /* value: errno; path: the unwritable file */
	LAUNCH_SIGNAL	   /* value: poprun got this signal */
};

struct launch_event {
	enum launch_kind kind;
	int instance; /* or LAUNCH_ENGINE */
	pid_t pid;
	int value;
	const char *path; /* a file, or NULL */
};

struct launch {
	int count; /* number of instances */
	/* Execute one process, which starts a parent for each instance. */
	bool engine;
	/* How parents on other hosts reach this one; NULL: all are local. */
	const struct link_reach *reach;
	/* Start parameters of each parent; NULL only without an engine. */
	const struct parent_start *starts;
	const char *path; /* the file to execute: the program or the engine */
	char *const *argv;
	/* One per process: for each instance, or for the engine. */
	char *const *const *environments;
	/* The job's directory, removed when the whole job has ended; NULL only
	   without an engine. */
	const struct job_directory *directory;
	/* Second directory removed with it, or NULL; keep_scratch: kept until
	   the caller ends. */
	const struct job_directory *scratch;
	bool keep_scratch;
	/* One directory per such process, each NULL for the caller's; or
	   NULL. */
	const char *const *working;
	int64_t grace_ms; /* from SIGTERM to SIGKILL */
	int stdin_to; /* the instance that reads standard input, or STDIN_... */
	int timeout_s;	     /* limit of the whole job; 0: none */
	int64_t began_ms;    /* start of that limit, monotonic; 0: now */
	int start_timeout_s; /* limit for starting all instances; 0: none */
	/* Output of the instances.  With an engine, starts[] decides about
	   merging and terminals. */
	bool merge_stderr;	   /* stderr goes to stdout */
	struct mux_options output; /* of `count` instances */
	/* Make stdout a pseudo terminal of this size if possible; NULL: a
	   pipe. */
	const struct winsize *terminal;
	const struct binding_rule *binding; /* NULL: not bound */
	sigset_t mask;			    /* from launch_signals_hold() */
	/* event() is called for each event; text that it prints to `notes` goes
	   to stderr.  engine_line() is called for each line that the engine
	   itself writes; its `notes` go to the same output as the line. */
	void (*event)(const void *context, const struct launch_event *,
	    FILE *notes);
	void (*engine_line)(const void *context, const char *line,
	    bool is_error, FILE *notes);
	const void *context;
};

/* Run the job to its end.  Returns 0, or -1 if it could not be started at all.
   The caller's standard input is /dev/null afterwards.  Call it from the main
   thread only. */
int launch_run(const struct launch *, struct launch_result *, struct error *);

#endif
