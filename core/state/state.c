/*
 * The state as a whole: opening it for change and for reading, and each change
 * in one order.
 *
 *	mark the registry dirty	-> the INI file -> the mirror -> unmark
 *
 * A kill anywhere leaves the mark or nothing: whoever takes the lock next and
 * finds the mark makes the mirror from the files again (refresh()).  Read
 * state.h and registry.h first.
 */
#include "core/state/state.h"

#include <bsd/string.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/name.h"
#include "core/pod/document/pod_file.h"
#include "core/pod/identity.h"
#include "core/pod/placement.h"
#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/mirror.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/rebuild.h"
#include "core/state/registry_layout.h"
#include "core/state/state_internal.h"

static const char	state_default_pod[] = "pod64";

bool
state_has_writer(const char *directory)
{
	return lock_has_holder(directory);
}

/*
 * The first use.  Where there are partitions, it is not: pod.ini was lost, they
 * are of a pod that nobody knows, and a new one must not swallow them.
 */
static int
make_default_pod(const struct directory *d, struct error *e)
{
	struct pod	pod;
	long		count = store_count_partitions(d, e);
	int		status;

	if (count == -1)
		return -1;
	if (count > 0)
		return error_set_code(e, ERROR_DAMAGED, "%s/pod.ini is gone, "
		    "but there are %ld partitions; put it back, or remove "
		    "them with vipu-admin init --force", d->path, count);
	if (pod_file_parse(&pod, state_default_pod,
	    pod_embedded(state_default_pod), e) != 0)
		return -1;
	status = commit_new_pod(d, &pod, false, NULL, e);
	pod_release(&pod);
	return status;
}

/*
 * pod.ini, made on first use, and a new pod that was not put in place yet
 * brought there.  Under the lock.
 */
static int
identify(const struct directory *d, struct store_identity *identity,
    struct error *e)
{
	struct error	reason;

	if (store_identify(d, identity, &reason) != 0) {
		if (reason.code != ERROR_NOT_FOUND)
			return error_copy(e, &reason);
		if (make_default_pod(d, e) != 0 ||
		    store_identify(d, identity, e) != 0)
			return -1;
	}
	return commit_finish(d, identity, e);
}

/*
 * Whether the mirror shows what is in the directory.  The stamp is that of
 * partitions/: a file that somebody put there or removed by hand changes it.
 */
static bool
in_step(const struct state *st, const struct store_identity *identity)
{
	struct mirror	m;
	int64_t		s, ns;

	registry_layout_locate(&m, st->registry.map);
	store_stamp(&st->directory, &s, &ns);
	return memcmp(m.header->id, identity->id, STORE_ID_SIZE) == 0 &&
	    atomic_load(&m.header->dirty) == 0 &&
	    atomic_load(&m.header->sequence) % 2 == 0 &&
	    m.header->damaged == 0 && m.header->stamp_s == s &&
	    m.header->stamp_ns == ns;
}

/* Whether a registry that cannot be opened for this reason may be made. */
static bool
may_be_made(const struct error *reason)
{
	return reason->code == ERROR_NOT_FOUND || reason->code == ERROR_STALE;
}

/*
 * Under the lock: a registry that is open, current and in step.  Another may
 * have been put under the path since it was opened, and the group of the
 * directory may have changed.
 */
static int
refresh(struct state *st, struct error *e)
{
	struct store_identity	identity;
	struct error		reason;

	if (identify(&st->directory, &identity, e) != 0)
		return -1;
	st->secure = identity.secure;
	if (st->registry.map == NULL || !registry_is_current(&st->registry)) {
		registry_close(&st->registry);
		if (registry_open(&st->registry, &st->paths, true,
		    &reason) != 0 && !may_be_made(&reason))
			return error_copy(e, &reason);
	}
	if (st->registry.map != NULL &&
	    ownership_share_registry(st->paths.directory, st->registry.fd, e) !=
	    0)
		return -1;
	if (st->registry.map != NULL && in_step(st, &identity))
		return 0;
	return rebuild_registry(&st->registry, &st->paths, &st->directory, e);
}

