/*
 * Standard input through pipes.  Every byte is written to all pipes before more
 * is read, so the memory is bounded and the slowest reader sets the pace.  No
 * function waits: the caller's poll(2) reports work.
 */
#include "core/process/stdin_relay.h"

#include <sys/epoll.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum {
	PIECE_SIZE = 65536, /* capacity of a pipe */
	EVENTS_MAX = 16
};

void
stdin_relay_init(struct stdin_relay *r)
{
	*r = (struct stdin_relay){ .source = -1, .room = -1 };
}

/* Add a process's pipe, which is watched for room after it was full. */
static int
add_pipe(struct stdin_relay *r, int *input)
{
	struct stdin_pipe *p = &r->pipes[r->count];
	struct epoll_event event = { .events = EPOLLONESHOT,
		.data = { .ptr = p } };
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	*input = fds[0];
	*p = (struct stdin_pipe){ .fd = fds[1] };
	r->count++;
	(void)fcntl(fds[1], F_SETFL, O_NONBLOCK);
	return epoll_ctl(r->room, EPOLL_CTL_ADD, fds[1], &event);
}

static bool
is_unreadable(int input)
{
	const int flags = fcntl(input, F_GETFL);

	return flags == -1 || (flags & O_ACCMODE) == O_WRONLY;
}

int
stdin_relay_open(struct stdin_relay *r, int input, int to, int *inputs,
    int count)
{
	const bool all = to == STDIN_ALL && count > 1;
	int i;

	stdin_relay_init(r);
	for (i = 0; i < count; i++)
		inputs[i] = -1;
	if (to == STDIN_NONE || is_unreadable(input))
		return 0;
	r->terminal = isatty(input) == 1;
	if (!all && !r->terminal) {
		inputs[to == STDIN_ALL ? 0 : to] = input;
		return 0;
	}
	r->source = input;
	r->room = epoll_create1(EPOLL_CLOEXEC);
	r->pipes = xcalloc((size_t)count, sizeof(*r->pipes));
	r->data = xmalloc(PIECE_SIZE);
	for (i = 0; i < count; i++)
		if ((all || i == (to == STDIN_ALL ? 0 : to)) &&
		    add_pipe(r, &inputs[i]) != 0)
			return -1;
	return 0;
}

void
stdin_relay_release(struct stdin_relay *r)
{
	int i;

	for (i = 0; i < r->count; i++)
		if (r->pipes[i].fd != -1)
			(void)close(r->pipes[i].fd);
	if (r->room != -1)
		(void)close(r->room);
	if (r->source == STDIN_FILENO)
		stdin_relay_give_up();
	free(r->pipes);
	free(r->data);
	stdin_relay_init(r);
}

struct pollfd
stdin_relay_poll(const struct stdin_relay *r)
{
	/* In the background, reading would stop poprun (SIGTTIN). */
	if (r->source == -1 ||
	    (r->used == 0 && r->terminal && tcgetpgrp(r->source) != getpgrp()))
		return (struct pollfd){ .fd = -1 };
	return (struct pollfd){ .fd = r->used > 0 ? r->room : r->source,
		.events = POLLIN };
}

/* Write to one pipe.  Returns false if it is full, and r->room reports when it
   has room.  A pipe without a reader (EPIPE) is skipped from then on. */
static bool
write_piece(struct stdin_relay *r, struct stdin_pipe *p)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLONESHOT,
		.data = { .ptr = p } };
	ssize_t n;

	while (p->fd != -1 && p->written < r->used) {
		n = write(p->fd, r->data + p->written, r->used - p->written);
		if (n > 0) {
			p->written += (size_t)n;
		} else if (errno == EAGAIN) {
			(void)epoll_ctl(r->room, EPOLL_CTL_MOD, p->fd, &event);
			return false;
		} else if (errno != EINTR) {
			(void)close(p->fd);
			p->fd = -1;
		}
	}
	return true;
}

/* Write to all pipes; when all readers are gone, the relay ends. */
static void
write_pieces(struct stdin_relay *r)
{
	bool done = true, alive = false;
	int i;

	for (i = 0; i < r->count; i++) {
		done = write_piece(r, &r->pipes[i]) && done;
		alive = alive || r->pipes[i].fd != -1;
	}
	if (done)
		r->used = 0;
	if (!alive)
		stdin_relay_release(r);
}

/* The end of the input (Ctrl-D at a terminal) closes the pipes, so the
   processes read an end of file. */
void
stdin_relay_continue(struct stdin_relay *r)
{
	struct epoll_event events[EVENTS_MAX];
	ssize_t n;
	int i;

	if (r->used > 0) {
		/* Each pipe is reported once, and watched again when it is
		   full. */
		(void)epoll_wait(r->room, events, EVENTS_MAX, 0);
		write_pieces(r);
		return;
	}
	n = read(r->source, r->data, PIECE_SIZE);
	if (n > 0) {
		r->used = (size_t)n;
		if (r->terminal && r->data[n - 1] == '\n' && r->typed != NULL)
			r->typed(r->context);
		for (i = 0; i < r->count; i++)
			r->pipes[i].written = 0;
		write_pieces(r);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		stdin_relay_release(r);
}

void
stdin_relay_give_up(void)
{
	const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null == -1)
		return;
	(void)dup2(null, STDIN_FILENO);
	if (null != STDIN_FILENO)
		(void)close(null);
}
