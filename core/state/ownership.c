/*
 * Ownership of the state: checks before it is opened, and keeping the files of
 * a shared directory usable for its group or, while a server has it, closed to
 * the group.  The rules are in ownership.h.
 */
#include "core/state/ownership.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/state/paths.h"

static const char *const directories[] = {
	"agents", "clusters", "allocations", "users", "waiting", "new", "patch",
	"partitions" /* last: if it is shared, all others are */
};

/* Whether the caller is in the group; root is in all. */
static bool
ownership_is_member(gid_t group)
{
	int i, count = getgroups(0, NULL);
	gid_t *groups;
	bool found = geteuid() == 0 || getegid() == group;

	if (found || count <= 0)
		return found;
	groups = xcalloc((size_t)count, sizeof(*groups));
	count = getgroups(count, groups);
	for (i = 0; i < count; i++)
		found = found || groups[i] == group;
	free(groups);
	return found;
}

/* Whether the directory is shared with a group of the caller. */
static bool
ownership_is_shared(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && directory_is_shared(st->st_mode) &&
	    ownership_is_member(st->st_gid);
}

bool
ownership_is_withdrawn(mode_t mode)
{
	return (mode & (S_ISVTX | S_ISGID | S_IXGRP | S_IWGRP)) ==
	    (S_ISVTX | S_ISGID | S_IXGRP);
}

/* Check that no directory below is a symbolic link.  Links are never followed
   later either; this check only reports them. */
static int
check_links(const struct directory *d, struct error *e)
{
	struct stat st;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(directories); i++)
		if (fstatat(d->fd, directories[i], &st, AT_SYMLINK_NOFOLLOW) ==
			0 &&
		    S_ISLNK(st.st_mode))
			return error_set_code(e, ERROR_UNSAFE,
			    "%s/%s is a symbolic link, but must be a "
			    "directory; remove it",
			    d->path, directories[i]);
	return 0;
}

int
ownership_check_directory(const struct directory *d, struct error *e)
{
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return error_set_errno(e, "state directory %s", d->path);
	if (ownership_is_withdrawn(st.st_mode) && geteuid() != 0 &&
	    geteuid() != st.st_uid)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "the state directory %s belongs to a server that does not "
		    "answer; start it, or have uid %u or root run a vipu "
		    "command, which gives the directory back to its group",
		    d->path, (unsigned)st.st_uid);
	if (!directory_is_trusted(st.st_uid) && !ownership_is_shared(&st))
		return error_set_code(e, ERROR_UNSAFE,
		    "state directory %s belongs to uid %u, not to you or root, "
		    "and is not shared with one of your groups; set "
		    "IPUBOX_STATE_DIR to a directory of your own",
		    d->path, (unsigned)st.st_uid);
	if ((st.st_mode & S_IWOTH) != 0 ||
	    ((st.st_mode & S_IWGRP) != 0 && !directory_is_shared(st.st_mode)))
		return error_set_code(e, ERROR_UNSAFE,
		    "state directory %s: other users may write it; chmod 700 "
		    "reserves it for its owner, chmod 2770 shares it with its "
		    "group",
		    d->path);
	return check_links(d, e);
}

int
ownership_check_registry(const struct state_paths *paths, const struct stat *st,
    struct error *e)
{
	struct stat directory;

	if ((st->st_mode & S_IWOTH) != 0)
		return error_set_code(e, ERROR_UNSAFE,
		    "registry %s: everybody may write it; remove it, or set "
		    "IPUBOX_REGISTRY",
		    paths->registry);
	if (directory_is_trusted(st->st_uid))
		return 0;
	if (lstat(paths->directory, &directory) == 0 &&
	    ownership_is_shared(&directory) && st->st_gid == directory.st_gid &&
	    (st->st_mode & S_IRWXO) == 0)
		return 0;
	return error_set_code(e, ERROR_UNSAFE,
	    "registry %s belongs to uid %u, not to you or root; remove it, or "
	    "set IPUBOX_REGISTRY",
	    paths->registry, (unsigned)st->st_uid);
}

/* Set the open file's group and mode unless they are right, so that users other
   than the owner are not refused needlessly. */
