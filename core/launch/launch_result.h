/*
 * How a launch went: the first cause of its end, and what became of each
 * instance.
 */
#ifndef CORE_LAUNCH_LAUNCH_RESULT_H
#define CORE_LAUNCH_LAUNCH_RESULT_H

#include <stddef.h>
#include <sys/types.h>

#include "core/launch/launch_instance.h"

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
	LAUNCH_NOT_STARTED_IN_TIME,	/* value: seconds */
	LAUNCH_CANNOT_WRITE,		/* value: errno; instance: 0 stdout,
					   1 stderr */
	LAUNCH_NO_SUPERVISOR,		/* the supervisor was killed: pid */
	LAUNCH_NO_REAPER,		/* the reaper was killed: pid */
	LAUNCH_NO_PARENT,		/* that of `instance` is gone; value:
					   seconds that its host was silent, or
					   0 */
	LAUNCH_ENGINE_ENDED		/* before the job did: pid; value:
					   status of waitpid(2) */
};

struct launch_result {
	enum launch_end	end;
	int		instance;
	pid_t		pid;
	int		value;
	struct launch_instance *instances;
	int		count;
	char		*tail;		/* the last lines that `instance`
					   wrote; NULL: none */
	size_t		tail_size;
};

/* Free what launch_run() has filled, also where it returned -1. */
void	launch_result_release(struct launch_result *);

#endif
