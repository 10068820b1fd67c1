/*
 * Who may see and touch what.  A user sees the partitions, the allocations and
 * the machines of its own allocations; all else looks as if it did not exist,
 * and IPUs that others have are taken by nobody who is named.
 *
 * Pure: a pod, a user and a request decide.  login.c finds the caller out.
 *
 * Source: V-IPU administrator guide, users and allocations; V-IPU user guide,
 * allocations.
 */
#ifndef CORE_CONTROL_ACCESS_H
#define CORE_CONTROL_ACCESS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/formats/secret.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* In whose name a controller is asked. */
struct caller {
	char user[NAME_SIZE]; /* "": nobody is named */
	char key[SECRET_SIZE];
	bool admin;		     /* may do everything, without a key */
	bool known;		     /* somebody else has looked who the user
					is: no key is asked for */
	char hash[SECRET_HASH_SIZE]; /* of which somebody has seen that it is
					the key's; "": not known */
};

/* Whether the user may touch the partition. */
bool access_allows(const struct user *, const struct pod *,
    const struct partition *);

/*
 * Take out of the snapshot what the user may not see: partitions and
 * allocations go, a machine of another allocation stands in none, and IPUs
 * that the user cannot have belong to OWNER_UNSEEN.  Its indices are no longer
 * those of the state: nothing of it may be stored.
 */
void access_filter(struct snapshot *, const struct user *);

/*
 * Choose a placement for the user in a filtered snapshot: in the allocation or
 * of the index asked for, else in the first of the user's allocations, in
 * their order, that has room.  Errors as of placement_choose().
 */
int access_choose(const struct snapshot *, const struct user *,
    const struct partition_request *, struct placement *, struct error *);

#endif