int
state_take_lock(struct state *st, int64_t limit_ms, struct error *e)
{
	if (st->lock_fd == -1) {
		(void)error_copy(e, &st->unwritable);
		return error_prefix(e, "cannot change the state in %s",
		    st->paths.directory);
	}
	if (lock_take(st->lock_fd, st->paths.directory, limit_ms, e) != 0)
		return -1;
	st->locked = true;
	return 0;
}

int
state_lock_within(struct state *st, int64_t limit_ms, struct error *e)
{
	if (state_take_lock(st, limit_ms, e) != 0)
		return -1;
	if (refresh(st, e) != 0) {
		state_unlock(st);
		return -1;
	}
	return 0;
}

int
state_lock(struct state *st, struct error *e)
{
	return state_lock_within(st, LOCK_PATIENTLY, e);
}

void
state_unlock(struct state *st)
{
	if (st->locked)
		lock_drop(st->lock_fd);
	st->locked = false;
}

int
state_begin(struct state *st, const struct state_paths *paths, struct error *e)
{
	memset(st, 0, sizeof(*st));
	st->paths = *paths;
	st->registry.fd = st->lock_fd = -1;
	if (directory_make(&st->directory, paths->directory, e) == 0 &&
	    ownership_check_directory(&st->directory, e) == 0 &&
	    ownership_adopt(&st->directory, e) == 0) {
		st->lock_fd = lock_open(&st->directory, O_RDWR | O_CREAT,
		    &st->unwritable);
		if (st->lock_fd != -1 || st->unwritable.code != ERROR_UNSAFE)
			return 0;
		(void)error_set_code(e, ERROR_UNSAFE, "%s/lock is a symbolic "
		    "link or no regular file; remove it", paths->directory);
	}
	directory_close(&st->directory);
	return -1;
}

/*
 * A directory that cannot be written can still be read; and as long as nobody
 * can write there a lock has nothing to guard.
 */
static int
open_unlocked(struct state *st, struct error *e)
{
	struct store_identity	identity;
	struct error		reason;
	int			status;

	/* Whoever cannot read it can read no user either: then the directory's
	   own rights decide. */
	status = store_identify(&st->directory, &identity, NULL);
	st->secure = status == 0 && identity.secure;
	if (registry_open(&st->registry, &st->paths, true, &reason) == 0)
		return 0;
	if (!may_be_made(&reason))
		return error_copy(e, &reason);
	if (status != 0 || identity.staged) {
		(void)error_copy(e, &st->unwritable);
		return error_prefix(e, "cannot make the state in %s",
		    st->paths.directory);
	}
	return rebuild_registry(&st->registry, &st->paths, &st->directory, e);
}

/*
 * Whether the registry can be used as it is while somebody else changes the
 * state: whoever changes it later takes the lock, and looks again.
 */
static bool
open_beside_writer(struct state *st)
{
	struct store_identity	identity;
	struct mirror		m;

	if (!lock_is_held(st->lock_fd) ||
	    store_identify(&st->directory, &identity, NULL) != 0 ||
	    identity.staged ||
	    registry_open(&st->registry, &st->paths, true, NULL) != 0)
		return false;
	registry_layout_locate(&m, st->registry.map);
	st->secure = identity.secure;
	if (memcmp(m.header->id, identity.id, STORE_ID_SIZE) == 0)
		return true;
	registry_close(&st->registry);
	return false;
}

/*
 * The lock is taken once on opening: that brings everything in step.  Nobody
 * waits for it who finds a registry that can be read.
 */
static int
open_on(struct state *st, const struct state_paths *paths, struct error *e)
{
	if (state_begin(st, paths, e) != 0)
		return -1;
	if (st->lock_fd != -1 && open_beside_writer(st))
		return 0;
	if (st->lock_fd == -1 ? open_unlocked(st, e) != 0 :
	    state_lock(st, e) != 0) {
		state_close(st);
		return -1;
	}
	state_unlock(st);
	return 0;
}

