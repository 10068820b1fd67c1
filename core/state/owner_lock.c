/*
 * The locks of partition owners.  Nothing is ever written into the file; only
 * the holders of its bytes count.
 */
#include "core/state/owner_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/pod/pod.h"
#include "core/state/lock.h"
#include "core/state/mirror_copy.h"
#include "core/state/paths.h"

/* Call fcntl(2) on the byte of an identity. */
static int
owner_lock_call(int fd, int command, short type,
    const uint8_t id[PARTITION_ID_SIZE], struct flock *l)
{
	int status;

	memset(l, 0, sizeof(*l)); /* l_pid must be 0 */
	l->l_type = type;
	l->l_whence = SEEK_SET;
	l->l_start = (off_t)(LOCK_OWNERS + (int64_t)identity_number(id));
	l->l_len = 1;
	do {
		status = fcntl(fd, command, l);
	} while (status != 0 && errno == EINTR);
	return status;
}

/* Open STATE/lock of this process's state directory, or return -1. */
static int
owner_lock_file(int flags, struct error *e)
{
	struct state_paths paths;
	int fd;

	if (paths_find(&paths, e) != 0)
		return -1;
	fd = lock_open_path(paths.directory, flags, e);
	return fd != -1 ?
	    fd :
	    error_prefix(e, "cannot open %s/lock", paths.directory);
}

/* Another process may have the byte by chance: then try another one. */
int
owner_lock_draw(struct owner_lock *o, const struct partition *p, size_t count,
    struct error *e)
{
	struct flock l;

	(void)owner_lock_call(o->fd, F_OFD_SETLK, F_UNLCK, o->id, &l);
	do {
		identity_draw(p, count, o->id);
		if (owner_lock_call(o->fd, F_OFD_SETLK, F_WRLCK, o->id, &l) ==
		    0)
			return 0;
	} while (errno == EAGAIN || errno == EACCES);
	return error_set_errno(e, "cannot lock the owner of a partition");
}

int
owner_lock_open(struct owner_lock *o, struct error *e)
{
	memset(o, 0, sizeof(*o));
	o->fd = owner_lock_file(O_RDWR, e);
	if (o->fd == -1)
		return -1;
	if (owner_lock_draw(o, NULL, 0, e) == 0)
		return 0;
	owner_lock_close(o);
	return -1;
}

int
owner_lock_adopt(struct owner_lock *o, const uint8_t id[PARTITION_ID_SIZE],
    struct error *e)
{
	struct flock l;
	int status = 0;

	memcpy(o->id, id, sizeof(o->id));
	o->fd = owner_lock_file(O_RDWR, e);
	if (o->fd == -1)
		return -1;
	if (owner_lock_call(o->fd, F_OFD_SETLK, F_WRLCK, o->id, &l) != 0)
		status = errno == EAGAIN || errno == EACCES ?
		    error_set_code(e, ERROR_BUSY, "its owner lives") :
		    error_set_errno(e, "cannot lock its owner's byte");
	if (status != 0)
		owner_lock_close(o);
	return status;
}

void
owner_lock_close(struct owner_lock *o)
{
	if (o->fd != -1)
		(void)close(o->fd);
	o->fd = -1;
}

/* A separate descriptor is needed: the inherited one shares the lock. */
void
owner_lock_outlive(struct owner_lock *o)
{
	struct flock l;
	int fd = owner_lock_file(O_RDWR, NULL);

	owner_lock_close(o);
	if (fd == -1)
		return;
	(void)owner_lock_call(fd, F_OFD_SETLKW, F_WRLCK, o->id, &l);
	(void)close(fd);
}

bool
owner_lock_is_held(int fd, const uint8_t id[PARTITION_ID_SIZE])
{
	struct flock l;

	return owner_lock_call(fd, F_OFD_GETLK, F_WRLCK, id, &l) != 0 ||
	    l.l_type != F_UNLCK;
}

bool
owner_lock_is_gone(const struct partition *p)
{
	bool gone;
	int fd;

	if (!owner_kind_has_lock(p->owner_kind) ||
	    (fd = owner_lock_file(O_RDONLY, NULL)) == -1)
		return false;
	gone = !owner_lock_is_held(fd, p->id);
	(void)close(fd);
	return gone;
}

/* Whether the owner of the partition holds no lock any more.  *fd is the file
   of the locks, which is opened only if a partition has such an owner. */
static bool
owner_lock_test_gone(const struct partition *p, int *fd)
{
	if (!owner_kind_has_lock(p->owner_kind) ||
	    (*fd == -1 && (*fd = owner_lock_file(O_RDONLY, NULL)) == -1))
		return false;
	return !owner_lock_is_held(*fd, p->id);
}

static bool
owner_lock_test_kind(const struct partition *p, int *kind)
{
	return p->owner_kind == *kind;
}

/* Whether the registry shows a partition that passes the test. */
static bool
owner_lock_any(const struct registry *r,
    bool (*test)(const struct partition *, int *), int *value)
{
	struct mirror own = { .table = NULL },
		      *m = r->kept != NULL ? r->kept : &own;
	uint32_t i;
	bool found = false;

	if (mirror_copy_again(m, r, NULL) != MIRROR_COPY_GOOD)
		return false;
	for (i = 0; i < m->header.partition_high && !found; i++)
		found = m->partitions[i].name[0] != '\0' &&
		    test(&m->partitions[i], value);
	mirror_copy_release(&own);
	return found;
}

bool
owner_lock_any_gone(const struct registry *r)
{
	int fd = -1;
	bool gone = owner_lock_any(r, owner_lock_test_gone, &fd);

	if (fd != -1)
		(void)close(fd);
	return gone;
}

bool
owner_lock_any_kind(const struct registry *r, int kind)
{
	return owner_lock_any(r, owner_lock_test_kind, &kind);
}
