/*
 * Ownership of the state: its owner's alone, or shared with a group that the
 * owner gave the directory to (chgrp, chmod 2770).  Private to core/state.
 *
 * A user that may write the directory may do everything with the pod.
 */
#ifndef CORE_STATE_OWNERSHIP_H
#define CORE_STATE_OWNERSHIP_H

#include <sys/stat.h>

#include "core/base/files/directory.h"
#include "core/state/registry.h"

/* Whether the mode is that of a directory withdrawn from its group by a server:
   3750 in place of 2770. */
bool ownership_is_withdrawn(mode_t);

/*
 * Refuse (ERROR_UNSAFE) a state directory that is another user's and not shared
 * with the caller, one that others may write, and one with a symbolic link in
 * place of a directory.  A withdrawn one admits only its owner and root
 * (ERROR_UNAVAILABLE).
 */
int ownership_check_directory(const struct directory *, struct error *);

/* Refuse (ERROR_UNSAFE) a registry that all users may write.  Refuse one that
   belongs to neither the caller nor root, unless the directory is shared with a
   group of the caller and the file belongs to that group alone. */
int ownership_check_registry(const struct state_paths *,
    const struct stat *registry, struct error *);

/* Give the open registry to the group of a shared directory (mode 0660), or
   take it from the group if the directory is not shared with the caller.  Does
   nothing unless the caller owns the file or is root. */
int ownership_share_registry(const char *directory, int fd, struct error *);

/*
 * Give the files made before the directory was shared to its group.  Does
 * nothing for users other than the owner and root, if the directory is not
 * shared, or if partitions/ is the group's already.  Refused (ERROR_UNSAFE):
 * anything but a regular file with one name.
 */
int ownership_adopt(const struct directory *, struct error *);

/*
 * A shared state directory is withdrawn from its group while a server has it,
 * so that members can only go through the server.
 *
 *	STATE		2770 becomes 3750: the group may pass, to the server's
 *			socket; the sticky bit says that it is withdrawn
 *	files in it	new ones with the same texts, 0600: a program that has
 *			an old one open or mapped can do no harm with it; if
 *			root makes them, they keep their owners
 *
 * If the server is killed, the next command of the directory's owner or root
 * gives it back.
 */

/* Set *needed to whether the directory is shared, or still withdrawn.  -1: it
   is, but this process is neither root nor its owner (ERROR_DENIED). */
int ownership_needs_withdrawal(const struct directory *, bool *needed,
    struct error *);

/* Take the rights of group and others from the lock, pod.ini and directories in
   an unshared directory, before others may pass to a server's socket.  Failures
   are ignored. */
void ownership_tighten(const struct directory *);

/* Withdraw the directory: its mode, then all its files except the lock.  After
   a failure or a kill, repeat this or give the directory back.  The caller must
   hold the writer's lock. */
int ownership_withdraw(const struct directory *, struct error *);

/* Give back a withdrawn directory.  Does nothing if it is not withdrawn, or
   this process is neither root nor its owner.  The registry follows when the
   state is locked next.  The caller must hold the writer's lock. */
int ownership_give_back(const struct directory *, struct error *);

#endif
