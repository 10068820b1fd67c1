/*
 * Mount points.  Read place_grow() first.
 */
#include "core/kube/sandbox/sandbox_internal.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

static struct sandbox_place *
place_append(struct sandbox_places *p, const char *path,
    enum sandbox_owner owner, bool is_whole)
{
	if (p->count == p->room) {
		p->room = p->room == 0 ? 16 : 2 * p->room;
		p->items = xreallocarray(p->items, p->room, sizeof(*p->items));
	}
	p->items[p->count] = (struct sandbox_place){ .path = xstrdup(path),
		.owner = owner,
		.is_whole = is_whole,
		.tree = -1 };
	return &p->items[p->count++];
}

void
sandbox_place_init(struct sandbox_places *p, enum sandbox_owner root)
{
	*p = (struct sandbox_places){ .items = NULL };
	(void)place_append(p, "/", root, true);
}

void
sandbox_place_release(struct sandbox_places *p)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		if (p->items[i].tree != -1)
			(void)close(p->items[i].tree);
		free(p->items[i].path);
	}
	free(p->items);
	*p = (struct sandbox_places){ .items = NULL };
}

void
sandbox_place_add(struct sandbox_places *p, const char *path,
    enum sandbox_owner owner)
{
	(void)place_append(p, path, owner, true);
}

static bool
place_covers(const struct sandbox_place *p, const char *path)
{
	const size_t size = strlen(p->path);

	if (strcmp(p->path, path) == 0)
		return true;
	return p->is_whole && strncmp(p->path, path, size) == 0 &&
	    (path[size] == '/' || size == 1);
}

/* The later of two places with the same path covers the other. */
static enum sandbox_owner
place_owner(const struct sandbox_places *p, const char *path)
{
	enum sandbox_owner owner = SANDBOX_OTHERS;
	size_t i, size, longest = 0;

	for (i = 0; i < p->count; i++) {
		size = strlen(p->items[i].path);
		if (size >= longest && place_covers(&p->items[i], path)) {
			longest = size;
			owner = p->items[i].owner;
		}
	}
	return owner;
}

/* Return the length of the existing part of the path (0: "/"), with its status;
   or -1. */
static ssize_t
place_measure(const char *target, struct stat *st, struct error *e)
{
	char *path = xstrdup(target);
	ssize_t size = (ssize_t)strlen(target);
	int number;

	while (size > 0 && stat(path, st) != 0) {
		number = errno;
		if (number != ENOENT && number != EACCES) {
			size = error_set_number(e, number, "%s", path);
		} else if (lstat(path, st) == 0) {
			size = number == EACCES ?
			    error_set_number(e, number, "%s", path) :
			    error_set_code(e, ERROR_NOT_FOUND,
				"%s is a symbolic link that leads nowhere",
				path);
		} else {
			size = strrchr(path, '/') - path;
			path[size] = '\0';
		}
	}
	if (size == 0 && stat("/", st) != 0)
		size = error_set_errno(e, "/");
	free(path);
	return size;
}

/* Resolve the symbolic links of that part; NULL and the reason. */
static char *
place_resolve(const char *target, size_t size, struct error *e)
{
	char *part = size == 0 ? xstrdup("/") :
				 xasprintf("%.*s", (int)size, target);
	char *path = realpath(part, NULL);

	if (path == NULL)
		(void)error_set_errno(e, "%s", part);
	free(part);
	return path;
}

/* Cover the directory with a copy, so that names can be added. */
static int
place_mimic(struct sandbox_places *p, const char *path,
    enum sandbox_owner owner, struct error *e)
{
	int tree;

	if (sandbox_mimic_make(path, &tree, e) != 0)
		return -1;
	if (owner == SANDBOX_OTHERS_READ_ONLY) {
		place_append(p, path, SANDBOX_OWN, false)->tree = tree;
	} else {
		(void)place_append(p, path, SANDBOX_OWN, false);
		(void)close(tree);
	}
	return 0;
}

