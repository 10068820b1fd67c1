/*
 * Files that a crash cannot leave half written, in their directories.  Each
 * step of a write is a fault point (fault.h), so that tests can stop it
 * everywhere.  Read file_replace_at() first.
 */
#include "core/base/files/file.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"

enum {
	RANDOM_SIZE = 6,
	NAME_PART_MAX = 200 /* bytes of a name within a temporary name */
};

int
file_put(int fd, const char *text, size_t size)
{
	ssize_t n;

	if (FAULT_POINT("write") != 0)
		return -1;
	while (size > 0) {
		n = write(fd, text, size);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		text += n;
		size -= (size_t)n;
	}
	/* Stands for a crash in the middle of the file. */
	return FAULT_POINT("written");
}

/* faccessat(2) with AT_EACCESS checks the effective user; access(2) would check
   the real one, which differs after a change of user. */
bool
file_is_missing(const char *path, const char *home)
{
	if (faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) == 0)
		return false;
	return errno == ENOENT || errno == ENOTDIR ||
	    (errno == EACCES && home != NULL &&
		faccessat(AT_FDCWD, home, X_OK, AT_EACCESS) != 0);
}

/* Return the mode of a new file, by the directory's sharing. */
static mode_t
file_new_mode(const struct directory *d)
{
	struct stat st;

	return fstat(d->fd, &st) == 0 && directory_is_shared(st.st_mode) ?
	    0660 :
	    0600;
}

/* The mode comes from the directory (file_new_mode()), not from the caller's
   umask, which is set and restored. */
int
file_open(const struct directory *d, const char *name, int flags,
    struct error *e)
{
	mode_t mode = file_new_mode(d);
	/* Make it with the final mode at once: a kill leaves no file that the
	   group cannot open. */
	mode_t mask = umask(mode == 0660 ? 0007 : 0077);
	int fd;

	fd = openat(d->fd, name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd == -1)
		(void)error_set_reason(e, errno);
	(void)umask(mask);
	return fd;
}

/* Flush a new file's name, with those beside it.  A directory that the user may
   write but not read (mode 0300) cannot be opened for fsync(2); then the system
   flushes it later. */
static int
file_sync_above(const char *path, struct error *e)
{
	struct directory d;
	struct error reason;
	char *above = path_directory_name(path);
	int status = directory_open(&d, above, &reason);

	if (status != 0)
		(void)error_prefix(&reason, "cannot open directory %s", above);
	else
		status = directory_sync(&d, &reason);
	directory_close(&d);
	free(above);
	return status == 0 || reason.code == ERROR_DENIED ?
	    0 :
	    error_copy(e, &reason);
}

/* Cut the name, so that the additions fit. */
char *
file_temporary_name(const char *name)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	char random[RANDOM_SIZE + 1] = "";
	int i;

	for (i = 0; i < RANDOM_SIZE; i++)
		random[i] = letters[arc4random_uniform(sizeof(letters) - 1)];
	return xasprintf(".%.*s.%s.tmp", NAME_PART_MAX, name, random);
}

bool
file_is_temporary(const char *entry, const char *name)
{
	const size_t n = strnlen(name, NAME_PART_MAX);

	return strlen(entry) ==
	    n + RANDOM_SIZE + strlen("..") + strlen(".tmp") &&
	    entry[0] == '.' && strncmp(entry + 1, name, n) == 0 &&
	    entry[n + 1] == '.' &&
	    strcmp(entry + n + 2 + RANDOM_SIZE, ".tmp") == 0;
}

/* O_EXCL: an existing file of the temporary name is neither written nor
   followed. */
