/*
 * Whether a caller is let in.  What the controller itself asks stands in
 * controller_internal.h.
 */
#ifndef CORE_CONTROL_LOGIN_H
#define CORE_CONTROL_LOGIN_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/control/access.h"
#include "core/state/registry.h"

/*
 * How many of the partitions a command of this caller could see; `secure` as
 * pod.ini of the state says.  -1: the caller is not let in
 * (ERROR_UNAUTHENTICATED).  Nothing of the state is made or changed.
 */
int	login_count_visible(const struct state_paths *, bool secure,
	    const struct caller *, const struct snapshot *, struct error *);

#endif
