/*
 * A plan's directories and files.  The pod's processes belong to this user, and
 * may have put anything below the volumes before a restart: so each step starts
 * from an open directory.  Read pod_disk_make() first.
 */
#include "core/kube/runtime/runtime.h"

#include <sys/stat.h>

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
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/files/file_set.h"

enum {
	PART_SIZE = NAME_MAX + 2
}; /* a longer part is truncated and still too long */

/* Copy the first part of a path without a leading '/'; returns its length. */
static size_t
part_length(const char *path, char part[PART_SIZE])
{
	const size_t length = strcspn(path, "/");

	(void)snprintf(part, PART_SIZE, "%.*s", (int)length, path);
	return length;
}

/* Descend one level: replace `d` by the directory below. */
static int
make_inner(struct directory *d, const char *name, struct error *e)
{
	struct directory below;
	int status = directory_make_below(d, name, &below, e);

	directory_close(d);
	*d = below;
	return status;
}

/* Open the pod's directory of a volume; create it if it is missing. */
static int
make_volume(const struct directory *pod, const char *name,
    struct directory *volume, struct error *e)
{
	int status = directory_make_below(pod, "volumes", volume, e);

	return status == 0 ? make_inner(volume, name, e) : -1;
}

/* Write a file with its mode in a directory that has no file of that name. */
static int
write_file(const struct directory *d, const char *name,
    const struct container_file *f, struct error *e)
{
	int fd = file_open_new(d, name, f->bytes, f->size, e);
	int status = 0;

	if (fd == -1)
		return -1;
	if (fchmod(fd, f->mode) != 0)
		status = error_set_errno(e, "cannot write %s/%s", d->path,
		    name);
	if (close(fd) != 0 && status == 0)
		status = error_set_errno(e, "cannot write %s/%s", d->path,
		    name);
	return status;
}

/* Write a file at its path below the volume, and create the directories above
   it. */
static int
write_below(const struct directory *volume, const char *path,
    const struct container_file *f, struct error *e)
{
	const struct directory *at = volume;
	struct directory d = DIRECTORY_NONE, next;
	char part[PART_SIZE];
	size_t length = part_length(path, part);
	int status = 0;

	while (status == 0 && path[length] == '/') {
		status = directory_make_below(at, part, &next, e);
		directory_close(&d);
		d = next;
		at = &d;
		path += length + 1;
		length = part_length(path, part);
	}
	if (status == 0)
		status = write_file(at, path, f, e);
	directory_close(&d);
	return status;
}

/*
 * Replace the contents of a volume by its files.  After an interruption the
 * container has not run: the next start begins again.
 */
static int
write_volume(const struct container_plan *plan, const struct directory *volume,
    const char *name, struct error *e)
{
	static const char above[] = "volumes/";
	const size_t skip = sizeof(above) - 1, length = strlen(name);
	const char *path;
	size_t i;
	int fd, status;

	fd = openat(volume->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1 || directory_tree_empty(fd) != 0) {
		status = error_set_errno(e, "cannot empty %s", volume->path);
		if (fd != -1)
			(void)close(fd);
		return status;
	}
	(void)close(fd);
	for (i = 0; i < plan->file_count; i++) {
		path = plan->files[i].path;
		if (strncmp(path, above, skip) == 0 &&
		    strncmp(path + skip, name, length) == 0 &&
		    path[skip + length] == '/' &&
		    write_below(volume, path + skip + length + 1,
			&plan->files[i], e) != 0)
			return -1;
	}
	return 0;
}

/* Check the file at a hostPath against its type. */
static int
check_path_type(const struct container_volume *v, const struct stat *st,
    struct error *e)
{
	static const struct {
		mode_t format;
		const char *word;
	} types[] = {
		[POD_PATH_MAKE_DIRECTORY] = { S_IFDIR, "directory" },
		[POD_PATH_DIRECTORY] = { S_IFDIR, "directory" },
		[POD_PATH_MAKE_FILE] = { S_IFREG, "file" },
		[POD_PATH_FILE] = { S_IFREG, "file" },
		[POD_PATH_SOCKET] = { S_IFSOCK, "socket" },
		[POD_PATH_CHARACTERS] = { S_IFCHR, "character device" },
		[POD_PATH_BLOCKS] = { S_IFBLK, "block device" },
	};

