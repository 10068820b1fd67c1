/*
 * A new pod in place of the old one: first everything is asked that can be
 * refused, then the files change (commit.c), then the registry (mirror.c).
 */
#include "core/state/new_pod.h"

#include <unistd.h>

#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/mirror.h"
#include "core/state/rebuild.h"
#include "core/state/registry_layout.h"
#include "core/state/state_internal.h"

/*
 * Whether the pod will be in secure mode.  An old one of which nobody can say
 * was in none.
 */
static bool
will_be_secure(const struct state *st, enum new_pod_mode mode)
{
	struct store_identity	old;

	if (mode != NEW_POD_KEEP)
		return mode == NEW_POD_SECURE;
	return store_identify(&st->directory, &old, NULL) == 0 && old.secure;
}

/*
 * Everything that can be refused.  *old is the old registry, all of whose IPUs
 * are held: nobody attaches through the file that goes.  Or -1.
 */
static int
ask(const struct state *st, const struct pod *pod, bool force, int *old,
    struct error *e)
{
	const struct store	s = { .pod = *pod };
	long			count = store_count_partitions(&st->directory,
	    e);

	if (count == -1)
		return -1;
	if (count > 0 && !force)
		return error_set_code(e, ERROR_BUSY, "there are %ld "
		    "partitions; remove them first, or with --force", count);
	if (commit_check(&st->directory, e) != 0 ||
	    rebuild_lock(st->paths.registry, old, e) != 0)
		return -1;
	return mirror_check_create(st->paths.registry, st->paths.directory, &s,
	    e);
}

/* Who opens the old registry from now on looks at the files first. */
static void
mark_old(const struct state *st)
{
	struct registry	registry;
	struct mirror	m;

	if (registry_open(&registry, &st->paths, true, NULL) != 0)
		return;
	registry_layout_locate(&m, registry.map);
	mirror_mark(&m, true);
	registry_close(&registry);
}

/* Under the lock.  The caller closes *old. */
static int
init_locked(struct state *st, const struct pod *pod, struct new_pod *n,
    int *old, struct error *e)
{
	struct store	store;
	int		status;

	if (ask(st, pod, n->force, old, e) != 0)
		return -1;
	n->secure = will_be_secure(st, n->mode);
	mark_old(st);
	if (commit_new_pod(&st->directory, pod, n->secure, n->user, e) != 0)
		return -1;
	status = store_load(&st->directory, &store, e);
	if (status == 0) {
		status = mirror_create(st->paths.registry, st->paths.directory,
		    &store, NULL, e);
		store_release(&store);
	}
	if (status != 0)
		return error_recode(e, ERROR_UNCONFIRMED);
	rebuild_retire(st->paths.registry, *old);
	return 0;
}

int
new_pod_init(const struct state_paths *paths, const struct pod *pod,
    struct new_pod *n, struct error *e)
{
	struct state	st;
	int		old = -1, status;

	if (state_begin(&st, paths, e) != 0)
		return -1;
	status = state_take_lock(&st, LOCK_PATIENTLY, e);
	if (status == 0)
		status = init_locked(&st, pod, n, &old, e);
	rebuild_unlock(old);
	state_unlock(&st);
	state_close(&st);
	return status;
}
