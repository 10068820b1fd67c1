/*
 * Waiting for a change of the state directory, by inotify(7), and for a signal
 * that ends the program, by signalfd(2), with a single poll(2).
 */
#include "core/control/ticket.h"

#include <sys/inotify.h>
#include <sys/signalfd.h>

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"

enum {
	LOOK_MS = 10000,      /* despite notification */
	LOOK_BLIND_MS = 1000, /* without notification */
	LOCK_GONE_MS = 20     /* from a program's end, which is notified, to the
				 release of its locks */
};

/* Ignored signals stay ignored, as under nohup(1).  Signals are blocked before
   the first look, so that one between a look and a wait is not missed. */
static void
hold_signals(struct watcher *w)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t set;
	size_t i;

	(void)sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			(void)sigaddset(&set, ending[i]);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Without the descriptor they end the program as usual. */
	if (w->signals == -1)
		(void)sigemptyset(&set);
	(void)sigprocmask(SIG_BLOCK, &set, &w->before);
}

void
watcher_init(struct watcher *w, const char *state)
{
	memset(w, 0, sizeof(*w));
	w->directory = state;
	w->changes = FAULT_POINT("inotify") != 0 ?
	    -1 :
	    inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	hold_signals(w);
}

void
watcher_release(struct watcher *w)
{
	if (w->changes != -1)
		(void)close(w->changes);
	if (w->signals != -1)
		(void)close(w->signals);
	w->changes = w->signals = -1;
	(void)sigprocmask(SIG_SETMASK, &w->before, NULL);
}

/* Watching a directory again changes nothing. */
static void
watcher_watch(const struct watcher *w, const char *name, uint32_t events)
{
	char *path = xasprintf("%s/%s", w->directory, name);

	(void)inotify_add_watch(w->changes, path,
	    events | IN_ONLYDIR | IN_DONT_FOLLOW);
	free(path);
}

void
watcher_arm(struct watcher *w, bool first)
{
	/* A new pod replaces these directories. */
	static const char *const directories[] = { "", "agents", "clusters",
		"allocations", "partitions" };
	size_t i;

	if (w->changes == -1)
		return;
	watcher_watch(w, "waiting", IN_CLOSE_WRITE | IN_DELETE);
	for (i = 0; first && i < ARRAY_SIZE(directories); i++)
		watcher_watch(w, directories[i], IN_MOVED_TO | IN_DELETE);
}

/* Read the events; a file closed after writing is a ticket's. */
static void
drain(struct watcher *w)
{
	char buffer[4096]
	    __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size, at;

	while ((size = read(w->changes, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < size;
		     at += (ssize_t)sizeof(*event) + (ssize_t)event->len) {
			event = (const void *)(buffer + at);
			if ((event->mask & IN_CLOSE_WRITE) != 0)
				w->ended = true;
		}
}

/* Return the longest sleep in ms: events may be missing, as on a disk shared by
   hosts. */
static int
limit(const struct watcher *w, int64_t timeout_ms)
{
	int look = w->changes == -1 ? LOOK_BLIND_MS : LOOK_MS;

	if (w->ended)
		look = LOCK_GONE_MS;
	if (timeout_ms < 0 || timeout_ms > look)
		return look;
	return (int)timeout_ms;
}

/* The signal comes first, to end without another look. */
int
watcher_wait(struct watcher *w, int64_t timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = w->signals, .events = POLLIN },
		{ .fd = w->changes, .events = POLLIN },
	};
	int ms = limit(w, timeout_ms);

	w->ended = false;
	(void)poll(fds, 2, ms);
	if (fds[0].revents != 0)
		return -1;
	if (w->changes != -1)
		drain(w);
	return 0;
}

bool
watcher_interrupted(const struct watcher *w)
{
	struct pollfd fd = { .fd = w->signals, .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}
