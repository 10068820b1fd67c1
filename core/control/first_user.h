/*
 * The first user of a pod that becomes secure.
 */
#ifndef CORE_CONTROL_FIRST_USER_H
#define CORE_CONTROL_FIRST_USER_H

#include "core/base/error.h"
#include "core/pod/pod.h"

/*
 * A user of that name, NULL: of the caller's own, who may use all of the pod,
 * with a new key, which is nowhere else.  -1: the caller has no name, or it is
 * not one for a user.
 */
int	first_user_make(struct user *, const char *name, const struct pod *,
	    char key[ACCESS_KEY_SIZE], struct error *);

#endif