static int
set_group_mode(int fd, gid_t group, mode_t mode)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -1;
	/* The group first: changing it may take bits away. */
	if (st.st_gid != group && fchown(fd, (uid_t)-1, group) != 0)
		return -1;
	return (st.st_mode & 07777) == mode && st.st_gid == group ?
	    0 :
	    fchmod(fd, mode);
}

int
ownership_share_registry(const char *directory, int fd, struct error *e)
{
	struct stat st, file;

	if (stat(directory, &st) != 0 || fstat(fd, &file) != 0 ||
	    !(file.st_uid == geteuid() || geteuid() == 0))
		return 0;
	if (!ownership_is_shared(&st))
		return (file.st_mode & S_IWGRP) == 0 ||
			fchmod(fd, file.st_mode & 0707) == 0 ?
		    0 :
		    error_set_errno(e,
			"cannot take the registry from the group of %s",
			directory);
	if (set_group_mode(fd, st.st_gid, 0660) == 0)
		return 0;
	return error_set_errno(e, "cannot give the registry to the group of %s",
	    directory);
}

/* Adopt a file if it exists.  It is checked when open, so that exactly the
   checked file is changed, whatever has its name by then. */
static int
adopt_file(const struct directory *d, const char *name, gid_t group,
    struct error *e)
{
	struct stat st;
	int fd, status = -1;

	fd = openat(d->fd, name,
	    O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd == -1 && errno == ENOENT)
		return 0;
	if (fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE,
		    "%s/%s is a symbolic link, which is not shared with the "
		    "group; remove it",
		    d->path, name);
	if (fd == -1 || fstat(fd, &st) != 0)
		(void)error_set_errno(e,
		    "cannot share %s/%s with the group of its directory",
		    d->path, name);
	else if (!S_ISREG(st.st_mode))
		(void)error_set_code(e, ERROR_UNSAFE,
		    "%s/%s is not a regular file, so it is not shared with the "
		    "group; remove it",
		    d->path, name);
	else if ((status = file_check_single(fd, d->path, name, e)) == 0 &&
	    set_group_mode(fd, group, 0660) != 0)
		status = error_set_errno(e,
		    "cannot share %s/%s with the group of its directory",
		    d->path, name);
	if (fd != -1)
		(void)close(fd);
	return status;
}

static int adopt_directory(const struct directory *, const char *, gid_t, bool,
    struct error *);

/* Adopt a file or, in new/, a directory of files. */
static int
adopt_entry(const struct directory *d, const char *name, gid_t group,
    bool nested, struct error *e)
{
	struct stat st;

	if (nested && fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode))
		return adopt_directory(d, name, group, false, e);
	return adopt_file(d, name, group, e);
}

/* Adopt a directory, if it exists: first its files, then itself, because its
   group shows that it was done. */
static int
adopt_directory(const struct directory *above, const char *name, gid_t group,
    bool nested, struct error *e)
{
	struct directory d;
	struct error reason;
	char **names;
	long count = -1, i;
	int fd, status;

	status = directory_open_below(above, name, &d, &reason);
	if (status == 0)
		count = directory_names(&d, "", &names, &reason);
	status = count == -1 ? -1 : 0;
	for (i = 0; i < count && status == 0; i++)
		status = adopt_entry(&d, names[i], group, nested, &reason);
	if (count != -1)
		directory_names_free(names, count);
	if (status == 0) {
		fd = openat(d.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd == -1 || set_group_mode(fd, group, 02770) != 0)
			status = error_set_errno(&reason,
			    "cannot share %s with the group of its directory",
			    d.path);
		if (fd != -1)
			(void)close(fd);
	}
	directory_close(&d);
	return status == 0 || reason.code == ERROR_NOT_FOUND ?
	    0 :
	    error_copy(e, &reason);
}

/* Whether anything needs adopting.  Usually nothing does, and one look tells:
   the last directory is adopted last, so if it is shared all others are. */
