/*
 * Rights of a user to see and change.  A user sees the partitions, allocations
 * and machines of its allocations.  Everything else looks as if it did not
 * exist; IPUs of other users are taken by an unnamed holder.
 *
 * Pure: a pod, a user and a request decide.  login.c identifies the caller.
 *
 * Source: V-IPU administrator guide, users and allocations; V-IPU user guide,
 * allocations.
 */
#ifndef CORE_CONTROL_ACCESS_H
#define CORE_CONTROL_ACCESS_H

#include "core/state/state.h"

/* The user for which a controller acts. */
struct caller {
	char user[NAME_SIZE];	     /* "": unnamed */
	char key[SECRET_SIZE];	     /* access key, or "" */
	bool admin;		     /* may do everything, without a key */
	bool known;		     /* already authenticated: no key needed */
	char hash[SECRET_HASH_SIZE]; /* known hash of the key; "": unknown */
};

/* Return true if the user has the partition's allocation.  A partition without
   an allocation is only the administrator's. */
bool access_allows(const struct user *, const struct pod *,
    const struct partition *);

/* Return true if the user may remove, reset or adopt a partition that it sees:
   its own, or one without a recorded user. */
bool access_allows_change(const struct user *, const struct partition *);

/*
 * Remove from the snapshot what the user may not see.  Partitions and
 * allocations disappear.  Machines of other allocations become unallocated ones
 * named "unseen-N".  IPUs that the user cannot have belong to OWNER_UNSEEN.
 * The indices no longer match the state, so the snapshot must not be stored.
 */
void access_filter(struct snapshot *, const struct user *);

/*
 * Choose a placement for the user in a filtered snapshot: in the requested
 * allocation or at the requested index, else in the user's first allocation
 * with room.  Errors as in placement_choose(), and ERROR_DENIED if the snapshot
 * has no allocation.
 */
int access_choose(const struct snapshot *, const struct user *,
    const struct partition_request *, struct placement *, struct error *);

#endif
