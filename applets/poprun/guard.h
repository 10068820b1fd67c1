/*
 * The guard of a partition that poprun creates.
 */
#ifndef APPLETS_POPRUN_GUARD_H
#define APPLETS_POPRUN_GUARD_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/state/owner_lock.h"

struct guard {
	int	pipe;			/* -1: none */
	pid_t	pid;
};

/*
 * From now on the partition of this owner is removed when this process and its
 * supervisor have ended, unless a program is attached to it: then it goes when
 * that has ended, with the next command of anybody.  The guard closes its copy
 * of the controller.
 */
int	guard_start(struct guard *, const struct owner_lock *,
	    struct controller *, struct error *);

/* The guard ends and leaves the partition alone. */
void	guard_stop(struct guard *);

#endif
