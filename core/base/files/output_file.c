/*
 * Writing a file that a user named.  In this order: following links, checking
 * the target, temporary files, the two ways to write.  After the links,
 * everything uses the directory's descriptor.
 */
#include "core/base/files/file_link.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"

enum {
	LINKS_MAX = 40,	     /* the kernel's limit */
	PROC_MAGIC = 0x9fa0, /* f_type of statfs(2) */
	TRIES = 100
};

struct output {
	char *path;	  /* path after following links */
	const char *name; /* its last part */
	bool in_proc;	  /* refers to a descriptor */
	bool exists;
	struct stat old;   /* if it exists */
	int directory;	   /* -1: not open, or not needed */
	bool no_directory; /* the directory cannot be written */
};

/* ---- links ---- */

/* Check that the link may be followed: the rule of protected_symlinks in
   proc(5), enforced even if the system's is off. */
static int
check_link(const char *path, const char *directory, struct error *e)
{
	struct stat link, above;

	if (lstat(path, &link) != 0 || stat(directory, &above) != 0)
		return error_set_reason(e, errno);
	if ((above.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
	    link.st_uid == geteuid() || link.st_uid == above.st_uid)
		return 0;
	return error_set_code(e, ERROR_UNSAFE,
	    "that is a link that another user put into a directory that "
	    "everybody may write; name its target");
}

/* Links in /proc/PID/fd lead to open files, whatever their text says, such as
   "pipe:[4711]". */
static bool
is_in_proc(const char *directory)
{
	struct statfs fs;

	return statfs(directory, &fs) == 0 && fs.f_type == PROC_MAGIC;
}

/* Return the link's target as seen from its directory; NULL: not a link. */
static char *
read_link(const char *path, const char *directory)
{
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n <= 0)
		return NULL;
	target[n] = '\0';
	return target[0] == '/' ? xstrdup(target) :
				  xasprintf("%s/%s", directory, target);
}

static int
follow_links(struct output *o, struct error *e)
{
	char *directory, *target;
	int i, status = 0;

	for (i = 0; i <= LINKS_MAX; i++) {
		directory = path_directory_name(o->path);
		target = read_link(o->path, directory);
		if (target != NULL) {
			o->in_proc = is_in_proc(directory);
			status = check_link(o->path, directory, e);
		}
		free(directory);
		if (target == NULL || o->in_proc || status != 0) {
			free(target);
			return status;
		}
		free(o->path);
		o->path = target;
	}
	return error_set_reason(e, ELOOP);
}

/* ---- checking the target ---- */

/* Check a target that exists and is not a regular file. */
static int
check_special(const struct output *o, enum output_kind kind, struct error *e)
{
	const mode_t mode = o->old.st_mode;

	if (S_ISDIR(mode))
		return error_set_code(e, ERROR_INVALID, "that is a directory");
	if (S_ISBLK(mode) || (S_ISSOCK(mode) && !o->in_proc))
		return error_set_code(e, ERROR_INVALID,
		    "that is a %s; name a regular file",
		    S_ISBLK(mode) ? "block device" : "socket");
	if (kind == OUTPUT_KEPT)
		return error_set_code(e, ERROR_INVALID,
		    "that is a %s, which keeps nothing; name a regular file",
		    S_ISFIFO(mode)     ? "FIFO" :
			S_ISSOCK(mode) ? "socket" :
					 "device");
	return faccessat(AT_FDCWD, o->path, W_OK, AT_EACCESS) == 0 ?
	    0 :
	    error_set_reason(e, errno);
}

/* In a sticky directory only root and the owners of the file and of the
   directory can replace the file. */
static bool
is_others(const struct output *o, const struct stat *above)
{
	const uid_t me = geteuid();

	return o->exists && (above->st_mode & S_ISVTX) != 0 && me != 0 &&
	    o->old.st_uid != me && above->st_uid != me;
}

