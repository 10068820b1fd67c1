/*
 * Waiting until IPUs are given back: the end of a program closes its
 * descriptor of the slots, and inotify(7) notifies of that.
 */
#include "core/state/registry_watch.h"

#include <sys/inotify.h>

#include <poll.h>
#include <unistd.h>

#include "core/base/fault.h"

enum {
	LOOK_MS = 1000,		/* without being notified */
	LOCK_GONE_MS = 20	/* from the end of a program to that of its
				   locks */
};

void
registry_watch_init(struct registry_watch *w, const struct registry *r)
{
	w->ended = false;
	w->changes = FAULT_POINT("inotify") != 0 ? -1 :
	    inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->changes != -1)
		(void)inotify_add_watch(w->changes, r->slots.path,
		    IN_CLOSE_WRITE);
}

void
registry_watch_release(struct registry_watch *w)
{
	if (w->changes != -1)
		(void)close(w->changes);
	w->changes = -1;
}

/*
 * How long to wait at most: the kernel notifies a moment before it drops the
 * locks, so the wait behind such news is short, and then they are gone.
 */
void
registry_watch_wait(struct registry_watch *w)
{
	struct pollfd	fd = { .fd = w->changes, .events = POLLIN };
	char		buffer[4096];
	int		notified;

	/* A descriptor of -1 is never ready. */
	notified = poll(&fd, 1, w->ended ? LOCK_GONE_MS : LOOK_MS);
	w->ended = notified == 1;
	if (notified == 1)
		while (read(w->changes, buffer, sizeof(buffer)) > 0)
			;
}
