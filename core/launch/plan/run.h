/*
 * A run of poprun's plan: its processes from start to end, and the report of a
 * failure.
 */
#ifndef CORE_LAUNCH_PLAN_RUN_H
#define CORE_LAUNCH_PLAN_RUN_H

#include "core/launch/launch.h"

struct plan;

enum {
	RUN_FAILURE_SIZE = 160,
	RUN_SIGNAL_STATUS = 128 /* 128 + n: ended by signal n */
};

/* The times of a run within its job. */
struct run_times {
	int64_t began_ms; /* of the first run, of clock_monotonic_ms() */
	bool may_follow;  /* another run may follow it */
};

/* Run the plan once.  0: it ran, and *result says how, for run_report(); else
   an exit status: 128 + n because signal n was pending, or another one after an
   error was logged.  In both cases the caller frees *result by
   launch_result_release(). */
int run_plan(struct plan *, const struct run_times *, const sigset_t *mask,
    struct launch_result *);

/* Return the most files that poprun, or mpirun on this host, has open at a
   time.  _check_: refuse the plan if the hard limit (ulimit -Hn) is lower. */
int run_open_files(const struct plan *);
int run_check_open_files(const struct plan *, struct error *);

/* Log how a run that began at `start_ms` (of clock_real_ms()) failed, if it
   did, with an error that the partition had since then.  Returns the exit
   status. */
int run_report(const struct plan *, const struct launch_result *,
    int64_t start_ms);

/* Write "instance 1 (pid 23) exited with status 3" or the like, for a failure
   after which another run may follow (restart_may_follow()). */
void run_describe_failure(const struct plan *, const struct launch_result *,
    char text[RUN_FAILURE_SIZE]);

/* Return the job's time limit in seconds; 0: none. */
int run_timeout(const struct plan *);

/* Log that the time limit is over.  Returns the exit status, 110. */
int run_report_timeout(int timeout_s);

/* Begin to read the lines of mpirun, if it is the launcher; explain_end()
   follows. */
void explain_begin(struct plan *);

/* Put a line of mpirun's into plain words; a callback of struct launch.  A line
   of its stdout, and with -v every line, stays unchanged. */
void explain_engine_line(const void *plan, const char *line, bool is_error,
    FILE *out);

/* Print the messages of mpirun that were held back, unless the result explains
   its end, and end the reading.  NULL: nothing was launched. */
void explain_end(struct plan *, const struct launch_result *);

/* After the line that says why the job failed, print the circumstances: of an
   instance's failure or of a time limit. */
void explain_failure(const struct plan *, const struct launch_result *);

/* Data of the failed instance beyond struct launch_instance. */
struct postmortem_cause {
	int instance;	  /* its index */
	const char *host; /* NULL: not shown */
	const char *tail; /* the end of its output, or NULL */
	size_t tail_size;
	const char *logs; /* the directory of --log-dir, or NULL */
	bool seen;	  /* its output was shown on the console */
};

/*
 * Print the circumstances of an instance's failure: how long it ran and where,
 * how many others ended in which way, advice about its status, and its last
 * lines, which are not repeated if it is the only instance and they were seen.
 * `count` is the number of all instances.  At most about 14 lines, each
 * indented by two spaces.
 */
void postmortem_print(FILE *, const struct launch_instance *, int count,
    const struct postmortem_cause *);

/* After a timeout, print which instances were still running (also those that
   poprun then ended), or had not started; nothing if that is none or all. */
void postmortem_print_running(FILE *, const struct launch_instance *,
    int count);
void postmortem_print_waiting(FILE *, const struct launch_instance *,
    int count);

#endif
