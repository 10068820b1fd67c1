/*
 * Waiting for a change of the state.  Read watcher_wait() first.
 */
#include "core/control/watcher.h"

#include <sys/inotify.h>
#include <sys/signalfd.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"

enum {
	LOOK_MS = 10000,      /* despite notification */
	LOOK_BLIND_MS = 1000, /* without notification */
	LOCK_GONE_MS = 20,    /* from a program's end, which is notified, to the
				 release of its locks */
	LATE_MS = 100,	      /* an event is due, but did not happen yet */
	OWNER_LOOK_MS = 1000  /* an owner's end is not notified */
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
watcher_init(struct watcher *w, const struct controller *c)
{
	memset(w, 0, sizeof(*w));
	w->controller = c;
	w->output = -1;
	w->changes = c->remote != NULL || FAULT_POINT("inotify") != 0 ?
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
watch_directory(const struct watcher *w, const char *name, uint32_t events)
{
	char *path = xasprintf("%s/%s", w->controller->state.paths.directory,
	    name);

	(void)inotify_add_watch(w->changes, path,
	    events | IN_ONLYDIR | IN_DONT_FOLLOW);
	free(path);
}

void
watcher_arm(struct watcher *w, bool all)
{
	/* A new pod replaces these directories. */
	static const char *const directories[] = { "", "agents", "clusters",
		"allocations", "partitions" };
	size_t i;

	if (w->changes == -1)
		return;
	watch_directory(w, "waiting", IN_CLOSE_WRITE | IN_DELETE);
	for (i = 0; all && i < ARRAY_SIZE(directories); i++)
		watch_directory(w, directories[i], IN_MOVED_TO | IN_DELETE);
}

void
watcher_arm_registry(struct watcher *w)
{
	watcher_arm(w, true);
	if (w->changes != -1)
		(void)inotify_add_watch(w->changes,
		    w->controller->state.registry.path, IN_MODIFY);
}

void
watcher_arm_slots(struct watcher *w, const struct registry *r)
{
	if (w->changes != -1)
		(void)inotify_add_watch(w->changes, r->slots.path,
		    IN_CLOSE_WRITE);
}

/* Read the events; a file closed after writing is a ticket's, or the slots'. */
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

/* Return the earlier of two times, where 0 means unset. */
static int64_t
earlier(int64_t a, int64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

int64_t
watcher_next_event(const struct controller *c, const struct snapshot *s,
    bool owners)
{
	const struct agent *a = s->pod.agents;
	int64_t now_ms = c->now_ms();
	int64_t next = c->remote == NULL ? registry_due(&c->state.registry) : 0;
	int i;

	for (; a < s->pod.agents + s->pod.agent_count; a++)
		if (a->state == MACHINE_REBOOTING && a->up_ms > now_ms)
			next = earlier(next, a->up_ms);
	for (i = 0; owners && i < s->partition_count; i++)
		if (owner_kind_has_lock(s->partitions[i].owner_kind))
			return earlier(next, now_ms + OWNER_LOOK_MS);
	return next;
}

int
watcher_wait(struct watcher *w, int64_t next_ms, int64_t timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = w->signals, .events = POLLIN },
		{ .fd = w->changes, .events = POLLIN },
		{ .fd = w->output, .events = 0 },
	};
	int64_t left_ms = next_ms - w->controller->now_ms();
	int64_t ms = w->ended ? LOCK_GONE_MS :
	    w->changes == -1  ? LOOK_BLIND_MS :
				LOOK_MS;

	if (left_ms <= 0)
		left_ms = LATE_MS;
	if (next_ms != 0 && left_ms < ms)
		ms = left_ms;
	if (timeout_ms >= 0 && timeout_ms < ms)
		ms = timeout_ms;
	w->ended = false;
	(void)poll(fds, ARRAY_SIZE(fds), (int)ms);
	if (fds[0].revents != 0 || (fds[2].revents & POLLERR) != 0)
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
