/*
 * The guard of a partition that poprun creates: a process that removes the
 * partition if poprun is killed before it does so itself.
 */
#include "core/launch/plan/job_partition.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "core/control/control.h"
#include "core/launch/plan/job_server.h"
#include "core/process/process.h"

/*
 * The guard reads a pipe.  poprun and its supervisor hold the other end.  A
 * byte says that the work is done.  The end of the pipe says that both have
 * ended, and with them the job:
 *
 *	poprun ------+
 *	             +--> pipe --> guard:  a byte   nothing to do
 *	supervisor --+                     the end  remove the partition
 */

/* Remove the partition of an ended owner: opening the state does that.  First
   wait for the owner's lock, which may be dropped a moment after the pipe was
   closed. */
static void
guard_remove_owned(struct owner_lock *owner)
{
	struct registry registry;

	owner_lock_outlive(owner);
	if (reader_open(&registry, NULL) == 0)
		registry_close(&registry);
}

static void
guard_remove(const struct guard_task *t)
{
	struct owner_lock owner;
	struct controller *c;

	if (t->owner != NULL) {
		owner = *t->owner;
		guard_remove_owned(&owner);
		return;
	}
	if ((c = job_server_open(t->server, NULL)) != NULL)
		(void)remove_same(c, t->partition, NULL);
	controller_close(c);
}

/* Hold the lease until the pipe is readable or ended, then close its
   connection, with which the partition ends. */
static void
guard_hold(int pipe, const struct guard_task *t)
{
	(void)controller_hold(t->lease, pipe, NULL);
	controller_close(t->lease);
}

/* Run the guard until a byte or the end of the pipe comes, then exit.  Nothing
   else may end it: all signals are blocked, and in its own process group it
   gets no ^C. */
static void
guard_main(int pipe, const struct guard_task *t)
{
	sigset_t all;
	char done;
	ssize_t n;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)setpgid(0, 0);
	title_set("ipubox-guard");
	if (t->lease != NULL) {
		guard_hold(pipe, t);
		_exit(0);
	}
	do {
		n = read(pipe, &done, 1);
	} while (n == -1 && errno == EINTR);
	if (n == 0)
		guard_remove(t);
	_exit(0);
}

/* The guard is a process, not a handler, because a killed poprun runs no
   handler. */
int
guard_start(struct guard *g, const struct guard_task *t, struct controller *c,
    struct error *e)
{
	int fds[2], number;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(e, "cannot make a pipe");
	g->pid = fork();
	if (g->pid == 0) {
		/* Close the copy of a local controller: if poprun died with the
		   lock of the state, the copy would keep it locked.  A server's
		   stays, because closing it would end poprun's connection. */
		if (t->owner != NULL)
			controller_close(c);
		(void)close(fds[1]);
		guard_main(fds[0], t);
	}
	number = errno;
	(void)close(fds[0]);
	g->pipe = fds[1];
	if (g->pid != -1)
		return 0;
	(void)close(fds[1]);
	g->pipe = -1;
	return program_fork_error(e, number, "the partition's guard");
}

/* Tell the guard that the work is done, and wait for its end, so that no zombie
   remains. */
void
guard_stop(struct guard *g)
{
	if (g->pipe == -1)
		return;
	(void)!write(g->pipe, "", 1);
	(void)close(g->pipe);
	g->pipe = -1;
	(void)waitpid(g->pid, NULL, 0);
}
