/*
 * What happens by itself, done to the state by whoever opens it.  Private to
 * core/control and its tests.
 */
#ifndef CORE_CONTROL_TICK_H
#define CORE_CONTROL_TICK_H

#include "core/control/controller.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Under the lock: let everything happen that is due.  tick_run() makes the
 * snapshot true first, and is for whoever changed a machine or freed IPUs;
 * tick_advance() takes one that is true.  It is true again behind both.  -1:
 * the disk refused; the change is to be ended, the snapshot is not true.
 */
int	tick_run(struct controller *, struct snapshot *,
	    struct error *);
int	tick_advance(struct controller *, struct snapshot *, struct error *);

/*
 * Under the lock, with a true snapshot, which it leaves true: remove what
 * owners that are gone left, unless a program is attached to it.  -1: as
 * above.
 */
int	tick_abandoned(struct controller *, struct snapshot *,
	    struct error *);

/*
 * A new partition that is in no file yet, with the event that begins its
 * life: let happen what is due for it at once.  What its configuration did to
 * machines is stored; the partition is for the caller to store.
 */
int	tick_new(struct controller *, struct snapshot *,
	    struct partition *, struct error *);

/* A partition is about to be stored: nobody may look too late. */
void	tick_expect(struct controller *, const struct partition *);

#endif
