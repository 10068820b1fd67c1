/*
 * A change of some objects of a pod, all of them or none: only what differs is
 * written.  Private to core/state; under the lock of the directory.
 *
 * New texts stand in STATE/patch/KIND/NAME.ini, what goes in NAME.gone; pod.ini
 * with `patched = yes` is the moment from which they count.
 */
#ifndef CORE_STATE_PATCH_H
#define CORE_STATE_PATCH_H

#include "core/state/store.h"

/*
 * Steps 1 and 2 of making the files say what the second store does, where they
 * say what the first one does.  0: the change counts, and commit_finish() with
 * *identity, which is the second one's, puts it in place; nothing is to be done
 * where it is not staged.  -1: nothing has changed; but with ERROR_UNCONFIRMED
 * the change may count.
 */
int	patch_commit(const struct directory *, const struct store *before,
	    const struct store *after, struct store_identity *identity,
	    struct error *);

/*
 * Put in place what counts already, of which any part may be: commit_finish()
 * calls it, and says in pod.ini that it is done.
 */
int	patch_finish(const struct directory *, struct error *);

#endif
