/*
 * A job under way, for launch.c alone: its state, and what messages and events
 * do to it.
 */
#ifndef CORE_LAUNCH_LAUNCH_JOB_H
#define CORE_LAUNCH_LAUNCH_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/text.h"
#include "core/collective/collective_server.h"
#include "core/launch/launch.h"
#include "core/launch/launch_engine.h"
#include "core/process/process.h"

struct launch_job {
	const struct launch *launch;
	struct launch_result *result;
	struct mux *output;
	struct launch_engine *engine;	       /* NULL: the supervisor starts
						  the instances */
	struct collective_server *collectives; /* NULL: nobody to meet */
	struct memstream notes;		       /* what the caller prints */
	struct stdin_relay relay;
	struct tree tree;	  /* when the others are gone */
	pid_t reaper;		  /* 0: it is gone */
	pid_t supervisor;	  /* 0: not known yet */
	int socket;		  /* of the supervisor; -1: it is through, or
				     gone */
	int64_t grace_ms;	  /* of what the supervisor started */
	int64_t deadline_ms;	  /* who is to be through with the end by then;
				     0: none is */
	int64_t limit_ms;	  /* of the job; 0: none */
	int64_t start_limit_ms;	  /* for all to be started */
	int64_t output_limit_ms;  /* for a blocked reader */
	int64_t missing_limit_ms; /* for parents that may still come */
	bool unsure;		  /* a helper was killed: look for what it
				     left */
	int signals;
	int started;	  /* instances */
	int over;	  /* of them have ended */
	int stops;	  /* how often the engine was told to end */
	int lost;	  /* the first instance whose parent is gone; -1:
			     none */
	bool silent;	  /* because its host was */
	bool hurry;	  /* was told so a second time */
	bool ended;	  /* result is set */
	bool done;	  /* nothing of the job is left */
	bool interrupted; /* by a signal */
	bool output_done;
};

/*
 * From now on those who end the job have so long to be through: the time that
 * the end of the tree takes, if it is not over yet, and then some.
 */
void launch_job_expect(struct launch_job *, int64_t end_ms);

/* The first cause is the result; later ones are its consequences. */
void launch_job_set_end(struct launch_job *, enum launch_end, int instance,
    pid_t, int value);

/* Tell the caller, and show what it prints. */
void launch_job_report(struct launch_job *, enum launch_kind, int instance,
    pid_t, int value);

/* The same of a copy of the output that ended. */
void launch_job_report_copy(struct launch_job *, const char *path, int number);

/* SUPERVISOR_END or SUPERVISOR_SIGNAL, to the supervisor alone, or to all
   instances by the way there is. */
void launch_job_tell_supervisor(struct launch_job *, enum supervisor_kind,
    int value);
void launch_job_tell_instances(struct launch_job *, enum supervisor_kind,
    int value);

/* Take one packet of the supervisor, or the end of its socket. */
void launch_job_listen(struct launch_job *);

/* Nothing more comes from the supervisor: it is through, or gone. */
void launch_job_close_socket(struct launch_job *, int64_t end_ms);

/* What the parents tell; its context is the job. */
void launch_job_engine_told(void *, const struct launch_engine_event *);

#endif
