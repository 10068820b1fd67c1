/*
 * Replacing the pod: first everything that can be refused is checked, then the
 * files change (commit.c), then the registry (mirror.c).  new_pod_replace()
 * replaces it under running programs: the IPUs that move are held, then the
 * files change (patch.c), then the registry (rebuild.c).
 */
#include "core/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/pod/pod.h"
#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/mirror.h"
#include "core/state/mirror_view.h"
#include "core/state/state_internal.h"

/* Whether the pod will be in secure mode.  An unreadable old pod counts as not
   secure. */
static bool
will_be_secure(const struct state *st, enum new_pod_mode mode)
{
	struct store_identity old;

	if (mode != NEW_POD_KEEP)
		return mode == NEW_POD_SECURE;
	return store_identify(&st->directory, &old, NULL) == 0 && old.secure;
}

/* The old files, with all IPUs held so that no program attaches to them. */
struct hold {
	int old; /* the registry, or -1 */
	struct slots slots;
};

/* Check everything that can be refused. */
static int
check_new_pod(const struct state *st, const struct pod *pod, bool force,
    struct hold *h, struct error *e)
{
	const struct store s = { .pod = *pod };
	long count = store_count_partitions(&st->directory, e);

	if (count == -1)
		return -1;
	if (count > 0 && !force)
		return error_set_code(e, ERROR_BUSY,
		    "the pod has %ld partitions; remove them first, or use "
		    "--force",
		    count);
	if (commit_check(&st->directory, e) != 0 ||
	    rebuild_lock(st->paths.registry, &h->old, e) != 0 ||
	    slots_reserve(&h->slots, &st->paths, e) != 0 ||
	    slots_make_room(&h->slots, &st->paths, pod_ipu_count(pod), e) != 0)
		return -1;
	return mirror_check_create(st->paths.registry, st->paths.directory, &s,
	    e);
}

