/*
 * Waiting for a change of what a controller shows, and for a signal that ends
 * the program, with a single poll(2).
 *
 * The embedded controller's state directory is watched by inotify(7).  For a
 * server, and without inotify(7), each second counts as a change, so that the
 * caller looks again.
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
	int changes;	 /* descriptor of inotify(7), or -1 */
	int signals;	 /* descriptor of signalfd(2), or -1 */
	int output;	 /* descriptor, set by the caller: a wait ends when its
			    reader is gone; -1: none */
	sigset_t before; /* mask to restore */
	bool ended;	 /* a waiter or a program has just ended: the next wait
			    lasts only until its lock is dropped */
};

/* Begin to delay the signals.  The controller must live as long as the watcher.
   Cannot fail: without inotify(7) the caller looks each second, and without
   signalfd(2) signals end the program as usual. */
void watcher_init(struct watcher *, const struct controller *);
void watcher_release(struct watcher *);

/* Make changes from now on end the wait: waiters that come and go and, with
   `all`, changed partitions and machines.  Call it before looking. */
void watcher_arm(struct watcher *, bool all);
/* Do the same with `all`, and watch the registry.  For a look without the
   writer's lock, since a change reaches the registry after its files. */
void watcher_arm_registry(struct watcher *);
/* Also watch the slots of a registry, where programs give back their IPUs. */
void watcher_arm_slots(struct watcher *, const struct registry *);

/* Return when the next automatic event of a partition or machine is due, in ms
   since the epoch; 0: none is.  The end of an owner is not notified: with
   `owners` also the time of the next look for one. */
int64_t watcher_next_event(const struct controller *, const struct snapshot *,
    bool owners);

/*
 * Wait for a change, for timeout_ms (-1: no limit), until the next event (0:
 * none), or until it is time to look for unreported changes: every 10 s, for a
 * shared disk, or every second without inotify(7).  Returns 0.  -1, even if
 * there was a change: a signal is pending, or the output has no reader; the
 * caller ends without another look.
 */
int watcher_wait(struct watcher *, int64_t next_ms, int64_t timeout_ms);

/* Return true if a signal that ends the program is pending. */
bool watcher_interrupted(const struct watcher *);

#endif
