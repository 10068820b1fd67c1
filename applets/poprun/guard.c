/*
 * The guard of a partition that poprun creates: a process that removes it
 * when poprun is gone without having done so, killed at whatever moment.
 *
 * It reads a pipe whose other end poprun and its supervisor hold.  A byte says
 * that all is done; the end of the pipe says that both are gone, and with
 * them the job:
 *
 *	poprun ------+
 *	             +--> pipe --> guard:  a byte   nothing to do
 *	supervisor --+                     the end  remove the partition
 */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "applets/poprun/guard.h"
#include "core/base/title.h"
#include "core/control/reader.h"
#include "core/process/program.h"

/*
 * Who opens the state removes what owners that are gone left, and nothing else:
 * the guard is the first one to do so.  The ends of the pipe may be closed a
 * moment before the owner's lock is dropped.
 */
static void
guard_remove(struct owner_lock *owner)
{
	struct registry	registry;

	owner_lock_outlive(owner);
	if (reader_open(&registry, NULL) == 0)
		registry_close(&registry);
}

/*
 * No signal ends it, and no ^C reaches it: it has a process group of its own.
 * It goes on for as long as the pipe has a writer.
 */
static void
guard_main(int pipe, struct owner_lock *owner)
{
	sigset_t	all;
	char		done;
	ssize_t		n;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)setpgid(0, 0);
	title_set("ipubox-guard");
	do {
		n = read(pipe, &done, 1);
	} while (n == -1 && errno == EINTR);
	if (n == 0)
		guard_remove(owner);
	_exit(0);
}

/* A process, not a handler: whatever kills poprun cannot run one. */
int
guard_start(struct guard *g, const struct owner_lock *owner,
    struct controller *c, struct error *e)
{
	struct owner_lock	copy = *owner;
	int			fds[2], number;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(e, "cannot make a pipe");
	g->pid = fork();
	if (g->pid == 0) {
		/* The copy would keep the state locked when poprun dies
		   holding that lock. */
		controller_close(c);
		(void)close(fds[1]);
		guard_main(fds[0], &copy);
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

/*
 * It has nothing left to do; its end is waited for, so that it is not left as
 * a zombie.
 */
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
