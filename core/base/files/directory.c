/*
 * Directories by descriptor: first walking along a path, then work in an open
 * directory.  directory_names.c lists them; file.c handles files.
 */
#include "core/base/files/directory.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/text.h"

enum {
	DIRECTORY_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC,
	LINKS_MAX = 40,	 /* the kernel's limit */
	NO_SYMLINKS = 4, /* RESOLVE_NO_SYMLINKS of <linux/openat2.h> */
	/* Up to this many files are flushed one by one.  For more, flushing the
	   whole file system is faster, though it may include other data. */
	FLUSH_SINGLE_MAX = 256
};

/*
 * A walk along a path, part by part:
 *
 *	/srv/link/a	done ""		rest "/srv/link/a"
 *			done "/srv"	rest "link/a"
 *			done "/data"	rest "a"	link is /data
 *			done "/data/a"	rest ""
 */
struct walk {
	int fd;		     /* of the directory `done` */
	int links;	     /* number of links followed */
	char done[PATH_MAX]; /* canonical; "" is the root */
	char rest[PATH_MAX];
};

bool
directory_is_trusted(uid_t uid)
{
	return uid == geteuid() || uid == 0;
}

/* All three bits must be set, as an administrator does for a group's
   directory (mode 2770).  A directory that all users may write does not
   count as shared. */
bool
directory_is_shared(mode_t mode)
{
	return (mode & (S_ISGID | S_IWGRP | S_IXGRP)) ==
	    (S_ISGID | S_IWGRP | S_IXGRP) &&
	    (mode & S_IWOTH) == 0;
}

int
directory_flush(int fd)
{
	if (FAULT_POINT("fsync") != 0)
		return -1;
	/* EINVAL: some file systems cannot flush directories. */
	return fsync(fd) != 0 && errno != EINVAL ? -1 : 0;
}

/* Continue the walk in this directory. */
static int
walk_enter(struct walk *w, int fd, struct error *e)
{
	if (fd == -1)
		return error_set_reason(e, errno);
	if (w->fd != -1)
		(void)close(w->fd);
	w->fd = fd;
	return 0;
}

static int
walk_begin(struct walk *w, const char *path, struct error *e)
{
	w->fd = -1;
	w->links = 0;
	w->done[0] = '\0';
	if (strlcpy(w->rest, path, sizeof(w->rest)) >= sizeof(w->rest))
		return error_set_reason(e, ENAMETOOLONG);
	if (path[0] != '/' && getcwd(w->done, sizeof(w->done)) == NULL)
		return error_set_reason(e, errno);
	if (strcmp(w->done, "/") == 0)
		w->done[0] = '\0';
	return walk_enter(w, open(path[0] == '/' ? "/" : ".", DIRECTORY_FLAGS),
	    e);
}

/* Copy the next part of the path to `part`; false at its end. */
static bool
walk_next(struct walk *w, char part[PATH_MAX])
{
	size_t skip, len;

	do {
		skip = strspn(w->rest, "/");
		len = strcspn(w->rest + skip, "/");
		(void)snprintf(part, PATH_MAX, "%.*s", (int)len,
		    w->rest + skip);
		memmove(w->rest, w->rest + skip + len,
		    strlen(w->rest + skip + len) + 1);
	} while (strcmp(part, ".") == 0);
	return len > 0;
}

static int
walk_append(struct walk *w, const char *part, struct error *e)
{
	if (strlcat(w->done, "/", sizeof(w->done)) >= sizeof(w->done) ||
	    strlcat(w->done, part, sizeof(w->done)) >= sizeof(w->done))
		return error_set_reason(e, ENAMETOOLONG);
	return 0;
}

static int
walk_up(struct walk *w, struct error *e)
{
	char *slash = strrchr(w->done, '/');

	if (slash != NULL)
		*slash = '\0';
	return walk_enter(w, openat(w->fd, "..", DIRECTORY_FLAGS), e);
}

