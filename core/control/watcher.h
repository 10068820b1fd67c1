/*
 * Waiting for a change of the state directory, without looking again and again.
 *
 * While it is open the signals that end a program (SIGINT, SIGTERM, SIGHUP,
 * unless they are ignored) wait: watcher_wait() returns for one, and it takes
 * effect when the watcher is released, by then with everything tidied up.
 */
#ifndef CORE_CONTROL_WATCHER_H
#define CORE_CONTROL_WATCHER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct watcher {
	const char	*directory;	/* the caller's */
	int		 changes;	/* inotify(7), -1: there is none */
	int		 signals;	/* signalfd(2), -1: there is none */
	sigset_t	 before;	/* the mask to go back to */
	bool		 ended;		/* somebody who waits did just now */
};

/*
 * Begin to hold the signals back; `state` is the state directory.  It cannot
 * fail: without inotify(7) or signalfd(2) it looks more often, and signals end
 * the program as ever.
 */
void	watcher_init(struct watcher *, const char *state);
void	watcher_release(struct watcher *);

/*
 * What happens from now on ends watcher_wait(): those who wait come and go,
 * and, for the first one of them, partitions and machines change.
 */
void	watcher_arm(struct watcher *, bool first);

/*
 * 0: something changed, or `timeout_ms` have passed, or it is time to look for
 * what nobody notifies of: on a disk that hosts share, or without inotify(7).
 * -1: a signal waits.
 */
int	watcher_wait(struct watcher *, int64_t timeout_ms);

/* Whether a signal that ends the program waits. */
bool	watcher_interrupted(const struct watcher *);

#endif
