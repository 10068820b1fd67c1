/*
 * Whether a caller is let in.  What the controller itself asks stands in
 * controller_internal.h.
 */
#ifndef CORE_CONTROL_LOGIN_H
#define CORE_CONTROL_LOGIN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/access.h"
#include "core/control/controller.h"
#include "core/state/state.h"

/*
 * From now on a controller that stays open is asked in another's name.  -1:
 * that one is not let in (ERROR_UNAUTHENTICATED), and the controller is asked
 * in nobody's name.
 */
int	login_switch(struct controller *, const struct caller *,
	    struct error *);

/* The hash of the key of the user in whose name it is asked; "": of nobody. */
const char	*login_hash(const struct controller *);

/* Whether only users are let in. */
bool	login_is_secure(const struct controller *);

/*
 * How many of the partitions a command of this caller could see; `secure` as
 * pod.ini of the state says.  -1: the caller is not let in
 * (ERROR_UNAUTHENTICATED).  Nothing of the state is made or changed.
 */
int	login_count_visible(const struct state_paths *, bool secure,
	    const struct caller *, const struct snapshot *, struct error *);

#endif
