/*
 * Tickets of those who wait for IPUs: STATE/waiting/NUMBER.ini.
 *
 * Who waits holds a lock on the file of its ticket, which the kernel drops
 * when its holder ends, whatever ended it.  A ticket that nobody locks counts
 * for nothing; the next one to come removes it.  Numbers are given under the
 * writer's lock of the state, and grow as long as somebody waits.
 */
#ifndef CORE_CONTROL_TICKET_H
#define CORE_CONTROL_TICKET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/pod/pod.h"

struct ticket {
	int number; /* 0: none was taken */
	int size;   /* IPUs */
	int fd;	    /* of the holder, holds the lock; -1 */
	bool live;  /* somebody holds it */
	char partition[NAME_SIZE];
	char cluster[NAME_SIZE]; /* asked for, "": any */
	char allocation[NAME_SIZE];
};

/*
 * All tickets, the lowest number first; nothing is changed.  Returns their
 * number or -1; the caller frees *out.  One that cannot be read is there as
 * one that asks for any IPU.
 */
long ticket_read(const struct directory *state, struct ticket **out,
    struct error *);

/* Under the writer's lock: remove those that nobody holds. */
int ticket_clean(const struct directory *state, const struct ticket *,
    long count, struct error *);

/* Under the writer's lock: the next ticket behind all of these. */
int ticket_take(const struct directory *state, const struct ticket *,
    long count, const struct partition_request *, struct ticket *,
    struct error *);
/* Give it back, if one was taken. */
int ticket_drop(const struct directory *state, struct ticket *, struct error *);

/*
 * Whether both may be given the same IPUs: unless they ask for two clusters,
 * or for two allocations.  Pure.
 */
bool ticket_contends(const struct pod *, const struct ticket *,
    const struct partition_request *);

/* How many who wait for the same come before `number`; 0: before anybody who
   has no ticket yet.  Pure. */
int ticket_count_before(const struct pod *, const struct ticket *, long count,
    const struct partition_request *, int number);

/*
 * Waiting for a change of the state directory, without looking again and again.
 *
 * While it is open the signals that end a program (SIGINT, SIGTERM, SIGHUP,
 * unless they are ignored) wait: watcher_wait() returns for one, and it takes
 * effect when the watcher is released, by then with everything tidied up.
 */
struct watcher {
	const char *directory; /* the caller's */
	int changes;	       /* inotify(7), -1: there is none */
	int signals;	       /* signalfd(2), -1: there is none */
	sigset_t before;       /* the mask to go back to */
	bool ended;	       /* somebody who waits did just now */
};

/*
 * Begin to hold the signals back; `state` is the state directory.  It cannot
 * fail: without inotify(7) or signalfd(2) it looks more often, and signals end
 * the program as ever.
 */
void watcher_init(struct watcher *, const char *state);
void watcher_release(struct watcher *);

/*
 * What happens from now on ends watcher_wait(): those who wait come and go,
 * and, for the first one of them, partitions and machines change.
 */
void watcher_arm(struct watcher *, bool first);

/*
 * 0: something changed, or `timeout_ms` have passed, or it is time to look for
 * what nobody notifies of: on a disk that hosts share, or without inotify(7).
 * -1: a signal waits.
 */
int watcher_wait(struct watcher *, int64_t timeout_ms);

/* Whether a signal that ends the program waits. */
bool watcher_interrupted(const struct watcher *);

#endif
