/*
 * Pseudo terminals, from /dev/ptmx: pty(7), ioctl_tty(2).
 */
#include "core/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { PTY_FLAGS = O_RDWR | O_NOCTTY | O_CLOEXEC, PATH_SIZE = 64 };

/* Open the other end by its descriptor, without a path (Linux 4.13), else by
   its name. */
static int
open_peer(int fd)
{
	char path[PATH_SIZE];
	int unlock = 0, peer;

	if (ioctl(fd, TIOCSPTLCK, &unlock) != 0)
		return -1;
	peer = ioctl(fd, TIOCGPTPEER, PTY_FLAGS);
	if (peer == -1 && ptsname_r(fd, path, sizeof(path)) == 0)
		peer = open(path, PTY_FLAGS);
	return peer;
}

int
pty_open(int fds[2], const struct winsize *size)
{
	struct termios modes;
	int number;

	fds[1] = -1;
	if ((fds[0] = posix_openpt(PTY_FLAGS)) == -1 ||
	    (fds[1] = open_peer(fds[0])) == -1 ||
	    tcgetattr(fds[1], &modes) != 0)
		goto out;
	cfmakeraw(&modes);
	if (tcsetattr(fds[1], TCSANOW, &modes) != 0)
		goto out;
	if (size != NULL)
		pty_set_size(fds[0], size);
	return 0;
out:
	number = errno;
	if (fds[1] != -1)
		(void)close(fds[1]);
	if (fds[0] != -1)
		(void)close(fds[0]);
	return number;
}

bool
pty_size_after(int fd, int columns, struct winsize *size)
{
	memset(size, 0, sizeof(*size));
	if (ioctl(fd, TIOCGWINSZ, size) != 0)
		return false;
	/* 0 columns mean unknown, and programs assume 80. */
	if (size->ws_col > columns)
		size->ws_col = (unsigned short)(size->ws_col - columns);
	return true;
}

void
pty_set_size(int fd, const struct winsize *size)
{
	(void)ioctl(fd, TIOCSWINSZ, size);
}
