/*
 * A new file in place of that of the slots, with the same bytes: whoever has
 * the old one open or mapped writes to nobody any more.  Private to core/state;
 * under the writer's lock.
 */
#ifndef CORE_STATE_SLOTS_RENEW_H
#define CORE_STATE_SLOTS_RENEW_H

#include "core/base/error.h"
#include "core/state/registry.h"

/*
 * Open what has the name and lock all IPUs in it, whosever it is and whatever
 * is in it, until the descriptor is closed; -1 in *fd where there is none, or
 * it is no file.  ERROR_BUSY: a program is attached through it.
 */
int	slots_renew_hold(const struct state_paths *, int *fd, struct error *);

/* Replace it; what is copied is checked when it is opened. */
int	slots_renew(const struct state_paths *, int old, struct error *);

#endif
