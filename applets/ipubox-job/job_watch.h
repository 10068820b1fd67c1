/*
 * Waiting for a change of the jobs in a namespace, reported by inotify(7); and
 * the conditions of `wait --for`.
 *
 *	w = job_watch_open(&c->store, c->space);
 *	do
 *		read the objects;
 *	while (job_watch_wait(w, -1) == 1);
 *	job_watch_close(w);
 *
 * A change after the reading ends the wait.  While a watch is open, the signals
 * that end a program (SIGINT, SIGTERM, SIGHUP, unless ignored) are blocked.
 * They take effect when it is closed.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_WATCH_H
#define APPLETS_IPUBOX_JOB_JOB_WATCH_H

#include "applets/ipubox-job/jsonpath.h"

struct job_watch;

/* Start to watch a namespace (NULL: all); the name is copied.  It cannot fail:
   without inotify(7) it polls once a second.  The store is open and must
   outlive the watch. */
struct job_watch *job_watch_open(const struct job_store *, const char *space);
void job_watch_close(struct job_watch *);

/* Watch the output of containers as well. */
void job_watch_add_logs(struct job_watch *);

/* Wait at most timeout_ms (-1: no limit).  1: read the objects again: something
   changed, a runner ended, or a periodic look is due; in the last two cases
   dead runners were replaced.  0: timeout.  -1: end the program: a signal is
   pending, or the reader of standard output is gone. */
int job_watch_wait(struct job_watch *, int64_t timeout_ms);

enum wait_kind { WAIT_DELETE, WAIT_CONDITION, WAIT_JSONPATH };

struct wait_for {
	enum wait_kind kind;
	char *name;	      /* the condition's name, or NULL */
	char *value;	      /* awaited value, or NULL */
	struct jsonpath path; /* for WAIT_JSONPATH */
};

/* Parse "delete", "condition=NAME[=VALUE]" or "jsonpath={PATH}=VALUE"; the
   caller releases it in any case.  -1: the reason, in kubectl's words if
   kubectl refuses it too. */
int wait_for_read(const char *text, struct wait_for *, struct error *);
void wait_for_release(struct wait_for *);

/* Return 1 if the object (NULL: it does not exist) meets it, else 0.  -1: it
   cannot be compared, for example because a path finds several values.  Names
   and values of conditions ignore case.  In an object without a condition
   Complete (of Jobs of Kubernetes) or Completed (of the STATUS column), that
   name means its condition Succeeded. */
int wait_for_is_met(const struct wait_for *, const struct yaml_node *,
    struct error *);

#endif
