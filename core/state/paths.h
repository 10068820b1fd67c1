/*
 * Where this user's state is, and what set that.
 *
 * The directory: $IPUBOX_STATE_DIR, else the one in ipubox.conf (settings.h),
 * else /var/lib/ipubox for root, else $XDG_STATE_HOME/ipubox, else
 * ~/.local/state/ipubox.  The registry: $IPUBOX_REGISTRY, else
 * /dev/shm/ipubox-HASH, named after the directory, else STATE/registry without
 * /dev/shm.
 */
#ifndef CORE_STATE_PATHS_H
#define CORE_STATE_PATHS_H

#include "core/base/error.h"
#include "core/state/paths.h"
#include "core/state/registry.h"

enum { STATE_ORIGIN_SIZE = 320 };

struct state_paths {
	char directory[REGISTRY_NAME_SIZE]; /* absolute */
	char registry[REGISTRY_NAME_SIZE];
	char origin[STATE_ORIGIN_SIZE]; /* origin of the directory */
};

/*
 * Find all paths of this process; creates nothing.  The origin is
 * "IPUBOX_STATE_DIR", "FILE:LINE" or "default".  Errors: a refused settings
 * file, whatever the environment says; a path that is too long; a path through
 * another user's symbolic link (ERROR_UNSAFE).
 */
int paths_find(struct state_paths *, struct error *);

/*
 * Append "(state directory: DIRECTORY, ORIGIN)" as a separate line to an error
 * about a missing object, because the reader may mean another state.  Does
 * nothing in a server, because its clients must not see its paths.  Returns -1.
 */
int paths_append_place(struct error *);

#endif
