/*
 * The lock of a server: of the open file description (fcntl(2)), so that the
 * kernel drops it with its holder.
 */
#include "core/state/owner_lock.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file for which this process is the server, because the kernel does not
   identify the owner of a conflicting lock. */
static struct {
	bool is_server;
	dev_t device;
	ino_t inode;
} server_lock_own;

static int
server_lock_call(int fd, int command, struct flock *lock)
{
	memset(lock, 0, sizeof(*lock));
	lock->l_type = F_WRLCK;
	lock->l_whence = SEEK_SET;
	lock->l_start = SERVER_LOCK_BYTE;
	lock->l_len = 1;
	return fcntl(fd, command, lock);
}

/* Describe the server, and how to end it. */
static void
server_lock_describe(int fd, char described[LOCK_TEXT_SIZE],
    char remedy[LOCK_TEXT_SIZE])
{
	struct lock_holder holder;

	lock_read_record(fd, LOCK_RECORD_SIZE, &holder);
	lock_describe(&holder, described);
	if (holder.life == LOCK_ALIVE || holder.life == LOCK_STOPPED)
		(void)snprintf(remedy, LOCK_TEXT_SIZE, "kill %ld",
		    (long)holder.pid);
	else
		(void)snprintf(remedy, LOCK_TEXT_SIZE, "SIGTERM");
}

int
server_lock_take_file(int fd, const char *directory, struct error *e)
{
	char described[LOCK_TEXT_SIZE], remedy[LOCK_TEXT_SIZE];
	struct flock lock;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set_errno(e, "%s/lock", directory);
	if (server_lock_call(fd, F_OFD_SETLK, &lock) != 0) {
		if (errno != EAGAIN && errno != EACCES)
			return error_set_errno(e, "cannot lock %s/lock",
			    directory);
		server_lock_describe(fd, described, remedy);
		return error_set_code(e, ERROR_BUSY,
		    "another server owns the state directory %s: %s; stop it "
		    "with %s, or name another directory in IPUBOX_STATE_DIR",
		    directory, described, remedy);
	}
	server_lock_own.is_server = true;
	server_lock_own.device = st.st_dev;
	server_lock_own.inode = st.st_ino;
	lock_write_record(fd, LOCK_RECORD_SIZE);
	return 0;
}

int
server_lock_take(const struct directory *d, struct error *e)
{
	int fd = lock_open(d, O_RDWR, e);

	if (fd == -1)
		return error_prefix(e, "cannot open %s/lock", d->path);
	if (server_lock_take_file(fd, d->path, e) == 0)
		return fd;
	(void)close(fd);
	return -1;
}

void
server_lock_give_back(int fd)
{
	server_lock_own.is_server = false;
	(void)close(fd);
}

bool
server_lock_is_own(void)
{
	return server_lock_own.is_server;
}

static bool
server_lock_is_mine(int fd)
{
	struct stat st;

	return server_lock_own.is_server && fstat(fd, &st) == 0 &&
	    st.st_dev == server_lock_own.device &&
	    st.st_ino == server_lock_own.inode;
}

bool
server_lock_is_held(int fd)
{
	struct flock lock;

	return server_lock_call(fd, F_OFD_GETLK, &lock) == 0 &&
	    lock.l_type != F_UNLCK;
}

int
server_lock_check(int fd, const char *directory, struct error *e)
{
	char described[LOCK_TEXT_SIZE], remedy[LOCK_TEXT_SIZE];

	if (!server_lock_is_held(fd) || server_lock_is_mine(fd))
		return 0;
	server_lock_describe(fd, described, remedy);
	return error_set_code(e, ERROR_BUSY,
	    "the state directory %s belongs to a server, %s, and only the "
	    "server may change it; commands ask it by themselves while it "
	    "answers; %s stops it",
	    directory, described, remedy);
}

int
server_lock_check_path(const char *directory, struct error *e)
{
	int fd = lock_open_path(directory, O_RDONLY, NULL), status;

	if (fd == -1)
		return 0;
	status = server_lock_check(fd, directory, e);
	(void)close(fd);
	return status;
}

bool
server_lock_find_holder(const char *directory, struct lock_holder *holder)
{
	int fd = lock_open_path(directory, O_RDONLY, NULL);
	bool held;

	memset(holder, 0, sizeof(*holder));
	if (fd == -1)
		return false;
	if ((held = server_lock_is_held(fd)))
		lock_read_record(fd, LOCK_RECORD_SIZE, holder);
	(void)close(fd);
	return held;
}
