/*
 * What a copy of the mirror and the snapshots of it share, as long as one of
 * them has it: it is counted, and nobody changes what others have.  For one
 * thread.  Private to core/state, but for the pointers in struct snapshot.
 *
 * The arrays of the machines are those of the mirror itself.  The table of the
 * partitions is made when it is asked for, and again after each change: a
 * snapshot has them by name, and the mirror by slot.
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

/* A table that nobody has any more, for the next one that is made: to get
   megabytes from the system again and again takes longer than to fill them. */
struct mirror_spare {
	int holders;		    /* the mirror, and tables */
	bool is_open;		    /* the mirror is there */
	struct mirror_table *table; /* or NULL */
};

struct mirror_table {
	int holders;
	struct mirror *mirror;	    /* one of them, or NULL */
	struct mirror_spare *spare; /* where it goes at its end */
	int room, count;
	struct partition *partitions; /* as a snapshot has them */
	int32_t *owner;
};

/* Room for so many, with one holder: the caller. */
struct mirror_machines *mirror_view_new_machines(uint32_t agents,
    uint32_t clusters, uint32_t allocations);

/* Other machines than it had, which are its own from now on. */
void mirror_view_set_machines(struct mirror *, struct mirror_machines *);

/*
 * The pod that the copy has.  Its arrays are the copy's own: not to be
 * released.
 */
void mirror_view_pod(const struct mirror *, struct pod *);

/* The mirror has no table any more; those who share it have it still. */
void mirror_view_forget_table(struct mirror *);

/* One holder less; the last one frees it.  NULL is fine. */
void mirror_view_drop_machines(struct mirror_machines *);
void mirror_view_drop_table(struct mirror_table *);

/* Before the mirror changes its machines: others keep what they have. */
void mirror_view_part(struct mirror *);

/* A slot of the mirror is to be freed; it was filled. */
void mirror_view_leave(struct mirror *, int slot);
void mirror_view_join(struct mirror *, int slot);

/* The arrays of a snapshot become those of the mirror, shared. */
void mirror_view_share(struct mirror *, struct snapshot *);
/* Nobody else has its partitions and owner[], which it may change then, but not
   free; they become arrays of its own; and those of its pod do. */
void mirror_view_own_table(struct snapshot *);
void mirror_view_copy_table(struct snapshot *);
void mirror_view_own_machines(struct snapshot *);

/* The mirror ends. */
void mirror_view_close(struct mirror *);

#endif
