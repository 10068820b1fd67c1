/*
 * Work in an open directory.  directory_path.c opens it; file.c handles files.
 */
#include "core/base/files/directory.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/text.h"

enum {
	/* Up to this many files are flushed one by one.  For more, flushing the
	   whole file system is faster, though it may include other data. */
	FLUSH_SINGLE_MAX = 256
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

void
directory_close(struct directory *d)
{
	if (d->fd != -1)
		(void)close(d->fd);
	free(d->path);
	*d = DIRECTORY_NONE;
}

int
directory_open_below(const struct directory *d, const char *name,
    struct directory *below, struct error *e)
{
	struct stat st;

	below->path = xasprintf("%s%s%s",
	    strcmp(d->path, "/") == 0 ? "" : d->path,
	    d->path[0] != '\0' ? "/" : "", name);
	below->fd = openat(d->fd, name,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below->fd != -1)
		return 0;
	/* A link also gives ENOTDIR, because O_DIRECTORY is checked first. */
	if ((errno == ENOTDIR || errno == ELOOP) &&
	    fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISLNK(st.st_mode))
		return error_set_code(e, ERROR_UNSAFE,
		    "%s is a symbolic link, but must be a directory; remove it",
		    below->path);
	return error_set_errno(e, "cannot open directory %s", below->path);
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

/* Return true if the name ends with the suffix; "" always matches. */
static bool
has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n >= s && strcmp(name + n - s, suffix) == 0;
}

/* Return true if a name is listed: temporary files begin with a dot. */
static bool
directory_lists(const char *name, const char *suffix)
{
	return name[0] != '.' && has_suffix(name, suffix);
}

DIR *
directory_open_names(const struct directory *d, struct error *e)
{
	int fd = open_readable(d, e);
	DIR *dir;

	if (fd == -1)
		return NULL;
	dir = fdopendir(fd);
	if (dir == NULL) {
		(void)error_set_errno(e, "cannot open directory %s", d->path);
		(void)close(fd);
	}
	return dir;
}

void
directory_clean(const struct directory *d)
{
	DIR *dir = directory_open_names(d, NULL);
	struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] == '.' &&
		    has_suffix(entry->d_name, ".tmp"))
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	(void)closedir(dir);
}

/* Empty one level only: stored directories have no subdirectories. */
static int
directory_empty(const struct directory *d, struct error *e)
{
	DIR *dir = directory_open_names(d, e);
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

/* Clear errno before each readdir(3): NULL is both the end and a failure, and
   only errno tells them apart. */
long
directory_names(const struct directory *d, const char *suffix, char ***names,
    struct error *e)
{
	DIR *dir = directory_open_names(d, e);
	struct dirent *entry;
	size_t count = 0, room = 16;

	if (dir == NULL)
		return -1;
	*names = xcalloc(room, sizeof(**names));
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (!directory_lists(entry->d_name, suffix))
			continue;
		if (count == room) {
			room *= 2;
			*names = xreallocarray(*names, room, sizeof(**names));
		}
		(*names)[count++] = xstrdup(entry->d_name);
	}
	if (errno != 0) {
		(void)error_set_errno(e, "cannot read directory %s", d->path);
		(void)closedir(dir);
		directory_names_free(*names, (long)count);
		return -1;
	}
	(void)closedir(dir);
	qsort(*names, count, sizeof(**names), text_compare);
	return (long)count;
}

long
directory_count(const struct directory *d, const char *suffix, struct error *e)
{
	DIR *dir = directory_open_names(d, e);
	struct dirent *entry;
	long count = 0;

	if (dir == NULL)
		return -1;
	while ((errno = 0, entry = readdir(dir)) != NULL)
		count += directory_lists(entry->d_name, suffix);
	if (errno != 0)
		count = error_set_errno(e, "cannot read directory %s", d->path);
	(void)closedir(dir);
	return count;
}

void
directory_names_free(char **names, long count)
{
	while (count > 0)
		free(names[--count]);
	free(names);
}
