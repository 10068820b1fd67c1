/*
 * Keyboard input for the first process: from the terminal, over a pipe.
 * Nothing waits here: the caller's poll(2) says when there is something to do.
 */
#include "core/process/stdin_relay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/*
 * Only a terminal needs a relay: files and pipes are handed to the process as
 * they are.
 */
int
stdin_relay_init(struct stdin_relay *p, int input)
{
	int	fds[2];

	memset(p, 0, sizeof(*p));
	p->terminal = p->pipe = -1;
	if (!isatty(input) || pipe2(fds, O_CLOEXEC) != 0)
		return input;
	(void)fcntl(fds[1], F_SETFL, O_NONBLOCK);
	p->terminal = input;
	p->pipe = fds[1];
	return fds[0];
}

void
stdin_relay_release(struct stdin_relay *p)
{
	if (p->pipe != -1)
		(void)close(p->pipe);
	p->terminal = p->pipe = -1;
}

/*
 * What was typed is written before more is read, so the buffer is one read
 * large and no more.
 */
struct pollfd
stdin_relay_poll(const struct stdin_relay *p)
{
	/* In the background, reading would stop poprun (SIGTTIN). */
	if (p->terminal == -1 ||
	    (p->used == 0 && tcgetpgrp(p->terminal) != getpgrp()))
		return (struct pollfd){ .fd = -1 };
	if (p->used > 0)
		return (struct pollfd){ .fd = p->pipe, .events = POLLOUT };
	return (struct pollfd){ .fd = p->terminal, .events = POLLIN };
}

/*
 * The end of the input (Ctrl-D, read(2) of 0 bytes) closes the pipe, and the
 * process reads an end of file.  One that reads nothing any more (EPIPE) needs
 * no relay.
 */
void
stdin_relay_continue(struct stdin_relay *p)
{
	ssize_t	n;

	if (p->used == 0) {
		n = read(p->terminal, p->data, sizeof(p->data));
		if (n > 0)
			p->used = (size_t)n;
		else if (n == 0 || (errno != EINTR && errno != EAGAIN))
			stdin_relay_release(p);
		return;
	}
	n = write(p->pipe, p->data, p->used);
	if (n > 0) {
		p->used -= (size_t)n;
		memmove(p->data, p->data + n, p->used);
	} else if (errno != EINTR && errno != EAGAIN)
		stdin_relay_release(p);
}
