/*
 * The records of a launch: which instances were started, when, and how they
 * ended.
 */
#include "core/launch/launch.h"

#include <bsd/string.h>

#include "core/base/clock.h"

void
launch_instance_started(struct launch_instance *r, pid_t pid, const char *host)
{
	r->state = LAUNCH_INSTANCE_RUNS;
	r->pid = pid;
	r->started_ms = clock_monotonic_ms();
	(void)strlcpy(r->host, host, sizeof(r->host));
}

void
launch_instance_ended(struct launch_instance *r, enum launch_state state,
    int status, bool told_to_end)
{
	r->state = state;
	r->ended_ms = clock_monotonic_ms();
	r->status = status;
	r->told_to_end = told_to_end;
}

int
launch_instance_count_started(const struct launch_instance *r, int count)
{
	int i, started = 0;

	for (i = 0; i < count; i++)
		started += r[i].started_ms != 0;
	return started;
}

int
launch_instance_count_ended(const struct launch_instance *r, int count)
{
	int i, ended = 0;

	for (i = 0; i < count; i++)
		ended += r[i].state != LAUNCH_INSTANCE_WAITS &&
		    r[i].state != LAUNCH_INSTANCE_RUNS;
	return ended;
}
