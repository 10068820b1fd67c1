/*
 * A whole new pod in place of the old one, at once.  Private to core/state;
 * under the lock of the directory.
 *
 * It is written to STATE/new, and pod.ini with `staged = yes` is the moment
 * from which it counts; then its directories take the places of the old ones.
 * A kill before that moment leaves the old pod, a kill behind it leaves what
 * commit_finish() brings to its end.
 */
#ifndef CORE_STATE_COMMIT_H
#define CORE_STATE_COMMIT_H

#include "core/state/store.h"

/*
 * Put the store's pod, with its partitions and its identity, in place of what
 * there is.  -1: the old one is still there; but with ERROR_UNCONFIRMED the
 * new one counts, or may.
 */
int commit_pod(const struct directory *, const struct store *, struct error *);

/*
 * The same for a pod without partitions, under a new id.  The default user
 * (NULL: there is none) is added to those there are, or takes the place of the
 * one of its name.
 */
int commit_new_pod(const struct directory *, const struct pod *, bool secure,
    const struct user *default_user, struct error *);

/*
 * Refuse what would stop a new pod half-way: a directory of the old one that
 * this user may not write, or one that does not hold files alone.
 */
int commit_check(const struct directory *, struct error *);

/*
 * Finish what was begun by either, if the identity says so; it does
 * not any longer then.  -1: it is still to be finished.
 */
int commit_finish(const struct directory *, struct store_identity *,
    struct error *);

/*
 * A change of some objects of a pod, all of them or none: only what differs is
 * written, to STATE/patch/KIND/NAME.ini, or NAME.gone for what goes; pod.ini
 * with `patched = yes` is the moment from which that counts.
 *
 * patch_commit() writes what the second store says, where the files say what
 * the first one does.  0: the change counts, and commit_finish() with
 * *identity, which is the second one's, puts it in place; nothing is to be done
 * where it is not staged.  -1: nothing has changed; but with ERROR_UNCONFIRMED
 * the change may count.
 */
int patch_commit(const struct directory *, const struct store *before,
    const struct store *after, struct store_identity *identity, struct error *);

/* Put in place what counts already, of which any part may be: a step of
   commit_finish(), which says in pod.ini that it is done. */
int patch_finish(const struct directory *, struct error *);

/*
 * The kinds of objects that a pod consists of: each has a directory below the
 * state directory, in which each object has a file NAME.ini.
 */
enum { KIND_COUNT = 4, KIND_NAME_SIZE = 2 * NAME_SIZE };

struct object_kind {
	const char *directory;
	int (*count)(const struct store *);
	/* Of the object with that index: the file's name without ".ini", and
	   its text, which the caller frees. */
	void (*name)(const struct store *, int index,
	    char name[KIND_NAME_SIZE]);
	char *(*text)(const struct store *, int index);
	/* What it is in memory. */
	const void *(*at)(const struct store *, int index);
	size_t size;
};

extern const struct object_kind patch_kinds[KIND_COUNT];

#endif
