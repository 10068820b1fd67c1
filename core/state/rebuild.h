/*
 * Rebuilding the registry: in its file, or as a new file if the old one is
 * unusable.  Private to core/state; under the lock of the directory.
 */
#ifndef CORE_STATE_REBUILD_H
#define CORE_STATE_REBUILD_H

#include "core/base/error.h"
#include "core/state/mirror.h"
#include "core/state/state.h"
#include "core/state/store.h"

/* Make the registry, open or closed, agree with the files, and open it.  The
   mirror, which may be all 0, becomes a copy of the new one. */
int rebuild_registry(struct registry *, struct mirror *,
    const struct state_paths *, const struct directory *, struct error *);
/* Do the same with the files' contents given.  `moved` names the moved
   machines, or is NULL. */
int rebuild_from(struct registry *, struct mirror *, const struct state_paths *,
    const struct store *, const struct renumber *moved, struct error *);

/*
 * Make a registry in this process's memory from the files.  For readers, where
 * a registry cannot be made or its writer was stopped in mid-change.  It has
 * the state's slots if they are readable, else empty ones.  ERROR_UNAVAILABLE:
 * a new pod is half in place, or the pod does not have this id (NULL: any).
 */
int rebuild_private(struct registry *, const struct state_paths *,
    const uint8_t *id, struct error *);

/*
 * Lock the registry's present file, of any version, before it is replaced: in
 * version 3 it has the locks of the IPUs.  *fd is -1 without a file; the locks
 * last until rebuild_unlock().  ERROR_BUSY: a program is attached through it.
 * ERROR_UNSAFE: not a regular file.
 */
int rebuild_lock(const char *path, int *fd, struct error *);
void rebuild_unlock(int fd);

/* Mark the old registry, if any, as dirty: readers then use the files. */
void rebuild_mark(const struct state_paths *);

/* Replace the mirror by one of the pod in the files.  The slots, which
   slots_reserve() locked, all begin at 0. */
int rebuild_new(const struct state_paths *, const struct directory *,
    struct slots *, struct error *);

/* Mark the old file as replaced, for processes that have it open. */
void rebuild_retire(const char *path, int fd);

#endif
