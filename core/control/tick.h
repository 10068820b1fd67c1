/*
 * Automatic events: tick.c applies them to the state in each process that opens
 * it, and advance.c computes them.  Private to core/control and its tests.
 */
#ifndef CORE_CONTROL_TICK_H
#define CORE_CONTROL_TICK_H

#include "core/control/control.h"

/* Let all due events happen; the caller must hold the state's lock.  tick_run()
   first takes the snapshot again, as is needed after a changed machine or freed
   IPUs; tick_advance() needs an up-to-date one.  Both leave it up to date.  -1:
   the state cannot be stored or read; end the change, as the snapshot is
   outdated. */
int tick_run(struct controller *, struct snapshot *, struct error *);
int tick_advance(struct controller *, struct snapshot *, struct error *);

/* Remove the partitions of dead owners, except those with an attached program.
   The caller must hold the lock and an up-to-date snapshot, which is updated.
   -1: as above. */
int tick_abandoned(struct controller *, struct snapshot *, struct error *);

/* Add a new partition to the snapshot, and let all due events happen.  The
   partition must have got EVENT_CREATE and be in no file yet; it is updated.
   Effects on machines and other partitions are stored; the caller must store
   this partition. */
int tick_new(struct controller *, struct snapshot *, struct partition *,
    struct error *);

/* Before storing a partition: bring the next due time forward if needed. */
void tick_expect(struct controller *, const struct partition *);

/*
 * Bringing all partitions of a pod up to a time: each automatic event happens
 * at its due time, no matter when a process looks.
 *
 * This works on a snapshot.  Only removals and moves to other IPUs, which
 * affect others at once, are passed to the outside immediately; all other
 * changes are marked for the caller to store.
 */

/* The functions of the outside return 0: done; 1: not now, as while a program
   uses the partition; -1: cannot be stored, which ends the pass.  The context
   keeps the reason. */
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
	bool *partition_changed; /* by index: to be stored */
	bool *agent_changed;	 /* the same for machines */
	bool *agent_rebooted;	 /* the machine is up again */
	bool changed;		 /* anything changed */
	int64_t next_ms;	 /* time of the next event, 0: never; set by
				    advance_run() */
	/* Private. */
	int64_t now_ms;
	struct coming *coming; /* by partition */
	int *rebooting;	       /* agents */
	int rebooting_count;
};

/* Begin a pass up to now_ms over the snapshot, which must live as long; nothing
   happens yet.  The caller releases it. */
void advance_init(struct advance *, struct snapshot *, const struct outside *,
    int64_t now_ms);
void advance_release(struct advance *);

/* Apply all due events in order of time.  -1: the outside ended the pass, and
   the snapshot is outdated. */
int advance_run(struct advance *);

#endif
