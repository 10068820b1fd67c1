/*
 * The life of a partition, as pure steps: what happens, when, and how its
 * machines fare are parameters.
 *
 *	create --> PENDING/CREATING --configured--> ACTIVE/IDLE
 *	               |      |                        |
 *	            failed   lost                     lost
 *	               v      v                        v
 *	       ERROR/FAILED --lost--> ERROR/IDLE <-----+
 *	               |                 |
 *	             retry          back, moved
 *	               v                 v
 *	any --reset--> PENDING/RESETTING --configured--> ACTIVE/IDLE
 *
 *	any --remove--> REMOVED/REMOVING, and when that is over it is gone
 *
 * (state, as applications see it / operation, as the controller works on it)
 * What happens to CREATING happens to RESETTING.  A configuration that fails
 * is begun again LIFECYCLE_RETRIES times before that is an ERROR.
 *
 * Source: V-IPU user guide 5.5 and 5.6, tables 5.1 and 5.2.
 */
#ifndef CORE_CONTROL_LIFECYCLE_H
#define CORE_CONTROL_LIFECYCLE_H

#include <stdint.h>

#include "core/pod/pod.h"

enum {
	LIFECYCLE_RETRIES = 10,	  /* of an operation, the same IPUs */
	LIFECYCLE_PERIODICS = 10, /* of a failed partition behind them */
	LIFECYCLE_MOVES = 10,	  /* to other IPUs in an operation */
	LIFECYCLE_PERIOD_MS = 10000
};

enum partition_event {
	EVENT_CREATE,	  /* its IPUs were allocated */
	EVENT_CONFIGURED, /* links, sync and routing are set up */
	EVENT_FAILED,	  /* they could not be */
	EVENT_LOST,	  /* one of its machines does not answer */
	EVENT_BACK,	  /* all of them do again */
	EVENT_RETRY,	  /* the period of a failed one has passed */
	EVENT_MOVED,	  /* other IPUs were allocated to it */
	EVENT_RESET,	  /* a user asked for it */
	EVENT_REMOVE,	  /* a user did, or its time is over */
	EVENT_COUNT
};

struct moment {
	int64_t ms;	    /* when it happens */
	int64_t takes_ms;   /* a configuration, or a removal, that it begins; a
			       removal of 0 is over */
	const char *reason; /* of EVENT_FAILED and EVENT_LOST */
};

/*
 * Apply one event.  Returns 0, or -1 and changes nothing where the event
 * cannot happen in this state.
 */
int lifecycle_apply(struct partition *, enum partition_event,
    const struct moment *);

/* How the machines of a partition fare, as it sees them. */
struct machines {
	int lost; /* the one that went first, -1: all are up */
	int lost_count;
	int failing;	  /* one whose configurations fail, or -1 */
	int64_t lost_ms;  /* since when */
	int64_t up_ms;	  /* when the last of them came up */
	int64_t takes_ms; /* a configuration: as the slowest takes */
};

/*
 * A machine that reboots is lost until its agent's state says otherwise; one
 * that was up again before the partition's last change is not.
 */
void lifecycle_look(const struct pod *, const struct partition *,
    struct machines *);

/*
 * Appends to an error what ends the state ERROR of the partition, and that a
 * removal gives its IPUs back.  The pod is NULL where a server of another make
 * does not tell of it; `tool` is vipu or vipu-admin.  Returns -1.
 */
int lifecycle_append_remedy(const struct pod *, const struct partition *,
    const char *tool, struct error *);

/* What was tried and cannot be done before these times. */
struct backoff {
	int64_t move_ms;
	int64_t remove_ms;
};

/*
 * When something happens to the partition by itself next, and what; INT64_MAX:
 * nothing will.
 */
int64_t lifecycle_next(const struct partition *, const struct machines *,
    const struct backoff *, enum partition_event *);

#endif