/* Make the pod under the lock.  The caller releases the hold. */
static int
init_locked(struct state *st, const struct pod *pod, struct new_pod *n,
    struct hold *h, struct error *e)
{
	if (check_new_pod(st, pod, n->force, h, e) != 0)
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
	struct hold h = { .old = -1, .slots = { .fd = -1 } };
	struct state st;
	int status;

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

/* Take the IPUs for a partition; refused if another has one of them.  owner[]
   has the index of a partition per IPU, -1: free. */
static int
replace_claim(const struct store *s, int32_t *owner, int index, struct error *e)
{
	const struct partition *p = &s->partitions[index];
	int first, i, n;

	if (name_check("partition", p->name, e) != 0)
		return -1;
	if (placement_check(&s->pod, &p->placement, e) != 0)
		return error_prefix(e, "partition %s", p->name);
	if (p->allocation < -1 || p->allocation >= s->pod.allocation_count)
		return error_set(e,
		    "partition %s: its allocation does not exist", p->name);
	for (n = 0;
	     (first = placement_range(&s->pod.clusters[p->placement.cluster],
		  &p->placement, n)) != -1;
	     n++)
		for (i = first; i < first + p->placement.per_ild; i++) {
			if (owner[i] != -1)
				return error_set(e,
				    "partition %s: some of its IPUs belong to "
				    "partition %s",
				    p->name, s->partitions[owner[i]].name);
			owner[i] = index;
		}
	return 0;
}

static int
replace_by_name(const void *a, const void *b)
{
	const struct partition *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* Check that names are unique, by comparing neighbours in a sorted list. */
static int
check_names(const struct store *s, struct error *e)
{
	const struct partition **sorted;
	int i, status = 0;

	sorted = xcalloc((size_t)s->partition_count + 1, sizeof(*sorted));
	for (i = 0; i < s->partition_count; i++)
		sorted[i] = &s->partitions[i];
	qsort(sorted, (size_t)s->partition_count,
	    sizeof(const struct partition *), replace_by_name);
	for (i = 1; i < s->partition_count && status == 0; i++)
		if (replace_by_name(&sorted[i - 1], &sorted[i]) == 0)
			status = error_set_code(e, ERROR_EXISTS,
			    "partition %s already exists", sorted[i]->name);
	free(sorted);
	return status;
}

/* Refuse everything that reading the files would refuse. */
static int
replace_check_store(const struct store *s, struct error *e)
{
	size_t ipus = (size_t)pod_ipu_count(&s->pod);
	int32_t *owner;
	int i, status = 0;

	if (name_check("pod", s->identity.name, e) != 0 ||
	    pod_check(&s->pod, e) != 0 || check_names(s, e) != 0)
		return -1;
	if (s->partition_count > PARTITIONS_MAX)
		return error_set(e, "more than %d partitions", PARTITIONS_MAX);
	owner = xcalloc(ipus + 1, sizeof(*owner));
	memset(owner, -1, ipus * sizeof(*owner));
	for (i = 0; i < s->partition_count && status == 0; i++)
		status = replace_claim(s, owner, i, e);
	free(owner);
	return status;
}

/* Change the files from the mirror's state to the wanted one. */
static int
replace_files(struct state *st, const struct store *s, struct error *e)
{
	struct snapshot now;
	struct store before = { .identity = s->identity };
	struct store_identity identity;
	int status;

	if (snapshot_take_locked(st, &now, e) != 0)
		return -1;
	before.pod = now.pod;
	before.partitions = now.partitions;
	before.partition_count = now.partition_count;
	memcpy(before.identity.name, now.pod.name,
	    sizeof(before.identity.name));
	status = patch_commit(&st->directory, &before, s, &identity, e);
	snapshot_release(&now);
	if (status != 0)
		return -1;
	return commit_finish(&st->directory, &identity, e) == 0 ?
	    0 :
	    error_recode(e, ERROR_UNCONFIRMED);
}

/*
 * Change the files, then the registry.  After a certain failure of the files
 * the old pod stays; the mark is cleared, and partitions/ counts as seen,
 * because staging may have touched it.  After an uncertain failure the mark
 * stays.
 */
static int
replace_put(struct state *st, struct store *s, const struct renumber *moved,
    struct error *e)
{
	struct error reason;
	int64_t seconds, ns;

	if (mirror_mark(&st->registry, true, e) != 0)
		return -1;
	if (replace_files(st, s, &reason) != 0) {
		if (reason.code != ERROR_UNCONFIRMED) {
			store_stamp(&st->directory, &seconds, &ns);
			mirror_set_stamp(&st->registry, seconds, ns);
			(void)mirror_mark(&st->registry, false, NULL);
		}
		return error_copy(e, &reason);
	}
	store_stamp(&st->directory, &s->stamp_s, &s->stamp_ns);
	return rebuild_from(&st->registry, st->mirror, &st->paths, s, moved,
		   e) == 0 ?
	    0 :
	    error_recode(e, ERROR_UNCONFIRMED);
}

/* Make and check the wanted store, and hold the IPUs that would move. */
static int
replace_prepare(struct state *st, const struct inventory *wanted,
    struct store *s, struct renumber *moved, struct error *e)
{
	const struct registry_header *h = &st->mirror->header;
	struct pod old;

	*s = (struct store){ .pod = *wanted->pod,
		.partitions = wanted->partitions,
		.partition_count = wanted->partition_count };
	if (h->damaged > 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "the pod cannot change while a file is damaged, because "
		    "its IPUs are unknown; repair or remove the file: %s",
		    h->damage);
	s->identity.secure = st->secure;
	memcpy(s->identity.id, h->id, sizeof(s->identity.id));
	memcpy(s->identity.name, s->pod.name, sizeof(s->identity.name));
	identity_complete(s->partitions, (size_t)s->partition_count);
	if (replace_check_store(s, e) != 0)
		return -1;
	mirror_view_pod(st->mirror, &old);
	renumber_find(moved, &old, &s->pod);
	if (renumber_lock(moved, &st->registry, &old, st->reader, e) == 0)
		return 0;
	renumber_release(moved);
	return -1;
}

int
new_pod_replace(struct state *st, const struct inventory *wanted,
    struct error *e)
{
	struct store s;
	struct renumber moved;
	int status;

	if (replace_prepare(st, wanted, &s, &moved, e) != 0)
		return -1;
	status = replace_put(st, &s, &moved, e);
	renumber_unlock(&moved, &st->registry);
	renumber_release(&moved);
	return status;
}