static bool
is_to_adopt(const struct directory *d, struct stat *top)
{
	struct stat last;

	return fstat(d->fd, top) == 0 && ownership_is_shared(top) &&
	    (top->st_uid == geteuid() || geteuid() == 0) &&
	    fstatat(d->fd, directories[ARRAY_SIZE(directories) - 1], &last,
		AT_SYMLINK_NOFOLLOW) == 0 &&
	    (last.st_gid != top->st_gid || !directory_is_shared(last.st_mode));
}

int
ownership_adopt(const struct directory *d, struct error *e)
{
	static const char *const files[] = { "lock", "pod.ini" };
	struct stat top;
	size_t i;
	int status = 0;

	if (!is_to_adopt(d, &top))
		return 0;
	for (i = 0; i < ARRAY_SIZE(files) && status == 0; i++)
		status = adopt_file(d, files[i], top.st_gid, e);
	for (i = 0; i < ARRAY_SIZE(directories) && status == 0; i++)
		status = adopt_directory(d, directories[i], top.st_gid,
		    strcmp(directories[i], "new") == 0, e);
	return status;
}

enum { WITHDRAW_FILE_MAX = 16 << 20 }; /* bytes */

/* From <linux/fs.h>, which musl lacks. */
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1U << 1)
#endif

/* Lasting directories are copied; the others are made when needed. */
static const char *const withdraw_lasting[] = { "agents", "clusters",
	"allocations", "users", "partitions" };
static const char *const withdraw_passing[] = { "waiting", "new", "patch" };

int
ownership_needs_withdrawal(const struct directory *d, bool *needed,
    struct error *e)
{
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return error_set_errno(e, "state directory %s", d->path);
	*needed = directory_is_shared(st.st_mode) ||
	    ownership_is_withdrawn(st.st_mode);
	if (!*needed || geteuid() == 0 || geteuid() == st.st_uid)
		return 0;
	return error_set_code(e, ERROR_DENIED,
	    "the state directory %s is shared with its group: only its owner, "
	    "uid %u, or root can serve it",
	    d->path, (unsigned)st.st_uid);
}

