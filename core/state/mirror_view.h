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

#include "core/pod/pod.h"

struct mirror;
struct snapshot;

/* The arrays of machines, and the number of their holders. */
struct mirror_machines {
	int holders;
	struct agent *agents;
	struct cluster *clusters;
	struct allocation *allocations;
};

/* A place for one unused table, kept for reuse: allocating megabytes again and
   again takes longer than filling them. */
struct mirror_spare {
	int holders;  /* the mirror until closed, and each table */
	bool is_open; /* the mirror exists */
	struct mirror_table *table; /* or NULL */
};

/* Partitions by name, as snapshots see them. */
struct mirror_table {
	int holders;
	/* The mirror that has this as its current table, and so is one of the
	   holders; else NULL. */
	struct mirror *mirror;
	/* Receives the table after its last holder. */
	struct mirror_spare *spare;
	int room, count; /* capacity of partitions[], and number used */
	struct partition *partitions; /* sorted by name */
	int32_t *owner; /* by IPU: index in partitions[], or OWNER_FREE */
};

/* Allocate unset arrays of these capacities, with the caller as only holder. */
struct mirror_machines *mirror_view_new_machines(uint32_t agents,
    uint32_t clusters, uint32_t allocations);

/* Set the mirror's machines; the mirror takes over the caller's hold.  The old
   machines are not dropped: the caller must do it. */
void mirror_view_set_machines(struct mirror *, struct mirror_machines *);

/* Fill in the mirror's pod; the arrays stay the mirror's: do not release it. */
void mirror_view_pod(const struct mirror *, struct pod *);

/* Drop a holder.  The last one frees the object; a table may instead become the
   spare one.  NULL is fine. */
void mirror_view_drop_machines(struct mirror_machines *);
void mirror_view_drop_table(struct mirror_table *);

/* Unshare the machines before the mirror changes them; other holders keep the
   old arrays. */
void mirror_view_part(struct mirror *);

/* Remove a slot from the order by name, before its name changes; or add it,
   once it has its name.  Both detach the table. */
void mirror_view_leave(struct mirror *, int slot);
void mirror_view_join(struct mirror *, int slot);

/* Share the mirror's arrays with a snapshot that has none. */
void mirror_view_share(struct mirror *, struct snapshot *);
/* Unshare a snapshot's partitions and owner[], so that it may change them.  If
   only the mirror shares them, the mirror gives them up, and they are not
   copied. */
void mirror_view_own_table(struct snapshot *);
/* Replace partitions and owner[] by copies that are the snapshot's own, to be
   freed with free(3).  Does nothing if they already are. */
void mirror_view_copy_table(struct snapshot *);
/* Replace the pod's arrays by copies in the same way. */
void mirror_view_own_machines(struct snapshot *);

/* Detach the mirror from its table and drop the spare table; its machines
   stay. */
void mirror_view_close(struct mirror *);

#endif