char *
file_stage(const struct directory *d, const char *name, mode_t mode,
    const char *text, size_t size, struct error *e)
{
	char *temporary = file_temporary_name(name);
	int fd = -1, status = 0;

	if (FAULT_POINT("create") == 0)
		fd = openat(d->fd, temporary,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd == -1 || fchmod(fd, mode) != 0 ||
	    file_put(fd, text, size) != 0 || directory_flush(fd) != 0)
		status = error_set_errno(e, "cannot write %s/%s", d->path,
		    name);
	if (fd != -1 && close(fd) != 0 && status == 0)
		status = error_set_errno(e, "cannot write %s/%s", d->path,
		    name);
	if (fd != -1 && status != 0)
		(void)unlinkat(d->fd, temporary, 0);
	if (status != 0) {
		free(temporary);
		temporary = NULL;
	}
	return temporary;
}

int
file_show(const struct directory *d, const char *temporary, const char *name,
    struct error *e)
{
	if (FAULT_POINT("rename") == 0 &&
	    renameat(d->fd, temporary, d->fd, name) == 0)
		return 0;
	(void)error_set_errno(e, "cannot replace %s/%s", d->path, name);
	(void)unlinkat(d->fd, temporary, 0);
	return -1;
}

/*
 * The order makes it durable: the new text is on the disk before it gets the
 * name, and the name is on the disk before this returns.
 *
 *	.NAME.XXXXXX.tmp written, fsync		a crash here: the old file
 *	rename to NAME				the old file or the new one
 *	fsync of the directory			from here on: the new one
 */
int
file_replace_at(const struct directory *d, const char *name, const char *text,
    size_t size, struct error *e)
{
	char *temporary = file_stage(d, name, file_new_mode(d), text, size, e);
	int status = temporary != NULL ? file_show(d, temporary, name, e) : -1;

	free(temporary);
	return status == 0 && directory_sync(d, e) != 0 ?
	    error_recode(e, ERROR_UNCONFIRMED) :
	    status;
}

int
file_replace(const char *directory, const char *name, const char *text,
    size_t size, struct error *e)
{
	struct directory d;
	int status = directory_open(&d, directory, e);

	if (status != 0)
		(void)error_prefix(e, "cannot write %s/%s", directory, name);
	else
		status = file_replace_at(&d, name, text, size, e);
	directory_close(&d);
	return status;
}

/* O_EXCL: never write an existing file of the name, such as a planted link to a
   file elsewhere. */
int
file_open_new(const struct directory *d, const char *name, const char *text,
    size_t size, struct error *e)
{
	int fd = -1;

	if (FAULT_POINT("create") != 0)
		return error_set_errno(e, "cannot write %s/%s", d->path, name);
	fd = file_open(d, name, O_WRONLY | O_CREAT | O_EXCL, e);
	if (fd == -1)
		return error_prefix(e, "cannot write %s/%s", d->path, name);
	if (file_put(fd, text, size) == 0)
		return fd;
	(void)error_set_errno(e, "cannot write %s/%s", d->path, name);
	(void)close(fd);
	return -1;
}

int
file_write(const struct directory *d, const char *name, const char *text,
    size_t size, struct error *e)
{
	int fd = file_open_new(d, name, text, size, e);

	if (fd == -1)
		return -1;
	if (close(fd) == 0)
		return 0;
	return error_set_errno(e, "cannot write %s/%s", d->path, name);
}

/* O_EXCL refuses any existing name, even a dangling link, so that a secret
   never lands in another user's file. */
int
file_create(const char *path, const char *text, size_t size, struct error *e)
{
	struct error reason;
	int fd, status = 0;

	fd = FAULT_POINT("create") != 0 ?
	    -1 :
	    open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		0600);
	if (fd == -1 && errno == EEXIST)
		return error_set_code(e, ERROR_EXISTS,
		    "file %s already exists; move it away or remove it", path);
	if (fd == -1)
		return error_set_errno(e, "cannot write %s", path);
	if (file_put(fd, text, size) != 0 || directory_flush(fd) != 0)
		status = error_set_errno(e, "cannot write %s", path);
	if (close(fd) != 0 && status == 0)
		status = error_set_errno(e, "cannot write %s", path);
	if (status == 0 && file_sync_above(path, &reason) != 0) {
		(void)error_copy(e, &reason);
		status = error_prefix(e, "cannot write %s", path);
	}
	if (status != 0)
		(void)unlink(path);
	return status;
}

