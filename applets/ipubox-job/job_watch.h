/*
 * Waiting for a change of the jobs in a namespace, of which inotify(7)
 * notifies; and what `wait --for` waits for.
 *
 *	w = job_watch_open(&c->store, c->space);
 *	do
 *		read what there is;
 *	while (job_watch_wait(w, -1) == 1);
 *	job_watch_close(w);
 *
 * A change between the reading and the wait ends the wait.  While a watch is
 * open, the signals that end a program (SIGINT, SIGTERM, SIGHUP, unless they
 * are ignored) are held; they take effect when it is closed.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_WATCH_H
#define APPLETS_IPUBOX_JOB_JOB_WATCH_H

#include <stdint.h>

#include "applets/ipubox-job/jsonpath.h"
#include "core/kube/kube.h"

struct job_watch;

/* Begins to watch a namespace, NULL: all.  It cannot fail: without inotify(7)
   it looks once a second.  The store is open, and outlives it. */
struct job_watch *job_watch_open(const struct job_store *, const char *space);
void job_watch_close(struct job_watch *);

/* Makes what containers write a change as well. */
void job_watch_add_logs(struct job_watch *);

/*
 * Waits at most so long, -1: without a limit.  1: something changed, or it is
 * time to look again for changes without a notice; jobs whose runners ended too
 * early were taken up again.  0: the time is over.  -1: a signal ends the
 * program, or its standard output has no reader any more.
 */
int job_watch_wait(struct job_watch *, int64_t timeout_ms);

enum wait_kind { WAIT_DELETE, WAIT_CONDITION, WAIT_JSONPATH };

struct wait_for {
	enum wait_kind kind;
	char *name;  /* of a condition */
	char *value; /* of it, or of the path */
	struct jsonpath path;
};

/* Reads "delete", "condition=NAME[=VALUE]" or "jsonpath={PATH}=VALUE"; to be
   released in any case.  -1: the reason, in kubectl's words if it has any. */
int wait_for_read(const char *text, struct wait_for *, struct error *);
void wait_for_release(struct wait_for *);

/*
 * Returns whether the object (NULL: it does not exist) meets it; -1: it never
 * can, as where a path finds several values.  Case does not count in names and
 * values of conditions.  Complete and Completed, which STATUS and Jobs of
 * Kubernetes say, mean an IPUJob's condition Succeeded.
 */
int wait_for_is_met(const struct wait_for *, const struct yaml_node *,
    struct error *);

#endif
