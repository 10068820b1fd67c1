/*
 * What an administrator does with users.  Changes are whole or not at all;
 * an allocation that is given must exist then.  That it was removed since is
 * no harm: nobody has it.
 *
 * Source: V-IPU administrator guide, users and allocations.
 */
#ifndef CORE_CONTROL_USERS_H
#define CORE_CONTROL_USERS_H

#include "core/control/controller.h"
#include "core/pod/pod.h"

/*
 * The user of that name.  ERROR_NOT_FOUND: there is none, and the text names
 * the nearest.
 */
int	users_get(struct controller *, const char *name,
	    struct user *, struct error *);

/* All of them, by name. Returns their number or -1; the caller frees *out. */
int	users_list(struct controller *, struct user **out,
	    struct error *);

/* What is said of a user; NULL: nothing. Lists are "A,B". */
struct user_change {
	const char	*allocations;	/* these and no others */
	const char	*add;
	const char	*remove;
	const char	*key;		/* a new access key */
};

/*
 * Create, change or remove a user.  ERROR_EXISTS and ERROR_NOT_FOUND as the
 * names say, the latter for an allocation as well; a new user needs a key.
 */
int	users_create(struct controller *, const char *name,
	    const struct user_change *, struct error *);
int	users_update(struct controller *, const char *name,
	    const struct user_change *, struct error *);
int	users_remove(struct controller *, const char *name,
	    struct error *);

/*
 * 0: no user has the allocation.  -1: the message names those who have it, or
 * a user cannot be read.  It takes no lock: whoever is about to remove the
 * allocation holds it.
 */
int	users_allocation_unused(struct controller *,
	    const char *allocation, struct error *);

#endif
