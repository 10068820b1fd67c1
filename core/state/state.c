/*
 * The state as a whole: the lock of the directory, opening for changes and for
 * reading, and the rules of each change, which change.c makes.  After a kill in
 * mid-change the next process that takes the lock rebuilds the mirror from the
 * files (refresh()).  Read state.h and registry.h first.
 */
#include "core/state/state.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/mirror.h"
#include "core/state/owner_lock.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/state_internal.h"

static const char state_default_pod[] = "pod64";

enum { LOCK_TRIES = 4 }; /* servers come and go rarely */

bool
state_has_writer(const char *directory)
{
	return lock_has_holder(directory);
}

/* Make the default pod on first use.  If partitions exist, pod.ini was lost:
   they belong to an unknown pod, and a new one must not take them over. */
static int
make_default_pod(const struct directory *d, struct error *e)
{
	struct pod pod;
	long count = store_count_partitions(d, e);
	int status;

	if (count == -1)
		return -1;
	if (count > 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "%s/pod.ini is missing, but %ld partitions exist; restore "
		    "the file, or remove the partitions with vipu-admin init "
		    "--force",
		    d->path, count);
	if (pod_file_parse(&pod, state_default_pod,
		pod_embedded(state_default_pod), e) != 0)
		return -1;
	status = commit_new_pod(d, &pod, false, NULL, e);
	pod_release(&pod);
	return status;
}

/* Read pod.ini, made on first use, and complete a change of the pod, under the
   lock. */
static int
identify(const struct directory *d, struct store_identity *identity,
    struct error *e)
{
	struct error reason;

	if (store_identify(d, identity, &reason) != 0) {
		if (reason.code != ERROR_NOT_FOUND)
			return error_copy(e, &reason);
		if (make_default_pod(d, e) != 0 ||
		    store_identify(d, identity, e) != 0)
			return -1;
	}
	return commit_finish(d, identity, e);
}

/* Whether the mirror matches the directory; st->kept is its copy.  The stamp of
   partitions/ changes when a file is added or removed by hand. */
static bool
in_step(const struct state *st, const struct store_identity *identity)
{
	const struct registry_header *h = &st->kept->header;
	int64_t s, ns;

	if (mirror_copy_again(st->kept, &st->registry, NULL) !=
	    MIRROR_COPY_GOOD)
		return false;
	store_stamp(&st->directory, &s, &ns);
	return memcmp(h->id, identity->id, STORE_ID_SIZE) == 0 &&
	    h->dirty == 0 && h->retired == 0 && h->damaged == 0 &&
	    h->stamp_s == s && h->stamp_ns == ns &&
	    slots_fit(&st->registry.slots, identity->id,
		(int)h->agent_count * IPUS_PER_MACHINE);
}

/* Whether a registry that cannot be opened for this reason may be made. */
static bool
may_be_made(const struct error *reason)
{
	return reason->code == ERROR_NOT_FOUND || reason->code == ERROR_STALE;
}

/* The group of the directory may have changed since the files were made. */
static int
share_files(const struct state *st, struct error *e)
{
	const struct registry *r = &st->registry;

	if (r->fd != -1 &&
	    ownership_share_registry(st->paths.directory, r->fd, e) != 0)
		return -1;
	return r->slots.fd == -1 ?
	    0 :
	    ownership_share_registry(st->paths.directory, r->slots.fd, e);
}

/* Whether the registry could not be made for lack of room or rights; the files
   can still be read. */
static bool
is_lack_of_room(const struct error *reason)
{
	return reason->code == ERROR_IO || reason->code == ERROR_DENIED ||
	    reason->code == ERROR_UNSUPPORTED;
}

/* Bring the registry in step under the lock: open, current, and copied.
   Another file may have replaced it since it was opened. */
static int
refresh(struct state *st, struct error *e)
{
	struct store_identity identity;
	struct error reason;

	if (identify(&st->directory, &identity, e) != 0)
		return -1;
	st->secure = identity.secure;
	if (!registry_is_current(&st->registry)) {
		registry_close(&st->registry);
		mirror_copy_release(st->kept);
		if (registry_open(&st->registry, &st->paths, REGISTRY_CHANGE,
			&reason) != 0 &&
		    !may_be_made(&reason))
			return error_copy(e, &reason);
	}
	if (share_files(st, e) != 0)
		return -1;
	if ((st->registry.fd == -1 || !in_step(st, &identity)) &&
	    rebuild_registry(&st->registry, st->kept, &st->paths,
		&st->directory, &st->registry_error) != 0)
		return error_copy(e, &st->registry_error);
	st->mirror = st->registry.kept = st->kept;
	return 0;
}