int
state_open(struct state *st, struct error *e)
{
	struct state_paths	paths;

	return paths_find(&paths, e) != 0 ? -1 : open_on(st, &paths, e);
}

void
state_close(struct state *st)
{
	registry_close(&st->registry);
	if (st->lock_fd != -1)
		(void)close(st->lock_fd);
	st->lock_fd = -1;
	st->locked = false;
	directory_close(&st->directory);
}

int
state_repair(const char *directory, const char *path, struct error *e)
{
	struct state_paths	paths;
	struct state		st;

	memset(&paths, 0, sizeof(paths));
	(void)strlcpy(paths.directory, directory, sizeof(paths.directory));
	(void)strlcpy(paths.registry, path, sizeof(paths.registry));
	if (open_on(&st, &paths, e) != 0)
		return -1;
	state_close(&st);
	return 0;
}

/*
 * Whether the registry is that of the directory.  Where only the path differs
 * the id decides; where there is no such directory, as in a container that has
 * but the registry, the registry is believed.
 */
static bool
is_ours(const struct registry_header *h, const char *directory)
{
	struct store_identity	identity;
	struct directory	d;
	struct error		reason;
	int			status;

	if (strcmp(h->directory, directory) == 0)
		return true;
	status = directory_open_resolved(&d, directory, &reason);
	if (status == 0)
		status = store_identify(&d, &identity, &reason);
	directory_close(&d);
	if (status != 0)
		return reason.code == ERROR_NOT_FOUND;
	return memcmp(h->id, identity.id, STORE_ID_SIZE) == 0;
}

/*
 * The mark alone does not make the mirror unusable: while its writer lives,
 * the sequence number tells when it is whole.  Without a writer it was left
 * behind.
 */
int
state_open_reader(struct registry *r, struct error *e)
{
	struct state_paths	paths;
	struct mirror		m;
	struct error		reason;

	if (paths_find(&paths, e) != 0)
		return -1;
	if (registry_open(r, &paths, false, &reason) == 0) {
		registry_layout_locate(&m, r->map);
		if (is_ours(m.header, paths.directory) &&
		    (atomic_load(&m.header->dirty) == 0 ||
		    state_has_writer(paths.directory)))
			return 0;
		registry_close(r);
	} else if (!may_be_made(&reason)) {
		return error_copy(e, &reason);
	}
	if (state_repair(paths.directory, paths.registry, e) != 0)
		return -1;
	return registry_open(r, &paths, false, e);
}

/* Everything about a partition that would break the mirror's rules. */
static int
check_partition(const struct mirror *m, const struct partition *p, int slot,
    struct error *e)
{
	struct pod	pod;
	int		other;

	mirror_pod(m, &pod);
	if (name_check("partition", p->name, e) != 0)
		return -1;
	if (placement_check(&pod, &p->placement, e) != 0)
		return error_prefix(e, "partition %s", p->name);
	other = mirror_conflict(m, &p->placement, slot);
	if (other != -1)
		return error_set_code(e, ERROR_NO_ROOM, "partition %s: some "
		    "of its IPUs belong to partition %s", p->name,
		    m->partitions[other].name);
	return 0;
}

/*
 * After the files were changed, or not.  A change that the disk did not
 * confirm leaves the mark: the next one who locks reads the files again.
 */
static void
state_finish(const struct state *st, const struct mirror *m, bool certain)
{
	if (certain) {
		store_stamp(&st->directory, &m->header->stamp_s,
		    &m->header->stamp_ns);
		mirror_mark(m, false);
	}
}

/*
 * Write the partition's file and then its slot.  Where the file could not be
 * written the mirror is what it was.  One that has no identity gets one.
 */
