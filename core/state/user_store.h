/*
 * The users of a state: STATE/users/NAME.ini, one each.  No user stands in the
 * registry.  A new pod keeps the users there are.
 */
#ifndef CORE_STATE_USER_STORE_H
#define CORE_STATE_USER_STORE_H

#include "core/pod/pod.h"
#include "core/state/state.h"

/*
 * Read one.  ERROR_NOT_FOUND where there is none of that name, ERROR_INVALID
 * where that is not a name.
 */
int	user_store_get(const struct state *, const char *name, struct user *,
	    struct error *);

/* All users, by name. Returns their number or -1; the caller frees *out. */
int	user_store_list(const struct state *, struct user **out,
	    struct error *);

/*
 * Add or replace, and remove, under the lock.  -1: nothing has changed; where
 * the disk could not confirm the change it was taken back.
 */
int	user_store_put(struct state *, const struct user *, struct error *);
int	user_store_remove(struct state *, const char *name, struct error *);

/* A user's INI text, to be freed, and where it goes: private to core/state. */
char	*user_store_text(const struct user *);

#endif