/* Whether the open lock is the directory's: a server that withdraws the
   directory replaces it. */
static bool
has_current_lock(const struct state *st)
{
	struct stat open, named;

	return fstat(st->lock_fd, &open) == 0 &&
	    fstatat(st->directory.fd, "lock", &named, AT_SYMLINK_NOFOLLOW) ==
	    0 &&
	    open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/* Take the lock of the present file, which may be replaced meanwhile. */
static int
take_current_lock(struct state *st, int64_t limit_ms, struct error *e)
{
	int tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (lock_take(st->lock_fd, st->paths.directory, limit_ms, e) !=
		    0)
			return -1;
		if (has_current_lock(st))
			return 0;
		(void)close(st->lock_fd);
		st->lock_fd = lock_open(&st->directory, O_RDWR, e);
		if (st->lock_fd == -1)
			return error_prefix(e, "cannot open %s/lock",
			    st->paths.directory);
	}
	return error_set_code(e, ERROR_STALE,
	    "%s/lock is replaced again and again", st->paths.directory);
}

/* This is the only place where changes are refused while a server has the
   state, and where a killed server's directory is given back. */
int
state_take_lock(struct state *st, int64_t limit_ms, struct error *e)
{
	if (st->lock_fd == -1) {
		(void)error_copy(e, &st->unwritable);
		return error_prefix(e, "cannot change the state in %s",
		    st->paths.directory);
	}
	if (server_lock_check(st->lock_fd, st->paths.directory, e) != 0 ||
	    take_current_lock(st, limit_ms, e) != 0)
		return -1;
	st->locked = true;
	if (server_lock_check(st->lock_fd, st->paths.directory, e) == 0 &&
	    (server_lock_is_held(st->lock_fd) ||
		ownership_give_back(&st->directory, e) == 0))
		return 0;
	state_unlock(st);
	return -1;
}

int
state_lock_within(struct state *st, int64_t limit_ms, struct error *e)
{
	struct registry in_memory = st->registry;

	if (state_take_lock(st, limit_ms, e) != 0)
		return -1;
	if (in_memory.is_private) /* a real one, if possible now */
		st->registry.fd = st->registry.slots.fd = -1;
	if (refresh(st, e) == 0) {
		if (in_memory.is_private)
			registry_close(&in_memory);
		return 0;
	}
	if (in_memory.is_private) {
		registry_close(&st->registry);
		mirror_copy_release(st->kept);
		st->registry = in_memory;
	}
	state_unlock(st);
	return -1;
}

bool
state_is_shared(const struct state *s)
{
	struct stat st;

	return fstat(s->directory.fd, &st) != 0 ||
	    directory_is_shared(st.st_mode) ||
	    ownership_is_withdrawn(st.st_mode);
}

int
state_lock(struct state *st, struct error *e)
{
	return state_lock_within(st, LOCK_PATIENTLY, e);
}

void
state_unlock(struct state *st)
{
	st->mirror = NULL;
	if (st->locked)
		lock_drop(st->lock_fd);
	st->locked = false;
}

int
state_begin(struct state *st, const struct state_paths *paths, struct error *e)
{
	memset(st, 0, sizeof(*st));
	st->reader = geteuid();
	st->paths = *paths;
	st->registry.fd = st->registry.slots.fd = st->lock_fd = -1;
	if (directory_make(&st->directory, paths->directory, e) == 0 &&
	    ownership_check_directory(&st->directory, e) == 0 &&
	    ownership_adopt(&st->directory, e) == 0) {
		st->lock_fd = lock_open(&st->directory, O_RDWR | O_CREAT,
		    &st->unwritable);
		if (st->lock_fd != -1 || st->unwritable.code != ERROR_UNSAFE) {
			st->kept = xcalloc(1, sizeof(*st->kept));
			return 0;
		}
		(void)error_set_code(e, ERROR_UNSAFE,
		    "%s/lock is not a regular file; remove it",
		    paths->directory);
	}
	directory_close(&st->directory);
	return -1;
}