/* Remove rights given by hand, if possible. */
static void
withdraw_tighten_name(const struct directory *d, const char *name)
{
	struct stat st;
	int fd = openat(d->fd, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd == -1)
		return;
	if (fstat(fd, &st) == 0 && (st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		(void)fchmod(fd, st.st_mode & S_IRWXU);
	(void)close(fd);
}

void
ownership_tighten(const struct directory *d)
{
	size_t i;

	withdraw_tighten_name(d, "lock");
	withdraw_tighten_name(d, "pod.ini");
	for (i = 0; i < ARRAY_SIZE(withdraw_lasting); i++)
		withdraw_tighten_name(d, withdraw_lasting[i]);
	for (i = 0; i < ARRAY_SIZE(withdraw_passing); i++)
		withdraw_tighten_name(d, withdraw_passing[i]);
}

/* Add and remove bits of the directory's mode. */
static int
withdraw_set_mode(const struct directory *d, mode_t more, mode_t less,
    struct error *e)
{
	struct stat st;
	int fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status = 0;

	if (fd == -1 || fstat(fd, &st) != 0 ||
	    fchmod(fd, ((st.st_mode & 07777) | more) & ~less) != 0)
		status = error_set_errno(e, "cannot change the rights of %s",
		    d->path);
	if (fd != -1)
		(void)close(fd);
	return status;
}

/* Copy a file's text to a new file of that name.  It stays its writer's, if
   root copies it: root does not vouch for what members wrote. */
static int
withdraw_copy_file(const struct directory *from, const struct directory *to,
    const char *name, struct error *e)
{
	struct stat st;
	size_t size;
	char *text = file_read_at_as(from, name, WITHDRAW_FILE_MAX, &size, &st,
	    e);
	int fd;

	if (text == NULL)
		return -1;
	fd = file_open_new(to, name, text, size, e);
	free(text);
	if (fd == -1)
		return -1;
	(void)!fchown(fd, st.st_uid, (gid_t)-1);
	(void)close(fd);
	return 0;
}

static int
withdraw_copy_files(const struct directory *from, const struct directory *to,
    struct error *e)
{
	char **names;
	long i, count = directory_names(from, "", &names, e);
	int status = count == -1 ? -1 : 0;

	for (i = 0; i < count && status == 0; i++)
		status = withdraw_copy_file(from, to, names[i], e);
	if (count != -1)
		directory_names_free(names, count);
	return status == 0 ? directory_sync_all(to, e) : -1;
}

/* Remove what an earlier attempt left, or the old directory. */
static void
withdraw_drop(const struct directory *d, const char *name)
{
	struct directory below;
	char **names;
	long i, count = -1;

	if (directory_open_below(d, name, &below, NULL) == 0)
		count = directory_names(&below, "", &names, NULL);
	/* new/ has directories of files. */
	for (i = 0; i < count; i++)
		if (unlinkat(below.fd, names[i], 0) != 0)
			(void)directory_remove_below(&below, names[i], NULL);
	if (count != -1)
		directory_names_free(names, count);
	directory_close(&below);
	(void)directory_remove_below(d, name, NULL);
}

/* Exchange a directory for a private one with the same files, atomically.
   Holders of the old one have nothing. */
static int
withdraw_directory(const struct directory *d, const char *name, struct error *e)
{
	struct directory old, new = DIRECTORY_NONE;
	struct error reason;
	char *fresh = xasprintf(".%s.fresh", name);
	int status = directory_open_below(d, name, &old, &reason);

	if (status == 0) {
		withdraw_drop(d, fresh);
		status = directory_make_below(d, fresh, &new, &reason);
		if (status == 0)
			status = withdraw_copy_files(&old, &new, &reason);
		if (status == 0 &&
		    syscall(SYS_renameat2, d->fd, fresh, d->fd, name,
			RENAME_EXCHANGE) != 0)
			status = error_set_errno(&reason,
			    "cannot replace directory %s/%s", d->path, name);
		withdraw_drop(d, fresh);
	} else if (reason.code == ERROR_NOT_FOUND) {
		status = 0;
	}
	directory_close(&old);
	directory_close(&new);
	free(fresh);
	return status == 0 ? 0 : error_copy(e, &reason);
}

/* Replace a directory that is empty between changes. */
static void
withdraw_passing_directory(const struct directory *d, const char *name)
{
	char *old = xasprintf(".%s.old", name);

	withdraw_drop(d, old);
	(void)renameat(d->fd, name, d->fd, old);
	withdraw_drop(d, old);
	free(old);
}

static int
withdraw_identity(const struct directory *d, struct error *e)
{
	struct error reason;
	size_t size;
	char *text = file_read_at(d, "pod.ini", WITHDRAW_FILE_MAX, &size,
	    &reason);
	int status;

	if (text == NULL)
		return reason.code == ERROR_NOT_FOUND ?
		    0 :
		    error_copy(e, &reason);
	status = file_replace_at(d, "pod.ini", text, size, e);
	free(text);
	return status;
}

/* Rights first: after that no other user can put replaced files back. */
int
ownership_withdraw(const struct directory *d, struct error *e)
{
	struct stat st;
	size_t i;
	int status = 0;

	if (fstat(d->fd, &st) == 0 && directory_is_shared(st.st_mode))
		status = withdraw_set_mode(d, S_ISVTX, S_IWGRP, e);
	for (i = 0; i < ARRAY_SIZE(withdraw_lasting) && status == 0; i++)
		status = withdraw_directory(d, withdraw_lasting[i], e);
	for (i = 0; i < ARRAY_SIZE(withdraw_passing) && status == 0; i++)
		withdraw_passing_directory(d, withdraw_passing[i]);
	if (status == 0)
		status = withdraw_identity(d, e);
	return status == 0 ? directory_sync(d, e) : -1;
}

int
ownership_give_back(const struct directory *d, struct error *e)
{
	struct stat st;

	if (fstat(d->fd, &st) != 0 || !ownership_is_withdrawn(st.st_mode) ||
	    (geteuid() != 0 && geteuid() != st.st_uid))
		return 0;
	/* The lock and pod.ini as well: partitions/ is not the group's. */
	return withdraw_set_mode(d, S_IWGRP, S_ISVTX, e) != 0 ?
	    -1 :
	    ownership_adopt(d, e);
}
