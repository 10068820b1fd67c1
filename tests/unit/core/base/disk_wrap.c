/*
 * A model of the disk for durable_test: which files and directories a power
 * cut would lose.  The linker's --wrap feeds it (see the Makefile).
 */
#include "tests/unit/core/base/disk_wrap.h"

#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "tests/unit/tap.h"

enum { ITEMS_MAX = 4096, STEPS_SIZE = 1024, PATH_SIZE = 512 };

/* A file or a directory below the root; dirty: a power cut would lose it. */
struct item {
	dev_t dev;
	ino_t ino;
	bool dirty;
	char path[PATH_SIZE];
};

static char root[PATH_SIZE]; /* "": nothing is watched */
static struct item items[ITEMS_MAX];
static int item_count;
static char fault[PATH_SIZE + 64]; /* the first one */
static int syncs, file_system_syncs;
static char steps[STEPS_SIZE];

int __real_open(const char *, int, ...);
int __wrap_open(const char *, int, ...);
int __real_openat(int, const char *, int, ...);
int __wrap_openat(int, const char *, int, ...);
ssize_t __real_write(int, const void *, size_t);
ssize_t __wrap_write(int, const void *, size_t);
int __real_fsync(int);
int __wrap_fsync(int);
int __real_fdatasync(int);
int __wrap_fdatasync(int);
int __real_syncfs(int);
int __wrap_syncfs(int);
int __real_rename(const char *, const char *);
int __wrap_rename(const char *, const char *);
int __real_renameat(int, const char *, int, const char *);
int __wrap_renameat(int, const char *, int, const char *);
int __real_unlink(const char *);
int __wrap_unlink(const char *);
int __real_unlinkat(int, const char *, int);
int __wrap_unlinkat(int, const char *, int);
int __real_mkdir(const char *, mode_t);
int __wrap_mkdir(const char *, mode_t);
int __real_mkdirat(int, const char *, mode_t);
int __wrap_mkdirat(int, const char *, mode_t);
int __real_rmdir(const char *);
int __wrap_rmdir(const char *);

/* The registry is memory: what it says is made again from the files. */
static bool
is_watched(const char *path)
{
	const size_t len = strlen(root);

	return len > 0 && strncmp(path, root, len) == 0 &&
	    (path[len] == '/' || path[len] == '\0') &&
	    strstr(path, ".registry") == NULL;
}

/*
 * Names that may come back or be missing after a power cut: those of temporary
 * files and directories, the lock, and the tickets, which count only while
 * their holders live.
 */
static bool
is_passing(const char *path)
{
	const char *name = path_base_name(path);

	return name[0] == '.' || strcmp(name, "new") == 0 ||
	    strcmp(name, "lock") == 0 || strstr(path, "/waiting/") != NULL;
}

/* "create .a.ini.*.tmp": below the root, without what is random. */
static void
note(const char *what, const char *path)
{
	const char *name = path + strlen(root) + (path[strlen(root)] == '/');
	size_t len = strlen(name);
	char text[PATH_SIZE + 32];

	if (len > 11 && path_base_name(name)[0] == '.' &&
	    strcmp(name + len - 4, ".tmp") == 0 && name[len - 11] == '.')
		(void)snprintf(text, sizeof(text), "%s%s %.*s.tmp",
		    steps[0] == '\0' ? "" : ",", what, (int)len - 11, name);
	else
		(void)snprintf(text, sizeof(text), "%s%s %s",
		    steps[0] == '\0' ? "" : ",", what, name);
	(void)strlcat(steps, text, sizeof(steps));
}

static void
blame(const char *path, const char *what)
{
	if (fault[0] == '\0')
		(void)snprintf(fault, sizeof(fault), "%s %s", path, what);
}

