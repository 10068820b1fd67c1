/*
 * Creating a partition as soon as its IPUs are free: first come, first served
 * among those that wait for the same cluster or allocation.
 *
 * The first waiter tries again when something has changed; the others when an
 * earlier one is served or gives up.  All look again every 10 s, in case they
 * were not notified, and the first one every second while a partition has an
 * owner that may end.  A create without waiting does not queue.
 */
#ifndef CORE_CONTROL_QUEUE_H
#define CORE_CONTROL_QUEUE_H

#include "core/base/files/directory.h"
#include "core/pod/pod.h"
#include "core/pod/request.h"

struct controller;

struct wait_options {
	int64_t wait_ms; /* longest wait; -1: no limit */
	/* Called once before waiting, with "waiting for 16 IPUs; ...".  May be
	   NULL. */
	void (*notify)(void *context, const char *text);
	void *context;
	int64_t since_ms; /* start (clock_monotonic_ms()); 0: the call */
};

/* Create an owned partition as create_owned_partition(), but wait while IPUs
   are taken or machines are down; the owner may be NULL.  ERROR_TIMED_OUT: they
   still are; the text names the holders.  ERROR_INTERRUPTED: a signal that ends
   the program arrived.  This function delays the signal until it has cleaned
   up, so only a program that handles the signal sees the result. */
struct partition_owner;
int queue_create(struct controller *, const struct partition_request *,
    const struct partition_owner *, const struct wait_options *,
    struct partition *created, struct error *);

/* Wait without blocking: make a waiter for a request, for queue_waiter_try()
   from time to time.  The controller must be embedded, live as long, and act
   for the waiter's user at each try.  The owner, or NULL, must live as long.
   NULL: request_check() refuses the request. */
struct queue_waiter;
struct queue_waiter *queue_waiter_new(struct controller *,
    const struct partition_request *, const struct partition_owner *,
    struct error *);
/* Give up the place in the queue and free the waiter; a partition that it
   created stays.  NULL is fine. */
void queue_waiter_free(struct queue_waiter *);

/* Try to create the partition now. 0: *created is it; 1: keep waiting, with the
   reason in the error; -1: failed for another reason than a lack of IPUs. */
int queue_waiter_try(struct queue_waiter *, struct partition *created,
    struct error *);
/* Whether the waiter was first at its last try.  The first tries again when the
   pod changes, the others when an earlier waiter leaves. */
bool queue_waiter_is_first(const struct queue_waiter *);

/* After a try returned 1 with a reason: _tell() sets `text` to the message of
   the wait, "waiting for 16 IPUs; ...".  _time_out() turns the reason, which
   the error must hold, into the refusal after this wait (ERROR_TIMED_OUT), and
   returns -1. */
void queue_waiter_tell(const struct queue_waiter *, const struct error *reason,
    struct error *text);
int queue_waiter_time_out(const struct queue_waiter *, int64_t waited_ms,
    struct error *);

/*
 * Tickets of processes that wait for IPUs: STATE/waiting/NUMBER.ini.  A waiter
 * locks its ticket's file; the kernel drops the lock when it ends for any
 * reason.  An unlocked ticket does not count, and the next try of any waiter
 * removes it.  Numbers are assigned under the writer's lock of the state, and
 * grow while the queue is not empty.
 */

struct ticket {
	int number; /* 0: not taken */
	int size;   /* IPUs */
	int fd;	    /* in the holder's own ticket the locked file; else -1 */
	bool live;  /* it has a holder, or that is not known */
	char partition[NAME_SIZE];
	char cluster[NAME_SIZE]; /* requested; "": any */
	char allocation[NAME_SIZE];
	char user[NAME_SIZE]; /* V-IPU user, or "" */
};

/* List live tickets as ticket_read() does, with empty names where the caller
   may not see them.  ERROR_UNSUPPORTED: the server does not report tickets. */
long queue_list(struct controller *, struct ticket **out, struct error *);

/* List all tickets, lowest number first, without changes.  Returns how many, or
   -1; the caller frees *out (after -1 NULL).  An unreadable ticket, of size 0
   and without names, is one for any IPU. */
long ticket_read(const struct directory *state, struct ticket **out,
    struct error *);

/* Remove tickets without a holder; the caller has the writer's lock. */
int ticket_clean(const struct directory *state, const struct ticket *,
    long count, struct error *);

/* Take the ticket after these, which must be all tickets, for a V-IPU user or
   ""; the caller has the writer's lock.  -1: none is taken. */
int ticket_take(const struct directory *state, const struct ticket *,
    long count, const struct partition_request *, const char *user,
    struct ticket *, struct error *);
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
