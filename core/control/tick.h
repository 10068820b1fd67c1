/*
 * What happens by itself: tick.c does it to the state, for each process that
 * opens it, and advance.c works it out.  Private to core/control and its tests.
 */
#ifndef CORE_CONTROL_TICK_H
#define CORE_CONTROL_TICK_H

#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Under the lock: let everything happen that is due.  tick_run() makes the
 * snapshot true first, and is for whoever changed a machine or freed IPUs;
 * tick_advance() takes one that is true.  It is true again behind both.  -1:
 * the disk refused; the change is to be ended, the snapshot is not true.
 */
int tick_run(struct controller *, struct snapshot *, struct error *);
int tick_advance(struct controller *, struct snapshot *, struct error *);

/*
 * Under the lock, with a true snapshot, which it leaves true: remove what
 * owners that are gone left, unless a program is attached to it.  -1: as
 * above.
 */
int tick_abandoned(struct controller *, struct snapshot *, struct error *);

/*
 * A new partition that is in no file yet, with the event that begins its
 * life: let happen what is due for it at once.  What its configuration did to
 * machines is stored; the partition is for the caller to store.
 */
int tick_new(struct controller *, struct snapshot *, struct partition *,
    struct error *);

/* A partition is about to be stored: nobody may look too late. */
void tick_expect(struct controller *, const struct partition *);

/*
 * All partitions of a pod brought up to a time: what happens by itself, each
 * thing at the time when it is due, whenever somebody looks.
 *
 * It works on a snapshot.  Only what concerns others at once, a removal or a
 * move to other IPUs, is passed to the outside as it happens; what else has
 * changed is marked, for the caller to store.
 */

/* 0: done, for good; 1: not now, as while a program uses it; -1: it cannot be
   stored, and that ends the pass.  The context keeps the reason. */
struct outside {
	int (*remove)(void *context, const struct partition *);
	int (*move)(void *context, const struct partition *from,
	    const struct partition *to);
	void *context;
};

struct advance {
	struct snapshot *snapshot; /* changed in place; a removed partition is
				      PS_REMOVED */
	const struct outside *outside;
	bool *partition_changed; /* by index */
	bool *agent_changed;
	bool *agent_rebooted; /* is up again */
	bool changed;	      /* anything */
	int64_t next_ms;      /* when something is due, 0: nothing will be */
	/* Private. */
	int64_t now_ms;
	struct coming *coming; /* by partition */
	int *rebooting;	       /* agents */
	int rebooting_count;
};

/*
 * A pass up to the time now_ms over the snapshot, which must live as long;
 * nothing happens yet.  The caller releases it.
 */
void advance_init(struct advance *, struct snapshot *, const struct outside *,
    int64_t now_ms);
void advance_release(struct advance *);

/*
 * Let happen all that is due, in the order of time.  -1: the outside ended it,
 * and the snapshot is true no longer.
 */
int advance_run(struct advance *);

#endif
