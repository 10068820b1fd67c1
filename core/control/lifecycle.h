/*
 * The life of a partition, as pure functions of the event, its time and the
 * condition of the machines.
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
 * "any" is any state but REMOVED for a reset.  CREATING and RESETTING follow
 * the same rules.  A failed configuration is repeated LIFECYCLE_RETRIES times
 * before it is an ERROR.
 *
 * Source: V-IPU user guide 5.5 and 5.6, tables 5.1 and 5.2.
 */
#ifndef CORE_CONTROL_LIFECYCLE_H
#define CORE_CONTROL_LIFECYCLE_H

#include "core/pod/pod.h"

enum {
	LIFECYCLE_RETRIES = 10,	    /* immediate repetitions of an operation, on
				       the same IPUs */
	LIFECYCLE_PERIODICS = 10,   /* then repetitions of a failed partition,
				       one a period */
	LIFECYCLE_MOVES = 10,	    /* to other IPUs, per operation */
	LIFECYCLE_PERIOD_MS = 10000 /* the period */
};

enum partition_event {
	EVENT_CREATE,	  /* its IPUs were allocated */
	EVENT_CONFIGURED, /* links, sync and routing are set up */
	EVENT_FAILED,	  /* setup failed */
	EVENT_LOST,	  /* a machine stopped answering */
	EVENT_BACK,	  /* all machines answer again */
	EVENT_RETRY,	  /* a failed partition's period has passed */
	EVENT_MOVED,	  /* other IPUs were allocated to it */
	EVENT_RESET,	  /* a user's request */
	EVENT_REMOVE,	  /* a user's request, or expiry */
	EVENT_COUNT
};

struct moment {
	int64_t ms;	    /* time of the event */
	int64_t takes_ms;   /* duration of the configuration or removal that it
			       begins; 0: a removal is over at once */
	const char *reason; /* not NULL for EVENT_FAILED and EVENT_LOST */
};

/* Apply an event.  Returns 0, or -1 without a change if the state does not
   allow the event. */
int lifecycle_apply(struct partition *, enum partition_event,
    const struct moment *);

/* The condition of a partition's machines.  Machines are indices of agents. */
struct machines {
	int lost; /* first to be lost, or -1 */
	int lost_count;
	int failing;	  /* first that will fail to configure, or -1 */
	int64_t lost_ms;  /* when `lost` was lost */
	int64_t up_ms;	  /* when the last one that is up came up */
	int64_t takes_ms; /* configuration time of the slowest */
};

/* Find the condition.  A machine in state MACHINE_REBOOTING counts as lost,
   unless its reboot (up_ms) ended before the partition's last change. */
void lifecycle_look(const struct pod *, const struct partition *,
    struct machines *);

/* Append what ends the partition's state ERROR, and that removal frees its
   IPUs.  The pod is NULL if a third-party server does not describe it; `tool`
   is vipu or vipu-admin.  Returns -1. */
int lifecycle_append_remedy(const struct pod *, const struct partition *,
    const char *tool, struct error *);

/* Earliest times to try a move or a removal again; 0: at any time. */
struct backoff {
	int64_t move_ms;
	int64_t remove_ms;
};

/* Find the partition's next automatic event, and return its time.  INT64_MAX:
   never, and the event has no meaning. */
int64_t lifecycle_next(const struct partition *, const struct machines *,
    const struct backoff *, enum partition_event *);

#endif