	if (v->path == POD_PATH_ANY ||
	    (st->st_mode & S_IFMT) == types[v->path].format)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "hostPath %s: must be a %s, as its type requires", v->directory,
	    types[v->path].word);
}

/* Create an empty file and its parent directories at a path without symbolic
   links. */
static int
make_empty_file(const char *path, struct error *e)
{
	char *above = path_directory_name(path);
	struct directory d;
	int status = directory_make(&d, above, e);

	if (status == 0)
		status = file_write(&d, path_base_name(path), "", 0, e);
	directory_close(&d);
	free(above);
	return status;
}

/* Create a missing hostPath if its type says so. */
static int
make_host_path(const struct container_volume *v, const char *path,
    struct error *e)
{
	struct directory d;
	int status;

	if (v->path == POD_PATH_MAKE_FILE)
		return make_empty_file(path, e);
	if (v->path != POD_PATH_MAKE_DIRECTORY)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "hostPath %s is missing; make it%s", v->directory,
		    v->path == POD_PATH_ANY || v->path == POD_PATH_DIRECTORY ?
			", or give it the type DirectoryOrCreate" :
			"");
	status = directory_make(&d, path, e);
	directory_close(&d);
	return status;
}

/*
 * Resolve the symbolic links of a hostPath, and check that it is still below
 * the root and of its type.
 */
static int
find_host_path(const struct container_volume *v, char path[PATH_MAX],
    struct error *e)
{
	char root[PATH_MAX];
	struct stat st;

	if (directory_resolve(v->within, root, sizeof(root), e) != 0)
		return error_prefix(e, "root %s of hostPaths", v->within);
	if (directory_resolve(v->directory, path, PATH_MAX, e) != 0)
		return error_prefix(e, "hostPath %s", v->directory);
	if (!container_volumes_is_within(path, root))
		return error_set_code(e, ERROR_DENIED,
		    "hostPath %s leads to %s, which is not below %s",
		    v->directory, path, v->within);
	if (lstat(path, &st) == 0)
		return check_path_type(v, &st, e);
	if (errno != ENOENT)
		return error_set_errno(e, "hostPath %s", v->directory);
	return make_host_path(v, path, e);
}

/*
 * Open the subPath below the open directory of its volume.  Missing directories
 * are created; the last part may be an existing file.
 */
static int
make_sub_path(struct directory *d, const char *path, bool make, struct error *e)
{
	struct directory below;
	struct stat st;
	char part[PART_SIZE];
	int status = 0;

	while (status == 0 && *path != '\0') {
		path += part_length(path, part);
		path += *path == '/';
		if (*path == '\0' &&
		    fstatat(d->fd, part, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode))
			return 0;
		status = make ? directory_make_below(d, part, &below, e) :
				directory_open_below(d, part, &below, e);
		directory_close(d);
		*d = below;
	}
	return status;
}

/* Whether an earlier mount has the same volume. */
static bool
is_mounted_before(const struct container_plan *plan, size_t which)
{
	size_t i;

	for (i = 0; i < which; i++)
		if (strcmp(plan->volumes[i].name, plan->volumes[which].name) ==
		    0)
			return true;
	return false;
}

/* Replace the hostPath by the path without links that was checked, so that
   links that change later do not count. */
static void
keep_checked(struct container_volume *v, const char *path)
{
	char *source = xasprintf("%s%s", strcmp(path, "/") == 0 ? "" : path,
	    v->source + strlen(v->directory));

	free(v->source);
	v->source = source[0] != '\0' ? source : xstrdup("/");
	if (v->source != source)
		free(source);
	free(v->directory);
	v->directory = xstrdup(path);
}

