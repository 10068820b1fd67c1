/*
 * Files that a crash cannot leave half written, and the directories that hold
 * them.  Each step of a write is a fault point (fault.h), so that tests stop it
 * in every place.  Read file_replace() first.
 */
#include "core/base/file.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/path.h"

/*
 * Up to so many files are flushed one by one; more of them are quicker with
 * the whole file system, which may hold other people's data as well.
 */
enum { FLUSH_SINGLE_MAX = 256 };

/*
 * All bytes, however the system cuts them: write(2) may take less than it was
 * given, and a signal may stop it.
 */
static int
file_write_all(int fd, const char *text, size_t size)
{
	ssize_t	n;

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
	/* In mid-file, as far as a reader could tell. */
	return FAULT_POINT("written");
}

/*
 * faccessat(2) with AT_EACCESS asks for the effective user: access(2) would ask
 * for the real one, who differs after a change of user.
 */
bool
file_is_missing(const char *path, const char *home)
{
	if (faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) == 0)
		return false;
	return errno == ENOENT || errno == ENOTDIR ||
	    (errno == EACCES && home != NULL && faccessat(AT_FDCWD, home,
	    X_OK, AT_EACCESS) != 0);
}

/* Flush what an open descriptor stands for to the disk. */
static int
file_flush(int fd)
{
	if (FAULT_POINT("fsync") != 0)
		return -1;
	/* EINVAL: a file system that knows no fsync, as of some directories. */
	return fsync(fd) != 0 && errno != EINVAL ? -1 : 0;
}

/*
 * All three bits together are set on purpose: mode 2770, which an administrator
 * gives a directory for a group. 0 of the others: a directory that everybody
 * may write is shared with nobody.
 */
bool
file_is_shared(mode_t mode)
{
	return (mode & (S_ISGID | S_IWGRP | S_IXGRP)) ==
	    (S_ISGID | S_IWGRP | S_IXGRP) && (mode & S_IWOTH) == 0;
}

/* What members of the directory's group may do with a file in it. */
static mode_t
file_new_mode(const char *directory)
{
	struct stat	st;

	return stat(directory, &st) == 0 && file_is_shared(st.st_mode) ? 0660 :
	    0600;
}

/*
 * The mode is that of the directory's kind (file_new_mode()), not of the
 * caller's umask, which the call sets and puts back.
 */
int
file_open(const char *directory, const char *name, int flags, struct error *e)
{
	char	*path = xasprintf("%s/%s", directory, name);
	mode_t	 mode = file_new_mode(directory);
	/* Made with its mode at once: a kill leaves no file that the group
	   cannot open. */
	mode_t	 mask = umask(mode == 0660 ? 0007 : 0077);
	int	 fd;

	fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd == -1)
		(void)error_set_reason(e, errno);
	(void)umask(mask);
	free(path);
	return fd;
}

int
file_sync_directory(const char *directory, struct error *e)
{
	int	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int	status = 0;

	if (fd == -1)
		return error_set_errno(e, "cannot open folder %s", directory);
	if (file_flush(fd) != 0)
		status = error_set_errno(e, "cannot flush folder %s to the "
		    "disk", directory);
	(void)close(fd);
	return status;
}

/*
 * A user who may write a directory and not read it (mode 0300) cannot open it
 * for fsync(2): the name is then left to the system's own flush.
 */
int
file_sync_above(const char *path, struct error *e)
{
	struct error	 reason;
	char		*directory = path_directory_name(path);
	int		 status = file_sync_directory(directory, &reason);

	free(directory);
	return status == 0 || reason.code == ERROR_DENIED ? 0 :
	    error_copy(e, &reason);
}

/*
 * Write and flush the temporary file of `path`; unlinked again when it fails.
 */
