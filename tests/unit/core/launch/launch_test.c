/*
 * A launch has left nothing behind when it returns: its supervisor is gone,
 * and so is what the instances started, whatever ended the job.
 */
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/launch/launch.h"
#include "tests/unit/tap.h"

enum { INSTANCES = 3 };

static void
no_event(const void *context, const struct launch_event *event, FILE *notes)
{
	(void)context;
	(void)event;
	(void)notes;
}

/* The pids that the instances wrote; how many of them are there, dead ones
   that nobody waited for included. */
static int
left(const char *file, int *notified)
{
	size_t size;
	char *text = file_read(file, 4096, &size, NULL), *at = text;
	int count = 0, pid, used;

	*notified = 0;
	while (at != NULL && sscanf(at, "%d%n", &pid, &used) == 1) {
		count += kill((pid_t)pid, 0) == 0 || errno != ESRCH;
		++*notified;
		at += used;
	}
	free(text);
	return count;
}

struct job {
	const char *name;
	const char *script; /* appends a pid a line to ./pids */
	enum launch_end end;
	int notified; /* pids that it writes */
};

/* Each instance's parent is the supervisor. */
static const struct job jobs[] = {
	{ "all end well", "echo $PPID >> pids", LAUNCH_DONE, INSTANCES },
	{ "they fail", "echo $PPID >> pids; kill -KILL $$", LAUNCH_KILLED, 0 },
	{ "each leaves a process behind", "sleep 60 & echo $PPID $! >> pids",
	    LAUNCH_DONE, 2 * INSTANCES },
};

/* Each was started here, and ended; the first that failed had not been told
   to. */
static void
is_records(const struct launch_result *result)
{
	const struct launch_instance *r = result->instances;
	int i;

	is_int(result->count, INSTANCES, "a record for each");
	is_int(launch_instance_count_ended(r, result->count), INSTANCES,
	    "all have ended");
	for (i = 0; i < result->count; i++) {
		ok(r[i].pid > 0 && r[i].state == LAUNCH_INSTANCE_ENDED &&
			r[i].started_ms > 0 && r[i].ended_ms >= r[i].started_ms,
		    "started and ended");
		is_str(r[i].host, "", "here");
	}
	if (result->end == LAUNCH_KILLED) {
		ok(!r[result->instance].told_to_end,
		    "the cause had not been told");
		is_int(r[result->instance].status, SIGKILL, "its status");
		is_int(r[result->instance].pid, result->pid, "its pid");
	}
}

static void
run(const struct job *job, const sigset_t *mask)
{
	char sh[] = "/bin/sh", c[] = "-c";
	char *script = xstrdup(job->script);
	char *const argv[] = { sh, c, script, NULL };
	char path[] = "PATH=/usr/bin:/bin";
	char *const environment[] = { path, NULL };
	char *const *const environments[INSTANCES] = { environment, environment,
		environment };
	struct launch l = { .count = INSTANCES,
		.path = sh,
		.argv = argv,
		.environments = environments,
		.mask = *mask,
		.event = no_event,
		.grace_ms = 2000 };
	struct launch_result result;
	struct error e = { .text = "" };
	int notified;

	(void)unlink("pids");
	is_int(launch_run(&l, &result, &e), 0, job->name);
	is_int(result.end, job->end, "as wanted");
	ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD,
	    "no child is left, no dead one either");
	is_int(left("pids", &notified), 0, "nor one of the keeper's");
	is_records(&result);
	launch_result_release(&result);
	/* An instance may be ended before it says so, where one fails. */
	ok(job->notified == 0 ? notified > 0 : notified == job->notified,
	    "they were there");
	free(script);
}

int
main(void)
{
	char home[] = "/tmp/ipubox-launch.XXXXXX";
	sigset_t mask;
	size_t i;

	(void)alarm(60);
	if (mkdtemp(home) == NULL || chdir(home) != 0)
		return 1;
	launch_signals_hold(&mask);
	for (i = 0; i < ARRAY_SIZE(jobs); i++)
		run(&jobs[i], &mask);
	(void)unlink("pids");
	(void)chdir("/");
	(void)rmdir(home);
	return tap_done();
}
