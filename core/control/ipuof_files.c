/*
 * The files of a partition in its IPUoF directory.  The directory belongs to
 * the user, not to the state: it may be gone, read-only, or full of other
 * files.
 */
#include "core/control/ipuof_files.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/control/ipuof.h"
#include "core/process/process.h"

/* A name, "_gcd", a number and ".conf". */
enum { FILE_NAME_SIZE = IPUOF_PATH_SIZE - DIRECTORY_SIZE };

/* Return ~/.ipuof.conf.d, which Poplar searches by default. */
static int
default_directory(char *path, size_t size, struct error *e)
{
	const char *home = getenv("HOME");
	int n;

	if (home == NULL || home[0] != '/')
		return error_set_code(e, ERROR_INVALID,
		    "HOME is %s; name the directory of the IPUoF "
		    "configuration file with --ipuof-config-location",
		    home == NULL ? "not set" : "not an absolute path");
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
	char cwd[PATH_MAX];
	size_t len;
	int n;

	if (directory[0] == '\0')
		directory = getenv("VIPU_CLI_IPUOF_CONFIG_LOCATION");
	if (directory == NULL || directory[0] == '\0')
		return default_directory(path, size, e);
	if (directory[0] == '/') {
		n = snprintf(path, size, "%s", directory);
	} else {
		if (getcwd(cwd, sizeof(cwd)) == NULL)
			return error_set_errno(e,
			    "cannot find the working directory");
		n = snprintf(path, size, "%s/%s", cwd, directory);
	}
	if (n < 0 || (size_t)n >= size)
		return error_set_code(e, ERROR_INVALID,
		    "directory %.40s...: longer than %zu bytes", directory,
		    size - 1);
	for (len = (size_t)n; len > 1 && path[len - 1] == '/'; len--)
		path[len - 1] = '\0';
	return 0;
}

/* The usual name of a partition's file, and one with a part of its identity,
   for a directory in which another pod has the usual one. */
enum { NAME_USUAL, NAME_OWN, NAMES };
#define TEMPORARY ".%s.tmp"

static void
ipuof_files_file_name(const struct partition *p, int gcd, int which,
    char name[FILE_NAME_SIZE])
{
	enum { SHOWN = 4 };
	char own[2 * SHOWN + 2] = "";

	if (which == NAME_OWN && identity_is_set(p->id)) {
		own[0] = '-';
		hex_text(p->id, SHOWN, own + 1);
	}
	if (p->num_gcds == 1)
		(void)snprintf(name, FILE_NAME_SIZE, "%s%s.conf", p->name, own);
	else
		(void)snprintf(name, FILE_NAME_SIZE, "%s%s_gcd%d.conf", p->name,
		    own, gcd);
}

/* A file in the home directory is private; a chosen directory is for sharing.
   The umask applies to both. */
static mode_t
ipuof_files_file_mode(const char *directory)
{
	char home[DIRECTORY_SIZE];

	return default_directory(home, sizeof(home), NULL) == 0 &&
		strcmp(home, directory) == 0 ?
	    0600 :
	    0666;
}

/* In a directory that a group may write, and so shares, the group can read the
   files whatever the umask, as far as this user may permit it. */
static int
share_file(int fd, const struct directory *d, mode_t mode)
{
	struct stat in, st;

	if (fstat(d->fd, &in) != 0 || fstat(fd, &st) != 0 ||
	    (in.st_mode & S_IWGRP) == 0 || mode == 0600)
		return 0;
	(void)!fchown(fd, (uid_t)-1, in.st_gid);
	return fchmod(fd, (st.st_mode & 0777) | S_IRGRP);
}

/* The relation of a file in the directory to a partition. */
enum ipuof_owner {
	FILE_MISSING,
	FILE_OURS,	/* it names this partition */
	FILE_OTHER_POD, /* a partition of this name in another pod */
	FILE_GONE,	/* a partition that no longer exists */
	FILE_ANOTHERS,	/* for example p with two GCDs and p_gcd0 with one, or
			   of another program */
	FILE_CLOSED,	/* it may not be read */
	FILE_DIRECTORY
};

