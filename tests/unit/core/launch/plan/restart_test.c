/*
 * Which ends of a run are followed by another one, and how soon.
 */
#include "core/launch/plan/plan.h"

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static const struct end_row {
	enum launch_end end;
	bool follows;
	const char *name;
} end_rows[] = {
	{ LAUNCH_DONE, false, "all went well" },
	{ LAUNCH_EXITED, true, "an instance failed" },
	{ LAUNCH_KILLED, true, "an instance was killed" },
	{ LAUNCH_CANNOT_PIPE, false, "no pipe" },
	{ LAUNCH_CANNOT_FORK, false, "no process" },
	{ LAUNCH_CANNOT_START, false, "no such program" },
	{ LAUNCH_INTERRUPTED, false, "a signal to poprun" },
	{ LAUNCH_TIMED_OUT, false, "the time is over" },
	{ LAUNCH_CANNOT_WRITE, false, "nobody reads the output" },
	{ LAUNCH_NO_SUPERVISOR, false, "the supervisor was killed" },
	{ LAUNCH_NO_REAPER, false, "the reaper was killed" },
	{ LAUNCH_NOT_STARTED_IN_TIME, false, "a start that took too long" },
	{ LAUNCH_NO_PARENT, true, "an instance's parent was killed" },
	{ LAUNCH_ENGINE_ENDED, false, "mpirun ended, and nothing was started" },
};

static const struct delay_row {
	int64_t ran_ms, before_ms, wanted_ms;
	const char *name;
} delay_rows[] = {
	{ 0, 0, 100, "the first that fails at once" },
	{ 999, 100, 200, "the second" },
	{ 999, 200, 400, "the third" },
	{ 0, 4999, 9998, "below the longest" },
	{ 0, 6400, 10000, "the longest" },
	{ 0, 10000, 10000, "and so on" },
	{ 1000, 0, 0, "one that ran for a while" },
	{ 1000, 6400, 0, "one that ran again" },
};

int
main(void)
{
	const struct delay_row *d;
	struct launch_instance instances[2] = { { .pid = 0 } };
	size_t i;

	launch_instance_started(&instances[0], 23, "");
	for (i = 0; i < ARRAY_SIZE(end_rows); i++)
		ok(restart_may_follow(&(struct launch_result){
		       .end = end_rows[i].end,
		       .instances = instances,
		       .count = 2 }) == end_rows[i].follows,
		    end_rows[i].name);
	launch_instance_started(&instances[1], 24, "");
	launch_instance_ended(&instances[1], LAUNCH_INSTANCE_ENDED, 0, false);
	ok(restart_may_follow(&(struct launch_result){
	       .end = LAUNCH_ENGINE_ENDED,
	       .instances = instances,
	       .count = 2 }),
	    "mpirun ended when all were started");
	for (i = 0; i < ARRAY_SIZE(delay_rows); i++) {
		d = &delay_rows[i];
		is_int(restart_delay(d->ran_ms, d->before_ms), d->wanted_ms,
		    d->name);
	}
	return tap_done();
}
