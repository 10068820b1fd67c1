/*
 * The mirror as a private copy: whoever reads or changes the registry works on
 * one that was checked, never on the file.  Private to core/state.
 */
#ifndef CORE_STATE_MIRROR_COPY_H
#define CORE_STATE_MIRROR_COPY_H

#include "core/base/error.h"
#include "core/state/registry_layout.h"

/* What mirror_copy_try() says. */
enum mirror_copy_result {
	MIRROR_COPY_GOOD,
	MIRROR_COPY_BUSY,	/* a writer was changing it: try again */
	MIRROR_COPY_BAD		/* it cannot be used: the error says why */
};

/*
 * A whole mirror.  The arrays have room for the header's capacities; as many of
 * their members are set as its counts say.
 */
struct mirror {
	struct registry_header	header;
	struct agent		*agents;
	struct cluster		*clusters;
	struct allocation	*allocations;
	struct partition	*partitions;	/* name "": a free slot */
	int32_t			*owner;		/* by IPU: slot or -1, as the
						   partitions say */
};

/* Room for the capacities of the header, which is copied. */
void	mirror_copy_init(struct mirror *, const struct registry_header *);
void	mirror_copy_release(struct mirror *);

/*
 * Look once.  GOOD: the caller releases the copy, which one writer made as a
 * whole, and of which every index, name and enumeration was checked.  Else
 * there is nothing to release; BUSY sets only *sequence of the header.
 */
enum mirror_copy_result	mirror_copy_try(struct mirror *,
	    const struct registry *, struct error *);

/* The number that header.checksum has when nobody else wrote there. */
uint64_t	mirror_copy_checksum(const struct mirror *);

/*
 * The pod that the copy has.  Its arrays are the copy's own: not to be
 * released.
 */
void	mirror_copy_pod(const struct mirror *, struct pod *);

#endif
