/*
 * Where the state of this user is, and who says so.
 *
 * The directory: $IPUBOX_STATE_DIR, else what ipubox.conf says (settings.h),
 * else /var/lib/ipubox for root, else $XDG_STATE_HOME/ipubox, else
 * ~/.local/state/ipubox.  The registry: $IPUBOX_REGISTRY, else
 * /dev/shm/ipubox-HASH, named after the directory; where there is no /dev/shm,
 * STATE/registry.
 */
#ifndef CORE_STATE_PATHS_H
#define CORE_STATE_PATHS_H

#include "core/base/error.h"
#include "core/state/paths.h"
#include "core/state/registry.h"

enum { STATE_ORIGIN_SIZE = 320 };

/* Where a state is. */
struct state_paths {
	char directory[REGISTRY_NAME_SIZE]; /* absolute */
	char registry[REGISTRY_NAME_SIZE];
	char origin[STATE_ORIGIN_SIZE]; /* of the directory */
};

/*
 * Fill all paths for this process; the origin is "IPUBOX_STATE_DIR",
 * "FILE:LINE" or "default".  Nothing is made.  A settings file that is refused
 * is an error, whatever the environment says, and so is a path that does not
 * fit or that somebody else's symbolic link leads astray (ERROR_UNSAFE).
 */
int paths_find(struct state_paths *, struct error *);

/*
 * Put "(state directory: DIRECTORY, ORIGIN)" on a line of its own behind a text
 * that misses something in the state, for it may be another's state than the
 * reader thinks; nothing in a server, whose paths are not for its clients.
 * Returns -1.
 */
int paths_append_place(struct error *);

#endif
