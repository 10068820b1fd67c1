/*
 * Creating a partition as soon as its IPUs are free: first come, first served
 * among those who wait for the same cluster or allocation.
 *
 * The first of them looks when something changed, the others when somebody
 * before them is served or gives up; nobody looks for nothing.  A create that
 * does not wait is not held up.
 */
#ifndef CORE_CONTROL_QUEUE_H
#define CORE_CONTROL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/request.h"

struct controller;

struct wait_options {
	int64_t wait_ms; /* -1: for ever */
	/* Called once, before it waits: "waiting for 16 IPUs; ..." */
	void (*notify)(void *context, const char *text);
	void *context;
	int64_t since_ms; /* when that began, by clock_monotonic_ms(); 0: when
			     it is called */
};

/*
 * create_owned_partition(), which waits where IPUs are taken or machines are
 * down, and only there; the owner may be NULL.  ERROR_TIMED_OUT: they still
 * are; the text says who has them.  ERROR_INTERRUPTED: a signal that ends the
 * program came, and takes effect when this has put everything back.
 */
struct partition_owner;
int queue_create(struct controller *, const struct partition_request *,
    const struct partition_owner *, const struct wait_options *,
    struct partition *created, struct error *);

/*
 * The same for who has other things to do meanwhile: one who waits, to be tried
 * now and then.  The controller is open as long, and asked each time in the
 * name of whom it is for; the owner stays as long.  NULL: the request is never
 * possible.
 */
struct queue_waiter;
struct queue_waiter *queue_waiter_new(struct controller *,
    const struct partition_request *, const struct partition_owner *,
    struct error *);
/* Its place in the line is given up; NULL is fine. */
void queue_waiter_free(struct queue_waiter *);

/* 0: created; 1: it waits, and the text says for what; -1: refused. */
int queue_waiter_try(struct queue_waiter *, struct partition *created,
    struct error *);
/* Whether nobody came before it when it was tried last: what changes the pod is
   for it to look at, and for the others when somebody before them goes. */
bool queue_waiter_is_first(const struct queue_waiter *);

/* Behind a try that waits, with its text: "waiting for 16 IPUs; ..."; and the
   refusal of one that has waited so long, which the text becomes. */
void queue_waiter_tell(const struct queue_waiter *, const struct error *reason,
    struct error *text);
int queue_waiter_time_out(const struct queue_waiter *, int64_t waited_ms,
    struct error *);

#endif
