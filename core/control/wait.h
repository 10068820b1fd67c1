/*
 * Waiting until a partition is configured.
 */
#ifndef CORE_CONTROL_WAIT_H
#define CORE_CONTROL_WAIT_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/partition.h"

/*
 * Wait until a creation or a reset has come to its end, good or bad, and say
 * what the partition is then.  ERROR_TIMED_OUT after timeout_ms (-1: wait as
 * long as it takes), ERROR_NOT_FOUND where it is gone.
 */
int	wait_configured(struct controller *, const char *name,
	    int64_t timeout_ms, struct partition *, struct error *);

#endif
