/*
 * Entering the place of another process, and where that is refused.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/sandbox_util.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

#define at sandbox_util_path

/* A process that is inside, until its end of the pipe is closed. */
struct inside {
	pid_t pid;
	int pidfd;
	int hold;
};

static void
be_inside(const struct sandbox_plan *plan, int ready, int hold)
{
	char byte = plan != NULL && sandbox_util_enter(plan) != 0 ? 'f' : 'r';

	/* As a program is that was executed. */
	(void)prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
	(void)!write(ready, &byte, 1);
	(void)!read(hold, &byte, 1);
	_exit(0);
}

/* Whether it came to be inside; NULL: a process in no place of its own. */
static bool
start_inside(struct inside *in, const struct sandbox_plan *plan)
{
	int ready[2], hold[2];
	char byte = 0;

	if (pipe(ready) != 0 || pipe(hold) != 0)
		return false;
	in->hold = hold[1];
	if ((in->pid = fork()) == 0) {
		(void)close(ready[0]);
		(void)close(hold[1]);
		be_inside(plan, ready[1], hold[0]);
	}
	(void)close(ready[1]);
	(void)close(hold[0]);
	(void)!read(ready[0], &byte, 1);
	(void)close(ready[0]);
	in->pidfd = (int)syscall(SYS_pidfd_open, (long)in->pid, 0L);
	return byte == 'r' && in->pidfd != -1;
}

static bool
end_inside(const struct inside *in)
{
	(void)close(in->hold);
	return sandbox_util_wait(in->pid);
}

static struct sandbox_plan
a_plan(const char *room)
{
	static struct sandbox_volume v;

	v = (struct sandbox_volume){ .name = "v",
		.source = at(room, "source"),
		.target = at(room, "host/new") };
	sandbox_util_mkdir(at(room, "source"));
	sandbox_util_mkdir(at(room, "host"));
	sandbox_util_write(at(room, "source/file"), "content");
	return (struct sandbox_plan){ .volumes = &v,
		.volume_count = 1,
		.hostname = "worker-0" };
}

