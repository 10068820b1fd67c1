/*
 * The state of a pod: the durable directory of INI files and the live registry
 * that mirrors it, kept in step.
 *
 *	STATE/lock			whoever changes the state locks it
 *	STATE/pod.ini			name, id, format version; written last
 *	STATE/agents/CLUSTER:NAME.ini
 *	STATE/clusters/NAME.ini
 *	STATE/allocations/NAME.ini
 *	STATE/users/NAME.ini		see user_store.h
 *	STATE/partitions/NAME.ini
 *	STATE/waiting/NUMBER.ini	whoever waits for IPUs locks one
 *
 * Where it is, paths.h says.
 *
 * All of it is its owner's alone, or that of a group that the directory was
 * given to; any other is refused, see ownership.h.
 *
 * A partition file that is damaged is reported with its line.  Nobody knows
 * then which IPUs it has, so no partition is added until it is repaired or
 * removed; all others stay usable.
 */
#ifndef CORE_STATE_STATE_H
#define CORE_STATE_STATE_H

#include "core/base/files/directory.h"
#include "core/state/paths.h"
#include "core/state/registry.h"

struct mirror;

struct state {
	struct state_paths	paths;
	struct directory	directory;	/* opened once, and checked */
	struct registry		registry;	/* for a change */
	struct mirror		*kept;		/* the last copy of it */
	struct mirror		*mirror;	/* that, while it is locked:
						   what the registry shows;
						   else NULL */
	int			lock_fd;	/* -1: a read-only directory */
	struct error		unwritable;	/* why, in the system's words */
	struct error		unmade;		/* why it is in memory */
	bool			locked;
	bool			secure;		/* as pod.ini says */
};

/*
 * Open the state for change: on first use make the default pod, make or
 * rebuild the registry where it is missing, stale or was left half written.
 */
int	state_open(struct state *, struct error *);
void	state_close(struct state *);

/*
 * Open the registry for reading, the fast way: no INI file is touched when the
 * mirror is sound.  Where there is no registry yet, or it was left half
 * written, this does what state_open() does first.  Where that cannot be made,
 * as behind a full /dev/shm, it is one in the memory of this process.
 */
int	state_open_reader(struct registry *, struct error *);

/* The same for a program that attaches to IPUs: it needs the real one. */
int	state_open_attacher(struct registry *, struct error *);

/*
 * The writer's lock.  A change reads a snapshot and commits under it.  Taking
 * it brings the mirror in step where it is not: after a crash, or where
 * somebody changed the directory partitions/ by hand.  ERROR_TIMED_OUT:
 * somebody else holds it, for as long as this process is ready to wait.
 */
int	state_lock(struct state *, struct error *);
/* The same, with a limit to the wait for whoever else changes the state: see
   lock_take() in core/state/lock.h. */
int	state_lock_within(struct state *, int64_t limit_ms, struct error *);
void	state_unlock(struct state *);

/*
 * Under the lock.  0: the change is on the disk and in the mirror.  -1: nothing
 * has changed; but ERROR_UNCONFIRMED says that the disk could not confirm the
 * change, and then the files decide when the lock is taken next.  Refused:
 * ERROR_EXISTS, ERROR_NOT_FOUND, ERROR_INVALID (a place that the pod does not
 * have), ERROR_NO_ROOM (a place that is another's), ERROR_DAMAGED (a file).
 */
int	state_add_partition(struct state *, const struct partition *,
	    struct error *);
int	state_remove_partition(struct state *, const char *name,
	    struct error *);
int	state_update_partition(struct state *, const struct partition *,
	    struct error *);
/* How a machine fares (the members below `allocation`); its place in the pod
   and its names stay as they are. */
int	state_update_agent(struct state *, int index, const struct agent *,
	    struct error *);

#endif
