/*
 * The mirror as a private copy: whoever reads or changes the registry works on
 * one that was checked, never on the file.  Private to core/state.
 */
#ifndef CORE_STATE_MIRROR_COPY_H
#define CORE_STATE_MIRROR_COPY_H

#include <sys/types.h>

#include "core/base/error.h"
#include "core/state/mirror_view.h"
#include "core/state/registry_layout.h"

/* What mirror_copy_try() says. */
enum mirror_copy_result {
	MIRROR_COPY_GOOD,
	MIRROR_COPY_BUSY, /* a writer was changing it: try again */
	MIRROR_COPY_BAD	  /* it cannot be used: the error says why */
};

/*
 * A whole mirror.  The arrays have room for the header's capacities; as many of
 * their members are set as its counts say.
 */
struct mirror {
	struct registry_header header;
	struct agent *agents;
	struct cluster *clusters;
	struct allocation *allocations;
	struct partition *partitions;	  /* name "": a free slot */
	int32_t *owner;			  /* by IPU: slot or -1, as the
					     partitions say */
	uint64_t sum;			  /* mirror_copy_sum() */
	dev_t device;			  /* of the file ... */
	ino_t inode;			  /* ... that has it */
	struct mirror_machines *machines; /* which has the first three */
	bool is_counted;		  /* there are as many files of
					     partitions */
	/* Made when they are asked for, see mirror_view.h: */
	struct mirror_table *table; /* NULL: it is to be made */
	struct mirror_spare *spare;
	int32_t *order; /* slots in use, by name */
	int order_count;
};

/* Room for the capacities of the header, which is copied. */
void mirror_copy_init(struct mirror *, const struct registry_header *);
void mirror_copy_release(struct mirror *);

/*
 * Look once.  GOOD: the caller releases the copy, which one writer made as a
 * whole, and of which every index, name and enumeration was checked.  Else
 * there is nothing to release; BUSY sets only *sequence of the header.
 */
enum mirror_copy_result mirror_copy_try(struct mirror *,
    const struct registry *, struct error *);

/*
 * The same for a copy that is kept, which is all 0 at first: where the file is
 * still that of the copy only its header is read.  The copy is a good one, or
 * it is all 0 but for the sequence.
 */
enum mirror_copy_result mirror_copy_again(struct mirror *,
    const struct registry *, struct error *);

/*
 * A sum over all records, to which each adds its own, so that who changes one
 * need not look at all; and the number that header.checksum has with that sum
 * when nobody else wrote there.
 */
uint64_t mirror_copy_sum(const struct mirror *);
uint64_t mirror_copy_sum_agent(const struct mirror *, int index);
uint64_t mirror_copy_sum_slot(const struct mirror *, int slot);
uint64_t mirror_copy_checksum(const struct registry_header *, uint64_t sum);

/* It is now what the file of the registry has. */
void mirror_copy_set_file(struct mirror *, const struct registry *);

#endif
