/*
 * The copy of a directory, entry by entry: symbolic links are created anew,
 * other entries are mounted over an empty directory or file.
 */
#include "core/kube/sandbox/sandbox_internal.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

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
		if (++count > SANDBOX_MIMIC_MAX)
			status = error_set_code(e, ERROR_UNSUPPORTED,
			    "%s has more than %d entries, too many to add a "
			    "mount point; make the directory on this host "
			    "first",
			    path, SANDBOX_MIMIC_MAX);
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

int
sandbox_mimic_make(const char *path, int *tree, struct error *e)
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
