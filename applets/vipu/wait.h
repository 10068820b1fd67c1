/*
 * How a creation or a reset of a partition ends.
 */
#ifndef APPLETS_VIPU_WAIT_H
#define APPLETS_VIPU_WAIT_H

#include "applets/vipu/call.h"
#include "core/control/control.h"

/*
 * Wait until the creation or reset of the call's partition ends, and say how
 * it did: the command's success, or why the partition is not ready and what
 * to try.  *p is the partition as it was last seen, and as it is then.
 * Returns the exit status.
 */
int	wait_partition(const struct call *, struct controller *,
	    struct partition *p);

#endif
