/*
 * How a server takes a state directory, and gives it back.  Read served_begin()
 * first.
 */
#include "core/state/state.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/state/commit.h"
#include "core/state/lock.h"
#include "core/state/owner_lock.h"
#include "core/state/ownership.h"
#include "core/state/paths.h"
#include "core/state/slots.h"
#include "core/state/state_internal.h"
#include "core/state/store.h"

/* Maximum size of a slots file. */
#define SLOTS_BYTES_MAX \
	(sizeof(struct slots_header) + POD_IPUS_MAX * sizeof(struct ipu_slot))

/* Open the slots' file and lock all IPUs, so that no program is attached
   (ERROR_BUSY).  *fd is -1 if no regular file exists that can be kept. */
static int
hold_slots(const struct state_paths *paths, int *fd, struct error *e)
{
	char *path = xasprintf("%s.slots", paths->registry);
	struct stat st;
	int status = 0;

	*fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd != -1 && (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		(void)close(*fd);
		*fd = -1;
	} else if (*fd == -1 && errno != ENOENT && errno != ELOOP) {
		status = error_set_errno(e, "cannot open registry %s", path);
	} else if (*fd != -1 && slots_lock_all(*fd) != 0) {
		status = error_set_code(e, ERROR_BUSY,
		    "registry %s must be rebuilt for a server because other "
		    "users may write it, but programs are attached to IPUs "
		    "through it; end them first (fuser %s names them)",
		    path, path);
		(void)close(*fd);
		*fd = -1;
	}
	free(path);
	return status;
}

/* Copy the slots' file.  Stop at the size of the largest one, because others
   may have made the file larger. */
static int
copy_slots(int from, int to)
{
	char buffer[1 << 16];
	off_t at = 0;
	ssize_t n;

	while ((size_t)at < SLOTS_BYTES_MAX &&
	    (n = pread(from, buffer, sizeof(buffer), at)) != 0) {
		if (n == -1 || file_put(to, buffer, (size_t)n) != 0)
			return -1;
		at += n;
	}
	return 0;
}

/* Replace the slots' file by a copy of the old one, or remove it if old is -1.
   So a program that has the old file open or mapped can do no harm. */
static int
renew_slots(const struct state_paths *paths, int old, struct error *e)
{
	char *path = xasprintf("%s.slots", paths->registry);
	char *fresh = xasprintf("%s.new", path);
	int fd = -1, status = -1;

	if (unlink(fresh) != 0 && errno != ENOENT)
		(void)error_set_errno(e, "cannot remove %s", fresh);
	else if (old == -1 && (unlink(path) == 0 || errno == ENOENT))
		status = 0;
	else if (old != -1 &&
	    (fd = open(fresh,
		 O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) !=
		-1 &&
	    copy_slots(old, fd) == 0 && rename(fresh, path) == 0)
		status = 0;
	else
		(void)error_set_errno(e, "cannot rebuild registry %s", path);
	if (status != 0 && fd != -1)
		(void)unlink(fresh);
	if (fd != -1)
		(void)close(fd);
	free(fresh);
	free(path);
	return status;
}

/* Descriptors of the files to be replaced, which hold all their locks. */
struct served_old {
	int mirror, slots; /* -1: missing */
};

/* Refuse a state that this ipubox cannot serve, as one of another version.  A
   new state has no identity yet, which is fine. */
static int
served_check_version(const struct directory *d, struct error *e)
{
	struct store_identity identity;
	struct error reason;

	return store_identify(d, &identity, &reason) == 0 ||
		reason.code == ERROR_NOT_FOUND ?
	    0 :
	    error_copy(e, &reason);
}

/* Refuse while a job owns a partition by a lock on STATE/lock: the lock would
   not be in the new file. */
static int
served_check_owners(const struct state *st, struct error *e)
{
	struct flock lock = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = LOCK_OWNERS };

	if (fcntl(st->lock_fd, F_OFD_GETLK, &lock) != 0)
		return error_set_errno(e, "cannot read the locks of %s/lock",
		    st->paths.directory);
	return lock.l_type == F_UNLCK ?
	    0 :
	    error_set_code(e, ERROR_BUSY,
		"a running job owns a partition by a lock on %s/lock, which a "
		"server must replace in a shared state directory; wait until "
		"the job ends, or end it (fuser %s/lock names it)",
		st->paths.directory, st->paths.directory);
}

