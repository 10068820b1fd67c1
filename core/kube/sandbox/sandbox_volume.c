/*
 * Volumes are opened by their paths on this host before anything is mounted,
 * then attached inside, the shortest path first.
 */
#include "core/kube/sandbox/sandbox_internal.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/kube/sandbox/mount_call.h"

/* The kubelet's mode of an emptyDir, and the usual mode of /tmp. */
enum { MEMORY_MODE = 0777, TMP_MODE = 01777 };

/* Mounts that are missing in every image. */
static const struct sandbox_volume image_volumes[] = {
	{ .name = "/proc", .source = "/proc" },
	{ .name = "/dev", .source = "/dev" },
	{ .name = "/sys", .source = "/sys", .is_read_only = true },
};
/* Files that an image may contain.  A plan's host name is written to the file
   too. */
static const struct sandbox_volume image_defaults[] = {
	{ .name = "/tmp", .kind = SANDBOX_MEMORY, .target = "/tmp" },
	{ .name = "/etc/resolv.conf", .source = "/etc/resolv.conf" },
	{ .name = "/etc/hosts", .source = "/etc/hosts" },
	{ .name = "/etc/hostname", .source = "/etc/hostname" },
};
enum { DEFAULTS_NAMED = 3 }; /* number of these if the plan has a host name */

/* Normalise the path to its names, and count them. */
static char *
volume_normalise(const char *path, int *depth, struct error *e)
{
	char *out = xmalloc(strlen(path) + 2), *end = out;
	size_t size;

	*depth = 0;
	for (; *path != '\0'; path += size) {
		path += strspn(path, "/");
		size = strcspn(path, "/");
		if (size == 0 || (size == 1 && path[0] == '.'))
			continue;
		if (size == 2 && path[0] == '.' && path[1] == '.') {
			free(out);
			(void)error_set_code(e, ERROR_INVALID,
			    "must not contain '..'");
			return NULL;
		}
		*end++ = '/';
		memcpy(end, path, size);
		end += size;
		++*depth;
	}
	*end = '\0';
	return out;
}

/* Find the mount point; "/" cannot be replaced. */
static int
volume_find_target(struct sandbox_mount *m, struct error *e)
{
	const struct sandbox_volume *v = m->volume;
	const char *target = v->target != NULL ? v->target : v->source;

	if (target == NULL || target[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "'%s' is not an absolute path in the container",
		    target != NULL ? target : "");
	if ((m->target = volume_normalise(target, &m->depth, e)) == NULL)
		return error_prefix(e, "%s", target);
	if (m->depth == 0)
		return error_set_code(e, ERROR_INVALID,
		    "a volume cannot be mounted at /");
	return 0;
}

static int
volume_open_memory(struct sandbox_mount *m, struct error *e)
{
	const int number = mount_call_memory(m->turn == SANDBOX_TURN_DEFAULT ?
		TMP_MODE :
		MEMORY_MODE,
	    m->volume->size_bytes, &m->tree);

	m->is_directory = true;
	return number == 0 ?
	    0 :
	    error_set_number(e, number, "cannot make a file system in memory");
}

/*
 * Copy the mount at a path that was checked by its name.  A link in a part of
 * it was put there since the check, so it is refused.  *number is the errno of
 * a failed copy; -1: the path cannot be opened.
 */
static int
volume_copy_checked(const char *path, int *tree, int *number, struct error *e)
{
	char *above = path_directory_name(path);
	const char *name = path_base_name(path);
	struct directory d;
	const int status = directory_open_resolved(&d, above, e);

	if (status == 0) {
		*tree = mount_call_copy_entry(d.fd,
		    name[0] != '\0' ? name : ".");
		*number = errno;
	}
	directory_close(&d);
	free(above);
	return status;
}

static int
volume_open(struct sandbox_mount *m, struct error *e)
{
	const struct sandbox_volume *v = m->volume;
	struct stat st;
	int number;

	if (v->kind == SANDBOX_MEMORY)
		return volume_open_memory(m, e);
	if (m->turn == SANDBOX_TURN_VOLUME) {
		if (volume_copy_checked(v->source, &m->tree, &number, e) != 0)
			return -1;
	} else {
		m->tree = mount_call_copy(AT_FDCWD, v->source);
		number = errno;
	}
	if (m->tree == -1 && number == ENOENT)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "%s does not exist on this host; make it, or use another "
		    "path",
		    v->source);
	if (m->tree == -1 && number == EINVAL)
		return error_set_code(e, ERROR_INVALID,
		    "%s is below a mount of another process; use the "
		    "directory's own path",
		    v->source);
	if (m->tree == -1)
		return error_set_number(e, number, "cannot mount %s",
		    v->source);
	if (fstat(m->tree, &st) != 0)
		return error_set_errno(e, "cannot mount %s", v->source);
	if (S_ISLNK(st.st_mode))
		return error_set_code(e, ERROR_UNSAFE,
		    "%s has become a symbolic link; remove it", v->source);
	m->is_directory = S_ISDIR(st.st_mode);
	return 0;
}

