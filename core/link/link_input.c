/*
 * From a descriptor into a link.  It may be poprun's own standard input, which
 * other processes have, too: so it keeps its mode, and poll(2) comes before
 * read(2).
 */
#include "core/link/link.h"
#include "core/link/link_output.h"

#include <sys/epoll.h>

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void
link_input_init(struct link_input *i, int epoll, uint64_t key)
{
	*i = (struct link_input){ .epoll = epoll, .key = key, .fd = -1 };
}

/* Whether epoll(7) looks at it.  It refuses a file, for which poll(2) does not
   wait either. */
static void
link_input_watch(struct link_input *i, bool watched)
{
	struct epoll_event	e = { .events = EPOLLIN, .data.u64 = i->key };

	if (watched != i->watched && epoll_ctl(i->epoll,
	    watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, i->fd, &e) == 0)
		i->watched = watched;
}

void
link_input_close(struct link_input *i)
{
	/* Where another process still has it, epoll(7) would not forget it. */
	link_input_watch(i, false);
	if (i->fd != -1)
		(void)close(i->fd);
	i->fd = -1;
}

void
link_input_continue(struct link_input *i, struct link *l)
{
	static char	buffer[LINK_BODY_MAX];
	struct pollfd	ready = { .fd = i->fd, .events = POLLIN };
	size_t		room;
	ssize_t		n;

	while (i->fd != -1 && (room = link_room(l, 0)) > 0) {
		if (poll(&ready, 1, 0) != 1) {
			link_input_watch(i, true);
			return;
		}
		n = read(i->fd, buffer, room);
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
