/*
 * Waiting for a change of the jobs in a namespace: inotify(7) notifies of it,
 * nothing is looked at again and again.
 *
 *	w = job_watch_open(&c->store, c->space);
 *	do
 *		read what there is;
 *	while (job_watch_wait(w, -1) == 1);
 *	job_watch_close(w);
 *
 * A change between the reading and the wait ends the wait.  While it is open,
 * the signals that end a program (SIGINT, SIGTERM, SIGHUP, unless they are
 * ignored) are held; they take effect when it is closed.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_WATCH_H
#define APPLETS_IPUBOX_JOB_JOB_WATCH_H

#include <stdint.h>

#include "core/kube/runtime/runtime.h"

struct job_watch;

/*
 * Begin, for a namespace or (NULL) for all of them.  It cannot fail: without
 * inotify(7) it looks once a second.  The store is open, and outlives it.
 */
struct job_watch	*job_watch_open(const struct job_store *,
			    const char *space);
/* The signals that came meanwhile take effect now. */
void			 job_watch_close(struct job_watch *);

/* What containers write counts as a change as well. */
void	job_watch_add_logs(struct job_watch *);

/*
 * Wait so long at most, -1: without a limit.  1: something changed, or it is
 * time to look once more for what nobody notifies of; jobs whose runners ended
 * too early were taken up again.  0: the time is over.  -1: a signal ends the
 * program, or nobody reads its standard output any more.
 */
int	job_watch_wait(struct job_watch *, int64_t timeout_ms);

#endif