static int
enter_it(const char *room)
{
	const struct sandbox_plan plan = a_plan(room);
	struct inside in;
	struct error e = { .text = "" };
	struct stat st;
	char name[65], path[256];

	REQUIRE(start_inside(&in, &plan));
	REQUIRE(sandbox_join(in.pidfd, &e) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/new/file"), "content"));
	REQUIRE(gethostname(name, sizeof(name)) == 0 &&
	    strcmp(name, "worker-0") == 0);
	REQUIRE(getcwd(path, sizeof(path)) != NULL && strcmp(path, "/") == 0);
	/* What it makes there is its user's, and in the volume. */
	sandbox_util_write(at(room, "host/new/joined"), "joined");
	REQUIRE(stat(at(room, "host/new/joined"), &st) == 0 &&
	    st.st_uid == getuid());
	/* Once more: it is in there already. */
	REQUIRE(sandbox_join(in.pidfd, &e) == 0);
	REQUIRE(end_inside(&in));
	return 0;
}

static int
it_was_written(const char *room)
{
	return sandbox_util_reads(at(room, "source/joined"), "joined") ? 0 : 1;
}

/* Of the mounts alone: the host name is this host's. */
static int
enter_without_a_name(const char *room)
{
	struct sandbox_plan plan = a_plan(room);
	struct inside in;
	struct error e;

	plan.hostname = NULL;
	REQUIRE(start_inside(&in, &plan));
	REQUIRE(sandbox_join(in.pidfd, &e) == 0);
	REQUIRE(sandbox_util_reads(at(room, "host/new/file"), "content"));
	REQUIRE(end_inside(&in));
	return 0;
}

static int
enter_nothing(const char *room)
{
	struct inside in;
	struct error e;

	REQUIRE(start_inside(&in, NULL));
	REQUIRE(chdir(room) == 0);
	REQUIRE(sandbox_join(in.pidfd, &e) == 0);
	REQUIRE(access("../..", F_OK) == 0);
	REQUIRE(end_inside(&in));
	return 0;
}

/* It has ended, and is not waited for; then it is. */
static int
enter_what_has_ended(const char *room)
{
	const struct sandbox_plan plan = a_plan(room);
	struct inside in;
	struct error e;
	siginfo_t info;

	REQUIRE(start_inside(&in, &plan));
	(void)close(in.hold);
	REQUIRE(waitid(P_PID, (id_t)in.pid, &info, WEXITED | WNOWAIT) == 0);
	REQUIRE(sandbox_join(in.pidfd, &e) == -1);
	REQUIRE(e.code == ERROR_NOT_FOUND);
	REQUIRE(strcmp(e.text, "the process has ended") == 0);
	REQUIRE(sandbox_util_wait(in.pid));
	REQUIRE(sandbox_join(in.pidfd, &e) == -1);
	REQUIRE(e.code == ERROR_NOT_FOUND);
	/* What is no pidfd. */
	REQUIRE(sandbox_join(0, &e) == -1);
	return 0;
}

/* Root enters no user namespace in which it is nobody. */
static int
enter_a_users(const char *room)
{
	const struct sandbox_plan plan = { .hostname = "worker-0" };
	struct inside in;
	struct error e;
	char name[65];
	int ready[2], hold[2];
	char byte;

	(void)room;
	REQUIRE(pipe(ready) == 0 && pipe(hold) == 0);
	if ((in.pid = fork()) == 0) {
		if (setresgid(SANDBOX_UTIL_USER, SANDBOX_UTIL_USER,
			SANDBOX_UTIL_USER) != 0 ||
		    setresuid(SANDBOX_UTIL_USER, SANDBOX_UTIL_USER,
			SANDBOX_UTIL_USER) != 0)
			_exit(1);
		(void)close(hold[1]);
		if (sandbox_is_possible(&e))
			be_inside(&plan, ready[1], hold[0]);
		(void)!write(ready[1], "n", 1);
		_exit(0);
	}
	in.hold = hold[1];
	(void)close(hold[0]);
	REQUIRE(read(ready[0], &byte, 1) == 1);
	if (byte == 'n') /* this user may not */
		return sandbox_util_wait(in.pid) ? 0 : 1;
	REQUIRE(byte == 'r');
	in.pidfd = (int)syscall(SYS_pidfd_open, (long)in.pid, 0L);
	REQUIRE(sandbox_join(in.pidfd, &e) == -1);
	REQUIRE(e.code == ERROR_DENIED);
	REQUIRE(
	    strstr(e.text,
		" is in a sandbox of uid 64011; only that user can enter it") !=
	    NULL);
	REQUIRE(gethostname(name, sizeof(name)) == 0 &&
	    strcmp(name, "worker-0") != 0);
	REQUIRE(end_inside(&in));
	return 0;
}

/* And a user none of root's. */
static int
enter_roots(const char *room)
{
	const struct sandbox_plan plan = a_plan(room);
	struct inside in;
	struct error e;

	REQUIRE(start_inside(&in, &plan));
	REQUIRE(setresgid(SANDBOX_UTIL_USER, SANDBOX_UTIL_USER,
		    SANDBOX_UTIL_USER) == 0 &&
	    setresuid(SANDBOX_UTIL_USER, SANDBOX_UTIL_USER,
		SANDBOX_UTIL_USER) == 0);
	REQUIRE(sandbox_join(in.pidfd, &e) == -1);
	REQUIRE(e.code == ERROR_DENIED);
	REQUIRE(end_inside(&in));
	return 0;
}

static const struct sandbox_case cases[] = {
	{ "enter a place", enter_it, it_was_written, NEEDS_MOUNTS, NULL },
	{ "one without a name", enter_without_a_name, NULL, NEEDS_MOUNTS,
	    NULL },
	{ "one that is none", enter_nothing, NULL, NEEDS_MOUNTS, NULL },
	{ "one that has ended", enter_what_has_ended, NULL, NEEDS_MOUNTS,
	    NULL },
	{ "a user's", enter_a_users, NULL, NEEDS_ROOT, NULL },
	{ "root's, by a user", enter_roots, NULL, NEEDS_ROOT, NULL },
};

int
main(void)
{
	size_t i;

	(void)alarm(60);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (geteuid() == 0)
			sandbox_util_run(&cases[i], 0);
		if (geteuid() != 0 || (cases[i].needs & NEEDS_ROOT) == 0)
			sandbox_util_run(&cases[i],
			    geteuid() == 0 ? SANDBOX_UTIL_USER : geteuid());
	}
	sys_remove();
	return tap_done();
}
