/*
 * Whose the state is: checks before it is opened, and keeping what is in a
 * shared directory usable for its group.  The rules are in ownership.h.
 */
#include "core/state/ownership.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/file.h"

static const char *const directories[] = {
	"agents", "clusters", "allocations", "users", "waiting", "new",
	"partitions"	/* the last one: where it is shared all others are */
};

/*
 * Root may do everything here anyway; nobody else but the caller is believed.
 */
static bool
is_trusted(uid_t uid)
{
	return uid == geteuid() || uid == 0;
}

/* Whether the caller is one of the group; root is of all. */
static bool
ownership_is_member(gid_t group)
{
	int	 i, count = getgroups(0, NULL);
	gid_t	*groups;
	bool	 found = geteuid() == 0 || getegid() == group;

	if (found || count <= 0)
		return found;
	groups = xcalloc((size_t)count, sizeof(*groups));
	count = getgroups(count, groups);
	for (i = 0; i < count; i++)
		found = found || groups[i] == group;
	free(groups);
	return found;
}

/* Whether the directory is shared with a group that the caller is one of. */
static bool
ownership_is_shared(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && file_is_shared(st->st_mode) &&
	    ownership_is_member(st->st_gid);
}

/*
 * Each part of the path in turn: /a, /a/b, /a/b/c.  Parts that do not exist
 * yet are made later, below a directory that was looked at.
 */
int
ownership_check_path(const char *path, struct error *e)
{
	char		*part = xstrdup(path), *slash = part;
	struct stat	 st;
	int		 status = 0;

	while (slash != NULL && status == 0) {
		slash = strchr(slash + 1, '/');
		if (slash != NULL)
			*slash = '\0';
		if (lstat(part, &st) == 0 && S_ISLNK(st.st_mode) &&
		    !is_trusted(st.st_uid))
			status = error_set_code(e, ERROR_UNSAFE, "state folder "
			    "%s: %s is a symbolic link of uid %u, not yours "
			    "or root's", path, part, (unsigned)st.st_uid);
		if (slash != NULL)
			*slash = '/';
	}
	free(part);
	return status;
}

/* None of the directories below is a symbolic link. */
static int
check_links(const char *directory, struct error *e)
{
	struct stat	 st;
	char		*path;
	size_t		 i;
	int		 status = 0;

	for (i = 0; i < ARRAY_SIZE(directories) && status == 0; i++) {
		path = xasprintf("%s/%s", directory, directories[i]);
		if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
			status = error_set_code(e, ERROR_UNSAFE, "%s is a "
			    "symbolic link, where there must be a folder; "
			    "remove it", path);
		free(path);
	}
	return status;
}

int
ownership_check_directory(const char *directory, struct error *e)
{
	struct stat	st;

	if (lstat(directory, &st) != 0)
		return error_set_errno(e, "state folder %s", directory);
	if (!is_trusted(st.st_uid) && !ownership_is_shared(&st))
		return error_set_code(e, ERROR_UNSAFE, "state folder %s "
		    "belongs to uid %u, not to you or root, and is not shared "
		    "with a group of yours; set IPUBOX_STATE_DIR to a folder "
		    "of your own", directory, (unsigned)st.st_uid);
	if ((st.st_mode & S_IWOTH) != 0 ||
	    ((st.st_mode & S_IWGRP) != 0 && !file_is_shared(st.st_mode)))
		return error_set_code(e, ERROR_UNSAFE, "others may write the "
		    "state folder %s; chmod 700 makes it its owner's alone, "
		    "chmod 2770 shares it with its group", directory);
	return check_links(directory, e);
}

int
ownership_check_registry(const struct state_paths *paths, const struct stat *st,
    struct error *e)
{
	struct stat	directory;

	if ((st->st_mode & S_IWOTH) != 0)
		return error_set_code(e, ERROR_UNSAFE, "registry %s: everybody "
		    "may write it; remove it, or set IPUBOX_REGISTRY",
		    paths->registry);
	if (is_trusted(st->st_uid))
		return 0;
	if (lstat(paths->directory, &directory) == 0 &&
	    ownership_is_shared(&directory) &&
	    st->st_gid == directory.st_gid && (st->st_mode & S_IRWXO) == 0)
		return 0;
	return error_set_code(e, ERROR_UNSAFE, "registry %s belongs to uid "
	    "%u, not to you or root; remove it, or set IPUBOX_REGISTRY",
	    paths->registry, (unsigned)st->st_uid);
}

