/*
 * The directory of a job.  All functions below work by descriptor, because
 * other users of the parent directory may replace names.
 */
#include "core/process/job_directory.h"

#include <sys/stat.h>

#include <bsd/stdlib.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file_set.h"
#include "core/base/text.h"

static const char prefix[] = "ipubox-job-";
static const char owner_name[] = "owner";
static const char new_owner_name[] = ".owner";

enum {
	RANDOM_BYTES = 16,
	DIRECTORY = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
	/* time to make a directory: after it, one without an owner's file was
	   left by a kill */
	MAKING_S = 60,
	/* each try lost to a process that removed a leftover */
	JOIN_TRIES = 100
};

void
job_directory_init(struct job_directory *d)
{
	*d = (struct job_directory){ .above = -1, .fd = -1, .owner = -1 };
}

/* Lock with an open-file-description lock: a forked child inherits it, and it
   is dropped when the last holder ends in any way.  F_WRLCK: exclusive. */
static bool
job_directory_lock(int fd, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

/* Remove the open directory and its name. */
static void
remove_at(int above, const char *name, int fd)
{
	(void)directory_tree_empty(fd);
	(void)unlinkat(above, name, AT_REMOVEDIR);
}

/* Return true if only this user can enter it. */
static bool
is_private(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISDIR(st->st_mode) &&
	    st->st_uid == geteuid() && (st->st_mode & 077) == 0;
}

/* Return true if the processes that made the directory are gone. */
static bool
is_stale(int fd, const struct stat *st)
{
	const int owner = openat(fd, owner_name,
	    O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	bool left;

	if (owner == -1)
		return errno == ENOENT && st->st_mtime + MAKING_S < time(NULL);
	left = job_directory_lock(owner, F_WRLCK);
	(void)close(owner);
	return left;
}

void
job_directory_remove_stale(const struct job_directory *d)
{
	const int copy = d->path != NULL ?
	    openat(d->above, ".", DIRECTORY) :
	    -1;
	DIR *dir = copy != -1 ? fdopendir(copy) : NULL;
	struct dirent *entry;
	struct stat st;
	int fd;

	if (dir == NULL) {
		if (copy != -1)
			(void)close(copy);
		return;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
		    (fd = openat(d->above, entry->d_name, DIRECTORY)) == -1)
			continue;
		if (is_private(fd, &st) && is_stale(fd, &st))
			remove_at(d->above, entry->d_name, fd);
		(void)close(fd);
	}
	(void)closedir(dir);
}

/* Return 128 random bits: unique and unguessable. */
static char *
new_name(void)
{
	unsigned char random[RANDOM_BYTES];
	char hex[HEX_SIZE(RANDOM_BYTES)];

	arc4random_buf(random, sizeof(random));
	hex_text(random, sizeof(random), hex);
	return xasprintf("%s%s", prefix, hex);
}

/* Lock the owner's file before it gets the name that others look for. */
static int
make_owner(int fd)
{
	const int owner = openat(fd, new_owner_name,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (owner != -1 && job_directory_lock(owner, F_WRLCK) &&
	    renameat(fd, new_owner_name, fd, owner_name) == 0)
		return owner;
	if (owner != -1)
		(void)close(owner);
	return -1;
}

/* Make the job's directory in `above`.  Returns 0 or an errno. */
static int
make_below(struct job_directory *d, const char *above)
{
	struct stat st;
	int reason;

	job_directory_init(d);
	d->above = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->above == -1)
		return errno;
	d->name = new_name();
	if (mkdirat(d->above, d->name, 0700) != 0) {
		reason = errno;
		job_directory_release(d);
		return reason;
	}
	d->fd = openat(d->above, d->name, DIRECTORY);
	if (d->fd != -1 && fchmod(d->fd, 0700) == 0 && is_private(d->fd, &st) &&
	    (d->owner = make_owner(d->fd)) != -1) {
		d->path = xasprintf("%s/%s", above, d->name);
		return 0;
	}
	reason = errno;
	if (d->fd != -1)
		remove_at(d->above, d->name, d->fd);
	job_directory_release(d);
	return reason;
}

/* Use the first place that works; if none does, the error is the last one's. */
int
job_directory_make(struct job_directory *d, const char *const *places,
    size_t count, struct error *e)
{
	size_t i;
	int reason = ENOENT;

	for (i = 0; i < count; i++) {
		if (places[i] == NULL || places[i][0] != '/')
			continue;
		reason = make_below(d, places[i]);
		if (reason == 0)
			return 0;
	}
	return error_set_number(e, reason,
	    "no place for the files that the instances of a job share: "
	    "/dev/shm, TMPDIR, /tmp and the state directory cannot be written");
}

char *
job_directory_new_path(const char *place)
{
	char *name = new_name(), *path = xasprintf("%s/%s", place, name);

	free(name);
	return path;
}

/* Return true if the directory still has its name and its owner's file. */
static bool
job_directory_is_current(const struct job_directory *d)
{
	struct stat own, named;

	return fstat(d->fd, &own) == 0 &&
	    fstatat(d->above, d->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	    own.st_dev == named.st_dev && own.st_ino == named.st_ino &&
	    fstat(d->owner, &own) == 0 && own.st_nlink > 0;
}

/* Try to join once.  Returns 0 or an errno; ENOENT and EAGAIN if another
   process removed the directory meanwhile. */
static int
job_directory_enter(struct job_directory *d)
{
	struct stat st;

	if (mkdirat(d->above, d->name, 0700) != 0 && errno != EEXIST)
		return errno;
	d->fd = openat(d->above, d->name, DIRECTORY);
	if (d->fd == -1)
		return errno;
	if (!is_private(d->fd, &st))
		return EPERM;
	d->owner = openat(d->fd, owner_name,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (d->owner == -1)
		return errno;
	return job_directory_lock(d->owner, F_RDLCK) &&
		job_directory_is_current(d) ?
	    0 :
	    EAGAIN;
}

static void
close_both(struct job_directory *d)
{
	if (d->fd != -1)
		(void)close(d->fd);
	if (d->owner != -1)
		(void)close(d->owner);
	d->fd = d->owner = -1;
}

int
job_directory_join(struct job_directory *d, const char *path, struct error *e)
{
	const char *slash = strrchr(path, '/');
	char *place;
	int tries, reason = 0;

	job_directory_init(d);
	if (slash == NULL || strncmp(slash + 1, prefix, strlen(prefix)) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s is not a directory of a job", path);
	place = xasprintf("%.*s", (int)(slash - path), path);
	d->name = xstrdup(slash + 1);
	d->above = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->above == -1)
		reason = errno;
	for (tries = 0; d->above != -1 && tries < JOIN_TRIES; tries++) {
		reason = job_directory_enter(d);
		if (reason != ENOENT && reason != EAGAIN)
			break;
		close_both(d);
	}
	free(place);
	if (reason != 0) {
		job_directory_release(d);
		return error_set_number(e, reason, "cannot share %s", path);
	}
	d->path = xstrdup(path);
	job_directory_remove_stale(d);
	return 0;
}

/* Drop this process's lock first.  If two processes leaving at the same time
   kept theirs, each would find the other's lock and neither would remove the
   directory. */
void
job_directory_leave(struct job_directory *d)
{
	if (d->path != NULL && job_directory_lock(d->owner, F_UNLCK) &&
	    job_directory_lock(d->owner, F_WRLCK))
		job_directory_remove(d);
	job_directory_release(d);
}

void
job_directory_remove(const struct job_directory *d)
{
	struct stat st;

	/* Without a link, another process has removed it. */
	if (d->path != NULL && (fstat(d->fd, &st) != 0 || st.st_nlink > 0))
		remove_at(d->above, d->name, d->fd);
}

void
job_directory_release(struct job_directory *d)
{
	if (d->above != -1)
		(void)close(d->above);
	close_both(d);
	free(d->path);
	free(d->name);
	job_directory_init(d);
}

int
job_directory_open(const char *path, struct error *e)
{
	const int fd = open(path, DIRECTORY);
	struct stat st;

	if (fd == -1)
		return error_set_errno(e, "%s: cannot open %s",
		    JOB_DIRECTORY_VARIABLE, path);
	if (is_private(fd, &st))
		return fd;
	(void)close(fd);
	return error_set(e,
	    "%s: %s must be a directory that only this user may use",
	    JOB_DIRECTORY_VARIABLE, path);
}