static int
place_create(const char *path, bool is_directory)
{
	int fd;

	if (is_directory)
		return mkdir(path, 0755);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return fd == -1 ? -1 : close(fd);
}

/*
 * Create one name in the directory, which belongs to `owner`.  If that is
 * allowed but this user lacks the right, the directory is covered with a copy
 * as well.
 */
static int
place_add_name(struct sandbox_places *p, const char *directory,
    const char *path, bool is_directory, struct error *e)
{
	const enum sandbox_owner owner = place_owner(p, directory);

	if (owner == SANDBOX_OWN) {
		if (place_create(path, is_directory) == 0)
			return 0;
		if (errno != EACCES && errno != EPERM && errno != EROFS)
			return error_set_errno(e, "cannot make %s", path);
	}
	if (place_mimic(p, directory, owner, e) != 0)
		return -1;
	if (place_create(path, is_directory) != 0)
		return error_set_errno(e, "cannot make %s", path);
	return 0;
}

/*
 * Create the names after the directory `path`, "/a/b", one by one.  The first
 * may need a copy of the directory; the others are created in our own one.
 * Frees the path, and returns the new one.
 */
static char *
place_grow(struct sandbox_places *p, char *path, const char *rest,
    bool is_directory, struct error *e)
{
	char *above;
	size_t size;
	int status = 0;

	while (status == 0 && *rest != '\0') {
		size = 1 + strcspn(rest + 1, "/");
		above = path;
		path = xasprintf("%s%.*s", strcmp(above, "/") == 0 ? "" : above,
		    (int)size, rest);
		rest += size;
		status = place_add_name(p, above, path,
		    is_directory || *rest != '\0', e);
		if (status == 0)
			(void)place_append(p, path, SANDBOX_OWN, false);
		free(above);
	}
	if (status == 0)
		return path;
	free(path);
	return NULL;
}

char *
sandbox_place_prepare(struct sandbox_places *p, const char *target,
    bool is_directory, struct error *e)
{
	struct stat st;
	const ssize_t size = place_measure(target, &st, e);
	char *path;

	if (size == -1 ||
	    (path = place_resolve(target, (size_t)size, e)) == NULL)
		return NULL;
	if (target[size] != '\0')
		return place_grow(p, path, target + size, is_directory, e);
	if (S_ISDIR(st.st_mode) == is_directory)
		return path;
	(void)error_set_code(e, ERROR_INVALID,
	    is_directory ? "%s is a file in the container, and a directory "
			   "cannot be mounted over it" :
			   "%s is a directory in the container, and a file "
			   "cannot be mounted over it",
	    target);
	free(path);
	return NULL;
}

int
sandbox_place_make(struct sandbox_places *p, const char *target,
    struct error *e)
{
	struct stat st;
	const ssize_t size = place_measure(target, &st, e);
	char *path;
	int status = 0;

	if (size == -1)
		return -1;
	if (target[size] == '\0')
		return S_ISDIR(st.st_mode) ?
		    0 :
		    error_set_code(e, ERROR_INVALID,
			"%s is a file, not a directory", target);
	if ((path = place_resolve(target, (size_t)size, e)) == NULL)
		return -1;
	if (place_owner(p, path) != SANDBOX_OWN)
		status = error_set_code(e, ERROR_NOT_FOUND,
		    "%s does not exist on this host; make it, or use a "
		    "directory in a writable volume",
		    target);
	else if ((path = place_grow(p, path, target + size, true, e)) == NULL)
		status = -1;
	free(path);
	return status;
}

int
sandbox_place_seal(struct sandbox_places *p, struct error *e)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (p->items[i].tree != -1 &&
		    mount_call_seal(p->items[i].tree, false) != 0 &&
		    mount_call_seal_path(p->items[i].path) != 0)
			return error_set_errno(e,
			    "cannot make the copy of %s read-only",
			    p->items[i].path);
	return 0;
}