/* Replace STATE/lock, and *lock by the descriptor of the new file.  The new
   file is locked before it gets its name, so no process sees it unlocked. */
static int
served_renew_lock(struct state *st, int *lock, struct error *e)
{
	static const char fresh[] = ".lock.fresh";
	const char *path = st->paths.directory;
	int fd;

	if (unlinkat(st->directory.fd, fresh, 0) != 0 && errno != ENOENT)
		return error_set_errno(e, "cannot remove %s/%s", path, fresh);
	fd = lock_open_name(&st->directory, fresh, O_RDWR | O_CREAT | O_EXCL,
	    e);
	if (fd == -1)
		return error_prefix(e, "cannot make %s/%s", path, fresh);
	if (server_lock_take_file(fd, path, e) != 0) {
		(void)close(fd);
		return -1;
	}
	if (renameat(st->directory.fd, fresh, st->directory.fd, "lock") != 0) {
		(void)error_set_errno(e, "cannot replace %s/lock", path);
		(void)close(fd);
		return -1;
	}
	(void)close(*lock);
	*lock = fd;
	return 0;
}

/* Replace the slots, and remove the mirror: the next reader makes it again from
   the files. */
static int
served_renew_registry(const struct state *st, const struct served_old *old,
    struct error *e)
{
	if (renew_slots(&st->paths, old->slots, e) != 0)
		return -1;
	if (unlink(st->paths.registry) != 0 && errno != ENOENT)
		return error_set_errno(e, "cannot remove registry %s",
		    st->paths.registry);
	rebuild_retire(st->paths.registry, old->mirror);
	return 0;
}

/* Withdraw the directory from its group (ownership.h) and replace the files
   that members may have open.  All refusals come before the first change. */
static int
served_withdraw(struct state *st, int *lock, struct error *e)
{
	struct served_old old = { .mirror = -1, .slots = -1 };
	int status = served_check_owners(st, e);

	if (status == 0)
		status = rebuild_lock(st->paths.registry, &old.mirror, e);
	if (status == 0)
		status = hold_slots(&st->paths, &old.slots, e);
	if (status == 0)
		status = ownership_withdraw(&st->directory, e);
	if (status == 0)
		status = served_renew_lock(st, lock, e);
	if (status == 0)
		status = served_renew_registry(st, &old, e);
	rebuild_unlock(old.mirror);
	rebuild_unlock(old.slots);
	return status;
}

/* Take the directory for the server, under the writer's lock. */
static int
served_take(struct state *st, int *lock, struct error *e)
{
	bool needed;

	if (served_check_version(&st->directory, e) != 0 ||
	    ownership_needs_withdrawal(&st->directory, &needed, e) != 0)
		return -1;
	if (needed)
		return served_withdraw(st, lock, e);
	ownership_tighten(&st->directory);
	return 0;
}

int
served_begin(const struct state_paths *paths, struct error *e)
{
	struct state st;
	int lock, status = -1;

	if (state_begin(&st, paths, e) != 0)
		return -1;
	lock = server_lock_take(&st.directory, e);
	if (lock != -1)
		status = state_take_lock(&st, LOCK_PATIENTLY, e);
	if (status == 0)
		status = served_take(&st, &lock, e);
	state_unlock(&st);
	state_close(&st);
	if (status == 0)
		return lock;
	if (lock != -1)
		server_lock_give_back(lock);
	return -1;
}

int
served_end(const struct state_paths *paths, int lock, struct error *e)
{
	struct state st;
	int status = state_begin(&st, paths, e);

	if (status == 0) {
		status = state_take_lock(&st, LOCK_PATIENTLY, e);
		if (status == 0)
			status = ownership_give_back(&st.directory, e);
		state_unlock(&st);
		/* state_lock() brings the registry in step with the files. */
		if (status == 0)
			status = state_lock(&st, e);
		state_unlock(&st);
		state_close(&st);
	}
	server_lock_give_back(lock);
	return status;
}