/* If the kernel cannot make it read-only yet, that is done when it is
   mounted. */
static int
volume_add(struct sandbox_mounts *all, const struct sandbox_volume *v,
    enum sandbox_turn turn, struct error *e)
{
	struct sandbox_mount *m = &all->items[all->count++];

	*m = (struct sandbox_mount){ .volume = v, .turn = turn, .tree = -1 };
	if (volume_find_target(m, e) != 0 || volume_open(m, e) != 0)
		return error_prefix(e, "volume %s", v->name);
	m->is_sealed = v->is_read_only && mount_call_seal(m->tree, true) == 0;
	return 0;
}

static int
volume_add_all(struct sandbox_mounts *all, const struct sandbox_volume *v,
    size_t count, enum sandbox_turn turn, struct error *e)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (volume_add(all, &v[i], turn, e) != 0)
			return -1;
	return 0;
}

/* Add the defaults, except files that this host lacks too. */
static int
volume_add_defaults(struct sandbox_mounts *all, size_t count, struct error *e)
{
	size_t i;

	for (i = 0; i < count; i++)
		if ((image_defaults[i].kind == SANDBOX_MEMORY ||
			access(image_defaults[i].source, F_OK) == 0) &&
		    volume_add(all, &image_defaults[i], SANDBOX_TURN_DEFAULT,
			e) != 0)
			return -1;
	return 0;
}

/* Add the pod's directory.  The pod's processes are identified by its path
   among their mounts, so nothing may be mounted there yet. */
static int
volume_add_directory(struct sandbox_mounts *all, const char *directory,
    struct error *e)
{
	char *path = realpath(directory, NULL);
	int status = 0;

	if (path == NULL)
		status = error_set_errno(e, "directory %s of the pod",
		    directory);
	else if (strcmp(path, directory) != 0)
		status = error_set_code(e, ERROR_INVALID,
		    "directory %s of the pod: use its real path, %s", directory,
		    path);
	else if (mountinfo_has(0, directory))
		status = error_set_code(e, ERROR_INVALID,
		    "%s is a mount point of all processes, so it cannot "
		    "identify those of the pod; use a directory below it",
		    directory);
	free(path);
	all->directory =
	    (struct sandbox_volume){ .name = "of the pod's directory",
		    .source = directory };
	return status != 0 ?
	    status :
	    volume_add(all, &all->directory, SANDBOX_TURN_KEPT, e);
}

/* Order by turn, then from the shortest path to the longest. */
static int
volume_compare(const void *a, const void *b)
{
	const struct sandbox_mount *x = a, *y = b;

	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return strcmp(x->target, y->target);
}

static int
volume_check_duplicate(const struct sandbox_mounts *all, struct error *e)
{
	const struct sandbox_mount *m;
	size_t i;

	for (i = 1; i < all->count; i++) {
		m = &all->items[i];
		if (volume_compare(m - 1, m) == 0)
			return error_set_code(e, ERROR_INVALID,
			    "volumes %s and %s have the same path in the "
			    "container, %s",
			    m[-1].volume->name, m->volume->name, m->target);
	}
	return 0;
}

int
sandbox_volume_collect(const struct sandbox_plan *plan,
    struct sandbox_mounts *all, struct error *e)
{
	*all = (struct sandbox_mounts){ .count = 0 };
	all->items = xreallocarray(NULL,
	    ARRAY_SIZE(image_volumes) + ARRAY_SIZE(image_defaults) +
		plan->volume_count + plan->kept_count + 1,
	    sizeof(*all->items));
	if (plan->root != NULL &&
	    (volume_add_all(all, image_volumes, ARRAY_SIZE(image_volumes),
		 SANDBOX_TURN_SYSTEM, e) != 0 ||
		volume_add_defaults(all,
		    plan->hostname != NULL ? DEFAULTS_NAMED :
					     ARRAY_SIZE(image_defaults),
		    e) != 0))
		return -1;
	if (volume_add_all(all, plan->volumes, plan->volume_count,
		SANDBOX_TURN_VOLUME, e) != 0 ||
	    volume_add_all(all, plan->kept, plan->kept_count, SANDBOX_TURN_KEPT,
		e) != 0)
		return -1;
	if (plan->directory != NULL &&
	    volume_add_directory(all, plan->directory, e) != 0)
		return -1;
	qsort(all->items, all->count, sizeof(*all->items), volume_compare);
	return volume_check_duplicate(all, e);
}

