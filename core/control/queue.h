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

#include <stdint.h>

#include "core/control/controller.h"

struct wait_options {
	int64_t	wait_ms;	/* -1: for ever */
	/* Called once, before it waits: "waiting for 16 IPUs; ..." */
	void	(*notify)(void *context, const char *text);
	void	*context;
	int64_t	since_ms;	/* when that began, by clock_monotonic_ms();
				   0: when it is called */
};

/*
 * create_partition(), which waits where IPUs are taken or machines are down,
 * and only there.  ERROR_TIMED_OUT: they still are; the text says who has
 * them.  ERROR_INTERRUPTED: a signal that ends the program came, and takes
 * effect when this has put everything back.
 */
int	queue_create(struct controller *,
	    const struct partition_request *, const struct wait_options *,
	    struct partition *created, struct error *);

#endif
