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
 * group: 3750 in place of 2770.
 */
bool ownership_is_withdrawn(mode_t);

/*
 * Refuse, here and below with ERROR_UNSAFE, a state directory that is another
 * user's and not shared with the caller, one that others may write, and one
 * with a symbolic link in place of a directory.  One that was withdrawn is its
 * owner's and root's (ERROR_UNAVAILABLE).
 */
int ownership_check_directory(const struct directory *, struct error *);

/*
 * Refuse a registry that everybody may write, and one of another user
 * unless the directory is shared with a group, to which the file belongs and
 * nobody else.
 */
int ownership_check_registry(const struct state_paths *,
    const struct stat *registry, struct error *);

/*
 * The registry that the caller, or root, opened: given to the group of a
 * shared directory, and taken from the group of one that is not shared.
 */
int ownership_share_registry(const char *directory, int fd, struct error *);

/*
 * A directory that is shared now may hold what was made before: its owner, or
 * root, brings that in step.  Nothing where it is, or is not shared.  Refused
 * (ERROR_UNSAFE) is what may be somebody else's: anything but a regular file
 * of one name.
 */
int ownership_adopt(const struct directory *, struct error *);

/*
 * A state directory that is shared with a group is withdrawn from it while a
 * server has it, so that members come to the server or nowhere.
 *
 *	STATE		2770 becomes 3750: the group may pass, to the server's
 *			socket; the sticky bit says that it is withdrawn
 *	files in it	new ones with the same texts, 0600: a program that has
 *			an old one open or mapped can do no harm with it
 *
 * What a server that was killed did not give back, the next command of the
 * directory's owner or root gives back.
 */
/*
 * Whether it is shared, or was withdrawn before.  -1: it is to be withdrawn,
 * and this process is neither root nor its owner (ERROR_DENIED).
 */
int ownership_needs_withdrawal(const struct directory *, bool *needed,
    struct error *);

/* One that is its owner's alone: so is what is in it, where others may be let
   pass to the socket of a server. */
void ownership_tighten(const struct directory *);

/*
 * Withdraw it: the rights of the directory, then all that is in it but the
 * lock.  After a failure or a kill it is done again from the beginning, or
 * given back.  Under the writer's lock.
 */
int ownership_withdraw(const struct directory *, struct error *);

/* Give it back, where it is withdrawn and this process may; the registry
   follows as ownership_share_registry() has it.  Under the writer's lock. */
int ownership_give_back(const struct directory *, struct error *);

#endif
