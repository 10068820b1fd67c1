/*
 * Pseudo terminals: bytes as they are, in both directions nothing added, the
 * size, the end, and nobody's controlling terminal.
 */
#include "core/process/process.h"

#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

enum { MANY = 300000 };

/* Read until the end; errno of what ended it. */
static int
read_all(int fd, char *data, size_t room, size_t *size)
{
	ssize_t n;

	*size = 0;
	while (*size < room && (n = read(fd, data + *size, room - *size)) > 0)
		*size += (size_t)n;
	return errno;
}

/* Every byte value, more than any buffer of a terminal holds. */
static void
test_bytes(void)
{
	char *sent = xmalloc(MANY), *got = xmalloc(MANY + 1);
	size_t size, i;
	int fds[2], status;
	pid_t pid;

	for (i = 0; i < MANY; i++)
		sent[i] = (char)(i * i % 257);
	if (pty_open(fds, NULL) != 0)
		abort();
	if ((pid = fork()) == 0) {
		(void)close(fds[0]);
		for (i = 0; i < MANY;)
			i += (size_t)write(fds[1], sent + i, MANY - i);
		_exit(0);
	}
	(void)close(fds[1]);
	is_int(read_all(fds[0], got, MANY + 1, &size), EIO, "the end is EIO");
	is_int((long long)size, MANY, "nothing is lost or added");
	ok(memcmp(sent, got, size < MANY ? size : MANY) == 0,
	    "each byte as it was");
	(void)waitpid(pid, &status, 0);
	(void)close(fds[0]);
	free(sent);
	free(got);
}

static void
test_size(void)
{
	const struct winsize first = { .ws_row = 33, .ws_col = 101 };
	const struct winsize second = { .ws_row = 7, .ws_col = 42 };
	struct winsize got;
	int fds[2];

	if (pty_open(fds, &first) != 0)
		abort();
	ok(isatty(fds[1]), "a terminal");
	(void)ioctl(fds[1], TIOCGWINSZ, &got);
	is_int(got.ws_row, 33, "rows");
	is_int(got.ws_col, 101, "columns");
	pty_set_size(fds[0], &second);
	(void)ioctl(fds[1], TIOCGWINSZ, &got);
	is_int(got.ws_col, 42, "columns that were changed");
	is_int(fcntl(fds[0], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC,
	    "ours is closed in programs");
	is_int(fcntl(fds[1], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC,
	    "and theirs but for what is made of it");
	(void)close(fds[0]);
	(void)close(fds[1]);
}

/* What was written before the end is there; and nothing is echoed. */
static void
test_end(void)
{
	char got[16];
	size_t size;
	int fds[2];

	if (pty_open(fds, NULL) != 0)
		abort();
	ok(write(fds[0], "typed\n", 6) == 6, "what nobody should send");
	ok(write(fds[1], "a\n\x04\x1a", 4) == 4, "the last bytes");
	(void)close(fds[1]);
	is_int(read_all(fds[0], got, sizeof(got), &size), EIO, "EIO");
	ok(size == 4 && memcmp(got, "a\n\x04\x1a", 4) == 0, "they alone");
	(void)close(fds[0]);
}

/* A session without a terminal still has none. */
static void
test_controlling(void)
{
	int fds[2], status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (setsid() == -1 || pty_open(fds, NULL) != 0)
			_exit(2);
		_exit(open("/dev/tty", O_RDWR) == -1 ? 0 : 1);
	}
	(void)waitpid(pid, &status, 0);
	is_int(status, 0, "nobody's controlling terminal");
}

int
main(void)
{
	int fds[2], reason;

	(void)alarm(60);
	if ((reason = pty_open(fds, NULL)) != 0) {
		tap_skip("pseudo terminals", strerror(reason));
		return tap_done();
	}
	(void)close(fds[0]);
	(void)close(fds[1]);
	test_bytes();
	test_size();
	test_end();
	test_controlling();
	return tap_done();
}