static int
file_write_temporary(char *temporary, const char *path, mode_t mode,
    const char *text, size_t size, struct error *e)
{
	int	fd = -1, status = 0;

	if (FAULT_POINT("create") == 0)
		fd = mkostemps(temporary, 4, O_CLOEXEC);
	if (fd == -1)
		return error_set_errno(e, "cannot write %s", path);
	if (fchmod(fd, mode) != 0 || file_write_all(fd, text, size) != 0 ||
	    file_flush(fd) != 0)
		status = error_set_errno(e, "cannot write %s", path);
	if (close(fd) != 0 && status == 0)
		status = error_set_errno(e, "cannot write %s", path);
	if (status != 0)
		(void)unlink(temporary);
	return status;
}

/*
 * The order is what makes it durable: the new text is on the disk before it
 * gets the name, and the name is on the disk before this returns.
 *
 *	.NAME.XXXXXX.tmp written, fsync		a crash here: the old file
 *	rename to NAME				the old file or the new one
 *	fsync of the directory			from here on: the new one
 */
int
file_replace(const char *directory, const char *name, const char *text,
    size_t size, struct error *e)
{
	char	*path = xasprintf("%s/%s", directory, name);
	char	*temporary = xasprintf("%s/.%s.XXXXXX.tmp", directory, name);
	int	 status;

	status = file_write_temporary(temporary, path, file_new_mode(directory),
	    text,
	    size, e);
	if (status == 0 && (FAULT_POINT("rename") != 0 ||
	    rename(temporary, path) != 0)) {
		status = error_set_errno(e, "cannot replace %s", path);
		(void)unlink(temporary);
	} else if (status == 0 && file_sync_directory(directory, e) != 0) {
		status = error_recode(e, ERROR_UNCONFIRMED);
	}
	free(temporary);
	free(path);
	return status;
}

int
file_open_new(const char *directory, const char *name, const char *text,
    size_t size, struct error *e)
{
	int	 fd;

	if (FAULT_POINT("create") != 0)
		return error_set_errno(e, "cannot write %s/%s", directory,
		    name);
	fd = file_open(directory, name, O_WRONLY | O_CREAT | O_TRUNC, e);
	if (fd == -1)
		return error_prefix(e, "cannot write %s/%s", directory, name);
	if (file_write_all(fd, text, size) == 0)
		return fd;
	(void)error_set_errno(e, "cannot write %s/%s", directory, name);
	(void)close(fd);
	return -1;
}

int
file_write(const char *directory, const char *name, const char *text,
    size_t size,
    struct error *e)
{
	int	fd = file_open_new(directory, name, text, size, e);

	if (fd == -1)
		return -1;
	if (close(fd) == 0)
		return 0;
	return error_set_errno(e, "cannot write %s/%s", directory, name);
}

/*
 * O_EXCL refuses whatever has the name already, a link to nowhere too, so that
 * a secret never lands in a file of somebody else.
 */
int
file_create(const char *path, const char *text, size_t size, struct error *e)
{
	struct error	reason;
	int		fd, status = 0;

	fd = FAULT_POINT("create") != 0 ? -1 : open(path, O_WRONLY | O_CREAT |
	    O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd == -1 && errno == EEXIST)
		return error_set_code(e, ERROR_EXISTS, "there is a file %s "
		    "already; move it away or remove it", path);
	if (fd == -1)
		return error_set_errno(e, "cannot write %s", path);
	if (file_write_all(fd, text, size) != 0 || file_flush(fd) != 0)
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
file_remove(const char *directory, const char *name, struct error *e)
{
	char	*path = xasprintf("%s/%s", directory, name);
	int	 status = 0;

	if (FAULT_POINT("unlink") != 0 ||
	    (unlink(path) != 0 && errno != ENOENT))
		status = error_set_errno(e, "cannot remove %s", path);
	else if (file_sync_directory(directory, e) != 0)
		status = error_recode(e, ERROR_UNCONFIRMED);
	free(path);
	return status;
}

/* Flush each regular file of the directory. */
static int
flush_files(const char *directory, char **names, long count, struct error *e)
{
	char	*path;
	int	 fd, status = 0;
	long	 i;

	for (i = 0; i < count && status == 0; i++) {
		path = xasprintf("%s/%s", directory, names[i]);
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd == -1 || file_flush(fd) != 0)
			status = error_set_errno(e, "cannot flush %s to the "
			    "disk", path);
		if (fd != -1)
			(void)close(fd);
		free(path);
	}
	return status;
}

