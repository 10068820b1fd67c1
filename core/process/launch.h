/*
 * Running a job: start its processes through the reaper and the supervisor,
 * forward what they write, pass signals on, and wait until nothing of it is
 * left.
 */
#ifndef CORE_PROCESS_LAUNCH_H
#define CORE_PROCESS_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base/error.h"
#include "core/process/job_directory.h"

enum launch_kind {
	LAUNCH_STARTED,
	LAUNCH_ENDED,			/* value: status of waitpid(2) */
	LAUNCH_WAITING,			/* all are started */
	LAUNCH_SIGNAL			/* value: poprun got this signal */
};

struct launch_event {
	enum launch_kind	kind;
	int			instance;
	pid_t			pid;
	int			value;
};

struct launch {
	int		 count;		/* processes */
	const char	*path;
	char *const	*argv;
	char *const *const *environments; /* one per process */
	bool		 forward;	/* tag and forward their output; else
					   they write to poprun's own */
	const struct job_directory *directory; /* of the job, removed when
					   nothing of the job is left; or
					   NULL */
	const struct job_directory *scratch; /* another that is removed with
					   it, or NULL */
	const char *const *working;	/* one directory per process, NULL: the
					   caller's; or NULL */
	int		 timeout_s;	/* the job ends then; 0: it may run */
	/* Of what is forwarded: */
	bool		 merge_stderr;	/* stderr goes where stdout does */
	int		 only_output;	/* that process alone, -1: all */
	const char	*output_directory; /* copies of it as well: mux.h */
	sigset_t	 mask;		/* as launch_signals_hold() gave it */
	/* Told of each event; what it prints goes to stderr. */
	void		(*event)(const void *context,
			    const struct launch_event *, FILE *notes);
	const void	*context;
};

/* How it went; the first thing that ended the job counts. */
enum launch_end {
	LAUNCH_DONE,			/* all exited with status 0 */
	LAUNCH_EXITED,			/* value: exit status of `instance` */
	LAUNCH_KILLED,			/* value: the signal it died of */
	LAUNCH_CANNOT_PIPE,		/* value: errno */
	LAUNCH_CANNOT_FORK,		/* value: errno; instance: -1 for the
					   supervisor */
	LAUNCH_CANNOT_START,		/* value: errno of execve(2) */
	LAUNCH_INTERRUPTED,		/* value: signal that poprun got */
	LAUNCH_TIMED_OUT,		/* value: seconds */
	LAUNCH_CANNOT_WRITE,		/* value: errno; instance: 0 stdout,
					   1 stderr */
	LAUNCH_NO_SUPERVISOR,		/* the supervisor was killed: pid */
	LAUNCH_NO_REAPER		/* the reaper was killed: pid */
};

struct launch_result {
	enum launch_end	end;
	int		instance;
	pid_t		pid;
	int		value;
};

/*
 * Run the job to its end.  -1 when it could not be started at all.  Standard
 * input goes to the first process; the caller's is /dev/null afterwards.  To be
 * called from the main thread.
 */
int	launch_run(const struct launch *, struct launch_result *,
	    struct error *);

#endif
