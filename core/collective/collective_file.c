/*
 * The file that replicas share, and its locks.
 */
#include "core/collective/collective_way.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/process/process.h"

static const char collective_file_name[] = "collective";

enum { LOCK_PAUSE_MS = 5 };

int
collective_file_lock_directory(int directory, int seconds, struct error *e)
{
	const struct timespec pause = { 0, LOCK_PAUSE_MS * 1000000L };
	int tries = seconds * 1000 / LOCK_PAUSE_MS;

	while (flock(directory, LOCK_EX | LOCK_NB) == -1) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_set_errno(e,
			    "cannot lock the job's directory");
		if (tries-- == 0)
			return error_set(e,
			    "another instance has had the job's directory "
			    "locked for %d seconds",
			    seconds);
		(void)nanosleep(&pause, NULL);
	}
	return 0;
}

/* Allocate the part that is used now: later a full disk would raise SIGBUS. */
static int
reserve(int fd, size_t size, size_t whole, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) == -1 || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || (st.st_mode & 077) != 0)
		return error_set(e,
		    "the file of the instances' shared memory must belong to "
		    "this user alone");
	if (st.st_size == 0 && ftruncate(fd, (off_t)whole) == -1)
		return error_set_errno(e,
		    "cannot allocate the instances' shared memory");
	if (fallocate(fd, 0, 0, (off_t)size) == -1 && errno != EOPNOTSUPP &&
	    errno != ENOSYS)
		return error_set_errno(e,
		    "no room for %zu bytes of the instances' shared memory in "
		    "the directory of %s; enlarge /dev/shm",
		    size, JOB_DIRECTORY_VARIABLE);
	return 0;
}

int
collective_file_open(int directory, size_t size, size_t whole, struct error *e)
{
	const int fd = openat(directory, collective_file_name,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd == -1)
		return error_set_errno(e,
		    "cannot open the instances' shared memory");
	if (reserve(fd, size, whole, e) == 0)
		return fd;
	(void)close(fd);
	return -1;
}

/* Lock or query the replicas' bytes, with a command and type of fcntl(2). */
static int
lock_replicas(int fd, int command, int first, int count, struct flock *l)
{
	*l = (struct flock){ .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = first,
		.l_len = count };
	return fcntl(fd, command, l);
}

int
collective_file_lock(int fd, int first, int count, struct error *e)
{
	struct flock l;

	if (lock_replicas(fd, F_OFD_SETLK, first, count, &l) == 0)
		return 0;
	return error_set_errno(e,
	    "replicas %d to %d: another process of this job has one of them",
	    first, first + count - 1);
}

/* If the lock cannot be read, the replica counts as alive. */
bool
collective_file_is_locked(int fd, int replica)
{
	struct flock l;

	return lock_replicas(fd, F_OFD_GETLK, replica, 1, &l) != 0 ||
	    l.l_type != F_UNLCK;
}

void
collective_file_unlink(int directory)
{
	(void)unlinkat(directory, collective_file_name, 0);
}
