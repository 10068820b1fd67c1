/*
 * The life of a partition, as pure steps: the time is a parameter.
 *
 *	create      PENDING/CREATING --configured--> ACTIVE/IDLE
 *	            PENDING/CREATING --failed------> ERROR/FAILED
 *	any state   --remove--> REMOVED/REMOVING, and then it is gone
 *
 * (state, as applications see it / operation, as the controller works on it)
 *
 * Source: V-IPU user guide 5.6, tables 5.1 and 5.2.
 */
#ifndef CORE_CONTROL_LIFECYCLE_H
#define CORE_CONTROL_LIFECYCLE_H

#include <stdint.h>

#include "core/pod/partition.h"

enum partition_event {
	EVENT_CREATE,		/* its IPUs were allocated */
	EVENT_CONFIGURED,	/* links, sync and routing are set up */
	EVENT_FAILED,		/* they could not be */
	EVENT_REMOVE
};

/*
 * Apply one event at `now_s` (seconds since the epoch).  `reason`, for
 * EVENT_FAILED, becomes the last error.  Returns 0, or -1 and changes nothing
 * where the event cannot happen in this state.
 */
int	lifecycle_apply(struct partition *, enum partition_event,
	    int64_t now_s, const char *reason);

#endif