/* Follow a link of the caller or root: its target is put before the rest. */
static int
walk_follow(struct walk *w, int link, const char *name, uid_t owner,
    struct error *e)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(link, "", target, sizeof(target) - 1);

	if (!directory_is_trusted(owner))
		return error_set_code(e, ERROR_UNSAFE,
		    "%s/%s is a symbolic link of uid %u, not yours or root's",
		    w->done, name, (unsigned)owner);
	if (len == -1 || ++w->links > LINKS_MAX)
		return error_set_reason(e, len == -1 ? errno : ELOOP);
	target[len] = '\0';
	(void)strlcpy(rest, w->rest, sizeof(rest));
	if (strlcpy(w->rest, target, sizeof(w->rest)) >= sizeof(w->rest) ||
	    strlcat(w->rest, "/", sizeof(w->rest)) >= sizeof(w->rest) ||
	    strlcat(w->rest, rest, sizeof(w->rest)) >= sizeof(w->rest))
		return error_set_reason(e, ENAMETOOLONG);
	if (target[0] != '/')
		return 0;
	w->done[0] = '\0';
	return walk_enter(w, open("/", DIRECTORY_FLAGS), e);
}

/* Enter one part, which is not "." or "..".  Returns 1 if no such directory
   exists.  Anything else is opened again, because it may be a link. */
static int
walk_into(struct walk *w, const char *part, struct error *e)
{
	struct stat st;
	int fd, status;

	fd = openat(w->fd, part, DIRECTORY_FLAGS | O_NOFOLLOW);
	if (fd != -1) {
		(void)walk_enter(w, fd, e);
		return walk_append(w, part, e);
	}
	if (errno == ENOTDIR || errno == ELOOP)
		fd = openat(w->fd, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd == -1 && errno == ENOENT)
		return 1;
	if (fd == -1 || fstat(fd, &st) != 0)
		status = error_set_reason(e, errno);
	else if (S_ISLNK(st.st_mode))
		status = walk_follow(w, fd, part, st.st_uid, e);
	else if (w->rest[strspn(w->rest, "/")] == '\0')
		status = 1; /* the last part; opening it reports the error */
	else
		status = error_set_reason(e, ENOTDIR);
	if (fd != -1)
		(void)close(fd);
	return status;
}

/* Return true if the path is absolute and has neither dots nor needless
   slashes. */
static bool
is_normal(const char *path)
{
	const char *part;
	size_t len;

	for (part = path; *part == '/'; part += 1 + len) {
		len = strcspn(part + 1, "/");
		if (len == 0 || (len <= 2 && strncmp(part + 1, "..", len) == 0))
			return false;
	}
	return part > path;
}

/* Open a normal path that leads through no symbolic link, in one step.  -1: a
   walk along the path is necessary. */
static int
open_without_links(const char *path)
{
	/* struct open_how */
	const struct {
		uint64_t flags, mode, resolve;
	} how = { .flags = DIRECTORY_FLAGS, .resolve = NO_SYMLINKS };

	return is_normal(path) ?
	    (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)) :
	    -1;
}

/* Walk to the end of the path, or to the first missing part, and continue by
   text: ".." after a missing part cannot be resolved. */
static int
walk_along(struct walk *w, const char *path, struct error *e)
{
	char part[PATH_MAX];
	bool missing = false;
	int status = walk_begin(w, path, e), dots;

	while (status == 0 && walk_next(w, part)) {
		dots = strcmp(part, "..") == 0;
		if (dots)
			status = missing ? error_set_reason(e, ENOENT) :
					   walk_up(w, e);
		else if (!missing && (status = walk_into(w, part, e)) == 1)
			missing = true;
		if (!dots && missing)
			status = walk_append(w, part, e);
	}
	if (w->fd != -1)
		(void)close(w->fd);
	return status;
}

int
directory_resolve(const char *path, char *out, size_t size, struct error *e)
{
	const int fd = open_without_links(path);
	struct walk w;

	if (fd != -1)
		(void)close(fd);
	else if (walk_along(&w, path, e) != 0)
		return -1;
	else
		path = w.done[0] == '\0' ? "/" : w.done;
	return strlcpy(out, path, size) >= size ?
	    error_set_reason(e, ENAMETOOLONG) :
	    0;
}

