/*
 * The mirror as a private copy.  Readers and writers of the registry work on a
 * checked copy, never on the file.  Private to core/state.
 */
#ifndef CORE_STATE_MIRROR_COPY_H
#define CORE_STATE_MIRROR_COPY_H

#include "core/state/mirror_view.h"
#include "core/state/registry_layout.h"

/* Results of mirror_copy_try(). */
enum mirror_copy_result {
	MIRROR_COPY_GOOD,
	MIRROR_COPY_BUSY, /* a writer was changing the mirror: try again */
	MIRROR_COPY_BAD	  /* unusable: the error tells why */
};

/* A whole mirror.  The arrays have at least the capacities of the header; its
   counts tell how many members are set. */
struct mirror {
	struct registry_header header;
	struct agent *agents;
	struct cluster *clusters;
	struct allocation *allocations;
	struct partition *partitions; /* name "": a free slot */
	/* By IPU: slot of its partition, or -1; derived from the partitions. */
	int32_t *owner;
	uint64_t sum;			  /* result of mirror_copy_sum() */
	dev_t device;			  /* the mirror's file */
	ino_t inode;			  /* the mirror's file */
	struct mirror_machines *machines; /* owns the first three arrays */
	/* partitions/ has as many files as the mirror has partitions. */
	bool is_counted;
	/* Made on demand, else NULL; see mirror_view.h: */
	struct mirror_table *table;
	struct mirror_spare *spare;
	int32_t *order; /* slots in use, by name */
	int order_count;
};

/* Allocate arrays for the header's capacities, without contents, and copy the
   header.  _release leaves all 0, which it accepts. */
void mirror_copy_init(struct mirror *, const struct registry_header *);
void mirror_copy_release(struct mirror *);

/* Copy the mirror once into a struct without arrays.  GOOD: the copy is
   consistent, and every index, name and enumeration in it was checked; the
   caller releases it.  Otherwise nothing needs a release.  BUSY: only
   header.sequence has a meaning, the number read. */
enum mirror_copy_result mirror_copy_try(struct mirror *,
    const struct registry *, struct error *);

/* Bring a kept copy up to date; before its first use it must be all 0.  If the
   file has not changed, only its header is read.  GOOD: the copy is current.
   Otherwise it is all 0 except the sequence. */
enum mirror_copy_result mirror_copy_again(struct mirror *,
    const struct registry *, struct error *);

/*
 * Return the sum over all records of the copy: agents, clusters, allocations
 * and partitions.  Each record contributes a number of its own, so after a
 * change only the changed record is read again.  mirror_copy_sum_agent() and
 * mirror_copy_sum_slot() return the contribution of one record; that of a free
 * slot is 0.
 */
uint64_t mirror_copy_sum(const struct mirror *);
uint64_t mirror_copy_sum_agent(const struct mirror *, int index);
uint64_t mirror_copy_sum_slot(const struct mirror *, int slot);
/* Return the checksum for the header: `sum` (mirror_copy_sum()) plus the
   header's fields after `checksum`.  The file has another one if another
   program wrote to it. */
uint64_t mirror_copy_checksum(const struct registry_header *, uint64_t sum);

/* Set `device` and `inode`: the registry's open file is the one that was
   copied. */
void mirror_copy_set_file(struct mirror *, const struct registry *);

#endif
