/*
 * Where this user's state is, and what set that.
 *
 * The directory: $IPUBOX_STATE_DIR, else the one in ipubox.conf (settings.h),
 * else /var/lib/ipubox for root, else $XDG_STATE_HOME/ipubox (if absolute),
 * else ~/.local/state/ipubox.  The registry: $IPUBOX_REGISTRY, else
 * /dev/shm/ipubox-HASH, where HASH is of the directory's path; without /dev/shm
 * it is STATE/registry.
 */
#ifndef CORE_STATE_PATHS_H
#define CORE_STATE_PATHS_H

#include "core/state/registry.h"

enum { STATE_ORIGIN_SIZE = 320 };

struct state_paths {
	char directory[REGISTRY_NAME_SIZE]; /* absolute */
	char registry[REGISTRY_NAME_SIZE];  /* absolute */
	/* Origin of the directory: "IPUBOX_STATE_DIR", "FILE:LINE" or
	   "default". */
	char origin[STATE_ORIGIN_SIZE];
};

/*
 * Find all paths of this process; creates nothing.  Errors: a refused settings
 * file, whatever the environment says; neither IPUBOX_STATE_DIR nor HOME is
 * set; a path that is too long; a path through another user's symbolic link
 * (ERROR_UNSAFE).
 */
int paths_find(struct state_paths *, struct error *);

/* Return true if the pod of this process has the partition, as far as its user
   may see that. */
bool paths_have_partition(const char *name);

/*
 * Append "(state directory: DIRECTORY, ORIGIN)" as a separate line to an error
 * about a missing object, because the reader may mean another state.  Does
 * nothing in a server, because its clients must not see its paths.  Returns -1.
 */
int paths_append_place(struct error *);

#endif
