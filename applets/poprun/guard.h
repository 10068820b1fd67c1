/*
 * The guard of a partition that poprun creates.
 */
#ifndef APPLETS_POPRUN_GUARD_H
#define APPLETS_POPRUN_GUARD_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/control/controller.h"

struct guard {
	int	pipe;			/* -1: none */
	pid_t	pid;
};

/*
 * From now on the partition of that name, created later than now by this
 * user, is removed when this process and its supervisor have ended.  The guard
 * closes its copy of the controller.
 */
int	guard_start(struct guard *, const char *name, struct controller *,
	    struct error *);

/* The guard ends and leaves the partition alone. */
void	guard_stop(struct guard *);

#endif