/* One call for many files: it takes what else is not flushed along. */
static int
flush_file_system(const char *directory, struct error *e)
{
	int	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int	status = 0;

	if (fd == -1 || FAULT_POINT("syncfs") != 0 || syncfs(fd) != 0)
		status = error_set_errno(e, "cannot flush folder %s to the "
		    "disk", directory);
	if (fd != -1)
		(void)close(fd);
	return status;
}

int
file_sync_all(const char *directory, struct error *e)
{
	char	**names;
	long	  count = file_names(directory, "", &names, e);
	int	  status;

	if (count == -1)
		return -1;
	if (count > FLUSH_SINGLE_MAX)
		status = flush_file_system(directory, e);
	else if ((status = flush_files(directory, names, count, e)) == 0)
		status = file_sync_directory(directory, e);
	file_names_free(names, count);
	return status;
}

/* Whether the name ends so; every name ends with "". */
static bool
has_suffix(const char *name, const char *suffix)
{
	size_t	n = strlen(name), s = strlen(suffix);

	return n >= s && strcmp(name + n - s, suffix) == 0;
}

/*
 * Names come from readdir(3) and are removed relative to the same directory:
 * nothing else can be meant.
 */
void
file_clean(const char *directory)
{
	DIR		*dir = opendir(directory);
	struct dirent	*entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] == '.' &&
		    has_suffix(entry->d_name, ".tmp"))
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	(void)closedir(dir);
}

/* One level only: what is stored has no directories in directories. */
int
file_remove_directory(const char *directory, struct error *e)
{
	DIR		*dir = opendir(directory);
	struct dirent	*entry;
	int		 status = 0;

	if (dir == NULL)
		return errno == ENOENT ? 0 :
		    error_set_errno(e, "cannot open folder %s", directory);
	while (status == 0 && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (FAULT_POINT("unlink") != 0 ||
		    unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			status = error_set_errno(e, "cannot remove %s/%s",
			    directory, entry->d_name);
	}
	(void)closedir(dir);
	if (status == 0 && (FAULT_POINT("rmdir") != 0 || rmdir(directory) != 0))
		status = error_set_errno(e, "cannot remove folder %s",
		    directory);
	return status;
}

/*
 * One directory, which may be there already.  In one that is shared it is
 * shared too: the group comes from there, and so does the bit that says so.
 */
static int
make_one(const char *path, struct error *e)
{
	struct error	 reason;
	char		*above = xstrdup(path), *slash = strrchr(above, '/');
	struct stat	 st;
	bool		 shared;
	mode_t		 mask;
	int		 status = 0;

	if (slash != NULL)
		slash[slash == above] = '\0';
	shared = stat(slash != NULL ? above : ".", &st) == 0 &&
	    file_is_shared(st.st_mode);
	mask = umask(shared ? 0007 : 0077);
	if (FAULT_POINT("mkdir") != 0 ||
	    (mkdir(path, shared ? 0770 : 0700) != 0 && errno != EEXIST))
		status = error_set_errno(e, "cannot make folder %s", path);
	else if (file_sync_above(path, &reason) != 0) {
		(void)error_copy(e, &reason);
		status = error_prefix(e, "cannot make folder %s", path);
	}
	(void)umask(mask);
	free(above);
	return status;
}

/*
 * Cuts the path behind each of its parts in turn: "/a", "/a/b", "/a/b/c".  Each
 * is made and its name flushed before the next one.
 */
int
file_make_directory(const char *directory, struct error *e)
{
	struct stat	 st;
	char		*path = xstrdup(directory), *slash = path;
	int		 status = 0;

	while (slash != NULL && status == 0) {
		slash = strchr(slash + 1, '/');
		if (slash != NULL)
			*slash = '\0';
		if (stat(path, &st) != 0)
			status = make_one(path, e);
		else if (!S_ISDIR(st.st_mode))
			status = error_set_number(e, ENOTDIR, "cannot make "
			    "folder %s", path);
		if (slash != NULL)
			*slash = '/';
	}
	free(path);
	return status;
}

/* qsort(3): by bytes, so that every locale gives the same order. */
static int
compare_names(const void *a, const void *b)
{
	const char	*const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/*
 * errno is cleared before each readdir(3): NULL is both the end and a failure,
 * and only errno tells them apart.
 */
long
file_names(const char *directory, const char *suffix, char ***names,
    struct error *e)
{
	DIR		*dir = opendir(directory);
	struct dirent	*entry;
	size_t		 count = 0, room = 16;

	if (dir == NULL)
		return error_set_errno(e, "cannot open folder %s", directory);
	*names = xcalloc(room, sizeof(**names));
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    !has_suffix(entry->d_name, suffix))
			continue;
		if (count == room) {
			room *= 2;
			*names = xreallocarray(*names, room, sizeof(**names));
		}
		(*names)[count++] = xstrdup(entry->d_name);
	}
	if (errno != 0) {
		(void)error_set_errno(e, "cannot read folder %s", directory);
		(void)closedir(dir);
		file_names_free(*names, (long)count);
		return -1;
	}
	(void)closedir(dir);
	qsort(*names, count, sizeof(**names), compare_names);
	return (long)count;
}