static int
open_directory(struct output *o, struct error *e)
{
	char *directory = path_directory_name(o->path);
	struct stat st;
	int reason = 0;

	o->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(directory);
	if (o->directory == -1 || fstat(o->directory, &st) != 0)
		reason = errno;
	else if (is_others(o, &st))
		reason = EPERM;
	o->no_directory = reason != 0;
	return reason == 0 ? 0 : error_set_reason(e, reason);
}

static void
output_release(struct output *o)
{
	if (o->directory != -1)
		(void)close(o->directory);
	free(o->path);
}

/* Find the target.  The caller releases *o, also after -1. */
static int
output_find(struct output *o, const char *path, enum output_kind kind,
    struct error *e)
{
	*o = (struct output){ .path = xstrdup(path), .directory = -1 };
	if (follow_links(o, e) != 0)
		return -1;
	o->name = path_base_name(o->path);
	o->exists = stat(o->path, &o->old) == 0;
	/* For example, a name is too long or a directory on the path is a
	   file. */
	if (!o->exists && errno != ENOENT) {
		o->no_directory = errno != ELOOP;
		return error_set_reason(e, errno);
	}
	if (o->exists && !S_ISREG(o->old.st_mode))
		return check_special(o, kind, e);
	if (*o->name == '\0')
		return error_set_code(e, ERROR_INVALID, "that is a directory");
	if (!o->in_proc)
		return open_directory(o, e);
	return kind == OUTPUT_STREAM ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"that is a file that a program has open; name the file itself");
}

/* ---- temporary files ---- */

/* Lock until the descriptor is closed, in whatever way the writer ends. */
static bool
output_lock(int fd, int *reason)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_OFD_SETLK, &l) == 0)
		return true;
	*reason = errno;
	return false;
}

/* Remove the file if its writer has ended: only a regular file of ours with a
   single name, which is still the locked one. */
