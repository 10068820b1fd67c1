/*
 * Waiting until a partition is configured, or gone.
 */
#ifndef CORE_CONTROL_WAIT_H
#define CORE_CONTROL_WAIT_H

#include <stdint.h>

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"

/*
 * Wait until a creation or a reset of a partition has come to its end, good or
 * bad: what it was before becomes what it is then.  ERROR_TIMED_OUT after
 * timeout_ms (-1: wait as long as it takes), ERROR_NOT_FOUND where it is gone;
 * the text says so where its time was over.
 */
int	wait_configured(struct controller *, int64_t timeout_ms,
	    struct partition *, struct error *);

/*
 * The same for who does not wait: 1 while what was begun is going on, 0 when it
 * has come to its end, -1 as above.
 */
int	wait_look(struct controller *, struct partition *, struct error *);

/* Wait until one that is being removed is gone, as long as it takes. */
int	wait_removed(struct controller *, const struct partition *,
	    struct error *);

#endif
