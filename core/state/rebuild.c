/*
 * Making the registry from the files: in place where the file has room for the
 * pod, else as a new file in its place, which needs that no program is
 * attached.
 */
#include "core/state/rebuild.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/state/mirror.h"
#include "core/state/registry_layout.h"
#include "core/state/renumber.h"

/*
 * Whatever is in the file, its IPUs stand at the same lock bytes in every
 * version, so programs of another ipubox are seen as well.
 */
int
rebuild_lock(const char *path, int *fd, struct error *e)
{
	struct stat	st;

	*fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd == -1 && errno == ENOENT)
		return 0;
	if (*fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE, "registry %s is a "
		    "symbolic link; remove it, or set IPUBOX_REGISTRY", path);
	if (*fd == -1)
		return error_set_errno(e, "cannot open registry %s", path);
	if (fstat(*fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		(void)error_set_code(e, ERROR_UNSAFE, "registry %s is not a "
		    "regular file; remove it, or set IPUBOX_REGISTRY", path);
	} else if (registry_lock_all(*fd) != 0) {
		(void)error_set_code(e, ERROR_BUSY, "registry %s must be made "
		    "anew, but programs are attached to IPUs through it; end "
		    "them first (nothing is lost: the partitions are files)",
		    path);
	} else {
		return 0;
	}
	(void)close(*fd);
	*fd = -1;
	return -1;
}

/*
 * Programs keep the old file mapped.  Whether it can be read at all is not
 * sure: it may be of another version, and then nobody looks at its mark.
 */
void
rebuild_retire(const char *path, int fd)
{
	struct registry	old = { .fd = fd, .writable = true };
	struct mirror	m;

	(void)strlcpy(old.path, path, sizeof(old.path));
	if (fd == -1 || registry_layout_map(&old, NULL) != 0)
		return;
	registry_layout_locate(&m, old.map);
	atomic_store(&m.header->retired, 1);
	old.fd = -1;
	registry_close(&old);
}

void
rebuild_unlock(int fd)
{
	if (fd != -1)
		(void)close(fd);
}

/* Make a new registry file from the store, open it, and end the old one. */
static int
replace(struct registry *r, const struct state_paths *paths,
    const struct store *store, int old, struct error *e)
{
	struct mirror	m;
	int		status;

	if (r->map != NULL)
		registry_layout_locate(&m, r->map);
	status = mirror_create(paths->registry, paths->directory, store,
	    r->map != NULL ? &m : NULL, e);
	registry_close(r);
	if (status != 0)
		return -1;
	rebuild_retire(paths->registry, old);
	return registry_open(r, paths, true, e);
}

/*
 * A writer marks the registry dirty while it changes it: a kill in between
 * leaves the mark, and the next one to lock does this again.
 */
int
rebuild_from(struct registry *r, const struct state_paths *paths,
    const struct store *store, int old, struct error *e)
{
	struct mirror	m;
	int		status;

	if (r->map != NULL)
		registry_layout_locate(&m, r->map);
	if (r->map != NULL && mirror_fits(&m, store)) {
		mirror_mark(&m, true);
		mirror_fill(&m, store);
		mirror_mark(&m, false);
		return 0;
	}
	if (old != -1)
		return replace(r, paths, store, old, e);
	if (rebuild_lock(paths->registry, &old, e) != 0) {
		registry_close(r);
		return -1;
	}
	status = replace(r, paths, store, old, e);
	rebuild_unlock(old);
	return status;
}

/*
 * In place.  Who changed the pod and was killed before the registry followed
 * no longer holds the IPUs that get other numbers.
 */
static int
rebuild_moved(struct registry *r, const struct state_paths *paths,
    const struct store *store, struct error *e)
{
	struct mirror	m;
	struct renumber	moved;
	int		status;

	registry_layout_locate(&m, r->map);
	renumber_find(&moved, &m, &store->pod);
	status = renumber_lock(&moved, r, e);
	if (status == 0) {
		status = rebuild_from(r, paths, store, -1, e);
		renumber_unlock(&moved, r);
	}
	renumber_release(&moved);
	return status;
}

int
rebuild_registry(struct registry *r, const struct state_paths *paths,
    const struct directory *d, struct error *e)
{
	struct store	store;
	struct mirror	m;
	int		status;

	if (store_load(d, &store, e) != 0)
		return -1;
	if (r->map != NULL)
		registry_layout_locate(&m, r->map);
	status = r->map != NULL && mirror_fits(&m, &store) ?
	    rebuild_moved(r, paths, &store, e) :
	    rebuild_from(r, paths, &store, -1, e);
	store_release(&store);
	return status;
}