static void
remove_stale(int directory, const char *name)
{
	const int fd = openat(directory, name,
	    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st, now;
	int reason;

	if (fd == -1)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	    st.st_uid == geteuid() && output_lock(fd, &reason) &&
	    fstatat(directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	    now.st_dev == st.st_dev && now.st_ino == st.st_ino)
		(void)unlinkat(directory, name, 0);
	(void)close(fd);
}

/* If a directory cannot be read, the remains in it stay. */
static void
remove_stale_all(const struct output *o)
{
	const struct directory d = { .fd = o->directory, .path = o->path };
	DIR *dir = directory_names_open(&d, NULL);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (file_is_temporary(entry->d_name, o->name))
			remove_stale(o->directory, entry->d_name);
	if (dir != NULL)
		(void)closedir(dir);
}

/*
 * Make a temporary file and lock it.  Between the two another writer may
 * consider it stale: if that one has the lock or removed the name, try the
 * next.  A file system without locks is used too, because remove_stale()
 * removes nothing there.  Returns the descriptor or -1; the caller frees *name.
 */
static int
make_temporary(const struct output *o, char **name, struct error *e)
{
	struct stat st;
	int tries, fd = -1, reason = EEXIST;

	*name = NULL;
	remove_stale_all(o);
	for (tries = 0; tries < TRIES; tries++) {
		free(*name);
		*name = file_temporary_name(o->name);
		fd = FAULT_POINT("create") != 0 ?
		    -1 :
		    openat(o->directory, *name,
			O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
		if (fd == -1 && (reason = errno) != EEXIST)
			break;
		if (fd == -1)
			continue;
		if ((output_lock(fd, &reason) ||
			(reason != EAGAIN && reason != EACCES)) &&
		    fstat(fd, &st) == 0 && st.st_nlink == 1)
			break;
		(void)close(fd);
		fd = -1;
		reason = EAGAIN;
	}
	return fd != -1 ? fd : error_set_reason(e, reason);
}

/* ---- writing ---- */

/* Set mode and owner to those of the replaced file; if its group cannot be set,
   the group has no rights.  A new file in a shared directory is shared too. */
static int
set_mode(const struct output *o, int fd)
{
	struct stat st;
	mode_t mode = 0600;

	if (o->exists) {
		mode = o->old.st_mode & 0777;
		if (fchown(fd, o->old.st_uid, o->old.st_gid) != 0 &&
		    fchown(fd, (uid_t)-1, o->old.st_gid) != 0)
			mode &= 0707;
	} else if (fstat(o->directory, &st) == 0 &&
	    directory_is_shared(st.st_mode)) {
		mode = 0660;
	}
	return fchmod(fd, mode);
}

/* Flush the directory, unless it cannot be read; then the system does it later.
   Returns 0 or an errno. */
static int
flush_directory(const struct output *o)
{
	const int fd = openat(o->directory, ".",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int reason;

	if (fd == -1)
		return errno == EACCES ? 0 : errno;
	reason = directory_flush(fd) == 0 ? 0 : errno;
	(void)close(fd);
	return reason;
}

/* Do what file_replace() does, with the lock held until the file has its
   name. */
static int
output_replace(const struct output *o, const char *text, size_t size,
    struct error *e)
{
	char *temporary;
	int fd = make_temporary(o, &temporary, e), status = -1, reason;

	if (fd == -1)
		goto out;
	if (file_put(fd, text, size) != 0 || set_mode(o, fd) != 0 ||
	    directory_flush(fd) != 0 || FAULT_POINT("rename") != 0 ||
	    renameat(o->directory, temporary, o->directory, o->name) != 0) {
		(void)error_set_reason(e, errno);
		(void)unlinkat(o->directory, temporary, 0);
	} else if ((reason = flush_directory(o)) != 0) {
		(void)error_set_reason(e, reason);
		(void)error_recode(e, ERROR_UNCONFIRMED);
	} else {
		status = 0;
	}
	(void)close(fd);
out:
	free(temporary);
	return status;
}

/* Use a descriptor of this process in /proc itself: opening it again would
   start at the first byte. */
static int
open_stream(const struct output *o)
{
	struct stat st;
	long long fd;

	if (o->in_proc &&
	    parse_number("", o->name, 0, INT_MAX, &fd, NULL) == 0 &&
	    fstat((int)fd, &st) == 0 && st.st_dev == o->old.st_dev &&
	    st.st_ino == o->old.st_ino)
		return fcntl((int)fd, F_DUPFD_CLOEXEC, 0);
	return open(o->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

static int
output_stream(const struct output *o, const char *text, size_t size,
    struct error *e)
{
	const int fd = open_stream(o);
	int status = 0;

	if (fd == -1)
		return error_set_reason(e, errno);
	if (file_put(fd, text, size) != 0)
		status = error_set_reason(e, errno);
	(void)close(fd);
	return status;
}

/* Make a real temporary file: quotas and unusual file systems refuse it
   here. */
int
output_file_check(const char *path, enum output_kind kind, struct error *e)
{
	struct output o;
	char *temporary;
	int fd, status = output_find(&o, path, kind, e);

	if (status == 0 && o.directory != -1) {
		fd = make_temporary(&o, &temporary, e);
		if (fd != -1) {
			(void)unlinkat(o.directory, temporary, 0);
			(void)close(fd);
		}
		o.no_directory = fd == -1;
		status = fd == -1 ? -1 : 0;
		free(temporary);
	}
	if (status != 0 && o.no_directory)
		(void)error_prefix(e, "cannot write into its directory");
	output_release(&o);
	return status;
}

int
output_file_write(const char *path, enum output_kind kind, const char *text,
    size_t size, struct error *e)
{
	struct output o;
	int status = output_find(&o, path, kind, e);

	if (status == 0)
		status = o.directory != -1 ? output_replace(&o, text, size, e) :
					     output_stream(&o, text, size, e);
	output_release(&o);
	return status == 0 ? 0 : error_prefix(e, "cannot write %s", path);
}
