/*
 * Replacing the whole pod, or several objects of it, at once.  Private to
 * core/state; used under the lock of the directory.
 *
 * A new pod is written to STATE/new.  It counts from the moment when pod.ini
 * says `staged = yes`; then its directories take the places of the old ones.  A
 * kill before that moment leaves the old pod.  After a later kill
 * commit_finish() completes the change.
 */
#ifndef CORE_STATE_COMMIT_H
#define CORE_STATE_COMMIT_H

#include "core/state/mirror.h"
#include "core/state/state.h"
#include "core/state/store.h"

/*
 * Replace the pod, its partitions and its identity by those of the store, and
 * add or replace its new user, if any.  -1: the old pod is intact; with
 * ERROR_UNCONFIRMED the new one counts, or may count.
 */
int commit_pod(const struct directory *, const struct store *, struct error *);

/* Do the same for a pod without partitions, under a new id, in secure mode or
   not.  The default user (or NULL) is added to the users, or replaces the user
   of that name. */
int commit_new_pod(const struct directory *, const struct pod *, bool secure,
    const struct user *default_user, struct error *);

/* Return -1 if something would stop a new pod half-way: this user may not write
   the state directory or a directory of the old pod, or a directory is in the
   place of a file. */
int commit_check(const struct directory *, struct error *);

/* Complete a change of the pod or a patch that the identity says was begun, if
   any, and update the identity.  -1: the change is still to be finished, and
   the identity must be read again. */
int commit_finish(const struct directory *, struct store_identity *,
    struct error *);

/*
 * Change some objects of a pod, all of them or none.  Only differences are
 * written: STATE/patch/KIND/NAME.ini, or NAME.gone for a removed object.  The
 * change counts from the moment when pod.ini says `patched = yes`.
 *
 * `before` must match the files; `after` is written.  0: the change counts, and
 * *identity is that of `after`; if its `staged` is set, the caller must put the
 * change in place with commit_finish().  -1: nothing has changed; with
 * ERROR_UNCONFIRMED the change may count.
 */
int patch_commit(const struct directory *, const struct store *before,
    const struct store *after, struct store_identity *identity, struct error *);

/* Put a committed patch in place, even if parts of it already are.  A step of
   commit_finish(), which then records in pod.ini that it is done. */
int patch_finish(const struct directory *, struct error *);

/*
 * Rebuilding the registry: in its file, or as a new file if the old one is
 * unusable.  Private to core/state; under the lock of the directory.
 */

/* Rebuild the registry, which is open or has fd -1, from the files; after 0 it
   is open.  The mirror, which may be all 0, becomes a copy of the new contents.
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
