/*
 * The end of the program above, by pidfd_open(2), and by getppid(2) where a
 * kernel or a container has none.
 */
#include "core/process/process.h"

#include <sys/syscall.h>

#include <poll.h>
#include <unistd.h>

enum { ASK_AGAIN_MS = 100 };

void
program_watch_parent(struct program_watch *w)
{
	w->pid = getppid();
	/* Close-on-exec by itself. */
	w->fd = (int)syscall(SYS_pidfd_open, (long)w->pid, 0L);
}

int
program_watch_timeout(const struct program_watch *w)
{
	return w->fd == -1 ? ASK_AGAIN_MS : -1;
}

/* The kernel gives us another parent when the program has ended; where that
   one is of another pid namespace, both are number 0. */
bool
program_watch_is_gone(const struct program_watch *w)
{
	struct pollfd	end = { .fd = w->fd, .events = POLLIN };

	return getppid() != w->pid ||
	    (w->fd != -1 && poll(&end, 1, 0) > 0);
}

void
program_watch_release(struct program_watch *w)
{
	if (w->fd != -1)
		(void)close(w->fd);
	w->fd = -1;
}
