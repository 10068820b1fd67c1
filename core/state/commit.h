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
int	commit_pod(const struct directory *, const struct store *,
	    struct error *);

/*
 * The same for a pod without partitions, under a new id.  The default user
 * (NULL: there is none) is added to those there are, or takes the place of the
 * one of its name.
 */
int	commit_new_pod(const struct directory *, const struct pod *,
	    bool secure, const struct user *default_user, struct error *);

/*
 * Refuse what would stop a new pod half-way: a directory of the old one that
 * this user may not write, or one that does not hold files alone.
 */
int	commit_check(const struct directory *, struct error *);

/*
 * Finish what was begun here or in patch.h, if the identity says so; it does
 * not any longer then.  -1: it is still to be finished.
 */
int	commit_finish(const struct directory *, struct store_identity *,
	    struct error *);

#endif