/*
 * Set the open file's group and mode; nothing where they are right already,
 * so that whoever is not its owner is not refused for what is not needed.
 */
static int
give(int fd, gid_t group, mode_t mode)
{
	struct stat	st;

	if (fstat(fd, &st) != 0)
		return -1;
	/* The group first: changing it may take bits away. */
	if (st.st_gid != group && fchown(fd, (uid_t)-1, group) != 0)
		return -1;
	return (st.st_mode & 07777) == mode && st.st_gid == group ? 0 :
	    fchmod(fd, mode);
}

int
ownership_share_registry(const char *directory, int fd, struct error *e)
{
	struct stat	st, file;

	if (stat(directory, &st) != 0 || fstat(fd, &file) != 0 ||
	    !(file.st_uid == geteuid() || geteuid() == 0))
		return 0;
	if (!ownership_is_shared(&st))
		return (file.st_mode & S_IWGRP) == 0 ||
		    fchmod(fd, file.st_mode & 0707) == 0 ? 0 :
		    error_set_errno(e, "cannot take the registry from the "
		    "group of %s", directory);
	if (give(fd, st.st_gid, 0660) == 0)
		return 0;
	return error_set_errno(e, "cannot give the registry to the group of "
	    "%s", directory);
}

/*
 * One file or directory, if it is there: by descriptor, so that what is
 * changed is what was opened.
 */
static int
adopt(const char *path, gid_t group, struct error *e)
{
	struct stat	st;
	int		fd, status = 0;

	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd == -1 && errno == ENOENT)
		return 0;
	if (fd == -1 || fstat(fd, &st) != 0 ||
	    give(fd, group, S_ISDIR(st.st_mode) ? 02770 : 0660) != 0)
		status = error_set_errno(e, "cannot share %s with the group "
		    "of its folder", path);
	if (fd != -1)
		(void)close(fd);
	return status;
}

/*
 * A directory with the files in it; itself last, for its group tells that it
 * was done.
 */
static int
adopt_directory(const char *directory, gid_t group, struct error *e)
{
	char	**names, *path;
	long	  count = file_names(directory, "", &names, NULL), i;
	int	  status = 0;

	for (i = 0; i < count && status == 0; i++) {
		path = xasprintf("%s/%s", directory, names[i]);
		status = adopt(path, group, e);
		free(path);
	}
	if (count != -1)
		file_names_free(names, count);
	return status == 0 ? adopt(directory, group, e) : -1;
}

/*
 * Most times there is nothing to do, and one look tells: the last of the
 * directories is adopted last of all, so where it is shared all others are.
 */
int
ownership_adopt(const struct state_paths *paths, struct error *e)
{
	static const char *const	files[] = { "lock", "pod.ini" };
	struct stat			top, last;
	char				*path;
	size_t				 i;
	int				 status = 0;

	path = xasprintf("%s/%s", paths->directory,
	    directories[ARRAY_SIZE(directories) - 1]);
	if (stat(paths->directory, &top) != 0 || !ownership_is_shared(&top) ||
	    !(top.st_uid == geteuid() || geteuid() == 0) ||
	    lstat(path, &last) != 0 || (last.st_gid == top.st_gid &&
	    file_is_shared(last.st_mode))) {
		free(path);
		return 0;
	}
	free(path);
	for (i = 0; i < ARRAY_SIZE(files) && status == 0; i++) {
		path = xasprintf("%s/%s", paths->directory, files[i]);
		status = adopt(path, top.st_gid, e);
		free(path);
	}
	for (i = 0; i < ARRAY_SIZE(directories) && status == 0; i++) {
		path = xasprintf("%s/%s", paths->directory, directories[i]);
		status = adopt_directory(path, top.st_gid, e);
		free(path);
	}
	return status;
}
