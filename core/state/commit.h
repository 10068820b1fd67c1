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
   any, and update the identity.  -1: the change is still to be finished. */
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

/* The kinds of objects in a pod.  Each has a directory below the state
   directory, with a file NAME.ini per object. */
enum { KIND_COUNT = 4, KIND_NAME_SIZE = 2 * NAME_SIZE };

struct object_kind {
	const char *directory;
	int (*count)(const struct store *);
	/* File name of the object without ".ini", and its text, which the
	   caller frees. */
	void (*name)(const struct store *, int index,
	    char name[KIND_NAME_SIZE]);
	char *(*text)(const struct store *, int index);
	/* Address of the object in memory. */
	const void *(*at)(const struct store *, int index);
	size_t size;
};

extern const struct object_kind patch_kinds[KIND_COUNT];

#endif
