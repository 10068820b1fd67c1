/*
 * A launch whose instances an engine starts: a shell here, which starts the
 * parents, which are this program again.  Whatever becomes of them, each
 * instance has its record, the first cause is found, and nothing is left.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/file.h"
#include "core/base/strvec.h"
#include "core/launch/launch.h"
#include "core/launch/parent.h"
#include "tests/unit/tap.h"

enum { INSTANCES = 3, GRACE_MS = 1000, FAR_JOBS = 4 };

/* Of struct launch. */
static const struct link_reach *reach;

/* Start instance $1 below its parent. */
#define PARENT \
	"parent() { exec \"$SELF\" __parent $1 sh -c \"$BODY\" sh $1; }; "
#define ALL PARENT "for i in 0 1 2; do parent $i & done; wait"

struct job {
	const char *name;
	const char *engine; /* what a shell runs, and that shell */
	const char *body;   /* of an instance, $1: which */
	const char *lines;  /* of the engine's own output, or NULL where the
			       shell may say something */
	enum launch_end end;
	int instance;
	int value;
	int timeout_s;
	int start_timeout_s;
};

static const struct job jobs[] = {
	{ "all end well", ALL, "exit 0", "", LAUNCH_DONE, 0, 0, 0, 0 },
	{ "one fails, and ends the others", ALL,
	    "[ $1 != 1 ] || exit 3; sleep 60", "", LAUNCH_EXITED, 1, 3, 0, 0 },
	{ "one is killed", ALL, "[ $1 != 2 ] || kill -KILL $$; sleep 60", "",
	    LAUNCH_KILLED, 2, SIGKILL, 0, 0 },
	{ "the first failure counts", ALL,
	    "trap 'exit 7' TERM; [ $1 != 0 ] || exit 4; sleep 60 & wait", "",
	    LAUNCH_EXITED, 0, 4, 0, 0 },
	{ "what ignores SIGTERM is killed, in another session too", ALL,
	    "trap '' TERM; setsid sleep 60 & [ $1 != 0 ] || exit 5; sleep 60",
	    "", LAUNCH_EXITED, 0, 5, 0, 0 },
	{ "it may leave a process behind", ALL, "sleep 60 &", "", LAUNCH_DONE,
	    0, 0, 0, 0 },
	{ "the engine says something",
	    "echo one; echo two >&2; printf three; " ALL, "exit 0",
	    "one|two!|three|", LAUNCH_DONE, 0, 0, 0, 0 },
	{ "the engine fails", "exit 9", "", "", LAUNCH_ENGINE_ENDED,
	    LAUNCH_ENGINE, 9 << 8, 0, 0 },
	{ "the engine ends and has started nothing", "exit 0", "", "",
	    LAUNCH_ENGINE_ENDED, LAUNCH_ENGINE, 0, 0, 0 },
	{ "the engine is killed",
	    PARENT "parent 0 & parent 1 & parent 2 & kill -KILL $$", "sleep 60",
	    "", LAUNCH_ENGINE_ENDED, LAUNCH_ENGINE, SIGKILL, 0, 0 },
	{ "the engine ends them all",
	    PARENT
	    "exec 3<>go; for i in 0 1 2; do parent $i & p=\"$p $!\"; done; for "
	    "i in 0 1 2; do read go <&3; done; kill -TERM $p; wait; exit 6",
	    "echo go > go; sleep 60", "", LAUNCH_ENGINE_ENDED, LAUNCH_ENGINE,
	    6 << 8, 0, 0 },
	{ "a parent is killed", ALL,
	    "[ $1 != 1 ] || kill -KILL $PPID; sleep 60", NULL, LAUNCH_NO_PARENT,
	    1, 0, 0, 0 },
	{ "a keeper is killed, and the parent ends its tree", ALL,
	    "trap 'exit 0' TERM; if [ $1 = 1 ]; then exec 3<>go; read one <&3; "
	    "read other <&3; kill -KILL $(awk '/^PPid:/ { print $2 }' "
	    "/proc/$PPID/status); else echo go > go; fi; sleep 60 & wait",
	    NULL, LAUNCH_DONE, 0, 0, 0, 0 },
	{ "one never comes", PARENT "parent 0 & parent 1 & exec sleep 60",
	    "sleep 60", "", LAUNCH_NOT_STARTED_IN_TIME, 0, 1, 0, 1 },
	{ "none ever comes", "exec sleep 60", "", "",
	    LAUNCH_NOT_STARTED_IN_TIME, 0, 1, 0, 1 },
	{ "it takes too long", ALL, "sleep 60", "", LAUNCH_TIMED_OUT, 0, 1, 1,
	    0 },
	{ "an engine that hangs when all have ended is ended",
	    ALL "; exec sleep 60", "exit 0", "", LAUNCH_DONE, 0, 0, 0, 0 },
	{ "an engine that fails when all have ended is the failure",
	    ALL "; exit 8", "exit 0", "", LAUNCH_ENGINE_ENDED, LAUNCH_ENGINE,
	    8 << 8, 0, 0 },
};