static int
state_put(struct state *st, const struct mirror *m, int slot,
    const struct partition *asked, struct error *e)
{
	struct partition	p = *asked;
	struct error		reason;
	struct pod		pod;

	if (!identity_is_set(p.id))
		identity_draw(m->partitions, m->header->partition_high, p.id);
	mirror_pod(m, &pod);
	mirror_mark(m, true);
	if (store_put_partition(&st->directory, &pod, &p, &reason) != 0) {
		state_finish(st, m, reason.code != ERROR_UNCONFIRMED);
		return error_copy(e, &reason);
	}
	mirror_set(m, slot, &p);
	state_finish(st, m, true);
	return 0;
}

int
state_add_partition(struct state *st, const struct partition *p,
    struct error *e)
{
	struct error	reason;
	struct mirror	m;
	int		slot;

	registry_layout_locate(&m, st->registry.map);
	if (m.header->damaged > 0)
		return error_set_code(e, ERROR_DAMAGED, "no partition can be "
		    "made while a file is damaged, for nobody knows which "
		    "IPUs it has; repair or remove it: %s", m.header->damage);
	if (mirror_find(&m, p->name) != -1)
		return error_set_code(e, ERROR_EXISTS, "partition %s exists "
		    "already", p->name);
	if (check_partition(&m, p, -1, e) != 0)
		return -1;
	slot = mirror_free_slot(&m);
	if (slot == -1)
		return error_set_code(e, ERROR_NO_ROOM, "partition %s: there "
		    "are %d partitions, which is the limit", p->name,
		    PARTITIONS_MAX);
	if (state_put(st, &m, slot, p, &reason) == 0)
		return 0;
	/* Taken back it is certain again: there is none. */
	if (reason.code == ERROR_UNCONFIRMED &&
	    store_remove_partition(&st->directory, p->name, NULL) == 0)
		reason.code = ERROR_IO;
	return error_copy(e, &reason);
}

/* Its identity is the slot's, which may have one by now. */
int
state_update_partition(struct state *st, const struct partition *p,
    struct error *e)
{
	struct partition	after = *p;
	struct mirror		m;
	int			slot;

	registry_layout_locate(&m, st->registry.map);
	slot = mirror_find(&m, p->name);
	if (slot == -1)
		return error_set_code(e, ERROR_NOT_FOUND, "no partition %s",
		    p->name);
	if (m.header->damaged > 0 && memcmp(&p->placement,
	    &m.partitions[slot].placement, sizeof(p->placement)) != 0)
		return error_set_code(e, ERROR_DAMAGED, "partition %s cannot "
		    "move while a file is damaged; repair or remove it: %s",
		    p->name, m.header->damage);
	if (check_partition(&m, p, slot, e) != 0)
		return -1;
	memcpy(after.id, m.partitions[slot].id, sizeof(after.id));
	return state_put(st, &m, slot, &after, e);
}

int
state_update_agent(struct state *st, int index, const struct agent *agent,
    struct error *e)
{
	struct error	reason;
	struct mirror	m;
	struct pod	pod;

	registry_layout_locate(&m, st->registry.map);
	mirror_pod(&m, &pod);
	mirror_mark(&m, true);
	if (store_put_agent(&st->directory, &pod, index, agent,
	    &reason) != 0) {
		state_finish(st, &m, reason.code != ERROR_UNCONFIRMED);
		return error_copy(e, &reason);
	}
	mirror_set_agent(&m, index, agent);
	registry_set_due(&st->registry, 1);	/* for its partitions */
	state_finish(st, &m, true);
	return 0;
}

int
state_remove_partition(struct state *st, const char *name, struct error *e)
{
	struct error	reason;
	struct mirror	m;
	int		slot;

	registry_layout_locate(&m, st->registry.map);
	slot = mirror_find(&m, name);
	if (slot == -1)
		return error_set_code(e, ERROR_NOT_FOUND, "no partition %s",
		    name);
	mirror_mark(&m, true);
	if (store_remove_partition(&st->directory, name, &reason) != 0) {
		state_finish(st, &m, reason.code != ERROR_UNCONFIRMED);
		return error_copy(e, &reason);
	}
	mirror_set(&m, slot, NULL);
	state_finish(st, &m, true);
	return 0;
}
