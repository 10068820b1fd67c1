/*
 * Rebuilding the registry from the files: in its file if that is of this
 * version, else as a new file.  Programs stay attached meanwhile, because the
 * locks of IPUs are on the slots (slots.h).
 */
#include "core/state/commit.h"
#include "core/state/mirror_view.h"
#include "core/state/paths.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The lock bytes are the same in every version, so programs of an older ipubox
   are seen. */
int
rebuild_lock(const char *path, int *fd, struct error *e)
{
	struct stat st;

	*fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd == -1 && errno == ENOENT)
		return 0;
	if (*fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE,
		    "registry %s is a symbolic link; remove it, or set "
		    "IPUBOX_REGISTRY",
		    path);
	if (*fd == -1)
		return error_set_errno(e, "cannot open registry %s", path);
	if (fstat(*fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		(void)error_set_code(e, ERROR_UNSAFE,
		    "registry %s is not a regular file; remove it, or set "
		    "IPUBOX_REGISTRY",
		    path);
	} else if (slots_lock_all(*fd) != 0) {
		(void)error_set_code(e, ERROR_BUSY,
		    "registry %s must be rebuilt, but programs are attached to "
		    "IPUs through it; end them first (nothing is lost: the "
		    "partitions are files)",
		    path);
	} else {
		return 0;
	}
	(void)close(*fd);
	*fd = -1;
	return -1;
}

/* The old file may be of another version and unreadable, and its mark then has
   no readers. */
void
rebuild_retire(const char *path, int fd)
{
	struct registry old = { .fd = fd };
	struct registry_header h;

	(void)strlcpy(old.path, path, sizeof(old.path));
	if (fd != -1 && registry_layout_read(&old, &h, NULL) == 0)
		mirror_retire(fd);
}

void
rebuild_unlock(int fd)
{
	if (fd != -1)
		(void)close(fd);
}

/* Make a new file from the store, open it, and retire the old one.  The slots
   come first, so that no mirror is left if they cannot be made. */
static int
replace(struct registry *r, const struct state_paths *paths,
    const struct store *store, struct error *e)
{
	int old, status;

	registry_close(r);
	if (rebuild_lock(paths->registry, &old, e) != 0)
		return -1;
	status = slots_prepare(&r->slots, paths, store->identity.id,
	    pod_ipu_count(&store->pod), e);
	if (status == 0) {
		status = mirror_create(paths->registry, paths->directory, store,
		    e);
		if (status != 0)
			slots_take_back(&r->slots);
	}
	if (status == 0)
		rebuild_retire(paths->registry, old);
	rebuild_unlock(old);
	if (status != 0)
		return -1;
	registry_close(r);
	return registry_open(r, paths, REGISTRY_CHANGE, e);
}

/*
 * The registry is marked dirty during the change, so after a kill the next
 * process that takes the lock repeats this.  Slots first, so that every visible
 * IPU has one.
 */
int
rebuild_from(struct registry *r, struct mirror *m,
    const struct state_paths *paths, const struct store *store,
    const struct renumber *moved, struct error *e)
{
	if (r->fd == -1 && replace(r, paths, store, e) != 0)
		return -1;
	return mirror_mark(r, true, e) != 0 ||
		slots_prepare(&r->slots, paths, store->identity.id,
		    pod_ipu_count(&store->pod), e) != 0 ||
		mirror_fill(m, r, store, moved, e) != 0 ||
		mirror_mark(r, false, e) != 0 ?
	    -1 :
	    0;
}

/* If a process changed the pod and was killed before the registry followed, it
   no longer holds the IPUs that get other numbers. */
static int
rebuild_moved(struct registry *r, struct mirror *m,
    const struct state_paths *paths, const struct store *store, struct error *e)
{
	struct renumber moved;
	struct pod old;
	int status;

	mirror_view_pod(m, &old);
	renumber_find(&moved, &old, &store->pod);
	status = renumber_lock(&moved, r, &old, (uid_t)-1, e);
	if (status == 0) {
		status = rebuild_from(r, m, paths, store, &moved, e);
		renumber_unlock(&moved, r);
	}
	renumber_release(&moved);
	return status;
}

/* The old mirror shows the machines' old places.  If it is unusable, no machine
   counts as moved. */
int
rebuild_registry(struct registry *r, struct mirror *m,
    const struct state_paths *paths, const struct directory *d, struct error *e)
{
	struct store store;
	int status;

	if (store_load(d, &store, e) != 0)
		return -1;
	mirror_copy_release(m);
	status = r->fd != -1 && r->slots.fd != -1 &&
		mirror_copy_try(m, r, NULL) == MIRROR_COPY_GOOD &&
		memcmp(m->header.id, store.identity.id, STORE_ID_SIZE) == 0 ?
	    rebuild_moved(r, m, paths, &store, e) :
	    rebuild_from(r, m, paths, &store, NULL, e);
	store_release(&store);
	return status;
}

/* Open the state's slots, or make some without holders. */
static int
private_slots(struct slots *s, const struct state_paths *paths,
    const struct store *store, struct error *e)
{
	int ipus = pod_ipu_count(&store->pod);

	if (slots_open(s, paths, false, NULL) == 0 &&
	    slots_fit(s, store->identity.id, ipus))
		return 0;
	slots_close(s);
	s->fd = memfd_create("ipubox-slots", MFD_CLOEXEC);
	return s->fd != -1 ? 0 : error_set_errno(e, "no memory for slots");
}

/* Read the files without the lock; a writer may be active. */
static int
look_at_store(const struct state_paths *paths, const uint8_t *id,
    struct store *store, struct error *e)
{
	struct directory d;
	int status;

	status = directory_open_resolved(&d, paths->directory, e);
	if (status == 0)
		status = store_look(&d, store, e);
	directory_close(&d);
	if (status != 0)
		return -1;
	if (!store->identity.staged &&
	    (id == NULL || memcmp(store->identity.id, id, STORE_ID_SIZE) == 0))
		return 0;
	store_release(store);
	return error_set_code(e, ERROR_UNAVAILABLE,
	    "a program was stopped while it replaced the pod of %s",
	    paths->directory);
}

int
rebuild_private(struct registry *r, const struct state_paths *paths,
    const uint8_t *id, struct error *e)
{
	struct store store;
	int status;

	if (look_at_store(paths, id, &store, e) != 0)
		return -1;
	memset(r, 0, sizeof(*r));
	r->is_private = true;
	r->slots.fd = -1;
	(void)strlcpy(r->directory, paths->directory, sizeof(r->directory));
	(void)strlcpy(r->path, paths->registry, sizeof(r->path));
	memcpy(r->id, store.identity.id, sizeof(r->id));
	r->fd = mirror_create_private(paths->directory, &store, e);
	status = r->fd == -1 ? -1 : private_slots(&r->slots, paths, &store, e);
	if (status != 0)
		registry_close(r);
	store_release(&store);
	return status;
}

void
rebuild_mark(const struct state_paths *paths)
{
	struct registry old;

	if (registry_open(&old, paths, REGISTRY_CHANGE, NULL) == 0) {
		(void)mirror_mark(&old, true, NULL);
		registry_close(&old);
	}
}

int
rebuild_new(const struct state_paths *paths, const struct directory *d,
    struct slots *slots, struct error *e)
{
	struct store store;
	int status = store_load(d, &store, e);

	if (status != 0)
		return -1;
	status = slots_prepare(slots, paths, store.identity.id,
	    pod_ipu_count(&store.pod), e);
	if (status == 0)
		status = mirror_create(paths->registry, paths->directory,
		    &store, e);
	store_release(&store);
	return status;
}
