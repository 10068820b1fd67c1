/*
 * Waiting for a change of what a controller shows, and for a signal that ends
 * the program, with a single poll(2).
 *
 * The embedded controller's state directory is watched by inotify(7).  A server
 * is asked again each second, as is a directory without inotify(7).
 *
 * While a watcher is open, the signals that end a program (SIGINT, SIGTERM,
 * SIGHUP, unless ignored) are delayed: watcher_wait() returns for one, and it
 * takes effect when the watcher is released, after cleanup.
 */
#ifndef CORE_CONTROL_WATCHER_H
#define CORE_CONTROL_WATCHER_H

#include <signal.h>

#include "core/control/control.h"

struct watcher {
	const struct controller *controller;
	int changes;	 /* inotify(7), or -1 */
	int signals;	 /* signalfd(2), or -1 */
	int output;	 /* the wait ends when its reader is gone; -1: none */
	sigset_t before; /* mask to restore */
	bool ended;	 /* a waiter or a program has just ended: wait only
			    until its lock is dropped */
};

/* Begin to delay the signals.  The controller must live as long.  Cannot fail:
   without inotify(7) or signalfd(2), changes are polled for and signals end the
   program as usual. */
void watcher_init(struct watcher *, const struct controller *);
void watcher_release(struct watcher *);

/* Make changes from now on end the wait: waiters that come and go and, with
   `all`, changed partitions and machines.  Call it before looking. */
void watcher_arm(struct watcher *, bool all);
/* Do the same with `all`, for a look without the writer's lock: a change is in
   the registry only after its files are written. */
void watcher_arm_registry(struct watcher *);
/* Also watch the slots of a registry: a program that gives back its IPUs. */
void watcher_arm_slots(struct watcher *, const struct registry *);

/* Return the next automatic event of a partition or machine in ms since the
   epoch, or 0: none.  With `owners` also the next look for the end of an owner,
   which is not notified. */
int64_t watcher_next_event(const struct controller *, const struct snapshot *,
    bool owners);

/*
 * Wait for a change, for timeout_ms (-1: no limit), until the next event (0:
 * none), or until it is time to look for unreported changes: every 10 s, for a
 * shared disk, or every second without inotify(7).  Returns 0.  -1: a signal is
 * pending, or the output has no reader; it comes first, to end without another
 * look.
 */
int watcher_wait(struct watcher *, int64_t next_ms, int64_t timeout_ms);

/* Whether a signal that ends the program is pending. */
bool watcher_interrupted(const struct watcher *);

#endif
