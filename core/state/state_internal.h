/*
 * What the other files of core/state ask of the state.  Private to core/state
 * and its tests.
 *
 * A reader that finds a registry half written asks whether its writer is alive,
 * and repairs it where it is not.
 */
#ifndef CORE_STATE_STATE_INTERNAL_H
#define CORE_STATE_STATE_INTERNAL_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/state/paths.h"
#include "core/state/state.h"

/*
 * Whether a program holds the lock of the state directory; as if one did where
 * that cannot be found out, false where there is no such directory.
 */
bool	state_has_writer(const char *directory);

/*
 * Bring the registry `path` of the state directory in step with its files,
 * under the lock, which it waits for.
 */
int	state_repair(const char *directory, const char *path, struct error *);

/*
 * A state on these paths with its directory made and open, nothing else done;
 * and its lock, for which it waits at most limit_ms (lock.h).
 */
int	state_begin(struct state *, const struct state_paths *,
	    struct error *);
int	state_take_lock(struct state *, int64_t limit_ms, struct error *);

#endif