int
file_remove(const struct directory *d, const char *name, struct error *e)
{
	if (FAULT_POINT("unlink") != 0 ||
	    (unlinkat(d->fd, name, 0) != 0 && errno != ENOENT))
		return error_set_errno(e, "cannot remove %s/%s", d->path, name);
	return directory_sync(d, e) == 0 ?
	    0 :
	    error_recode(e, ERROR_UNCONFIRMED);
}

/* Read and close an open file; -1, with errno set, for a failed open.  The text
   is allocated if `room` is NULL. */
static char *
file_read_open(int fd, const char *path, size_t limit, char room[FILE_ROOM],
    size_t *size, struct stat *st, struct error *e)
{
	char *text = NULL;

	if (fd == -1) {
		(void)error_set_errno(e, "cannot open %s", path);
		return NULL;
	}
	if (fstat(fd, st) != 0)
		(void)error_set_errno(e, "cannot read %s", path);
	else if (!S_ISREG(st->st_mode))
		(void)error_set_number(e,
		    S_ISDIR(st->st_mode) ? EISDIR : EINVAL, "cannot read %s",
		    path);
	else if (room != NULL)
		text = stream_read_into(fd, path, limit, room, size, e);
	else
		text = stream_read(fd, path, limit, size, e);
	(void)close(fd);
	return text;
}

/* O_NONBLOCK keeps a FIFO or device in place of the file from blocking open(2);
   anything but a regular file is refused after it. */
static int
open_to_read(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

char *
file_read(const char *path, size_t limit, size_t *size, struct error *e)
{
	struct stat st;

	return file_read_as(path, limit, size, &st, e);
}

char *
file_read_as(const char *path, size_t limit, size_t *size, struct stat *st,
    struct error *e)
{
	return file_read_open(open_to_read(path), path, limit, NULL, size, st,
	    e);
}

char *
file_read_into(const char *path, size_t limit, char room[FILE_ROOM],
    size_t *size, struct error *e)
{
	struct stat st;

	return file_read_open(open_to_read(path), path, limit, room, size, &st,
	    e);
}

int
file_check_single(int fd, const char *directory, const char *name,
    struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set_errno(e, "cannot read %s/%s", directory, name);
	if (S_ISREG(st.st_mode) && st.st_nlink > 1)
		return error_set_code(e, ERROR_UNSAFE,
		    "%s/%s has %lu names (hard links), so it may be the file "
		    "of another user; remove this name, or put a copy in its "
		    "place",
		    directory, name, (unsigned long)st.st_nlink);
	return 0;
}

static char *
read_at(const struct directory *d, const char *name, size_t limit,
    char room[FILE_ROOM], size_t *size, struct stat *st, struct error *e)
{
	char *path = xasprintf("%s/%s", d->path, name);
	char *text = NULL;
	int fd = openat(d->fd, name,
	    O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

	if (fd == -1 && errno == ELOOP)
		(void)error_set_code(e, ERROR_UNSAFE,
		    "%s is a symbolic link, which is not followed here", path);
	else if (fd != -1 && file_check_single(fd, d->path, name, e) != 0)
		(void)close(fd);
	else
		text = file_read_open(fd, path, limit, room, size, st, e);
	free(path);
	return text;
}

char *
file_read_at_as(const struct directory *d, const char *name, size_t limit,
    size_t *size, struct stat *st, struct error *e)
{
	return read_at(d, name, limit, NULL, size, st, e);
}

char *
file_read_at_into(const struct directory *d, const char *name, size_t limit,
    char room[FILE_ROOM], size_t *size, struct error *e)
{
	struct stat st;

	return read_at(d, name, limit, room, size, &st, e);
}

char *
file_read_at(const struct directory *d, const char *name, size_t limit,
    size_t *size, struct error *e)
{
	struct stat st;

	return file_read_at_as(d, name, limit, size, &st, e);
}