int
directory_open(struct directory *d, const char *path, struct error *e)
{
	*d = (struct directory){ .path = xstrdup(path) };
	d->fd = open(path, DIRECTORY_FLAGS);
	return d->fd != -1 ? 0 : error_set_reason(e, errno);
}

void
directory_close(struct directory *d)
{
	if (d->fd != -1)
		(void)close(d->fd);
	free(d->path);
	*d = DIRECTORY_NONE;
}

/* Open the directory `name` as `d`, and set its path. */
static int
open_part(struct directory *d, int above, const char *name, struct error *e)
{
	struct stat st;

	d->fd = openat(above, name, DIRECTORY_FLAGS | O_NOFOLLOW);
	if (d->fd != -1)
		return 0;
	/* A link also gives ENOTDIR, because O_DIRECTORY is checked first. */
	if ((errno == ENOTDIR || errno == ELOOP) &&
	    fstatat(above, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISLNK(st.st_mode))
		return error_set_code(e, ERROR_UNSAFE,
		    "%s is a symbolic link, but must be a directory; remove it",
		    d->path);
	return error_set_errno(e, "cannot open directory %s", d->path);
}

/* Make a part.  In a shared directory it becomes shared too: it inherits the
   group and the setgid bit.  An existing directory, perhaps a moment old, is
   accepted. */
static int
make_part(const struct directory *above, const char *name, const char *path,
    struct error *e)
{
	struct error reason;
	struct stat st;
	bool shared = fstat(above->fd, &st) == 0 &&
	    directory_is_shared(st.st_mode);
	mode_t mask = umask(shared ? 0007 : 0077);
	int status = 0;

	if (FAULT_POINT("mkdir") != 0 ||
	    (mkdirat(above->fd, name, shared ? 0770 : 0700) != 0 &&
		errno != EEXIST)) {
		status = error_set_errno(e, "cannot make directory %s", path);
	} else if (directory_sync(above, &reason) != 0 &&
	    /* Without read permission the flush is left to the system. */
	    reason.code != ERROR_DENIED) {
		(void)error_copy(e, &reason);
		status = error_prefix(e, "cannot make directory %s", path);
	}
	(void)umask(mask);
	return status;
}

int
directory_open_below(const struct directory *d, const char *name,
    struct directory *below, struct error *e)
{
	*below = (struct directory){ .fd = -1,
		.path = xasprintf("%s%s%s",
		    strcmp(d->path, "/") == 0 ? "" : d->path,
		    d->path[0] != '\0' ? "/" : "", name) };
	return open_part(below, d->fd, name, e);
}

int
directory_make_below(const struct directory *d, const char *name,
    struct directory *below, struct error *e)
{
	struct error reason;

	if (directory_open_below(d, name, below, &reason) == 0)
		return 0;
	if (reason.code == ERROR_INVALID)
		return error_set_number(e, ENOTDIR, "cannot make directory %s",
		    below->path);
	if (reason.code != ERROR_NOT_FOUND)
		return error_copy(e, &reason);
	return make_part(d, name, below->path, e) != 0 ?
	    -1 :
	    open_part(below, d->fd, name, e);
}

/* Open part by part, each below the one before, so that no part can lead
   elsewhere.  Only the last one stays open. */
static int
open_parts(struct directory *d, const char *path, bool make, struct error *e)
{
	struct directory next;
	char part[PATH_MAX];
	struct walk w;
	int status;

	if ((w.fd = open_without_links(path)) != -1) {
		*d = (struct directory){ .fd = w.fd, .path = xstrdup(path) };
		return 0;
	}
	status = walk_begin(&w, path, e);
	if (status != 0)
		(void)error_prefix(e, "cannot open directory %s", path);
	*d = (struct directory){ .fd = w.fd,
		.path = xstrdup(path[0] == '/' ? "/" : "") };
	while (status == 0 && walk_next(&w, part)) {
		status = make ? directory_make_below(d, part, &next, e) :
				directory_open_below(d, part, &next, e);
		directory_close(d);
		*d = next;
	}
	return status;
}

int
directory_open_resolved(struct directory *d, const char *path, struct error *e)
{
	return open_parts(d, path, false, e);
}

int
directory_make(struct directory *d, const char *path, struct error *e)
{
	return open_parts(d, path, true, e);
}

/* Open the directory for reading its names; its own descriptor is O_PATH. */
static int
open_readable(const struct directory *d, struct error *e)
{
	int fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd == -1)
		return error_set_errno(e, "cannot open directory %s", d->path);
	return fd;
}

