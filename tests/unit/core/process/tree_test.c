/* Ending children: ours alone, by the signal they may hear, then by force. */
#include "core/process/process.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"

enum { GRACE_MS = 1000 };

/* A pipe's two ends, or no test. */
static void
make_pipe(int end[2])
{
	if (pipe(end) != 0)
		abort();
}

static void
wait_for_byte(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		_exit(1);
}

static void
send_byte(int fd)
{
	if (write(fd, "", 1) != 1)
		abort();
}

/* A child that, when it is told to, has a dead child that it leaves unread. */
static pid_t
spawn_parent_of_dead(int go, int ready)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	wait_for_byte(go);
	if ((pid = fork()) == 0)
		_exit(0);
	(void)waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	send_byte(ready);
	for (;;)
		(void)pause();
}

static void
test_others(void)
{
	struct tree t;
	int go[2], ready[2];
	pid_t pid;

	make_pipe(go);
	make_pipe(ready);
	pid = spawn_parent_of_dead(go[0], ready[1]);
	tree_init(&t, GRACE_MS);
	send_byte(go[1]);
	wait_for_byte(ready[0]);
	tree_end(&t, SIGTERM, 0);
	is_int(tree_continue(&t, 0), -1,
	    "neither a child from before nor its dead child");
	is_int(kill(pid, 0), 0, "which is alive");
	tree_release(&t);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	/* The subreaper has the dead one now. */
	(void)waitpid(-1, NULL, 0);
}

/* A child that is deaf to SIGINT, or not, and says when it is ready. */
static pid_t
spawn(bool deaf, int ready)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)signal(SIGINT, deaf ? SIG_IGN : SIG_DFL);
	send_byte(ready);
	for (;;)
		(void)pause();
}

static void
test_ours(bool deaf, int signal)
{
	struct tree t;
	int ready[2], status;
	pid_t pid;

	make_pipe(ready);
	tree_init(&t, GRACE_MS);
	pid = spawn(deaf, ready[1]);
	tree_add(&t, pid);
	wait_for_byte(ready[0]);
	tree_end(&t, SIGINT, 500);
	is_int(tree_continue(&t, 500), GRACE_MS, "the whole time of grace");
	if (deaf) {
		is_int(tree_continue(&t, 500 + GRACE_MS - 1), 1,
		    "the rest of it");
		is_int(tree_continue(&t, 500 + GRACE_MS), TREE_LOOK_AGAIN_MS,
		    "it is over");
	}
	is_int(waitpid(pid, &status, 0), pid, "the child has ended");
	ok(WIFSIGNALED(status) && WTERMSIG(status) == signal,
	    deaf ? "killed" : "by the signal");
	tree_remove(&t, pid);
	is_int(tree_continue(&t, 500 + GRACE_MS), -1, "no child is left");
	tree_release(&t);
}

int
main(void)
{
	test_others();
	test_ours(false, SIGINT);
	test_ours(true, SIGKILL);
	return tap_done();
}
