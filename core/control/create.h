/*
 * Creating a partition, and finding out which could be created.
 */
#ifndef CORE_CONTROL_CREATE_H
#define CORE_CONTROL_CREATE_H

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

struct controller;

/*
 * Check the request, choose a placement, store the partition and write its
 * IPUoF files.  Its configuration may still be running or have failed on
 * return: see wait_configured().  Refusals give a reason: a name in use
 * (ERROR_EXISTS), a size that does not fit now (ERROR_NO_ROOM, with the holders
 * and a fitting size) or never (ERROR_INVALID).  *created is filled if not
 * NULL.
 */
int create_partition(struct controller *, const struct partition_request *,
    struct partition *created, struct error *);

/*
 * The owner of a partition; the partition is removed when its owner ends.  If
 * the owner has a lock, the partition gets the identity of that lock.  After
 * the last process with the lock's descriptor ends, the next process that acts
 * on the state removes the partition.  At a server each owner is a lease
 * without a lock, which only its host could see: see controller_hold().
 */
struct partition_owner {
	int kind;		 /* PO_PROCESS, PO_IPUJOB or, managed by the
				    caller, PO_LEASE or PO_SLURM */
	struct owner_lock *lock; /* open; gets a new identity if a partition has
				    the same; NULL for those two */
	const char *text;	 /* description for people: "ipujob
				    default/mnist" */
};
/* Do the same as create_partition() for an owner, which may be NULL. */
int create_owned_partition(struct controller *,
    const struct partition_request *, const struct partition_owner *,
    struct partition *created, struct error *);

/*
 * Find the free placements of a request as the caller sees them; indices
 * restart at 0 in each cluster, as in placement_options().  Returns their
 * number, and the caller then frees *out and releases the snapshot; or -1.
 */
int create_placements(struct controller *, const struct partition_request *,
    struct snapshot *, struct placement **out, struct error *);

/*
 * Adopt a partition: take the place of its dead owner before the partition is
 * removed.
 *
 * Pass a new owner whose lock is closed.  On success that lock is open with the
 * partition's identity; the caller closes it, and checks the partition's
 * condition.  *adopted is filled if not NULL.  On failure the lock is closed.
 *
 * ERROR_NOT_FOUND: no partition of this name has the owner's kind and text and
 * belongs to this user.  It may have been removed earlier, as every look at the
 * state removes partitions without owners.  ERROR_BUSY: its owner lives.
 * Partitions of a server are never found, as they end with their connections.
 */
int adopt_partition(struct controller *, const char *name,
    const struct partition_owner *, struct partition *adopted, struct error *);

#endif
