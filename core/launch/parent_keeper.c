/*
 * The keeper between an engine and a parent: it passes signals on, waits, and
 * ends what a killed parent left.
 */
#include "core/launch/parent.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/process/process.h"

enum {
	GRACE_MS = 500, /* for what a killed parent leaves; before poprun ends
			   the engine, which may kill the keeper */
	SIGNAL_STATUS = 128
};

/* Reap all that have ended.  Returns true if the keeper has more to do.  A
   parent that returned 0 has ended its whole tree, and a search of /proc by
   each keeper would take longer than the rest of a short job. */
static bool
keeper_reap(struct tree *tree, pid_t parent, int *status)
{
	pid_t pid;
	int ended;

	while ((pid = waitpid(-1, &ended, WNOHANG)) > 0) {
		tree_remove(tree, pid);
		if (pid != parent)
			continue;
		*status = WIFSIGNALED(ended) ? SIGNAL_STATUS + WTERMSIG(ended) :
					       WEXITSTATUS(ended);
		if (*status == 0)
			return false;
		tree_end(tree, SIGTERM, clock_monotonic_ms());
	}
	return pid == 0;
}

/* Wait for the next signal; 0: timed out; -1 ms: no limit. */
static int
keeper_wait(const sigset_t *held, int timeout_ms)
{
	const struct timespec limit = {
		.tv_sec = timeout_ms / 1000,
		.tv_nsec = timeout_ms % 1000 * 1000000L,
	};
	const int signal = sigtimedwait(held, NULL,
	    timeout_ms == -1 ? NULL : &limit);

	return signal == -1 ? 0 : signal;
}

static void
keeper_keep(struct tree *tree, pid_t parent, const sigset_t *held, int *status)
{
	int signal, timeout;

	tree_add(tree, parent);
	while (keeper_reap(tree, parent, status)) {
		timeout = tree->ending ? tree_next(tree, clock_monotonic_ms()) :
					 -1;
		if (tree->ending && timeout == -1)
			return;
		signal = keeper_wait(held, timeout);
		if (signal != 0 && signal != SIGCHLD && !tree->ending)
			(void)kill(parent, signal);
	}
}

/* The keeper's death reaches the parent as SIGTERM; getppid(2) shows a death
   before that was set up. */
pid_t
parent_keeper_fork(const sigset_t *held, int *status)
{
	const pid_t keeper = getpid(), engine = getppid();
	struct tree tree;
	pid_t pid;

	tree_init(&tree, GRACE_MS);
	pid = fork();
	if (pid == 0) {
		(void)setpgid(0, 0);
		(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0L, 0L,
		    0L);
		if (getppid() != keeper)
			(void)raise(SIGTERM);
	} else if (pid != -1) {
		title_set("ipubox-keeper");
		keeper_keep(&tree, pid, held, status);
		if (*status == PARENT_KEEPER_CUT_OFF && getppid() == engine)
			(void)kill(engine, SIGTERM);
	}
	tree_release(&tree);
	return pid;
}
