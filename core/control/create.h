/*
 * Creating a partition, and what could be created.
 */
#ifndef CORE_CONTROL_CREATE_H
#define CORE_CONTROL_CREATE_H

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

struct controller;

/*
 * Create: checks the request, chooses a placement and stores the partition.
 * Its configuration may still run when this returns, or may have failed: see
 * wait_configured().
 * Refused with the reason and what would help: a name in use (ERROR_EXISTS), a
 * size that does not fit now (ERROR_NO_ROOM: who holds the IPUs, which size
 * would fit) or never (ERROR_INVALID).
 * *created is filled when it is not NULL.
 */
int create_partition(struct controller *, const struct partition_request *,
    struct partition *created, struct error *);

/*
 * The same for a partition that goes with its owner.  One with a lock has the
 * owner's identity, and whoever acts on the state after the last process that
 * has the owner's descriptor is gone removes it.  At a server each owner is a
 * lease, and has no lock, which only its own host would see: see
 * controller_hold().
 */
struct partition_owner {
	int kind;		 /* PO_PROCESS or PO_IPUJOB, or PO_LEASE, which
				    the caller looks after */
	struct owner_lock *lock; /* open; another identity is drawn where that
				    is taken; NULL: of a lease */
	const char *text;	 /* what it is, for a person: "ipujob
				    default/mnist" */
};
int create_owned_partition(struct controller *,
    const struct partition_request *, const struct partition_owner *,
    struct partition *created, struct error *);

/*
 * The free placements of a request, of what the caller may see; an index
 * restarts at 0 in each cluster, as placement_options() has it.  Returns their
 * number, and then the caller frees *out and releases the snapshot; or -1.
 */
int create_placements(struct controller *, const struct partition_request *,
    struct snapshot *, struct placement **out, struct error *);

/*
 * Adopt a partition: a new process takes the place of its owner, which is gone,
 * before what the owner left is removed.
 *
 * Become the owner of the partition of that name, whose record has the owner's
 * kind and text, and which this user created.  The owner's lock is not open
 * before; behind 0 it is, has the partition's identity, and is the caller's to
 * close, and *adopted, when not NULL, is the partition.  It is for the caller
 * to look what that is, and how it fares.
 *
 * ERROR_NOT_FOUND: there is none, or it was removed, by whoever came before:
 * each look at the state, of this process as well, removes what has lost its
 * owner.  ERROR_BUSY: its owner lives.  Of a server's partitions none is found:
 * they went with their connections.
 */
int adopt_partition(struct controller *, const char *name,
    const struct partition_owner *, struct partition *adopted, struct error *);

#endif
