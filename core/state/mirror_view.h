/*
 * Arrays shared between a copy of the mirror and its snapshots.  They are
 * reference-counted and never changed while shared.  For one thread.  Private
 * to core/state, except for the pointers in struct snapshot.
 *
 * The machine arrays are those of the mirror itself.  The partition table is
 * made on demand after each change: snapshots order partitions by name, the
 * mirror by slot.
 */
#ifndef CORE_STATE_MIRROR_VIEW_H
#define CORE_STATE_MIRROR_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pod/pod.h"

struct mirror;
struct snapshot;

struct mirror_machines {
	int holders;
	struct agent *agents;
	struct cluster *clusters;
	struct allocation *allocations;
};

/* A table without users, kept for reuse: allocating megabytes again and again
   takes longer than filling them. */
struct mirror_spare {
	int holders;		    /* the mirror and tables */
	bool is_open;		    /* the mirror exists */
	struct mirror_table *table; /* or NULL */
};

struct mirror_table {
	int holders;
	struct mirror *mirror;	    /* a holder, or NULL */
	struct mirror_spare *spare; /* place to return to */
	int room, count;
	struct partition *partitions; /* in a snapshot's order */
	int32_t *owner;
};

/* Allocate arrays of these capacities, with the caller as the only holder. */
struct mirror_machines *mirror_view_new_machines(uint32_t agents,
    uint32_t clusters, uint32_t allocations);

/* Replace the mirror's machines; the mirror takes ownership. */
void mirror_view_set_machines(struct mirror *, struct mirror_machines *);

/* Describe the pod of the copy.  The arrays remain the copy's. */
void mirror_view_pod(const struct mirror *, struct pod *);

/* Detach the mirror from its table; other holders keep it. */
void mirror_view_forget_table(struct mirror *);

/* Drop a holder; the last one frees the object.  NULL is fine. */
void mirror_view_drop_machines(struct mirror_machines *);
void mirror_view_drop_table(struct mirror_table *);

/* Unshare the machines before the mirror changes them; other holders keep the
   old arrays. */
void mirror_view_part(struct mirror *);

/* Remove a slot from the order by name, or add it; both detach the table. */
void mirror_view_leave(struct mirror *, int slot);
void mirror_view_join(struct mirror *, int slot);

/* Give a snapshot the mirror's arrays, shared. */
void mirror_view_share(struct mirror *, struct snapshot *);
/*
 * Unshare a snapshot's arrays, so that it may change them: partitions and
 * owner[], which after _copy_table() are arrays to be freed; the pod's arrays.
 */
void mirror_view_own_table(struct snapshot *);
void mirror_view_copy_table(struct snapshot *);
void mirror_view_own_machines(struct snapshot *);

/* Drop everything that the mirror shares. */
void mirror_view_close(struct mirror *);

#endif
