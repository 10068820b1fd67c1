/*
 * What is told of a job that failed, for made-up instances.
 */
#include "core/launch/plan/run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/tap.h"

enum { CORE = 0x80 }; /* WCOREDUMP of a status */

#define EXITED(code) \
	{ \
		.state = LAUNCH_INSTANCE_ENDED, .started_ms = 1000, \
		.ended_ms = 1400, .status = (code) << 8 \
	}
#define KILLED(signal) \
	{ \
		.state = LAUNCH_INSTANCE_ENDED, .started_ms = 1000, \
		.ended_ms = 1400, .status = (signal) \
	}
#define LATER(wait) \
	{ \
		.state = LAUNCH_INSTANCE_ENDED, .started_ms = 1000, \
		.ended_ms = 1500, .status = (wait) \
	}
#define STOPPED \
	{ \
		.state = LAUNCH_INSTANCE_ENDED, .told_to_end = true, \
		.started_ms = 1000, .ended_ms = 1600, .status = SIGTERM \
	}
#define RAN(ms) \
	{ \
		.state = LAUNCH_INSTANCE_ENDED, .started_ms = 0, \
		.ended_ms = (ms), .status = 1 << 8 \
	}
#define LOST \
	{ \
		.state = LAUNCH_INSTANCE_LOST \
	}

enum { INSTANCES = 5 };

static const struct {
	const char *name;
	struct launch_instance instances[INSTANCES];
	int count;
	int cause;
	const char *host;
	const char *tail;
	bool seen;
	const char *text;
} cases[] = {
	{ "alone", { EXITED(3) }, 1, 0, NULL, "its words\n", true, "" },
	{ "alone and hidden", { EXITED(3) }, 1, 0, NULL, "its words\n", false,
	    "  its last lines:\n"
	    "  | its words\n" },
	{ "alone on a host", { EXITED(3) }, 1, 0, "n1", NULL, true,
	    "  it ran 0.4 s on n1\n" },
	{ "one of two", { EXITED(0), EXITED(3) }, 2, 1, NULL, NULL, true,
	    "  it ran 0.4 s; 1 other had succeeded\n" },
	{ "all others were stopped", { STOPPED, STOPPED, EXITED(3), STOPPED },
	    4, 2, "n2", "a\nb", true,
	    "  it ran 0.4 s on n2; 3 others were stopped\n"
	    "  its last lines:\n"
	    "  | a\n"
	    "  | b\n" },
	{ "one more failed", { STOPPED, EXITED(3), LATER(SIGABRT) }, 3, 1, NULL,
	    NULL, true,
	    "  it ran 0.4 s; 1 other was stopped, 1 other failed after it: "
	    "instance 2, signal\n"
	    "  6 (Aborted)\n" },
	{ "two more failed",
	    { RAN(9000), EXITED(3), LATER(5 << 8), LOST, EXITED(0) }, 5, 1,
	    NULL, NULL, true,
	    "  it ran 0.4 s; 1 other had succeeded, 1 other was lost, 2 others "
	    "failed after\n  it, the first: instance 2, exit status 5\n" },
	{ "before all had started",
	    { EXITED(3), STOPPED, { .state = LAUNCH_INSTANCE_WAITS } }, 3, 0,
	    NULL, NULL, true,
	    "  it ran 0.4 s; 1 other was stopped, 1 other had not started\n" },
	/* Advice. */
	{ "memory", { KILLED(SIGKILL) }, 1, 0, NULL, NULL, true,
	    "  perhaps it ran out of memory: see dmesg\n" },
	{ "a full disk", { KILLED(SIGBUS), STOPPED }, 2, 0, NULL, NULL, true,
	    "  it ran 0.4 s; 1 other was stopped\n"
	    "  perhaps /dev/shm or a disk is full: see df\n" },
	{ "another processor", { KILLED(SIGILL) }, 1, 0, NULL, NULL, true,
	    "  perhaps it was built for another processor\n" },
	{ "a dump", { KILLED(SIGSEGV | CORE) }, 1, 0, NULL, NULL, true,
	    "  it dumped core: /proc/sys/kernel/core_pattern says where\n" },
	{ "no advice", { KILLED(SIGTERM) }, 1, 0, NULL, NULL, true, "" },
	{ "a shell found nothing", { EXITED(127) }, 1, 0, NULL, NULL, true,
	    "  127 is a shell's status for a program that was not found\n" },
	{ "a shell could not", { EXITED(126) }, 1, 0, NULL, NULL, true,
	    "  126 is a shell's status for a program that cannot be "
	    "executed\n" },
	{ "a shell's program was killed", { EXITED(137) }, 1, 0, NULL, NULL,
	    true,
	    "  137 is a shell's status for a program killed by signal 9 "
	    "(Killed); perhaps it\n"
	    "  ran out of memory: see dmesg\n" },
	{ "128 is nothing", { EXITED(128) }, 1, 0, NULL, NULL, true, "" },
	/* Times. */
	{ "seconds", { RAN(75400) }, 1, 0, "n", NULL, true,
	    "  it ran 75 s on n\n" },
	{ "minutes", { RAN(200000) }, 1, 0, "n", NULL, true,
	    "  it ran 3 min 20 s on n\n" },
	{ "hours", { RAN(18120000) }, 1, 0, "n", NULL, true,
	    "  it ran 5 h 2 min on n\n" },
	/* Tails. */
	{ "ten lines", { EXITED(1) }, 1, 0, NULL,
	    "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", false,
	    "  its last lines:\n"
	    "  | 2\n  | 3\n  | 4\n  | 5\n  | 6\n  | 7\n  | 8\n  | 9\n"
	    "  | 10\n  | 11\n" },
	{ "nothing but empty lines", { EXITED(1) }, 1, 0, NULL, "\n\n \n",
	    false, "" },
	{ "an empty line between", { EXITED(1) }, 1, 0, NULL, "a\n\nb\n\n",
	    false,
	    "  its last lines:\n"
	    "  | a\n"
	    "  |\n"
	    "  | b\n" },
	{ "colours and control", { EXITED(1) }, 1, 0, NULL,
	    "\x1b[1;31mred\x1b[0m\t\x1b]0;title\x07 \xff\n\x1b[", false,
	    "  its last lines:\n"
	    "  | red\t\\x1b]0;title\\x07 \\xff\n"
	    "  |\n" },
};

