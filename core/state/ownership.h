/*
 * Ownership of the state: its owner's alone, or shared with a group that the
 * owner gave the directory to (chgrp, chmod 2770).  Private to core/state.
 *
 * A user that may write the directory may do everything with the pod.
 */
#ifndef CORE_STATE_OWNERSHIP_H
#define CORE_STATE_OWNERSHIP_H

#include <sys/stat.h>

#include <stdbool.h>

#include "core/base/error.h"
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

/*
 * Refuse a registry that all users may write.  Refuse another user's, unless
 * the directory is shared with a group and the file belongs to that group
 * alone.
 */
int ownership_check_registry(const struct state_paths *,
    const struct stat *registry, struct error *);

/* Give a registry that the caller, or root, opened to the group of a shared
   directory; take it from the group of one that is not shared. */
int ownership_share_registry(const char *directory, int fd, struct error *);

/*
 * Bring files made before the directory was shared in step with it; for the
 * owner and root.  Does nothing if they are, or the directory is not shared.
 * Refused (ERROR_UNSAFE): anything but a regular file with one name.
 */
int ownership_adopt(const struct directory *, struct error *);

/*
 * A shared state directory is withdrawn from its group while a server has it,
 * so that members can only go through the server.
 *
 *	STATE		2770 becomes 3750: the group may pass, to the server's
 *			socket; the sticky bit says that it is withdrawn
 *	files in it	new ones with the same texts, 0600, of the same users: a
 *			program that has an old one open or mapped can do no
 *			harm with it
 *
 * If the server is killed, the next command of the directory's owner or root
 * gives it back.
 */
/*
 * Find out whether the directory is shared, or was withdrawn before.  -1: it
 * needs withdrawal, but this process is neither root nor its owner
 * (ERROR_DENIED).
 */
int ownership_needs_withdrawal(const struct directory *, bool *needed,
    struct error *);

/* Restrict an unshared directory's files to the owner before others may pass to
   a server's socket. */
void ownership_tighten(const struct directory *);

/* Withdraw the directory: its mode, then all its files except the lock.  After
   a failure or a kill, repeat it or give it back.  Under the writer's lock. */
int ownership_withdraw(const struct directory *, struct error *);

/* Give back a withdrawn directory if this process may.  The registry follows
   when the state is locked next.  Under the writer's lock. */
int ownership_give_back(const struct directory *, struct error *);

#endif
