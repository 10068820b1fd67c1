/*
 * A running job, for launch.c alone: its state, and how messages and events
 * change it.
 */
#ifndef CORE_LAUNCH_LAUNCH_JOB_H
#define CORE_LAUNCH_LAUNCH_JOB_H

#include "core/base/text.h"
#include "core/collective/collective.h"
#include "core/launch/launch_engine.h"

/* Moments are of clock_monotonic_ms(). */
struct launch_job {
	const struct launch *launch;
	struct launch_result *result;
	struct mux *output;
	struct launch_engine *engine; /* NULL: supervisor starts instances */
	struct collective_server *collectives; /* NULL: none, or they failed */
	struct memstream notes;		       /* text that the caller prints */
	struct stdin_relay relay;
	struct tree tree;	 /* to end after both helpers were killed */
	pid_t reaper;		 /* 0: it has ended */
	pid_t supervisor;	 /* 0: not known yet */
	int socket;		 /* the supervisor's; -1: closed */
	int64_t grace_ms;	 /* for the processes of the supervisor */
	int64_t deadline_ms;	 /* when the helpers must be done; 0: not yet */
	int64_t limit_ms;	 /* end of the job's time limit; 0: none */
	int64_t start_limit_ms;	 /* when all instances must run; 0: none */
	int64_t output_limit_ms; /* end of waiting for a blocked reader */
	int64_t missing_limit_ms; /* end of waiting for missing parents */
	bool helper_killed;	  /* and may have left processes */
	int signals;		  /* signalfd(2); -1: none */
	int started;		  /* instances started */
	int over;	  /* instances ended or refused, without lost ones */
	int stops;	  /* how often the engine was told to end */
	int lost;	  /* first instance that lost its parent; -1: none */
	bool silent;	  /* that parent was lost because its host was silent */
	bool hurry;	  /* the user asked twice to end the job */
	bool ended;	  /* the result is set */
	bool tree_empty;  /* the supervisor has found no process left */
	bool done;	  /* every process of the job has ended */
	bool interrupted; /* a signal ended the job */
	bool output_done; /* the output has ended and was written */
};

/* Set the deadline of the helpers that end the job: `end_ms` from now for
   ending the tree (0: it has ended, or is killed), plus a margin. */
void launch_job_expect(struct launch_job *, int64_t end_ms);

/* Set the result and the deadline.  Only the first call has an effect, because
   later causes are consequences of the first. */
void launch_job_set_end(struct launch_job *, enum launch_end, int instance,
    pid_t, int value);

/* Report an event to launch->event(), and print the text that it wrote. */
void launch_job_report(struct launch_job *, enum launch_kind, int instance,
    pid_t, int value);

/* Report that a copy of the output ended with this errno. */
void launch_job_report_copy(struct launch_job *, const char *path, int number);

/* Send SUPERVISOR_END or SUPERVISOR_SIGNAL, with the signal `value`, to the
   supervisor only. */
void launch_job_tell_supervisor(struct launch_job *, enum supervisor_kind,
    int value);
/* Pass the same on to all instances, through the supervisor or the parents.
   Once the supervisor is gone, SUPERVISOR_SIGNAL goes to the processes of the
   tree, and SUPERVISOR_END kills them at once. */
void launch_job_tell_instances(struct launch_job *, enum supervisor_kind,
    int value);

/* Start the collectives' server for the first program that connects.  If that
   fails, the job ends. */
void launch_job_serve_collectives(struct launch_job *);

/* Read one packet from the supervisor, or the end of its socket. */
void launch_job_listen(struct launch_job *);

/* Close the supervisor's socket, after its last packet or its death, and call
   launch_job_expect(). */
void launch_job_close_socket(struct launch_job *, int64_t end_ms);

/* Handle an event of the engine; the context is the job. */
void launch_job_take_engine_event(void *, const struct launch_engine_event *);

#endif