/* Make a registry from the files without the lock, which is useless here. */
static int
open_remade(struct state *st, struct error *e)
{
	struct mirror m = { .owner = NULL };
	int status;

	status = rebuild_registry(&st->registry, &m, &st->paths, &st->directory,
	    &st->registry_error);
	mirror_copy_release(&m);
	return status == 0 ? 0 : error_copy(e, &st->registry_error);
}

/* Read a directory that cannot be written.  The lock has nothing to guard while
   writing is impossible. */
static int
open_unlocked(struct state *st, struct error *e)
{
	struct store_identity identity;
	struct error reason;
	int status;

	/* A process that cannot read it cannot read users either: then the
	   directory's rights decide. */
	status = store_identify(&st->directory, &identity, NULL);
	st->secure = status == 0 && identity.secure;
	if (registry_open(&st->registry, &st->paths, REGISTRY_CHANGE,
		&reason) == 0)
		return 0;
	if (!may_be_made(&reason))
		return error_copy(e, &reason);
	if (status != 0 || identity.staged) {
		(void)error_copy(e, &st->unwritable);
		return error_prefix(e, "cannot make the state in %s",
		    st->paths.directory);
	}
	return open_remade(st, e);
}

/* Read the files if the registry cannot be made. */
static int
open_private(struct state *st, struct error *e)
{
	if (!is_lack_of_room(&st->registry_error))
		return -1;
	registry_close(&st->registry);
	mirror_copy_release(st->kept);
	return rebuild_private(&st->registry, &st->paths, NULL, NULL) == 0 ?
	    0 :
	    error_copy(e, &st->registry_error);
}

/* Whether the registry is usable while another process changes the state; a
   later change takes the lock and checks again. */
static bool
open_beside_writer(struct state *st)
{
	struct store_identity identity;

	if (!lock_is_held(st->lock_fd) ||
	    store_identify(&st->directory, &identity, NULL) != 0 ||
	    identity.staged ||
	    registry_open(&st->registry, &st->paths, REGISTRY_CHANGE, NULL) !=
		0)
		return false;
	st->secure = identity.secure;
	if (st->registry.slots.fd != -1 &&
	    memcmp(st->registry.id, identity.id, STORE_ID_SIZE) == 0)
		return true;
	registry_close(&st->registry);
	return false;
}

/* Opening takes the lock once, which brings everything in step.  If the
   registry can be read, it does not wait for the lock. */
static int
open_on(struct state *st, const struct state_paths *paths, struct error *e)
{
	if (state_begin(st, paths, e) != 0)
		return -1;
	if (st->lock_fd != -1 &&
	    server_lock_check(st->lock_fd, paths->directory, e) != 0) {
		state_close(st);
		return -1;
	}
	if (st->lock_fd != -1 && open_beside_writer(st))
		return 0;
	if ((st->lock_fd == -1 ? open_unlocked(st, e) != 0 :
				 state_lock(st, e) != 0) &&
	    open_private(st, e) != 0) {
		state_close(st);
		return -1;
	}
	state_unlock(st);
	return 0;
}

int
state_open(struct state *st, struct error *e)
{
	struct state_paths paths;

	return paths_find(&paths, e) != 0 ? -1 : open_on(st, &paths, e);
}

void
state_close(struct state *st)
{
	state_unlock(st);
	registry_close(&st->registry);
	if (st->kept != NULL)
		mirror_copy_release(st->kept);
	free(st->kept);
	st->kept = NULL;
	if (st->lock_fd != -1)
		(void)close(st->lock_fd);
	st->lock_fd = -1;
	st->locked = false;
	directory_close(&st->directory);
}

int
state_repair(const char *directory, const char *path, struct error *e)
{
	struct state_paths paths;
	struct state st;
	int status = 0;

	memset(&paths, 0, sizeof(paths));
	(void)strlcpy(paths.directory, directory, sizeof(paths.directory));
	(void)strlcpy(paths.registry, path, sizeof(paths.registry));
	if (open_on(&st, &paths, e) != 0)
		return -1;
	if (st.registry.is_private)
		status = error_copy(e, &st.registry_error);
	state_close(&st);
	return status;
}

/*
 * Whether the registry is the directory's.  If only the path differs the id
 * decides.  If the directory does not exist, as in a container that only has
 * the registry, the registry is trusted.
 */
