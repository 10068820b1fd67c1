/*
 * The registry file: opening it after every check, the locks of its IPUs, and
 * who holds them.
 *
 * A lock is one byte per IPU, at LOCK_IPUS and on, far behind the file's end;
 * the numbers of neighbouring IPUs follow each other, so a group is one range:
 *
 *	byte  LOCK_IPUS + 0   1   2   3   4   5  ...
 *	           IPU    0   1   2   3   4   5  ...
 *	                         [ attach 2, 4 IPUs ...
 */
#include "core/state/registry.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/state/ownership.h"
#include "core/state/registry_layout.h"

int
registry_open(struct registry *r, const struct state_paths *paths,
    bool writable, struct error *e)
{
	const char	*path = paths->registry;
	struct stat	 st;

	memset(r, 0, sizeof(*r));
	r->writable = writable;
	if (strlcpy(r->path, path, sizeof(r->path)) >= sizeof(r->path)) {
		r->fd = -1;
		return error_set_number(e, ENAMETOOLONG, "registry %s", path);
	}
	/* O_NONBLOCK: a FIFO that somebody planted must not hold us up. */
	r->fd = open(path, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC |
	    O_NOFOLLOW | O_NONBLOCK);
	if (r->fd == -1 && errno == ELOOP)
		return error_set_code(e, ERROR_UNSAFE, "registry %s is a "
		    "symbolic link; remove it, or set IPUBOX_REGISTRY", path);
	if (r->fd == -1)
		return error_set_errno(e, "cannot open registry %s", path);
	if (fstat(r->fd, &st) != 0) {
		(void)error_set_errno(e, "registry %s", path);
		registry_close(r);
		return -1;
	}
	if (ownership_check_registry(paths, &st, e) != 0 ||
	    registry_layout_map(r, e) != 0) {
		registry_close(r);
		return -1;
	}
	return 0;
}

void
registry_close(struct registry *r)
{
	if (r->map != NULL)
		(void)munmap(r->map, r->size);
	if (r->fd != -1)
		(void)close(r->fd);
	r->map = NULL;
	r->fd = -1;
}

int64_t
registry_due(const struct registry *r)
{
	const struct registry_header	*h = r->map;

	return atomic_load(&h->due_ms);
}

void
registry_set_due(struct registry *r, int64_t due_ms)
{
	struct registry_header	*h = r->map;

	atomic_store(&h->due_ms, due_ms);
}

int
registry_ipu_count(const struct registry *r)
{
	const struct registry_header	*h = r->map;

	return registry_layout_count(h->agent_count, h->agent_capacity) *
	    IPUS_PER_MACHINE;
}

struct ipu_slot *
registry_slot(const struct registry *r, int ipu)
{
	struct mirror	m;

	registry_layout_locate(&m, r->map);
	return &m.slots[ipu];
}

/*
 * One call on open-file-description locks (fcntl(2), F_OFD_*): they belong to
 * the open file, not to the process, so a child that inherits it keeps them and
 * closing another descriptor of the same file does not drop them.
 */
static int
lock_range(int fd, int command, short type, int64_t first, int64_t count,
    struct flock *lock)
{
	memset(lock, 0, sizeof(*lock));	/* l_pid must be 0 */
	lock->l_type = type;
	lock->l_whence = SEEK_SET;
	lock->l_start = (off_t)(LOCK_IPUS + first);
	lock->l_len = (off_t)count;
	return fcntl(fd, command, lock);
}

int
registry_lock_all(int fd)
{
	struct flock	lock;

	return lock_range(fd, F_OFD_SETLK, F_WRLCK, 0, POD_IPUS_MAX, &lock);
}

/* The lowest: a refusal that names an IPU names the same one each time. */
int
registry_held(const struct registry *r, int first, int count)
{
	struct flock	lock;
	int		held = -1;

	/* The kernel names one conflicting lock, not the lowest: look again
	   before it until there is none. */
	while (count > 0) {
		if (lock_range(r->fd, F_OFD_GETLK, F_WRLCK, first, count,
		    &lock) != 0 || lock.l_type == F_UNLCK)
			break;
		held = (int)(lock.l_start - (off_t)LOCK_IPUS);
		if (held <= first)
			return first;	/* the lock begins before the range */
		count = held - first;
	}
	return held;
}

bool
registry_is_current(const struct registry *r)
{
	struct stat	a, b;

	return fstat(r->fd, &a) == 0 && stat(r->path, &b) == 0 &&
	    a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

int
registry_attach(struct registry *r, int first, int count, int *holder,
    struct error *e)
{
	struct flock	lock;
	int		status;

	*holder = -1;
	if (first < 0 || count < 1 || count > registry_ipu_count(r) - first)
		return error_set_reason(e, EINVAL);
	status = lock_range(r->fd, F_OFD_SETLK, F_WRLCK, first, count, &lock);
	if (status != 0 && errno != EACCES && errno != EAGAIN)
		return error_set_reason(e, errno);
	if (status != 0) {
		*holder = registry_held(r, first, count);
		(void)error_set_reason(e, EAGAIN);
		return error_recode(e, ERROR_BUSY);
	}
	/* A new pod is put in place with all locks of the old file held, so
	   whoever comes after that sees the other file here. */
	if (!registry_is_current(r)) {
		(void)registry_detach(r, first, count);
		return error_set_reason(e, ESTALE);
	}
	return 0;
}

int
registry_detach(struct registry *r, int first, int count)
{
	struct flock	lock;

	return lock_range(r->fd, F_OFD_SETLK, F_UNLCK, first, count, &lock);
}

/*
 * Seqlock: the holder writes its words with the number odd, so what was copied
 * between two looks at the same even number is whole.  A holder that was killed
 * while it wrote may have left its lock to a child and the number odd: after
 * 10000 tries the copy counts as it is, with its texts ended.
 */
bool
registry_holder(const struct registry *r, int ipu, struct ipu_slot *copy)
{
	const struct ipu_slot	*slot = registry_slot(r, ipu);
	uint32_t		 before, after;
	int			 tries = 0;

	if (registry_held(r, ipu, 1) == -1)
		return false;
	do {
		before = atomic_load_explicit(&slot->sequence,
		    memory_order_acquire);
		memcpy(copy, slot, sizeof(*copy));
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&slot->sequence,
		    memory_order_relaxed);
	} while ((before != after || before % 2 != 0) && ++tries < 10000);
	copy->user[sizeof(copy->user) - 1] = '\0';
	copy->host[sizeof(copy->host) - 1] = '\0';
	copy->command[sizeof(copy->command) - 1] = '\0';
	return true;
}
