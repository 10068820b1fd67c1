/*
 * A consistent private copy of the registry's mirror.
 */
#ifndef CORE_STATE_SNAPSHOT_H
#define CORE_STATE_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

enum {
	SNAPSHOT_DAMAGE_SIZE = 512,
	OWNER_FREE = -1,
	OWNER_UNSEEN = -2 /* taken by a partition outside this snapshot */
};

struct registry;
struct state;
struct mirror_machines;
struct mirror_table;

struct snapshot {
	struct pod pod;
	struct partition *partitions; /* sorted by name */
	int32_t *owner;		      /* by IPU: partition, or one of the
					 above */
	int partition_count;
	uint32_t sequence;		   /* sequence of the copied mirror */
	int damaged;			   /* partition files left out; none may
					      be added meanwhile */
	char damage[SNAPSHOT_DAMAGE_SIZE]; /* the first one: "FILE:LINE:
					      text" */
	bool limited;			   /* shows only what a user may see:
					      unallocated machines count as
					      others' */
	/* Owners of the shared arrays of the partitions and the pod; NULL: the
	   snapshot owns them. */
	struct mirror_table *table;
	struct mirror_machines *machines;
};

/*
 * Copy the mirror.  If it is damaged or half written, rebuild it from the files
 * first.  If that is impossible, as while a stopped writer has the lock, read
 * the files instead.  ERROR_STALE: they are unreadable too, or a new pod must
 * be opened.  ERROR_UNAVAILABLE: a new pod is half in place, and its writer was
 * stopped.
 */
int snapshot_take(const struct registry *, struct snapshot *, struct error *);
/* Copy it under the writer's lock: as it was when the lock was taken, with this
   process's changes.  In a shared directory root owns only partitions whose
   files are root's (state_is_shared()). */
int snapshot_take_locked(const struct state *, struct snapshot *,
    struct error *);
void snapshot_release(struct snapshot *);

/*
 * Unshare a snapshot's arrays before changing them.  After snapshot_own() the
 * caller may also free and move them.  The other two unshare only partitions
 * and owner[], or only the pod's arrays, which the snapshot still frees.
 * Unshared arrays stay where they are.
 */
void snapshot_own(struct snapshot *);
void snapshot_own_partitions(struct snapshot *);
void snapshot_own_pod(struct snapshot *);
/* Add a partition on separate IPUs, out of order.  Returns its index. */
int snapshot_add(struct snapshot *, const struct partition *);

/*
 * Freeze the registry's slots (registry_freeze()) to show with this snapshot's
 * partitions.  A holder counts only if its IPU belonged to the same partition
 * from before the snapshot until now, so that it is never shown under a
 * partition to which it was not attached.
 */
void snapshot_freeze(const struct snapshot *, struct registry *,
    int64_t now_ns);
/* Return the index by name, or -1. */
int snapshot_find(const struct snapshot *, const char *partition);
/* Append to an error about a missing partition other objects of its name, or
   the nearest partition name.  Returns -1. */
int snapshot_suggest(const struct snapshot *, const char *partition,
    struct error *);
/* Return the index by name, or -1: ERROR_NOT_FOUND, with snapshot_suggest(). */
int snapshot_look_up(const struct snapshot *, const char *partition,
    struct error *);

#endif
