/*
 * A new pod in place of the old one: first everything is asked that can be
 * refused, then the files change (commit.c), then the registry (mirror.c).
 */
#include "core/state/new_pod.h"

#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/mirror.h"
#include "core/state/rebuild.h"
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

/* The old files, all of whose IPUs are held: nobody attaches to what goes. */
struct hold {
	int		old;	/* the registry, -1: there is none */
	struct slots	slots;
};

/* Everything that can be refused. */
static int
ask(const struct state *st, const struct pod *pod, bool force, struct hold *h,
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
	    rebuild_lock(st->paths.registry, &h->old, e) != 0 ||
	    slots_reserve(&h->slots, &st->paths, e) != 0 ||
	    slots_make_room(&h->slots, &st->paths, pod_ipu_count(pod), e) != 0)
		return -1;
	return mirror_check_create(st->paths.registry, st->paths.directory, &s,
	    e);
}

/* Under the lock.  The caller lets go what is held. */
static int
init_locked(struct state *st, const struct pod *pod, struct new_pod *n,
    struct hold *h, struct error *e)
{
	if (ask(st, pod, n->force, h, e) != 0)
		return -1;
	n->secure = will_be_secure(st, n->mode);
	rebuild_mark(&st->paths);
	if (commit_new_pod(&st->directory, pod, n->secure, n->user, e) != 0)
		return -1;
	if (rebuild_new(&st->paths, &st->directory, &h->slots, e) != 0)
		return error_recode(e, ERROR_UNCONFIRMED);
	rebuild_retire(st->paths.registry, h->old);
	return 0;
}

int
new_pod_init(const struct state_paths *paths, const struct pod *pod,
    struct new_pod *n, struct error *e)
{
	struct hold	h = { .old = -1, .slots = { .fd = -1 } };
	struct state	st;
	int		status;

	if (state_begin(&st, paths, e) != 0)
		return -1;
	status = state_take_lock(&st, LOCK_PATIENTLY, e);
	if (status == 0)
		status = init_locked(&st, pod, n, &h, e);
	if (status == 0)
		slots_close(&h.slots);
	else
		slots_take_back(&h.slots);
	rebuild_unlock(h.old);
	state_unlock(&st);
	state_close(&st);
	return status;
}
