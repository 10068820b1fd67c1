/*
 * Whose the state is: its owner's alone, or that of a group to which the owner
 * gave the directory on purpose (chgrp, chmod 2770).  Private to core/state.
 *
 * Who may write the directory may do everything with the pod.
 */
#ifndef CORE_STATE_OWNERSHIP_H
#define CORE_STATE_OWNERSHIP_H

#include <sys/stat.h>

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/files/directory.h"
#include "core/state/registry.h"

/*
 * Whether a directory with that mode is one that a server withdrew from its
 * group (withdraw.h): 3750 in place of 2770.
 */
bool	ownership_is_withdrawn(mode_t);

/*
 * Refuse, here and below with ERROR_UNSAFE, a state directory that is another
 * user's and not shared with the caller, one that others may write, and one
 * with a symbolic link in place of a directory.  One that was withdrawn is its
 * owner's and root's (ERROR_UNAVAILABLE).
 */
int	ownership_check_directory(const struct directory *, struct error *);

/*
 * Refuse a registry that everybody may write, and one of another user
 * unless the directory is shared with a group, to which the file belongs and
 * nobody else.
 */
int	ownership_check_registry(const struct state_paths *,
	    const struct stat *registry, struct error *);

/*
 * The registry that the caller, or root, opened: given to the group of a
 * shared directory, and taken from the group of one that is not shared.
 */
int	ownership_share_registry(const char *directory, int fd, struct error *);

/*
 * A directory that is shared now may hold what was made before: its owner, or
 * root, brings that in step.  Nothing where it is, or is not shared.  Refused
 * (ERROR_UNSAFE) is what may be somebody else's: anything but a regular file
 * of one name.
 */
int	ownership_adopt(const struct directory *, struct error *);

#endif
