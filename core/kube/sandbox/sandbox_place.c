/*
 * Mount points.  Read place_grow() first.  A directory that must grow is copied
 * entry by entry: symbolic links are created anew, other entries are mounted
 * over an empty directory or file.
 */
#include "core/kube/sandbox/sandbox_internal.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum { MIMIC_MAX = 10000 }; /* entries of a copied directory, each a mount */

/* Magic numbers from linux/magic.h of file systems in which only the kernel
   creates entries. */
enum { MAGIC_PROC = 0x9fa0, MAGIC_SYSFS = 0x62656572 };

static int
mimic_link(int from, int to, const char *name)
{
	char text[PATH_MAX];
	ssize_t n = readlinkat(from, name, text, sizeof(text) - 1);

	if (n == -1)
		return -1;
	text[n] = '\0';
	return symlinkat(text, to, name);
}

/* Whether the limit of mounts is reached; other errors concern one entry, which
   is skipped, such as one that vanished or that a network refuses. */
static bool
is_exhausted(int number)
{
	return number == ENOSPC || number == ENOMEM || number == EMFILE ||
	    number == ENFILE;
}

static int
mimic_entry(int from, int to, const char *name)
{
	struct stat st;
	int tree, fd, status;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) !=
	    0)
		return 0;
	if (S_ISLNK(st.st_mode))
		return mimic_link(from, to, name);
	if ((tree = mount_call_copy_entry(from, name)) == -1)
		return is_exhausted(errno) ? -1 : 0;
	if (S_ISDIR(st.st_mode)) {
		status = mkdirat(to, name, 0755);
	} else {
		fd = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0644);
		status = fd == -1 ? -1 : close(fd);
	}
	if (status == 0)
		status = mount_call_attach(tree, to, name);
	(void)close(tree);
	return status;
}

/* Copy all entries; closes `from`. */
static int
mimic_entries(const char *path, int from, int to, struct error *e)
{
	DIR *dir;
	struct dirent *entry;
	int count = 0, status = 0;

	if (from == -1)
		return 0;
	if ((dir = fdopendir(from)) == NULL) {
		(void)error_set_errno(e, "%s", path);
		(void)close(from);
		return -1;
	}
	while (status == 0 && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (++count > MIMIC_MAX)
			status = error_set_code(e, ERROR_UNSUPPORTED,
			    "%s has more than %d entries, too many to add a "
			    "mount point; make the directory on this host "
			    "first",
			    path, MIMIC_MAX);
		else if (mimic_entry(dirfd(dir), to, entry->d_name) != 0)
			status = error_set_errno(e,
			    "cannot mount %s/%s in the container", path,
			    entry->d_name);
	}
	(void)closedir(dir);
	return status;
}

/* Open the directory with this user's rights, before the copy covers it.  One
   that this user can neither list nor enter, such as root's home, has no
   entries, and `from` is -1. */
static int
mimic_open(const char *path, int *from, struct stat *st, struct error *e)
{
	struct statfs fs;

	*from = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*from == -1 && errno == EACCES && access(path, X_OK) != 0 &&
	    stat(path, st) == 0)
		return 0;
	if (*from == -1 || fstat(*from, st) != 0 || fstatfs(*from, &fs) != 0) {
		(void)error_set_errno(e,
		    "cannot add a mount point to %s, which cannot be read",
		    path);
	} else if (fs.f_type == MAGIC_PROC || fs.f_type == MAGIC_SYSFS) {
		(void)error_set_code(e, ERROR_INVALID,
		    "cannot add a mount point to %s, which belongs to the "
		    "kernel",
		    path);
	} else {
		return 0;
	}
	if (*from != -1)
		(void)close(*from);
	return -1;
}

/* Cover a directory, which may be "/", with a copy in memory: names can be
   added to the copy, and the directory stays unchanged.  The path has no
   symbolic links.  Each entry of the copy is the mounted original with all
   mounts below, or the same symbolic link; an original that cannot be mounted
   is left out.  Returns 0 with the tree of the copy in *tree (mount_call.h),
   which the caller closes; -1: nothing to close, but an incomplete copy may
   cover the directory.  Requires a private mount namespace.  For "/" the
   working directory becomes "/". */
static int
mimic_make(const char *path, int *tree, struct error *e)
{
	struct stat st;
	int from, number, status;

	if (mimic_open(path, &from, &st, e) != 0)
		return -1;
	number = mount_call_memory(st.st_mode, 0, tree);
	if (number != 0) {
		if (from != -1)
			(void)close(from);
		return error_set_number(e, number,
		    "cannot make a copy of %s in memory", path);
	}
	/* In a user namespace the owner cannot be changed. */
	(void)!fchownat(*tree, "", st.st_uid, st.st_gid, AT_EMPTY_PATH);
	if (mount_call_attach(*tree, AT_FDCWD, path) != 0) {
		status = error_set_errno(e, "cannot mount over %s", path);
		if (from != -1)
			(void)close(from);
	} else {
		status = mimic_entries(path, from, *tree, e);
	}
	if (status == 0 && strcmp(path, "/") == 0 &&
	    mount_call_pivot(*tree) != 0)
		status = error_set_errno(e,
		    "cannot make the copy of / the root directory");
	if (status != 0) {
		(void)close(*tree);
		*tree = -1;
	}
	return status;
}

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

	if (mimic_make(path, &tree, e) != 0)
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
