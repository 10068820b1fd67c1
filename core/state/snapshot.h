/*
 * A consistent private copy of what the registry mirrors.
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
	OWNER_UNSEEN = -2 /* taken, and not by a partition that is here */
};

struct registry;
struct state;
struct mirror_machines;
struct mirror_table;

struct snapshot {
	struct pod pod;
	struct partition *partitions; /* sorted by name */
	int32_t *owner;		      /* an IPU: partition, or one of the
					 above */
	int partition_count;
	uint32_t sequence;		   /* of the mirror it was of */
	int damaged;			   /* partition files left out: no
					      partition is added while one is
					      damaged */
	char damage[SNAPSHOT_DAMAGE_SIZE]; /* the first one: "FILE:LINE:
					      text" */
	bool limited;			   /* only what a user may see: machines
					      in no allocation are others' */
	/* Whose the arrays of the partitions, and of the pod, are, shared with
	   others; NULL: the snapshot's own. */
	struct mirror_table *table;
	struct mirror_machines *machines;
};

/*
 * Copy the mirror; one that was left half written, or is damaged, is made again
 * from the files first, where this process may.  Where that is not possible, as
 * while a writer that was stopped in mid-change has the lock, the files are
 * read.  ERROR_STALE: they cannot be read either, or a new pod took this one's
 * place and is to be opened.  ERROR_UNAVAILABLE: a new pod is half in place,
 * and who puts it there was stopped.
 */
int snapshot_take(const struct registry *, struct snapshot *, struct error *);
/*
 * The same for whoever has the writer's lock: what the mirror had when the lock
 * was taken, with this process's own changes; nobody else can have changed it.
 */
int snapshot_take_locked(const struct state *, struct snapshot *,
    struct error *);
void snapshot_release(struct snapshot *);

/*
 * Before anything in it is changed: what a snapshot shares with others becomes
 * its own, and may be freed and put elsewhere by whoever changes it.  Or only
 * its partitions and owner[], or only the members of its pod, which the
 * snapshot still frees; where they are its own they stay where they are.
 */
void snapshot_own(struct snapshot *);
void snapshot_own_partitions(struct snapshot *);
void snapshot_own_pod(struct snapshot *);
/* One partition more, out of order, on IPUs of its own: its index. */
int snapshot_add(struct snapshot *, const struct partition *);

/*
 * Freeze the registry's slots (registry_freeze()) for who shows them beside the
 * partitions of this snapshot.  A holder counts only where its IPU was of the
 * same partition from before the snapshot until now, so that nobody is shown
 * under a partition that it was never attached to.
 */
void snapshot_freeze(const struct snapshot *, struct registry *,
    int64_t now_ns);
/* Index by name, or -1. */
int snapshot_find(const struct snapshot *, const char *partition);
/*
 * Appends to an error about a partition that does not exist what else has its
 * name, or the nearest of the partitions.  Returns -1.
 */
int snapshot_suggest(const struct snapshot *, const char *partition,
    struct error *);
/* Returns the index by name, or -1: ERROR_NOT_FOUND, with that. */
int snapshot_look_up(const struct snapshot *, const char *partition,
    struct error *);

#endif
