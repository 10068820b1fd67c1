/*
 * What became of each instance of a launch.
 */
#ifndef CORE_LAUNCH_LAUNCH_INSTANCE_H
#define CORE_LAUNCH_LAUNCH_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LAUNCH_INSTANCE_HOST_SIZE = 256 };

enum launch_state {
	LAUNCH_INSTANCE_WAITS,		/* not started, or not yet */
	LAUNCH_INSTANCE_RUNS,
	LAUNCH_INSTANCE_ENDED,
	LAUNCH_INSTANCE_REFUSED,	/* status: errno of execve(2) */
	LAUNCH_INSTANCE_LOST		/* it was, and nobody knows its end */
};

struct launch_instance {
	enum launch_state state;
	pid_t		 pid;
	char		 host[LAUNCH_INSTANCE_HOST_SIZE]; /* "": this one */
	int64_t		 started_ms;	/* of clock_monotonic_ms() */
	int64_t		 ended_ms;
	int		 status;	/* of waitpid(2) */
	bool		 told;		/* it had been told to end: not a
					   cause, but a consequence */
};

/* It was started now, on that host; a host "" is this one. */
void	launch_instance_started(struct launch_instance *, pid_t,
	    const char *host);

/* It is in one of the last three states from now on. */
void	launch_instance_ended(struct launch_instance *, enum launch_state,
	    int status, bool told);

/* How many of them were started, and how many are in one of the last three
   states. */
int	launch_instance_count_started(const struct launch_instance *,
	    int count);
int	launch_instance_count_ended(const struct launch_instance *, int count);

#endif
