/*
 * The processes of a pod are found and ended, and no others.
 *
 * This program is the members as well: "sleep" waits for its end, "kill above"
 * starts "kill below", which ends the pod that both are of.
 */
#include "core/kube/sandbox/sandbox.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/sys_util.h"
#include "tests/unit/tap.h"

enum { LIMIT_MS = 20000, MANY = 70 };

static const char *own; /* the path of this program */
static struct sandbox_mark mark;

/* Each that is started has an end of this pipe as its standard output, and
   writes to it once it is what it is to be. */
static int ready[2];

/* A program of these words and that environment. */
static void
become(const char *word, const char *more, const char *variable, bool is_new)
{
	char *argv[] = { xstrdup(own), xstrdup(word), xstrdup(more), NULL };
	char *environment[] = { variable[0] != '\0' ? xstrdup(variable) : NULL,
		NULL };

	if (is_new)
		(void)setsid();
	/* Started by one of these it has that end already. */
	if (ready[1] != 0)
		(void)dup2(ready[1], STDOUT_FILENO);
	(void)execve(own, argv, environment);
	_exit(1);
}

static void
wait_for_one(void)
{
	char byte;

	if (read(ready[0], &byte, 1) != 1) {
		perror("a member");
		exit(1);
	}
}

/* A process with that variable ("": none), which lives until it is killed. */
static pid_t
start(const char *variable)
{
	const pid_t child = fork();

	if (child == 0)
		become("sleep", "", variable, false);
	wait_for_one();
	return child;
}

/* One inside the pod's place without any variable, in a session of its own, by
   way of a process that ends: it is nobody's child. */
static bool
start_inside(void)
{
	const struct sandbox_plan plan = { .directory = mark.directory };
	struct error e;
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (sandbox_enter(&plan, &e) != 0) {
			fprintf(stderr, "%s\n", e.text);
			_exit(1);
		}
		if (fork() == 0)
			become("sleep", "", "", true);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status != 0)
		return false;
	wait_for_one();
	return true;
}

/* Whether it was killed by SIGKILL. */
static bool
was_killed(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	    WTERMSIG(status) == SIGKILL;
}