/* Prepare one mount: its volume, then the mounted part. */
static int
make_mount(struct container_plan *plan, size_t which,
    const struct directory *pod, struct error *e)
{
	struct container_volume *v = &plan->volumes[which];
	const char *rest = v->source + strlen(v->directory);
	const size_t length = strlen(pod->path);
	struct directory d = DIRECTORY_NONE;
	char path[PATH_MAX];
	int status;

	if (v->within != NULL) {
		status = find_host_path(v, path, e);
		if (status == 0 && *rest != '\0')
			status = directory_open_resolved(&d, path, e);
	} else if (strncmp(v->directory, pod->path, length) == 0 &&
	    strncmp(v->directory + length, "/volumes/", 9) == 0) {
		status = make_volume(pod, v->name, &d, e);
	} else {
		status = directory_open_resolved(&d, v->directory, e);
	}
	if (status == 0 && v->has_files && !is_mounted_before(plan, which))
		status = write_volume(plan, &d, v->name, e);
	if (status == 0)
		status = make_sub_path(&d, rest + strspn(rest, "/"), v->is_made,
		    e);
	directory_close(&d);
	if (status == 0 && v->within != NULL)
		keep_checked(v, path);
	return status;
}

int
pod_disk_make(struct container_plan *plan, const char *directory,
    struct error *e)
{
	struct directory pod;
	size_t i;
	int status;

	status = directory_open_resolved(&pod, directory, e);
	for (i = 0; status == 0 && i < plan->volume_count; i++)
		if (plan->volumes[i].kind == POD_DIRECTORY &&
		    make_mount(plan, i, &pod, e) != 0)
			status = error_prefix(e, "volume %s",
			    plan->volumes[i].name);
	directory_close(&pod);
	return status;
}

/* The state of a count of disk usage. */
struct disk_count {
	int64_t limit;
	int64_t bytes;
	long entries;
	dev_t device;
};

static bool
count_is_over(const struct disk_count *c)
{
	return (c->limit > 0 && c->bytes > c->limit) ||
	    c->entries >= POD_DISK_ENTRIES_MAX;
}

static void count_directory(struct disk_count *, int fd, int depth);

/*
 * Count an entry.  A file with several names counts in equal parts for each, so
 * that no list of seen files is needed.  st_blocks is always in units of 512
 * bytes on Linux: stat(2).
 */
static void
count_entry(struct disk_count *c, int above, const char *name, int depth)
{
	struct stat st;
	int fd;

	if (fstatat(above, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    st.st_dev != c->device)
		return;
	c->entries++;
	if (!S_ISDIR(st.st_mode)) {
		c->bytes += (int64_t)st.st_blocks * 512 /
		    (int64_t)(st.st_nlink > 0 ? st.st_nlink : 1);
		return;
	}
	c->bytes += (int64_t)st.st_blocks * 512;
	if (depth >= POD_DISK_DEPTH_MAX)
		return;
	fd = openat(above, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd != -1)
		count_directory(c, fd, depth + 1);
}

/* Count a directory; closes the descriptor. */
static void
count_directory(struct disk_count *c, int fd, int depth)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (dir == NULL) {
		(void)close(fd);
		return;
	}
	while (!count_is_over(c) && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			count_entry(c, fd, entry->d_name, depth);
	(void)closedir(dir);
}

int
pod_disk_usage(const char *path, int64_t limit, int64_t *bytes, struct error *e)
{
	struct disk_count c = { .limit = limit };
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd == -1 || fstat(fd, &st) != 0) {
		(void)error_set_errno(e, "cannot read directory %s", path);
		if (fd != -1)
			(void)close(fd);
		return -1;
	}
	c.device = st.st_dev;
	c.bytes = (int64_t)st.st_blocks * 512;
	count_directory(&c, fd, 1);
	*bytes = c.bytes;
	return 0;
}