static bool
is_ours(const struct registry_header *h, const char *directory)
{
	struct store_identity identity;
	struct directory d;
	struct error reason;
	int status;

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
 * The mark alone does not make the mirror unusable: while its writer lives, the
 * sequence number shows when it is whole.  Without a writer the mark is a
 * leftover.
 */
static int
open_for(struct registry *r, const struct state_paths *paths,
    enum registry_use use, bool *repair_failed, struct error *e)
{
	struct registry_header h;
	struct error reason;

	*repair_failed = false;
	if (registry_open(r, paths, use, &reason) == 0) {
		if (registry_layout_read(r, &h, NULL) == 0 &&
		    is_ours(&h, paths->directory) &&
		    (h.dirty == 0 || state_has_writer(paths->directory)))
			return 0;
		registry_close(r);
	} else if (!may_be_made(&reason)) {
		return error_copy(e, &reason);
	}
	*repair_failed =
	    state_repair(paths->directory, paths->registry, &reason) != 0;
	return *repair_failed ? error_copy(e, &reason) :
				registry_open(r, paths, use, e);
}

int
state_open_reader(struct registry *r, struct error *e)
{
	struct state_paths paths;
	struct error reason;
	bool repair_failed;

	if (paths_find(&paths, e) != 0)
		return -1;
	if (open_for(r, &paths, REGISTRY_READ, &repair_failed, &reason) == 0)
		return 0;
	if (repair_failed && is_lack_of_room(&reason) &&
	    rebuild_private(r, &paths, NULL, NULL) == 0)
		return 0;
	return error_copy(e, &reason);
}

int
state_open_attacher(struct registry *r, struct error *e)
{
	struct state_paths paths;
	bool repair_failed;

	return paths_find(&paths, e) != 0 ||
		server_lock_check_path(paths.directory, e) != 0 ?
	    -1 :
	    open_for(r, &paths, REGISTRY_ATTACH, &repair_failed, e);
}

int
state_add_partition(struct state *st, const struct partition *p,
    struct error *e)
{
	const struct mirror *m = st->mirror;
	struct error reason;
	int slot;

	if (m->header.damaged > 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "no partition can be made while a file is damaged, because "
		    "its IPUs are unknown; repair or remove the file: %s",
		    m->header.damage);
	if (mirror_find(m, p->name) != -1)
		return error_set_code(e, ERROR_EXISTS,
		    "partition %s already exists", p->name);
	if (mirror_check(m, p, -1, e) != 0 ||
	    change_check_absent(st, p->name, e) != 0)
		return -1;
	slot = mirror_free_slot(m);
	if (slot == -1)
		return error_set_code(e, ERROR_NO_ROOM,
		    "partition %s: the limit of %d partitions is reached",
		    p->name, PARTITIONS_MAX);
	if (change_put_partition(st, slot, p, &reason) == 0)
		return 0;
	/* After undoing it, its absence is certain again. */
	if (reason.code == ERROR_UNCONFIRMED &&
	    store_remove_partition(&st->directory, p->name, NULL) == 0)
		reason.code = ERROR_IO;
	return error_copy(e, &reason);
}

/* The identity is the slot's, which may have got one by now. */
int
state_update_partition(struct state *st, const struct partition *p,
    struct error *e)
{
	const struct mirror *m = st->mirror;
	struct partition after = *p;
	int slot = mirror_find(m, p->name);

	if (slot == -1)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s does not exist", p->name);
	if (m->header.damaged > 0 &&
	    memcmp(&p->placement, &m->partitions[slot].placement,
		sizeof(p->placement)) != 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "partition %s cannot move while a file is damaged; repair "
		    "or remove the file: %s",
		    p->name, m->header.damage);
	if (mirror_check(m, p, slot, e) != 0)
		return -1;
	memcpy(after.id, m->partitions[slot].id, sizeof(after.id));
	return change_put_partition(st, slot, &after, e);
}

int
state_update_agent(struct state *st, int index, const struct agent *agent,
    struct error *e)
{
	if (index < 0 || (uint32_t)index >= st->mirror->header.agent_count)
		return error_set_code(e, ERROR_INVALID, "no machine %d", index);
	return change_put_agent(st, index, agent, e);
}

int
state_remove_partition(struct state *st, const char *name, struct error *e)
{
	int slot = mirror_find(st->mirror, name);

	if (slot == -1)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "partition %s does not exist", name);
	return change_remove_partition(st, slot, e);
}