/* The item of the path, which is there; NULL where it is not watched. */
static struct item *
item_at(const char *path)
{
	struct stat st;
	struct item *item;
	int i;

	if (!is_watched(path) || lstat(path, &st) != 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return NULL;
	for (i = 0; i < item_count; i++)
		if (items[i].ino == st.st_ino && items[i].dev == st.st_dev)
			break;
	if (i == ITEMS_MAX)
		abort();
	item = &items[i];
	if (i == item_count) {
		item_count++;
		*item = (struct item){ .dev = st.st_dev, .ino = st.st_ino };
	}
	(void)strlcpy(item->path, path, sizeof(item->path));
	return item;
}

static void
set_dirty(const char *path, bool dirty)
{
	struct item *item = item_at(path);

	if (item != NULL)
		item->dirty = dirty;
}

/* A name in the directory came or went. */
static void
touch_above(const char *path)
{
	char *above = path_directory_name(path);

	set_dirty(above, true);
	free(above);
}

static void
forget(const char *path)
{
	struct item *item = item_at(path);

	if (item != NULL)
		*item = items[--item_count];
}

/* The first watched item that a power cut would lose. */
static void
check_all_flushed(const char *when)
{
	int i;

	for (i = 0; i < item_count; i++)
		if (items[i].dirty && !is_passing(items[i].path))
			blame(items[i].path, when);
}

/* What the descriptor has open, "" where it is not watched. */
static const char *
path_of(int fd)
{
	static char path[PATH_SIZE];
	char link[64];
	ssize_t len;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = root[0] == '\0' ? -1 : readlink(link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	return is_watched(path) ? path : "";
}

/* A name in a directory that is open; the caller frees it. */
static char *
path_at(int fd, const char *name)
{
	int saved = errno;
	char *path = xasprintf("%s/%s", path_of(fd), name);

	errno = saved;
	return path;
}

/* A new file, unless it is known. */
static void
made(const char *path)
{
	const int count = item_count;

	if (item_at(path) == NULL || item_count == count)
		return;
	note("create", path);
	set_dirty(path, true);
	if (!is_passing(path))
		touch_above(path);
}

int
__wrap_open(const char *path, int flags, ...)
{
	bool new = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
	mode_t mode = 0;
	va_list ap;
	int fd, saved;

	va_start(ap, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	fd = __real_open(path, flags, mode);
	saved = errno;
	if (fd != -1 && new)
		made(path);
	errno = saved;
	return fd;
}

int
__wrap_openat(int directory, const char *name, int flags, ...)
{
	bool new = (flags & O_CREAT) != 0 &&
	    faccessat(directory, name, F_OK, 0) != 0;
	mode_t mode = 0;
	va_list ap;
	char *path;
	int fd, saved;

	va_start(ap, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	fd = __real_openat(directory, name, flags, mode);
	saved = errno;
	if (fd != -1 && new) {
		path = path_at(directory, name);
		made(path);
		free(path);
	}
	errno = saved;
	return fd;
}

ssize_t
__wrap_write(int fd, const void *bytes, size_t size)
{
	ssize_t n = __real_write(fd, bytes, size);
	int saved = errno;
	const char *path = path_of(fd);

	if (n > 0 && path[0] != '\0') {
		note("write", path);
		set_dirty(path, true);
	}
	errno = saved;
	return n;
}

static void
flushed(int fd)
{
	const char *path = path_of(fd);

	if (path[0] == '\0')
		return;
	syncs++;
	note("fsync", path);
	set_dirty(path, false);
}

int
__wrap_fsync(int fd)
{
	int status = __real_fsync(fd), saved = errno;

	if (status == 0)
		flushed(fd);
	errno = saved;
	return status;
}

int
__wrap_fdatasync(int fd)
{
	int status = __real_fdatasync(fd), saved = errno;

	if (status == 0)
		flushed(fd);
	errno = saved;
	return status;
}

int
__wrap_syncfs(int fd)
{
	int status = __real_syncfs(fd), saved = errno, i;
	const char *path = path_of(fd);

	if (status == 0 && path[0] != '\0') {
		file_system_syncs++;
		note("syncfs", path);
		for (i = 0; i < item_count; i++)
			items[i].dirty = false;
	}
	errno = saved;
	return status;
}

/* What takes its place under its name is complete: it and what is in it. */
static void
check_rename(const char *from)
{
	const size_t len = strlen(from);
	int i;

	for (i = 0; i < item_count; i++)
		if (items[i].dirty && strncmp(items[i].path, from, len) == 0 &&
		    (items[i].path[len] == '\0' || items[i].path[len] == '/'))
			blame(items[i].path, "is renamed before it is flushed");
}

static void
before_rename(const char *from, const char *to)
{
	if (!is_watched(to))
		return;
	check_rename(from);
	if (strcmp(path_base_name(to), "pod.ini") == 0)
		check_all_flushed("is not flushed before pod.ini counts");
	forget(to);
}

static int
renamed(int status, const char *to)
{
	int saved = errno;

	if (status == 0 && is_watched(to)) {
		note("rename", to);
		(void)item_at(to);
		touch_above(to);
	}
	errno = saved;
	return status;
}

int
__wrap_rename(const char *from, const char *to)
{
	before_rename(from, to);
	return renamed(__real_rename(from, to), to);
}

int
__wrap_renameat(int old, const char *from, int new, const char *to)
{
	char *source = path_at(old, from), *target = path_at(new, to);
	int status;

	before_rename(source, target);
	status = renamed(__real_renameat(old, from, new, to), target);
	free(source);
	free(target);
	return status;
}

static int
removed(int status, const char *what, const char *path)
{
	int saved = errno;

	if (status == 0 && is_watched(path) && !is_passing(path)) {
		note(what, path);
		touch_above(path);
	}
	errno = saved;
	return status;
}

int
__wrap_unlink(const char *path)
{
	if (is_watched(path))
		forget(path);
	return removed(__real_unlink(path), "unlink", path);
}

int
__wrap_unlinkat(int fd, const char *name, int flags)
{
	char *path = path_at(fd, name);
	int status;

	if (is_watched(path))
		forget(path);
	status = removed(__real_unlinkat(fd, name, flags),
	    (flags & AT_REMOVEDIR) != 0 ? "rmdir" : "unlink", path);
	free(path);
	return status;
}

static int
directory_made(int status, const char *path)
{
	int saved = errno;

	if (status == 0 && is_watched(path)) {
		note("mkdir", path);
		touch_above(path);
	}
	errno = saved;
	return status;
}

int
__wrap_mkdir(const char *path, mode_t mode)
{
	return directory_made(__real_mkdir(path, mode), path);
}

int
__wrap_mkdirat(int fd, const char *name, mode_t mode)
{
	char *path = path_at(fd, name);
	int status = directory_made(__real_mkdirat(fd, name, mode), path);

	free(path);
	return status;
}

int
__wrap_rmdir(const char *path)
{
	if (is_watched(path))
		forget(path);
	return removed(__real_rmdir(path), "rmdir", path);
}

void
watch(const char *path)
{
	(void)strlcpy(root, path, sizeof(root));
	item_count = syncs = file_system_syncs = 0;
	fault[0] = steps[0] = '\0';
}

const char *
watched_steps(void)
{
	return steps;
}

int
watched_syncs(void)
{
	return syncs;
}

int
watched_file_system_syncs(void)
{
	return file_system_syncs;
}

void
is_durable(const char *name)
{
	check_all_flushed("is not flushed");
	root[0] = '\0';
	is_str(fault, "", name);
}

void
is_durable_by(const char *wanted, const char *name)
{
	char text[128];

	is_durable(name);
	(void)snprintf(text, sizeof(text), "%s: its steps", name);
	is_str(steps, wanted, text);
}