static enum ipuof_owner
judge_file(const struct directory *d, const char *name,
    const struct partition *p)
{
	struct ipuof_reference r;
	char identity[IPUOF_IDENTITY_SIZE];
	struct error reason;
	struct stat st;

	if (ipuof_parse_at(d, name, &r, &reason) != 0) {
		if (reason.code == ERROR_NOT_FOUND)
			return FILE_MISSING;
		if (reason.code == ERROR_DENIED)
			return FILE_CLOSED;
		return fstatat(d->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISDIR(st.st_mode) ?
		    FILE_DIRECTORY :
		    FILE_ANOTHERS;
	}
	hex_text(p->id, sizeof(p->id), identity);
	if (strcmp(r.partition, p->name) == 0 &&
	    (r.state[0] == '\0' || !identity_is_set(p->id) ||
		strcmp(r.identity, identity) == 0))
		return FILE_OURS;
	if (ipuof_find_standing(&r) == IPUOF_GONE)
		return FILE_GONE;
	return strcmp(r.partition, p->name) == 0 ?
	    FILE_OTHER_POD :
	    FILE_ANOTHERS;
}

/* Write and flush a temporary file; return 0 or an errno. */
static int
ipuof_files_write_temporary(const struct partition *p,
    const struct directory *d, const char *temporary, const char *text)
{
	mode_t mode = ipuof_files_file_mode(p->ipuof_directory);
	int fd = -1, number = 0;

	(void)unlinkat(d->fd, temporary, 0);
	if (FAULT_POINT("ipuof open") == 0)
		fd = openat(d->fd, temporary,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd == -1)
		return errno;
	if (share_file(fd, d, mode) != 0 ||
	    file_put(fd, text, strlen(text)) != 0 ||
	    FAULT_POINT("ipuof fsync") != 0 || fsync(fd) != 0)
		number = errno;
	if (close(fd) != 0 && number == 0)
		number = errno;
	return number;
}

/*
 * A reader sees the old file or the whole new one.  The temporary name is
 * fixed, so that remains of a crash are found; the lock of the state excludes a
 * second writer.
 */
static int
replace_file(const struct partition *p, const struct directory *d,
    const char *name, const char *text, struct error *e)
{
	char *temporary = xasprintf(TEMPORARY, name);
	const enum ipuof_owner owner = judge_file(d, name, p);
	int number;

	/* Another program's file, or another partition's, may have the name in
	   a directory that a record names. */
	if (owner != FILE_MISSING && owner != FILE_OURS && owner != FILE_GONE)
		number = owner == FILE_DIRECTORY ? EISDIR : EEXIST;
	else
		number = ipuof_files_write_temporary(p, d, temporary, text);
	if (number == 0 &&
	    (FAULT_POINT("ipuof rename") != 0 ||
		renameat(d->fd, temporary, d->fd, name) != 0))
		number = errno;
	if (number != 0)
		(void)unlinkat(d->fd, temporary, 0);
	free(temporary);
	return number == 0 ?
	    0 :
	    error_set_number(e, number, "cannot write %s/%s", d->path, name);
}

/* Flush the directory; if it may not be read, the system does that. */
static int
flush_names(const struct directory *d, struct error *e)
{
	struct error reason;

	return directory_sync(d, &reason) == 0 || reason.code == ERROR_DENIED ?
	    0 :
	    error_copy(e, &reason);
}

/* Create the directory with that mode, and flush its name, or a crash could
   lose it with its files. */
static int
ipuof_files_make_place(const char *path, mode_t mode, struct directory *d,
    struct error *e)
{
	struct directory up;
	char *above = path_directory_name(path);
	const char *name = path_base_name(path);
	int status;

	status = directory_open_resolved(&up, above, e);
	if (status == 0) {
		if (mkdirat(up.fd, name, mode) == 0)
			status = flush_names(&up, e);
		else if (errno != EEXIST)
			status = error_set_reason(e, errno);
	}
	directory_close(d);
	if (status == 0)
		status = directory_open_below(&up, name, d, e);
	directory_close(&up);
	free(above);
	return status;
}

/* Set why the directory cannot be used, in the system's words if possible. */
static int
ipuof_files_refuse_place(const struct error *reason, struct error *e)
{
	const int number = reason->code == ERROR_NOT_FOUND ? ENOENT :
	    reason->code == ERROR_INVALID		   ? ENOTDIR :
	    reason->code == ERROR_DENIED		   ? EACCES :
							     0;

	return number != 0 ? error_set_reason(e, number) :
			     error_copy(e, reason);
}

/*
 * Open the directory of the partition's files part by part; a symbolic link in
 * its path must be this user's or root's.  A missing one is created to write
 * the file `name`; NULL: not created.
 */
static int
open_place(const struct partition *p, const char *name, struct directory *d,
    struct error *e)
{
	char path[PATH_MAX];
	struct error reason;
	int status;
	bool missing;

	*d = DIRECTORY_NONE;
	status = directory_resolve(p->ipuof_directory, path, sizeof(path),
	    &reason);
	/* A parent is not a directory, so it cannot be created. */
	missing = status != 0 && reason.code == ERROR_INVALID;
	if (status == 0 &&
	    (status = directory_open_resolved(d, path, &reason)) != 0 &&
	    reason.code == ERROR_NOT_FOUND) {
		missing = true;
		if (name != NULL)
			status = ipuof_files_make_place(path,
			    strcmp(path, IPUOF_SYSTEM_DIRECTORY) == 0 ? 0755 :
									0700,
			    d, &reason);
	}
	if (status == 0) {
		/* Messages use the user's path. */
		free(d->path);
		d->path = xstrdup(p->ipuof_directory);
		return 0;
	}
	(void)ipuof_files_refuse_place(&reason, e);
	if (name == NULL)
		return -1;
	return missing ?
	    error_prefix(e, "cannot make directory %s", p->ipuof_directory) :
	    error_prefix(e, "cannot write %s/%s", p->ipuof_directory, name);
}

/* Write every possible file; -1: some failed, with the first reason. */
static int
write_each(const struct partition *p, char *const *texts, struct error *e)
{
	struct directory d;
	char name[FILE_NAME_SIZE];
	int gcd, status;

	ipuof_files_file_name(p, 0, NAME_USUAL, name);
	status = open_place(p, name, &d, e);
	for (gcd = 0; d.fd != -1 && gcd < p->num_gcds; gcd++) {
		ipuof_files_file_name(p, gcd, NAME_USUAL, name);
		if (judge_file(&d, name, p) == FILE_OTHER_POD)
			ipuof_files_file_name(p, gcd, NAME_OWN, name);
		if (replace_file(p, &d, name, texts[gcd],
			status == 0 ? e : NULL) != 0)
			status = -1;
	}
	if (status == 0)
		status = flush_names(&d, e);
	directory_close(&d);
	return status;
}

/* A relocatable partition has none, because files name machines and it may
   move. */
static bool
has_files(const struct partition *p)
{
	return p->ipuof_directory[0] != '\0' && !p->relocatable;
}

/* ---- as the partition's owner ---- */

/* The task of a process that acts for the owner. */
struct ipuof_task {
	const struct partition *partition;
	char *const *texts; /* for each GCD, to write */
};

/* Root acts with the owner's rights, because the owner controls the path, which
   may have changed.  Other users have only their own rights. */
static int
as_owner(const struct partition *p, char *const *texts,
    int (*act)(void *, struct error *), struct error *e)
{
	struct ipuof_task t = { p, texts };

	return geteuid() == 0 && p->owner != 0 ?
	    act_as(p->owner, act, &t, e) :
	    act(&t, e);
}

static int
write_task(void *context, struct error *e)
{
	const struct ipuof_task *t = context;

	return write_each(t->partition, t->texts, e);
}

/* Write each GCD's ipuof_text(). */
static int
write_texts_of(const struct pod *pod, const struct partition *p,
    const struct versions *v, struct error *e)
{
	char **texts = xcalloc((size_t)p->num_gcds + 1, sizeof(*texts));
	int gcd, status;

	for (gcd = 0; gcd < p->num_gcds; gcd++)
		texts[gcd] = ipuof_identity_add(ipuof_text(pod, p, gcd, v), p,
		    true);
	status = as_owner(p, texts, write_task, e);
	for (gcd = 0; gcd < p->num_gcds; gcd++)
		free(texts[gcd]);
	free(texts);
	return status;
}

/* Remove all files if not all could be written. */
static int
end_writing(const struct partition *p, int status)
{
	bool removed;

	if (status != 0)
		(void)ipuof_files_remove(p, &removed, NULL);
	return status;
}

int
ipuof_files_write(const struct pod *pod, const struct partition *p,
    const struct versions *v, struct error *e)
{
	return has_files(p) ? end_writing(p, write_texts_of(pod, p, v, e)) : 0;
}

int
ipuof_files_write_texts(const struct partition *p, char *const *texts,
    struct error *e)
{
	return has_files(p) ?
	    end_writing(p, as_owner(p, texts, write_task, e)) :
	    0;
}

void
ipuof_files_restore(const struct pod *pod, const struct partition *p,
    const struct versions *v, bool removed)
{
	if (has_files(p) && removed)
		(void)write_texts_of(pod, p, v, NULL);
}

/* Find the partition's file of that name, to remove it.  1: missing, or another
   partition's, which stays. */
static int
find_file(const struct partition *p, const struct directory *d,
    const char *name, struct error *e)
{
	const enum ipuof_owner owner = judge_file(d, name, p);

	if (owner == FILE_OURS)
		return 0;
	if (owner != FILE_CLOSED && owner != FILE_DIRECTORY)
		return 1;
	return error_set_number(e, owner == FILE_CLOSED ? EACCES : EISDIR,
	    "cannot remove %s/%s", d->path, name);
}

/* Remove a file, and remains of a crash.  1: it was missing. */
static int
ipuof_files_remove_file(const struct partition *p, const struct directory *d,
    const char *name, struct error *e)
{
	char *temporary = xasprintf(TEMPORARY, name);
	int status;

	if (judge_file(d, temporary, p) == FILE_OURS)
		(void)unlinkat(d->fd, temporary, 0);
	free(temporary);
	if (FAULT_POINT("ipuof unlink") != 0)
		return error_set_errno(e, "cannot remove %s/%s", d->path, name);
	status = find_file(p, d, name, e);
	if (status != 0 || unlinkat(d->fd, name, 0) == 0)
		return status;
	return errno == ENOENT ?
	    1 :
	    error_set_errno(e, "cannot remove %s/%s", d->path, name);
}

/* Results of a removal; both bits if some files were removed and some not. */
enum { SOME_REMOVED = 1, SOME_LEFT = 2 };

static int
remove_each(const struct partition *p, const struct directory *d,
    struct error *e)
{
	char name[FILE_NAME_SIZE];
	int i, one, result = 0;

	for (i = 0; i < NAMES * p->num_gcds; i++) {
		ipuof_files_file_name(p, i / NAMES, i % NAMES, name);
		/* Keep the first reason. */
		one = ipuof_files_remove_file(p, d, name,
		    (result & SOME_LEFT) == 0 ? e : NULL);
		result |= one == 0 ? SOME_REMOVED : one == -1 ? SOME_LEFT : 0;
	}
	if (result == SOME_REMOVED && flush_names(d, e) != 0)
		result |= SOME_LEFT;
	return result;
}

static int
remove_task(void *context, struct error *e)
{
	const struct ipuof_task *t = context;
	struct directory d;
	struct error reason;
	char name[FILE_NAME_SIZE];
	int result = 0;

	if (open_place(t->partition, NULL, &d, &reason) == 0) {
		result = remove_each(t->partition, &d, e);
	} else if (reason.code != ERROR_NOT_FOUND &&
	    reason.code != ERROR_INVALID) {
		ipuof_files_file_name(t->partition, 0, NAME_USUAL, name);
		(void)error_copy(e, &reason);
		(void)error_prefix(e, "cannot remove %s/%s",
		    t->partition->ipuof_directory, name);
		result = SOME_LEFT;
	}
	directory_close(&d);
	return result;
}

int
ipuof_files_remove(const struct partition *p, bool *removed, struct error *e)
{
	int result;

	*removed = false;
	if (!has_files(p))
		return 0;
	result = as_owner(p, NULL, remove_task, e);
	*removed = result != -1 && (result & SOME_REMOVED) != 0;
	return result == -1 || (result & SOME_LEFT) != 0 ? -1 : 0;
}

static int
check_task(void *context, struct error *e)
{
	const struct ipuof_task *t = context;
	struct directory d;
	char name[FILE_NAME_SIZE];
	int i, status = 0;

	if (open_place(t->partition, NULL, &d, NULL) != 0)
		return 0;
	for (i = 0; status != -1 && i < NAMES * t->partition->num_gcds; i++) {
		ipuof_files_file_name(t->partition, i / NAMES, i % NAMES, name);
		status = find_file(t->partition, &d, name, e);
	}
	directory_close(&d);
	return status == -1 ? -1 : 0;
}

int
ipuof_files_check_removal(const struct partition *p, struct error *e)
{
	return has_files(p) ? as_owner(p, NULL, check_task, e) : 0;
}

/* Return -1 if the GCD has its file, else which of its names it would get. */
static int
find_missing(const struct partition *p, const struct directory *d, int gcd)
{
	enum ipuof_owner owner;
	char name[FILE_NAME_SIZE];
	int which, wanted = NAME_USUAL;

	for (which = 0; d->fd != -1 && which < NAMES; which++) {
		ipuof_files_file_name(p, gcd, which, name);
		owner = judge_file(d, name, p);
		if (owner == FILE_OURS || owner == FILE_CLOSED)
			return -1;
		if (owner == FILE_OTHER_POD)
			wanted = NAME_OWN;
	}
	return wanted;
}

/* Return the number of the first missing file, from 1 on, or 0. */
static int
missing_task(void *context, struct error *e)
{
	const struct partition *p =
	    ((const struct ipuof_task *)context)->partition;
	struct directory d;
	int gcd, which = -1;

	if (open_place(p, NULL, &d, e) != 0 && e->code != ERROR_NOT_FOUND &&
	    e->code != ERROR_INVALID)
		return 0;
	for (gcd = 0; which == -1 && gcd < p->num_gcds; gcd++)
		which = find_missing(p, &d, gcd);
	directory_close(&d);
	return which == -1 ? 0 : NAMES * (gcd - 1) + which + 1;
}

bool
ipuof_files_are_missing(const struct partition *p, char path[IPUOF_PATH_SIZE])
{
	char name[FILE_NAME_SIZE];
	struct error e;
	int n = has_files(p) ? as_owner(p, NULL, missing_task, &e) : 0;

	if (n <= 0)
		return false;
	ipuof_files_file_name(p, (n - 1) / NAMES, (n - 1) % NAMES, name);
	(void)snprintf(path, IPUOF_PATH_SIZE, "%s/%s", p->ipuof_directory,
	    name);
	return true;
}
