/*
 * Making the registry: in place where it fits, else a new file in place of the
 * old one.  Private to core/state; under the lock of the directory.
 */
#ifndef CORE_STATE_REBUILD_H
#define CORE_STATE_REBUILD_H

#include "core/base/error.h"
#include "core/state/state.h"
#include "core/state/store.h"

/* Bring the registry in step with the files; it may be closed, and is open. */
int	rebuild_registry(struct registry *, const struct state_paths *,
	    const struct directory *, struct error *);
/*
 * The same where what they say is known.  `old` is what rebuild_lock() gave,
 * where it was called already, else -1.
 */
int	rebuild_from(struct registry *, const struct state_paths *,
	    const struct store *, int old, struct error *);

/*
 * Hold all IPUs of the registry that is to be replaced, whatever is in it;
 * refused while one is attached.  *fd is -1 where there is no file; the locks
 * last until it is closed.
 */
int	rebuild_lock(const char *path, int *fd, struct error *);
void	rebuild_unlock(int fd);

/* Notify those who have the old file mapped that another took its place. */
void	rebuild_retire(const char *path, int fd);

#endif
