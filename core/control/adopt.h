/*
 * Adopting a partition: a new process takes the place of its owner, which is
 * gone, before anybody removes what that left.
 */
#ifndef CORE_CONTROL_ADOPT_H
#define CORE_CONTROL_ADOPT_H

#include "core/base/error.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"

struct partition_owner;

/*
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
int	adopt_partition(struct controller *, const char *name,
	    const struct partition_owner *, struct partition *adopted,
	    struct error *);

#endif
