/*
 * The files of a partition in its IPUoF directory, which is the user's and
 * not the state's: it may be gone, read-only, or full of others' files.
 */
#include "core/control/ipuof_files.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/file.h"
#include "core/control/ipuof.h"

/* A name, "_gcd", a number and ".conf". */
enum { FILE_NAME_SIZE = IPUOF_PATH_SIZE - DIRECTORY_SIZE };

/* ~/.ipuof.conf.d, where Poplar looks by itself. */
static int
default_directory(char *path, size_t size, struct error *e)
{
	const char	*home = getenv("HOME");
	int		 n;

	if (home == NULL || home[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "HOME is not set: say where the IPUoF "
		    "configuration file goes with --ipuof-config-location");
	n = snprintf(path, size, "%s/.ipuof.conf.d", home);
	if (n < 0 || (size_t)n >= size)
		return error_set_code(e, ERROR_INVALID,
		    "HOME is longer than %zu bytes", size);
	return 0;
}

int
ipuof_files_directory(const char *directory, char *path, size_t size,
    struct error *e)
{
	char	cwd[PATH_MAX];
	size_t	len;
	int	n;

	if (directory[0] == '\0')
		directory = getenv("VIPU_CLI_IPUOF_CONFIG_LOCATION");
	if (directory == NULL || directory[0] == '\0')
		return default_directory(path, size, e);
	if (directory[0] == '/') {
		n = snprintf(path, size, "%s", directory);
	} else {
		if (getcwd(cwd, sizeof(cwd)) == NULL)
			return error_set_errno(e, "cannot tell the working "
			    "folder");
		n = snprintf(path, size, "%s/%s", cwd, directory);
	}
	if (n < 0 || (size_t)n >= size)
		return error_set_code(e, ERROR_INVALID,
		    "folder %.40s...: longer than %zu bytes",
		    directory, size - 1);
	for (len = (size_t)n; len > 1 && path[len - 1] == '/'; len--)
		path[len - 1] = '\0';
	return 0;
}

static void
ipuof_files_file_name(const struct partition *p, int gcd,
    char name[FILE_NAME_SIZE])
{
	if (p->num_gcds == 1)
		(void)snprintf(name, FILE_NAME_SIZE, "%s.conf", p->name);
	else
		(void)snprintf(name, FILE_NAME_SIZE, "%s_gcd%d.conf", p->name,
		    gcd);
}

/*
 * In the home directory the file is the user's own; a directory that was
 * chosen is there to share it.  The umask takes bits away from both.
 */
static mode_t
ipuof_files_file_mode(const char *directory)
{
	char	home[DIRECTORY_SIZE];

	return default_directory(home, sizeof(home), NULL) == 0 &&
	    strcmp(home, directory) == 0 ? 0600 : 0666;
}

/*
 * In a directory that a group may write, and so shares, the group reads the
 * files whatever the umask says; as far as this user may give them to it.
 */
static int
share_file(int fd, const char *directory)
{
	struct stat	in, st;

	if (stat(directory, &in) != 0 || fstat(fd, &st) != 0 ||
	    (in.st_mode & S_IWGRP) == 0 || ipuof_files_file_mode(directory) ==
	    0600)
		return 0;
	(void)!fchown(fd, (uid_t)-1, in.st_gid);
	return fchmod(fd, (st.st_mode & 0777) | S_IRGRP);
}

static char *
temporary_path(const char *directory, const char *name)
{
	return xasprintf("%s/.%s.tmp", directory, name);
}

/* A write may be cut short, by a signal or a disk that is nearly full. */
static int
ipuof_files_write_all(int fd, const char *text, size_t left)
{
	ssize_t	n;

	while (left > 0) {
		n = write(fd, text, left);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		text += n;
		left -= (size_t)n;
	}
	return 0;
}

/*
 * Whether the file is another partition's: p with two GCDs and p_gcd0 with one
 * want the same name.
 */
static bool
is_of_another(const char *path, const struct partition *p)
{
	struct ipuof_reference	r;

	return ipuof_parse(path, &r, NULL) == 0 &&
	    strcmp(r.partition, p->name) != 0;
}

/* Write and flush the temporary file of `path`. */
static int
ipuof_files_write_temporary(const struct partition *p, const char *temporary,
    const char *path, const char *text, struct error *e)
{
	int	fd = -1, status = 0;

	(void)unlink(temporary);
	if (FAULT_POINT("ipuof open") == 0)
		fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    ipuof_files_file_mode(p->ipuof_directory));
	if (fd == -1)
		return error_set_errno(e, "cannot write %s", path);
	if (share_file(fd, p->ipuof_directory) != 0 ||
	    ipuof_files_write_all(fd, text, strlen(text)) != 0 ||
	    FAULT_POINT("ipuof fsync") != 0 || fsync(fd) != 0)
		status = error_set_errno(e, "cannot write %s", path);
	if (close(fd) != 0 && status == 0)
		status = error_set_errno(e, "cannot write %s", path);
	return status;
}

/*
 * A reader sees the old file or the whole new one.  The temporary name is
 * always the same, for what a crash left to be found again; the lock of the
 * state keeps two writers apart.
 */
static int
replace_file(const struct partition *p, const char *name, const char *text,
    struct error *e)
{
	char	*path = xasprintf("%s/%s", p->ipuof_directory, name);
	char	*temporary = temporary_path(p->ipuof_directory, name);
	int	 status;