static void
test_cases(void)
{
	struct postmortem_cause cause;
	struct memstream m;
	size_t i;
	char *text;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		cause = (struct postmortem_cause){ .instance = cases[i].cause,
			.host = cases[i].host,
			.tail = cases[i].tail,
			.tail_size =
			    cases[i].tail == NULL ? 0 : strlen(cases[i].tail),
			.seen = cases[i].seen };
		postmortem_print(memstream_open(&m), cases[i].instances,
		    cases[i].count, &cause);
		text = memstream_close(&m, NULL);
		is_str(text, cases[i].text, cases[i].name);
		free(text);
	}
}

static void
test_times(void)
{
	static const struct launch_instance all[] = { STOPPED, STOPPED, STOPPED,
		EXITED(0), STOPPED, { .state = LAUNCH_INSTANCE_RUNS },
		EXITED(0), { .state = LAUNCH_INSTANCE_WAITS } };
	struct memstream m;
	char *text;

	postmortem_print_running(memstream_open(&m), all, ARRAY_SIZE(all));
	text = memstream_close(&m, NULL);
	is_str(text,
	    "  instances that were still running: 0-2, 4, 5 (5 of 8)\n",
	    "some ran");
	free(text);
	postmortem_print_running(memstream_open(&m), all, 3);
	text = memstream_close(&m, NULL);
	is_str(text, "", "all ran: no word");
	free(text);
	postmortem_print_waiting(memstream_open(&m), all, ARRAY_SIZE(all));
	text = memstream_close(&m, NULL);
	is_str(text, "  instances that had not started: 7 (1 of 8)\n",
	    "one waited");
	free(text);
}

int
main(void)
{
	test_cases();
	test_times();
	return tap_done();
}