void
file_names_free(char **names, long count)
{
	while (count > 0)
		free(names[--count]);
	free(names);
}

/* Read at most `limit` bytes; refused where there is more. */
static char *
file_read_all(int fd, const char *path, size_t limit, size_t *size,
    struct error *e)
{
	size_t	 used = 0, room = 4096;
	char	*text = xmalloc(room);
	ssize_t	 n;

	while ((n = read(fd, text + used, room - used - 1)) != 0) {
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 || used + (size_t)n > limit) {
			(void)error_set_number(e, n == -1 ? errno : EFBIG,
			    "cannot read %s", path);
			if (n != -1)
				(void)error_recode(e, ERROR_INVALID);
			free(text);
			return NULL;
		}
		used += (size_t)n;
		if (room - used < 2) {
			text = xreallocarray(text, room, 2);
			room *= 2;
		}
	}
	text[used] = '\0';
	*size = used;
	return text;
}

char *
file_read(const char *path, size_t limit, size_t *size, struct error *e)
{
	struct stat	st;

	return file_read_as(path, 0, limit, size, &st, e);
}

/*
 * O_NONBLOCK so that a pipe or a device in the place of the file does not make
 * open(2) wait; what is not a regular file is refused behind it.
 */
char *
file_read_as(const char *path, int flags, size_t limit, size_t *size,
    struct stat *st, struct error *e)
{
	char	*text = NULL;
	int	 fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd == -1 && errno == ELOOP && (flags & O_NOFOLLOW) != 0) {
		(void)error_set_code(e, ERROR_UNSAFE, "%s is a symbolic link, "
		    "which is not followed here", path);
		return NULL;
	}
	if (fd == -1) {
		(void)error_set_errno(e, "cannot open %s", path);
		return NULL;
	}
	if (fstat(fd, st) != 0)
		(void)error_set_errno(e, "cannot read %s", path);
	else if (!S_ISREG(st->st_mode))
		(void)error_set_number(e, S_ISDIR(st->st_mode) ? EISDIR :
		    EINVAL, "cannot read %s", path);
	else
		text = file_read_all(fd, path, limit, size, e);
	(void)close(fd);
	return text;
}
