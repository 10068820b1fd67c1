/*
 * Rebuilding the registry: in its file, or as a new file if the old one is
 * unusable.  Private to core/state; under the lock of the directory.
 */
#ifndef CORE_STATE_REBUILD_H
#define CORE_STATE_REBUILD_H

#include "core/state/mirror.h"
#include "core/state/state.h"

/* Rebuild the registry, open or closed, from the files; after a success it is
   open.  The mirror, which may be all 0, becomes a copy of the new contents.
   -1: the registry may be closed, or stay marked as dirty. */
int rebuild_registry(struct registry *, struct mirror *,
    const struct state_paths *, const struct directory *, struct error *);
/* Do the same from the store, which has the contents of the files.  `moved`
   names the moved machines (NULL: none). */
int rebuild_from(struct registry *, struct mirror *, const struct state_paths *,
    const struct store *, const struct renumber *moved, struct error *);

/*
 * Make a registry in this process's memory from the files, without the lock:
 * for readers, if a registry cannot be made or its writer was stopped in
 * mid-change.  It has the state's slots if they fit, else slots without
 * holders.  ERROR_UNAVAILABLE: a new pod is half in place, or the pod does not
 * have this id (NULL: any).
 */
int rebuild_private(struct registry *, const struct state_paths *,
    const uint8_t *id, struct error *);

/*
 * Open the registry's present file, of any version, before it is replaced, and
 * lock all IPUs in it: in version 3 that file had the locks of the IPUs.  0:
 * locked, or without a file, with *fd -1.  The locks last until
 * rebuild_unlock(), which ignores -1.  ERROR_BUSY: a program is attached
 * through it.  ERROR_UNSAFE: not a regular file.  After any failure nothing is
 * open.
 */
int rebuild_lock(const char *path, int *fd, struct error *);
void rebuild_unlock(int fd);

/* Mark the present registry, if it can be opened, as dirty: readers then use
   the files. */
void rebuild_mark(const struct state_paths *);

/* Replace the mirror's file by one of the pod in the files.  The slots, which
   slots_reserve() must have locked, become those of the new pod: all 0. */
int rebuild_new(const struct state_paths *, const struct directory *,
    struct slots *, struct error *);

/* Mark the old file as replaced, for processes that have it open.  Does nothing
   if `fd` is -1 or not a registry of this version. */
void rebuild_retire(const char *path, int fd);

#endif