	if (is_of_another(path, p))
		status = error_set_number(e, EEXIST, "cannot write %s", path);
	else
		status = ipuof_files_write_temporary(p, temporary, path, text,
		    e);
	if (status == 0 && (FAULT_POINT("ipuof rename") != 0 ||
	    rename(temporary, path) != 0))
		status = error_set_errno(e, "cannot write %s", path);
	if (status != 0)
		(void)unlink(temporary);
	free(temporary);
	free(path);
	return status;
}

/* Flush the directory's names to the disk. */
static int
flush_names(const struct partition *p, struct error *e)
{
	char	*path = xasprintf("%s/.", p->ipuof_directory);
	int	 status = file_sync_above(path, e);

	free(path);
	return status;
}

/*
 * One that was made is flushed, or a crash could lose it with all that is in
 * it.
 */
static int
ipuof_files_make_directory(const struct partition *p, struct error *e)
{
	if (mkdir(p->ipuof_directory, 0700) == 0)
		return file_sync_above(p->ipuof_directory, e);
	return errno == EEXIST ? 0 : error_set_errno(e, "cannot make the "
	    "folder %s", p->ipuof_directory);
}

/*
 * Every file that can be written; -1: not all could, and the reason is that
 * of the first.
 */
static int
write_each(const struct pod *pod, const struct partition *p, struct error *e)
{
	char	 name[FILE_NAME_SIZE];
	char	*text;
	int	 gcd, status = 0;

	if (ipuof_files_make_directory(p, e) != 0)
		return -1;
	for (gcd = 0; gcd < p->num_gcds; gcd++) {
		text = ipuof_text(pod, p, gcd);
		ipuof_files_file_name(p, gcd, name);
		if (replace_file(p, name, text, status == 0 ? e : NULL) != 0)
			status = -1;
		free(text);
	}
	return status == 0 ? flush_names(p, e) : -1;
}

/* A relocatable partition has none: they name machines, and it may move. */
static bool
has_files(const struct partition *p)
{
	return p->ipuof_directory[0] != '\0' && !p->relocatable;
}

int
ipuof_files_write(const struct pod *pod, const struct partition *p,
    struct error *e)
{
	if (!has_files(p) || write_each(pod, p, e) == 0)
		return 0;
	(void)ipuof_files_remove(p, NULL);
	return -1;
}

void
ipuof_files_restore(const struct pod *pod, const struct partition *p)
{
	if (has_files(p))
		(void)write_each(pod, p, NULL);
}

/* One file, and what a crash left of its writing. 1: there was none. */
static int
ipuof_files_remove_file(const struct partition *p, const char *name,
    struct error *e)
{
	char	*path = xasprintf("%s/%s", p->ipuof_directory, name);
	char	*temporary = temporary_path(p->ipuof_directory, name);
	int	 status = 1;

	(void)unlink(temporary);
	if (FAULT_POINT("ipuof unlink") != 0 || (!is_of_another(path, p) &&
	    (status = unlink(path)) == -1 && errno != ENOENT &&
	    errno != ENOTDIR))
		status = error_set_errno(e, "cannot remove %s", path);
	else if (status == -1)
		status = 1;
	free(temporary);
	free(path);
	return status;
}

int
ipuof_files_remove(const struct partition *p, struct error *e)
{
	char	name[FILE_NAME_SIZE];
	int	gcd, one, status = 0;
	bool	any = false;

	if (!has_files(p))
		return 0;
	for (gcd = 0; gcd < p->num_gcds; gcd++) {
		ipuof_files_file_name(p, gcd, name);
		/* The first reason counts. */
		one = ipuof_files_remove_file(p, name, status == 0 ? e : NULL);
		any |= one == 0;
		if (one == -1)
			status = -1;
	}
	return any && status == 0 ? flush_names(p, e) : status;
}

bool
ipuof_files_are_missing(const struct partition *p, char path[IPUOF_PATH_SIZE])
{
	char		name[FILE_NAME_SIZE];
	struct stat	st;
	int		gcd;

	for (gcd = 0; has_files(p) && gcd < p->num_gcds; gcd++) {
		ipuof_files_file_name(p, gcd, name);
		(void)snprintf(path, IPUOF_PATH_SIZE, "%s/%s",
		    p->ipuof_directory, name);
		if (lstat(path, &st) != 0 &&
		    (errno == ENOENT || errno == ENOTDIR))
			return true;
	}
	return false;
}

/* NAME.conf or NAME_gcdN.conf */
static bool
is_file_of(const char *file, const struct partition *p)
{
	char	name[FILE_NAME_SIZE];
	size_t	len = strlen(p->name);

	ipuof_files_file_name(p, 0, name);
	if (p->num_gcds == 1)
		return strcmp(file, name) == 0;
	return strncmp(file, p->name, len) == 0 &&
	    strncmp(file + len, "_gcd", 4) == 0;
}

int
ipuof_files_count_others(const struct partition *p)
{
	struct dirent	*entry;
	DIR		*dir;
	int		 count = 0;

	if (!has_files(p) ||
	    (dir = opendir(p->ipuof_directory)) == NULL)
		return 0;
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.' &&
		    !is_file_of(entry->d_name, p);
	(void)closedir(dir);
	return count;
}

