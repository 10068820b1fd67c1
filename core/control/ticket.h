/*
 * Tickets of processes that wait for IPUs: STATE/waiting/NUMBER.ini.
 *
 * A waiter locks its ticket's file; the kernel drops the lock when it ends for
 * any reason.  An unlocked ticket does not count, and the next try of any
 * waiter removes it.  Numbers are assigned under the writer's lock of the
 * state, and grow while the queue is not empty.
 */
#ifndef CORE_CONTROL_TICKET_H
#define CORE_CONTROL_TICKET_H

#include "core/base/files/directory.h"
#include "core/pod/pod.h"

struct ticket {
	int number; /* 0: not taken */
	int size;   /* IPUs */
	int fd;	    /* in the holder's own ticket the locked file; else -1 */
	bool live;  /* it has a holder, or that is not known */
	char partition[NAME_SIZE];
	char cluster[NAME_SIZE]; /* requested; "": any */
	char allocation[NAME_SIZE];
};

/* List all tickets, lowest number first, without changes.  Returns how many, or
   -1; the caller frees *out (after -1 NULL).  An unreadable ticket, of size 0
   and without names, is one for any IPU. */
long ticket_read(const struct directory *state, struct ticket **out,
    struct error *);

/* Remove tickets without a holder, under the writer's lock. */
int ticket_clean(const struct directory *state, const struct ticket *,
    long count, struct error *);

/* Take the ticket after these, which must be all tickets, under the writer's
   lock.  -1: none is taken. */
int ticket_take(const struct directory *state, const struct ticket *,
    long count, const struct partition_request *, struct ticket *,
    struct error *);
/* Give the ticket back, if taken: remove its file, and unlock it even if that
   fails (-1). */
int ticket_drop(const struct directory *state, struct ticket *, struct error *);

/* Whether ticket and request may compete for the same IPUs: unless they name
   different clusters or allocations.  Pure. */
bool ticket_contends(const struct pod *, const struct ticket *,
    const struct partition_request *);

/* Count live competitors with a lower number than `number` (0, for a caller
   without a ticket: all).  Pure. */
int ticket_count_before(const struct pod *, const struct ticket *, long count,
    const struct partition_request *, int number);

#endif