int
directory_sync(const struct directory *d, struct error *e)
{
	int fd = open_readable(d, e), status = 0;

	if (fd == -1)
		return -1;
	if (directory_flush(fd) != 0)
		status = error_set_errno(e,
		    "cannot flush directory %s to the disk", d->path);
	(void)close(fd);
	return status;
}

/* Flush each regular file in the directory. */
static int
flush_files(const struct directory *d, char **names, long count,
    struct error *e)
{
	int fd, status = 0;
	long i;

	for (i = 0; i < count && status == 0; i++) {
		fd = openat(d->fd, names[i],
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd == -1 || directory_flush(fd) != 0)
			status = error_set_errno(e,
			    "cannot flush %s/%s to the disk", d->path,
			    names[i]);
		if (fd != -1)
			(void)close(fd);
	}
	return status;
}

/* Flush many files with one call, which includes other unflushed data. */
static int
flush_file_system(const struct directory *d, struct error *e)
{
	int fd = open_readable(d, e), status = 0;

	if (fd == -1)
		return -1;
	if (FAULT_POINT("syncfs") != 0 || syncfs(fd) != 0)
		status = error_set_errno(e,
		    "cannot flush directory %s to the disk", d->path);
	(void)close(fd);
	return status;
}

int
directory_sync_all(const struct directory *d, struct error *e)
{
	char **names;
	long count = directory_names(d, "", &names, e);
	int status;

	if (count == -1)
		return -1;
	if (count > FLUSH_SINGLE_MAX)
		status = flush_file_system(d, e);
	else if ((status = flush_files(d, names, count, e)) == 0)
		status = directory_sync(d, e);
	directory_names_free(names, count);
	return status;
}

static bool
is_temporary(const char *name)
{
	const size_t length = strlen(name);

	return name[0] == '.' && length >= 4 &&
	    strcmp(name + length - 4, ".tmp") == 0;
}

void
directory_clean(const struct directory *d)
{
	DIR *dir = directory_names_open(d, NULL);
	struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (is_temporary(entry->d_name))
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	(void)closedir(dir);
}

/* Empty one level only: stored directories have no subdirectories. */
static int
directory_empty(const struct directory *d, struct error *e)
{
	DIR *dir = directory_names_open(d, e);
	struct dirent *entry;
	int status = 0;

	if (dir == NULL)
		return -1;
	while (status == 0 && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (FAULT_POINT("unlink") != 0 ||
		    unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			status = error_set_errno(e, "cannot remove %s/%s",
			    d->path, entry->d_name);
	}
	(void)closedir(dir);
	return status;
}

int
directory_remove_below(const struct directory *above, const char *name,
    struct error *e)
{
	struct directory d;
	struct error reason;
	int status;

	status = directory_open_below(above, name, &d, &reason);
	if (status == 0)
		status = directory_empty(&d, &reason);
	if (status == 0 &&
	    (FAULT_POINT("rmdir") != 0 ||
		unlinkat(above->fd, name, AT_REMOVEDIR) != 0))
		status = error_set_errno(&reason, "cannot remove directory %s",
		    d.path);
	directory_close(&d);
	return status == 0 || reason.code == ERROR_NOT_FOUND ?
	    0 :
	    error_copy(e, &reason);
}