void
sandbox_volume_release(struct sandbox_mounts *all)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->items[i].tree != -1)
			(void)close(all->items[i].tree);
		free(all->items[i].target);
	}
	free(all->items);
	*all = (struct sandbox_mounts){ .count = 0 };
}

/* Make every mount at or below the path read-only. */
static int
volume_seal_below(const char *path)
{
	struct mountinfo m;
	const size_t size = strlen(path);
	const char *point;
	int status = 0;

	if (mountinfo_open(&m, 0) != 0)
		return -1;
	while (status == 0 && (point = mountinfo_next(&m)) != NULL)
		if (strncmp(point, path, size) == 0 &&
		    (point[size] == '/' || point[size] == '\0'))
			status = mount_call_seal_path(point);
	mountinfo_close(&m);
	return status;
}

/* Whether the image has a non-empty file there, or a directory in which this
   user may write.  A dangling link is removed, to make room. */
static bool
image_has(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode) ?
		    access(path, W_OK | X_OK) == 0 :
		    S_ISREG(st.st_mode) && st.st_size > 0;
	(void)!unlink(path);
	return false;
}

/* Return what may be created in the mount. */
static enum sandbox_owner
volume_owner(const struct sandbox_mount *m)
{
	if (m->volume->is_read_only)
		return SANDBOX_OTHERS_READ_ONLY;
	return m->turn <= SANDBOX_TURN_DEFAULT &&
		m->volume->kind == SANDBOX_DIRECTORY ?
	    SANDBOX_OTHERS :
	    SANDBOX_OWN;
}

static int
volume_attach(const struct sandbox_mount *m, const char *path, struct error *e)
{
	if (mount_call_attach(m->tree, AT_FDCWD, path) != 0)
		return error_set_errno(e, "cannot mount it at %s", m->target);
	if (m->volume->is_read_only && !m->is_sealed &&
	    volume_seal_below(path) != 0 && m->turn >= SANDBOX_TURN_VOLUME)
		return error_set_errno(e, "cannot make it read-only at %s",
		    m->target);
	return 0;
}

/* Replace the tree of a volume by an overlay over the directory at the path; if
   that is refused, the tree stays. */
static void
volume_merge(struct sandbox_mount *m, const char *path)
{
	const char *const names[] = { path, m->volume->source,
		m->volume->work };
	struct error refusal;
	int fds[ARRAY_SIZE(names)], tree = -1;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		fds[i] = open(names[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fds[0] != -1 && fds[1] != -1 && fds[2] != -1)
		tree = mount_call_overlay(fds[0], fds[1], fds[2], &refusal);
	if (tree != -1) {
		(void)close(m->tree);
		m->tree = tree;
		mount_call_open_work(fds[2]);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (fds[i] != -1)
			(void)close(fds[i]);
}

/* A default is skipped if the image has no room for it. */
static int
mount_one(struct sandbox_mount *m, struct sandbox_places *places,
    struct error *e)
{
	struct error reason;
	char *path;
	int status = -1;

	if (m->turn == SANDBOX_TURN_DEFAULT && image_has(m->target))
		return 0;
	path = sandbox_place_prepare(places, m->target, m->is_directory,
	    &reason);
	if (path != NULL && m->volume->work != NULL)
		volume_merge(m, path);
	if (path != NULL)
		status = volume_attach(m, path, &reason);
	if (status == 0)
		sandbox_place_add(places, path, volume_owner(m));
	free(path);
	if (status == 0 || m->turn == SANDBOX_TURN_DEFAULT)
		return 0;
	(void)error_copy(e, &reason);
	return error_prefix(e, "volume %s", m->volume->name);
}

int
sandbox_volume_mount(const struct sandbox_mounts *all,
    struct sandbox_places *places, struct error *e)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		if (mount_one(&all->items[i], places, e) != 0)
			return -1;
	return 0;
}
