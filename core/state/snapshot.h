/*
 * A consistent private copy of the registry's mirror.
 */
#ifndef CORE_STATE_SNAPSHOT_H
#define CORE_STATE_SNAPSHOT_H

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
	/* By IPU: index in partitions[], OWNER_FREE or OWNER_UNSEEN. */
	int32_t *owner;
	int partition_count;
	uint32_t sequence; /* sequence number of the copied mirror */
	/* Number of partition files left out; unless 0, no partition may be
	   added. */
	int damaged;
	char damage[SNAPSHOT_DAMAGE_SIZE]; /* of the first: "FILE:LINE: text" */
	bool limited;			   /* only what a user may see: then
					      unallocated machines are shown
					      as others' */
	/* Owners of the shared arrays of the partitions and the pod; NULL: the
	   snapshot owns them. */
	struct mirror_table *table;
	struct mirror_machines *machines;
};

/*
 * Copy the mirror.  If it is damaged or half written, rebuild it from the files
 * first.  If that is impossible, as when a writer has the lock for over 0.5 s,
 * read the files instead.  -1, with the snapshot all 0.  ERROR_STALE: the files
 * are unreadable too, or another pod replaced this one, and the caller must
 * open the registry again.  ERROR_UNAVAILABLE: a new pod is half in place, and
 * its writer was stopped.
 */
int snapshot_take(const struct registry *, struct snapshot *, struct error *);
/* Copy the mirror under the writer's lock: as it was when the lock was taken,
   with this process's changes.  Without the lock: as snapshot_take().  For root
   in a shared directory (state_is_shared()), a partition of root in a file that
   is not root's belongs to the file's owner. */
int snapshot_take_locked(const struct state *, struct snapshot *,
    struct error *);
void snapshot_release(struct snapshot *);

/*
 * Unshare a snapshot's arrays before changing them: partitions and owner[], the
 * pod's arrays, or with snapshot_own() both.  Shared arrays move.  Only after
 * snapshot_own() may the caller also free or replace them.  In each case
 * snapshot_release() frees the snapshot's arrays.
 */
void snapshot_own(struct snapshot *);
void snapshot_own_partitions(struct snapshot *);
void snapshot_own_pod(struct snapshot *);
/* Append a copy of a partition, which must be on free IPUs.  The list is then
   not sorted, so do not call snapshot_find() any more.  Unshares partitions and
   owner[].  Returns its index. */
int snapshot_add(struct snapshot *, const struct partition *);

/*
 * Freeze the registry's slots (registry_freeze(); now_ns: CLOCK_REALTIME), to
 * show them together with this snapshot's partitions.  A holder counts only if
 * its IPU belonged to the same partition from before the snapshot until now, so
 * that it is never shown under a partition to which it was not attached.
 */
void snapshot_freeze(const struct snapshot *, struct registry *,
    int64_t now_ns);
/* Return the index of the partition of that name, or -1. */
int snapshot_find(const struct snapshot *, const char *partition);
/* Append to an error about a missing partition: other objects of its name, if
   any, else the nearest partition name.  Returns -1. */
int snapshot_suggest(const struct snapshot *, const char *partition,
    struct error *);
/* Do the same as snapshot_find(); after -1 the error is ERROR_NOT_FOUND, with
   what snapshot_suggest() appends. */
int snapshot_look_up(const struct snapshot *, const char *partition,
    struct error *);

#endif
