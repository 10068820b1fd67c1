/*
 * Waiting for a change of the jobs.
 *
 * Each of their directories is watched.  New directories are added before their
 * contents are read, so no change is missed.
 */
#include "applets/ipubox-job/job_watch.h"

#include <sys/inotify.h>
#include <sys/signalfd.h>

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"

enum {
	POLL_MS = 10000,      /* period without a notice */
	POLL_BLIND_MS = 1000, /* period without inotify(7) */
	LOCK_GONE_MS = 20,    /* from the notice of a program's end until its
				 locks are free */
	ADOPT_MS = 1000	      /* minimum time between two adoptions: one may
				 fail repeatedly */
};

struct job_watch {
	struct job_store store; /* the caller's, not locked */
	char *space;		/* NULL: all */
	int changes;		/* inotify(7), -1: none */
	int signals;		/* signalfd(2), -1: none */
	sigset_t before;	/* previous signal mask */
	bool has_logs;
	int64_t adopted_ms; /* time of the last adoption */
	int64_t due_ms;	    /* a runner ended: time of the next adoption, or
			       0 */
};

/* Events of complete files and of directories. */
static const uint32_t shown = IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
    IN_ONLYDIR | IN_DONT_FOLLOW;

/* Collect the ending signals, except ignored ones, as under nohup(1). */
static void
find_ending_signals(sigset_t *set)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	(void)sigemptyset(set);
	for (i = 0; i < ARRAY_SIZE(ending); i++)
		if (sigaction(ending[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			(void)sigaddset(set, ending[i]);
}

static void
open_descriptors(struct job_watch *w)
{
	sigset_t set;

	w->changes = FAULT_POINT("inotify") != 0 ?
	    -1 :
	    inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	find_ending_signals(&set);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Without the descriptor the signals end the program as usual. */
	if (w->signals == -1)
		(void)sigemptyset(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

static void
close_descriptors(struct job_watch *w)
{
	if (w->changes != -1)
		(void)close(w->changes);
	if (w->signals != -1)
		(void)close(w->signals);
	w->changes = w->signals = -1;
}

/* Watching a directory again changes nothing. */
static void
watch_directory(const struct job_watch *w, const struct directory *d,
    uint32_t events)
{
	(void)inotify_add_watch(w->changes, d->path, events);
}

/* Watch a pod: pod.json is replaced, its logs grow. */
static void
watch_pods(const struct job_watch *w, const struct directory *entry)
{
	struct directory pods, pod;
	char **names;
	long count, i;

	if (directory_open_below(entry, "pods", &pods, NULL) != 0) {
		directory_close(&pods);
		return;
	}
	watch_directory(w, &pods, shown | IN_CREATE);
	count = directory_names(&pods, "", &names, NULL);
	for (i = 0; i < count; i++) {
		if (directory_open_below(&pods, names[i], &pod, NULL) == 0)
			watch_directory(w, &pod,
			    w->has_logs ? shown | IN_CREATE | IN_MODIFY :
					  shown);
		directory_close(&pod);
	}
	if (count >= 0)
		directory_names_free(names, count);
	directory_close(&pods);
}

/*
 * Watch a job: its objects are replaced, its events grow, and its lock is
 * closed when its runner ends.
 */
static void
watch_jobs(const struct job_watch *w, const struct directory *jobs)
{
	struct directory entry;
	char **names;
	long count, i;

	watch_directory(w, jobs, shown);
	count = directory_names(jobs, "", &names, NULL);
	for (i = 0; i < count; i++) {
		if (directory_open_below(jobs, names[i], &entry, NULL) == 0) {
			watch_directory(w, &entry, shown | IN_CLOSE_WRITE);
			watch_pods(w, &entry);
		}
		directory_close(&entry);
	}
	if (count >= 0)
		directory_names_free(names, count);
}

/* Watch a namespace, with the objects of all kinds in it. */
static void
watch_space(const struct job_watch *w, const char *space)
{
	struct directory d, kind;
	enum job_kind i;

	if (directory_open_below(&w->store.directory, space, &d, NULL) != 0) {
		directory_close(&d);
		return;
	}
	watch_directory(w, &d, shown | IN_CREATE);
	directory_close(&d);
	for (i = 0; i < JOB_KINDS; i++) {
		if (job_store_directory(&w->store, space, i, false, &kind,
			NULL) != 0)
			;
		else if (i == JOB_IPUJOB)
			watch_jobs(w, &kind);
		else
			watch_directory(w, &kind, shown);
		directory_close(&kind);
	}
}

static void
watch_all_spaces(struct job_watch *w)
{
	char **spaces;
	long count, i;

	if (w->changes == -1)
		return;
	watch_directory(w, &w->store.directory, shown | IN_CREATE);
	if (w->space != NULL) {
		watch_space(w, w->space);
		return;
	}
	count = job_store_spaces(&w->store, &spaces, NULL);
	for (i = 0; i < count; i++)
		watch_space(w, spaces[i]);
	if (count >= 0)
		directory_names_free(spaces, count);
}

struct job_watch *
job_watch_open(const struct job_store *store, const char *space)
{
	struct job_watch *w = xcalloc(1, sizeof(*w));

	w->store = *store;
	w->store.lock = -1;
	w->space = space != NULL ? xstrdup(space) : NULL;
	(void)sigprocmask(SIG_BLOCK, NULL, &w->before);
	open_descriptors(w);
	watch_all_spaces(w);
	return w;
}

void
job_watch_add_logs(struct job_watch *w)
{
	w->has_logs = true;
	watch_all_spaces(w);
}

void
job_watch_close(struct job_watch *w)
{
	close_descriptors(w);
	(void)sigprocmask(SIG_SETMASK, &w->before, NULL);
	free(w->space);
	free(w);
}

static void
note_end(struct job_watch *w)
{
	const int64_t now_ms = clock_monotonic_ms();

	w->due_ms = w->adopted_ms != 0 &&
		w->adopted_ms + ADOPT_MS > now_ms + LOCK_GONE_MS ?
	    w->adopted_ms + ADOPT_MS :
	    now_ms + LOCK_GONE_MS;
}

/*
 * Read the notices; returns whether one of them matters.  Temporary files and
 * directories start with a dot.
 */
static bool
take_notices(struct job_watch *w)
{
	char buffer[4096]
	    __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t size, at;
	bool any = false;

	while ((size = read(w->changes, buffer, sizeof(buffer))) > 0)
		for (at = 0; at < size;
		     at += (ssize_t)sizeof(*event) + (ssize_t)event->len) {
			event = (const void *)(buffer + at);
			if ((event->mask & IN_CLOSE_WRITE) != 0 &&
			    event->len > 0 && strcmp(event->name, "lock") == 0)
				note_end(w);
			else if (event->len == 0 || event->name[0] != '.')
				any |= (event->mask & IN_IGNORED) == 0;
		}
	return any;
}

/*
 * Check the signal first, so that an ending program does not look again.  A
 * pipe without a reader reports an error.
 */
static int
job_watch_wait_once(struct job_watch *w, int ms)
{
	struct pollfd fds[] = {
		{ .fd = w->signals, .events = POLLIN },
		{ .fd = w->changes, .events = POLLIN },
		{ .fd = STDOUT_FILENO, .events = 0 },
	};

	(void)poll(fds, ARRAY_SIZE(fds), ms);
	if (fds[0].revents != 0 || (fds[2].revents & POLLERR) != 0)
		return -1;
	return fds[1].revents != 0 && take_notices(w) ? 1 : 0;
}

/*
 * A new runner is a child of this process and outlives it, so the descriptors
 * are closed first.  The caller reads everything again, so lost notices do not
 * matter.
 */
static void
adopt_jobs(struct job_watch *w)
{
	close_descriptors(w);
	(void)runner_adopt_all(&w->store, NULL);
	open_descriptors(w);
	w->adopted_ms = clock_monotonic_ms();
	w->due_ms = 0;
}

int
job_watch_wait(struct job_watch *w, int64_t timeout_ms)
{
	const int64_t begin_ms = clock_monotonic_ms();
	const int64_t look_ms = begin_ms +
	    (w->changes == -1 ? POLL_BLIND_MS : POLL_MS);
	int64_t now_ms = begin_ms, until_ms;
	int status;

	for (;;) {
		until_ms = w->due_ms != 0 && w->due_ms < look_ms ?
		    w->due_ms :
		    look_ms;
		if (now_ms >= until_ms)
			break;
		if (timeout_ms >= 0 && timeout_ms < until_ms - begin_ms)
			until_ms = begin_ms + timeout_ms;
		if (now_ms >= until_ms)
			return 0;
		status = job_watch_wait_once(w, (int)(until_ms - now_ms));
		if (status == 1)
			watch_all_spaces(w);
		if (status != 0)
			return status;
		now_ms = clock_monotonic_ms();
	}
	adopt_jobs(w);
	watch_all_spaces(w);
	return 1;
}
