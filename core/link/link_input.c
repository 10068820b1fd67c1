/*
 * From a descriptor into a link: an instance's standard input at poprun.  It is
 * looked at without being read, so what the program leaves stays for the next
 * reader of the same input, as if the program had read it itself.
 */
#include "core/link/link.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/alloc.h"

void
link_input_init(struct link_input *i, int epoll, uint64_t key)
{
	*i = (struct link_input){ .epoll = epoll, .key = key, .fd = -1 };
}

/* Start or stop epoll(7) for the descriptor.  It refuses files, which poll(2)
   does not wait for either. */
static void
link_input_watch(struct link_input *i, bool watched)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u64 = i->key };

	if (watched != i->watched &&
	    epoll_ctl(i->epoll, watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, i->fd,
		&e) == 0)
		i->watched = watched;
}

void
link_input_close(struct link_input *i)
{
	/* epoll(7) keeps a descriptor that another process still has open. */
	link_input_watch(i, false);
	if (i->fd != -1)
		(void)close(i->fd);
	i->fd = -1;
}

/* Copy what a pipe contains.  Returns -1 with EINVAL if it is not a pipe. */
static ssize_t
peek_pipe(int fd, void *buffer, size_t size)
{
	int fds[2];
	ssize_t n;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	n = tee(fd, fds[1], size, SPLICE_F_NONBLOCK);
	if (n > 0)
		n = read(fds[0], buffer, (size_t)n);
	(void)close(fds[0]);
	(void)close(fds[1]);
	return n;
}

/* Copy available bytes, which stay in the descriptor until link_input_take().
   A terminal, or anything else that cannot be looked at, is read. */
static ssize_t
peek(struct link_input *i, void *buffer, size_t size)
{
	const off_t at = lseek(i->fd, 0, SEEK_CUR);
	ssize_t n;

	if (at != -1)
		n = pread(i->fd, buffer, size, at);
	else if ((n = recv(i->fd, buffer, size, MSG_PEEK | MSG_DONTWAIT)) ==
		-1 &&
	    errno == ENOTSOCK)
		n = peek_pipe(i->fd, buffer, size);
	if (n == -1 && errno != EAGAIN && errno != EINTR)
		return read(i->fd, buffer, size);
	i->peeked = n > 0 ? (size_t)n : 0;
	return n;
}

/* Read what the program has taken.  Another reader may have been faster. */
static void
drop(const struct link_input *i, size_t size)
{
	static char buffer[LINK_BODY_MAX];
	struct pollfd ready = { .fd = i->fd, .events = POLLIN };
	ssize_t n = 0;

	if (lseek(i->fd, (off_t)size, SEEK_CUR) != -1)
		return;
	for (; size > 0 && poll(&ready, 1, 0) == 1; size -= (size_t)n)
		if ((n = read(i->fd, buffer, size)) <= 0)
			return;
}

void
link_input_take(struct link_input *i, const struct link_message *m)
{
	uint32_t taken = 0;
	size_t used = 0;

	if (m->kind == LINK_INPUT_CLOSED) {
		link_input_close(i);
		return;
	}
	i->counted = true;
	if (i->fd == -1 || !link_get(m, &used, &taken) || taken > i->peeked)
		return;
	drop(i, taken);
	i->peeked -= taken;
}

void
link_input_continue(struct link_input *i, struct link *l)
{
	static char buffer[LINK_BODY_MAX];
	struct pollfd ready = { .fd = i->fd, .events = POLLIN };
	size_t room;
	ssize_t n;

	while (i->fd != -1 && i->peeked == 0 && (room = link_room(l, 0)) > 0) {
		if (poll(&ready, 1, 0) != 1) {
			link_input_watch(i, true);
			return;
		}
		n = i->counted ? peek(i, buffer, room) :
				 read(i->fd, buffer, room);
		if (n > 0)
			link_send_data(l, 0, buffer, (size_t)n);
		else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			link_input_close(i);
			link_send(l, LINK_END_OF_STREAM, 0, NULL, 0);
		}
	}
	if (i->fd != -1)
		link_input_watch(i, false);
}