/* Lines of the engine, "|" behind each, "!|" behind those of stderr. */
static char lines[256];

static void
no_event(const void *context, const struct launch_event *event, FILE *notes)
{
	(void)context;
	(void)event;
	(void)notes;
}

static void
add_line(const void *context, const char *line, bool is_error, FILE *notes)
{
	const size_t used = strlen(lines);

	(void)context;
	(void)notes;
	(void)snprintf(lines + used, sizeof(lines) - used, "%s%s|", line,
	    is_error ? "!" : "");
}

/* The lines of both outputs come in either order. */
static bool
has_lines(const char *wanted)
{
	char *copy = xstrdup(wanted != NULL ? wanted : "");
	char *line, *next = copy;
	bool all = wanted == NULL || strlen(wanted) == strlen(lines);

	while ((line = strsep(&next, "|")) != NULL)
		all = all && strstr(lines, line) != NULL;
	free(copy);
	return all;
}

/* Every instance that came has ended, and none without a reason. */
static void
is_ended(const struct job *job, const struct launch_result *r)
{
	const struct launch_instance *record;
	int i;

	is_int(r->count, INSTANCES, "a record for each");
	for (i = 0; i < r->count; i++) {
		record = &r->instances[i];
		ok(record->state != LAUNCH_INSTANCE_RUNS, "none runs");
		if (record->state != LAUNCH_INSTANCE_ENDED)
			continue;
		ok(record->pid > 0 && record->host[0] != '\0' &&
			record->started_ms > 0 &&
			record->ended_ms >= record->started_ms,
		    "where and when");
		ok(record->told_to_end || i == job->instance ||
			record->status == 0,
		    "who was not the cause was told");
	}
}

static void
run(const struct job *job, const char *self, const sigset_t *mask)
{
	static const struct parent_start starts[INSTANCES] = {
		{ .grace_ms = GRACE_MS }, { .grace_ms = GRACE_MS },
		{ .grace_ms = GRACE_MS }
	};
	static const char *const places[] = { "/dev/shm", "/tmp" };
	char sh[] = "/bin/sh";
	struct strvec argv, environment;
	char *const *one;
	struct job_directory directory;
	struct launch_result result;
	struct error e = { .text = "" };
	int64_t start_ms = clock_monotonic_ms();
	struct launch l = { .count = INSTANCES,
		.engine = true,
		.starts = starts,
		.path = sh,
		.directory = &directory,
		.reach = reach,
		.grace_ms = GRACE_MS,
		.mask = *mask,
		.event = no_event,
		.engine_line = add_line,
		.timeout_s = job->timeout_s,
		.start_timeout_s = job->start_timeout_s };

	strvec_init(&argv);
	strvec_init(&environment);
	strvec_add(&argv, sh);
	strvec_add(&argv, "-c");
	strvec_add(&argv, job->engine);
	strvec_addf(&environment, "SELF=%s", self);
	strvec_addf(&environment, "BODY=%s", job->body);
	strvec_addf(&environment, "PATH=%s", getenv("PATH"));
	l.argv = argv.items;
	one = environment.items;
	l.environments = &one;
	lines[0] = '\0';
	job_directory_init(&directory);
	is_int(job_directory_make(&directory, places, 2, &e), 0, job->name);
	is_int(launch_run(&l, &result, &e), 0, "it ran");
	is_int(result.end, job->end, "the end");
	is_int(result.instance, job->instance, "whose");
	is_int(result.value, job->value, "its value");
	ok(has_lines(job->lines), "the engine's own lines");
	is_ended(job, &result);
	ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD,
	    "no child is left");
	ok(clock_monotonic_ms() - start_ms < 20000, "and nobody was awaited");
	launch_result_release(&result);
	job_directory_release(&directory);
	strvec_release(&argv);
	strvec_release(&environment);
}

/* In the place of ipubox's main(). */
static int
be_parent(int instance, char **argv)
{
	struct error e = { .text = "" };
	const int status = parent_run(instance, argv, &e);

	return status == -1 ? 1 : status;
}

int
main(int argc, char **argv)
{
	const struct link_reach loop = { .address = "127.0.0.1" };
	char *self;
	sigset_t mask;
	size_t i;

	if (argc > 3 && strcmp(argv[1], PARENT_WORD) == 0)
		return be_parent(argv[2][0] - '0', argv + 3);
	(void)alarm(120);
	self = realpath("/proc/self/exe", NULL);
	if (self == NULL || mkfifo("go", 0600) != 0)
		return 1;
	launch_signals_hold(&mask);
	for (i = 0; i < ARRAY_SIZE(jobs); i++)
		run(&jobs[i], self, &mask);
	/* The same as where parents are on other hosts. */
	reach = &loop;
	for (i = 0; i < FAR_JOBS; i++)
		run(&jobs[i], self, &mask);
	(void)unlink("go");
	free(self);
	return tap_done();
}