static bool
lives(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

static void
finish(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

static void
test_variable(void)
{
	const struct sandbox_mark no_directory = { mark.text, NULL };
	struct error e = { .text = "" };
	pid_t member, bystanders[4];
	size_t i;

	member = start("IPUBOX_POD=a-mark");
	bystanders[0] = start("");
	bystanders[1] = start("IPUBOX_POD=a-mark-and-more");
	bystanders[2] = start("IPUBOX_POD=a-mar");
	bystanders[3] = start("XIPUBOX_POD=a-mark");
	ok(sandbox_member_is(member, &mark), "by its variable");
	ok(sandbox_member_is(member, &no_directory),
	    "also without a directory");
	for (i = 0; i < ARRAY_SIZE(bystanders); i++)
		ok(!sandbox_member_is(bystanders[i], &mark), "not another");
	is_int(sandbox_member_kill(&mark, LIMIT_MS, &e), 1, "it is killed");
	is_str(e.text, "", "with no word");
	ok(was_killed(member), "it has ended");
	for (i = 0; i < ARRAY_SIZE(bystanders); i++) {
		ok(lives(bystanders[i]), "and no other");
		finish(bystanders[i]);
	}
	is_int(sandbox_member_kill(&mark, LIMIT_MS, &e), 0, "none is left");
	ok(!sandbox_member_is(member, &mark), "one that is no more");
}

static void
test_directory(void)
{
	struct error e;
	pid_t orphan, bystander;

	if (!sandbox_is_possible(&e)) {
		tap_skip("by what is mounted", e.text);
		return;
	}
	bystander = start("");
	if (!ok(start_inside(), "one inside, in a new session, without words"))
		return;
	is_int(sandbox_member_kill(&mark, LIMIT_MS, &e), 1, "it is found");
	orphan = waitpid(-1, NULL, WNOHANG);
	ok(orphan > 0 && orphan != bystander, "and has ended");
	ok(lives(bystander), "the other has not");
	finish(bystander);
}

/* The program that ends them is one itself, and so is the one above it. */
static void
test_spared(void)
{
	int status;
	pid_t child, member = start("IPUBOX_POD=a-mark");

	if ((child = fork()) == 0)
		become("kill", "above", "IPUBOX_POD=a-mark", false);
	wait_for_one();
	is_int(waitpid(child, &status, 0), child, "the one above has ended");
	is_int(status, 0, "by itself, and so has the one that killed");
	ok(was_killed(member), "the others were killed");
}

/* More than one round waits for. */
static void
test_many(void)
{
	struct error e = { .text = "" };
	pid_t members[MANY];
	int i, ended = 0;

	for (i = 0; i < MANY; i++)
		members[i] = start("IPUBOX_POD=a-mark");
	ok(sandbox_member_kill(&mark, LIMIT_MS, &e) >= MANY, "many");
	is_str(e.text, "", "with no word");
	for (i = 0; i < MANY; i++)
		ended += was_killed(members[i]);
	is_int(ended, MANY, "all have ended");
}

/* There is no time: some are killed, and it is said that more may be there. */
static void
test_limit(void)
{
	struct error e = { .text = "" };
	pid_t member = start("IPUBOX_POD=a-mark");

	is_int(sandbox_member_kill(&mark, 0, &e), -1, "no time");
	is_int(e.code, ERROR_TIMED_OUT, "is said");
	ok(was_killed(member), "and it was killed");
}

static void
test_refused(void)
{
	const struct sandbox_mark all = { "a-mark", "/" };
	const struct sandbox_mark proc = { "a-mark", "/proc" };
	struct error e;

	is_int(sandbox_member_kill(&all, LIMIT_MS, &e), -1,
	    "not all of the host");
	is_str(e.text,
	    "/ is also a mount point of this process, so it cannot identify "
	    "the processes of a pod",
	    "it says why");
	is_int(sandbox_member_kill(&proc, LIMIT_MS, &e), -1, "not by /proc");
	is_int(e.code, ERROR_INVALID, "which is a mistake");
}

/* ---- the members ---- */

static int
be_ready(void)
{
	return write(STDOUT_FILENO, "r", 1) == 1 ? 0 : 1;
}

static int
be_killer(const char *where)
{
	const struct sandbox_mark no_directory = { "a-mark", NULL };
	struct error e;
	int status;
	pid_t child;

	if (strcmp(where, "below") == 0)
		return sandbox_member_kill(&no_directory, LIMIT_MS, &e) == 1 ?
		    0 :
		    1;
	/* It says that it is ready when the one below has killed. */
	if ((child = fork()) == 0)
		become("kill", "below", "IPUBOX_POD=a-mark", false);
	if (waitpid(child, &status, 0) != child || status != 0)
		return 1;
	return be_ready();
}

static int
be_member(char *argv[])
{
	if (strcmp(argv[1], "kill") == 0)
		return be_killer(argv[2]);
	if (be_ready() != 0)
		return 1;
	(void)alarm(60);
	(void)pause();
	return 0;
}

int
main(int argc, char *argv[])
{
	static char path[4096];

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 1)
		return 1;
	own = path;
	if (argc == 3)
		return be_member(argv);
	(void)alarm(60);
	/* What loses its parent comes to this one. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) != 0 ||
	    pipe(ready) != 0)
		return 1;
	/* With what the kernel writes otherwise. */
	mark.text = "a-mark";
	mark.directory = xasprintf("%s/a pod\\ \t", tap_directory());
	if (mkdir(mark.directory, 0700) != 0)
		return 1;
	test_variable();
	test_directory();
	test_spared();
	test_many();
	test_limit();
	test_refused();
	sys_remove();
	return tap_done();
}
