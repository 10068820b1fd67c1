/*
 * Keyboard input: a terminal's input goes through a pipe, anything else is
 * left as it is.
 */
#include <sys/wait.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/process/stdin_relay.h"
#include "tests/unit/tap.h"

/* In a session with `name` as its terminal: 0 when all went well. */
static int
pump_terminal(const char *name)
{
	struct stdin_relay	p;
	struct pollfd	fd;
	char		got[16];
	int		terminal, end;

	(void)setsid();
	terminal = open(name, O_RDWR);
	if (terminal == -1)
		return 1;
	end = stdin_relay_init(&p, terminal);
	if (end == terminal)
		return 2;
	while (p.terminal != -1) {
		fd = stdin_relay_poll(&p);
		if (fd.fd == -1)
			return 3;
		if (poll(&fd, 1, 10000) != 1)
			return 4;
		stdin_relay_continue(&p);
	}
	if (read(end, got, sizeof(got)) != 6 || memcmp(got, "typed\n", 6) != 0)
		return 5;
	return read(end, got, sizeof(got)) == 0 ? 0 : 6;
}

static void
test_terminal(void)
{
	int	controller = posix_openpt(O_RDWR | O_NOCTTY);
	int	status;
	pid_t	pid;

	if (controller == -1 || grantpt(controller) != 0 ||
	    unlockpt(controller) != 0) {
		tap_skip("a terminal", "no pseudo-terminals");
		return;
	}
	/* A line, and the end of the input. */
	ok(write(controller, "typed\n\004", 7) == 7, "typed");
	pid = fork();
	if (pid == 0)
		_exit(pump_terminal(ptsname(controller)));
	ok(waitpid(pid, &status, 0) == pid, "waited");
	is_int(status, 0, "a terminal's input and its end come through");
	(void)close(controller);
}

int
main(void)
{
	struct stdin_relay	p;
	int		fds[2];

	ok(pipe(fds) == 0, "a pipe");
	is_int(stdin_relay_init(&p, fds[0]), fds[0], "a pipe is used as it is");
	is_int(stdin_relay_poll(&p).fd, -1, "and nothing is to be done");
	stdin_relay_release(&p);
	test_terminal();
	return tap_done();
}
