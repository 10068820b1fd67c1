/*
 * The mirror as a private copy.  Readers and writers of the registry work on a
 * checked copy, never on the file.  Private to core/state.
 */
#ifndef CORE_STATE_MIRROR_COPY_H
#define CORE_STATE_MIRROR_COPY_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/state/mirror_view.h"
#include "core/state/registry_layout.h"

/* Results of mirror_copy_try(). */
enum mirror_copy_result {
	MIRROR_COPY_GOOD,
	MIRROR_COPY_BUSY, /* a writer was changing the mirror: try again */
	MIRROR_COPY_BAD	  /* unusable: the error says why */
};

/* A whole mirror.  The arrays have the capacities of the header; its counts say
   how many members are set. */
struct mirror {
	struct registry_header header;
	struct agent *agents;
	struct cluster *clusters;
	struct allocation *allocations;
	struct partition *partitions;	  /* name "": a free slot */
	int32_t *owner;			  /* by IPU: slot or -1, derived from
					     the partitions */
	uint64_t sum;			  /* mirror_copy_sum() */
	dev_t device;			  /* the mirror's file */
	ino_t inode;			  /* the mirror's file */
	struct mirror_machines *machines; /* owns the first three arrays */
	bool is_counted;		  /* the number of partition files was
					     checked */
	/* Made on demand, see mirror_view.h: */
	struct mirror_table *table; /* NULL: not made yet */
	struct mirror_spare *spare;
	int32_t *order; /* slots in use, by name */
	int order_count;
};

/* Allocate arrays for the header's capacities, and copy the header. */
void mirror_copy_init(struct mirror *, const struct registry_header *);
void mirror_copy_release(struct mirror *);

/*
 * Copy the mirror once.  GOOD: the copy is consistent, and every index, name
 * and enumeration in it was checked; the caller releases it.  Otherwise nothing
 * needs a release; BUSY sets only header.sequence.
 */
enum mirror_copy_result mirror_copy_try(struct mirror *,
    const struct registry *, struct error *);

/*
 * Do the same for a kept copy, which is all 0 at first: if the file has not
 * changed, only its header is read.  The copy is then good, or all 0 except the
 * sequence.
 */
enum mirror_copy_result mirror_copy_again(struct mirror *,
    const struct registry *, struct error *);

/*
 * Return a sum over all records, to which each record adds independently, so
 * that a changed record is the only one read again.  The checksum is the value
 * that header.checksum has with that sum unless another program wrote to the
 * file.
 */
uint64_t mirror_copy_sum(const struct mirror *);
uint64_t mirror_copy_sum_agent(const struct mirror *, int index);
uint64_t mirror_copy_sum_slot(const struct mirror *, int slot);
uint64_t mirror_copy_checksum(const struct registry_header *, uint64_t sum);

/* Record that the copy equals the registry's file. */
void mirror_copy_set_file(struct mirror *, const struct registry *);

#endif
