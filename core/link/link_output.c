/*
 * Passes bytes from a link into a pipe.  The write end does not block.  To its
 * reader the pipe looks like that of a local instance.
 */
#include "core/link/link.h"

#include <sys/epoll.h>
#include <sys/ioctl.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

void
link_output_init(struct link_output *o, int epoll, uint64_t key, size_t window)
{
	*o = (struct link_output){ .epoll = epoll,
		.key = key,
		.window = window,
		.fd = -1 };
}

int
link_output_open(struct link_output *o)
{
	int fds[2];

	assert(!o->made);
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	/* A pipe of one page has room again only when it is empty. */
	if (o->counted && fcntl(fds[1], F_SETPIPE_SZ, 1) == -1)
		o->counted = false;
	(void)fcntl(fds[1], F_SETFL, O_NONBLOCK);
	o->made = true;
	o->fd = fds[1];
	if (o->ended)
		link_output_release(o);
	return fds[0];
}

/* Start or stop epoll(7) for the pipe. */
static void
link_output_watch(struct link_output *o, bool watched)
{
	struct epoll_event e = { .events = EPOLLOUT, .data.u64 = o->key };

	if (watched != o->watched &&
	    epoll_ctl(o->epoll, watched ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, o->fd,
		&e) == 0)
		o->watched = watched;
}

/* Release the pipe, whose reader then sees the end. */
void
link_output_release(struct link_output *o)
{
	link_output_watch(o, false);
	if (o->fd != -1)
		(void)close(o->fd);
	free(o->rest);
	o->fd = -1;
	o->rest = NULL;
	o->begin = o->end = 0;
}

/* Return true while the reader of a counted pipe has not taken everything,
   unless it is gone. */
static bool
link_output_is_unread(struct link_output *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	if (!o->counted || o->fd == -1)
		return false;
	(void)poll(&p, 1, 0);
	if ((p.revents & POLLERR) != 0)
		o->broken = true;
	return p.revents == 0;
}

/* Write what the pipe takes now; without a reader everything counts as
   taken. */
static size_t
link_output_write(struct link_output *o, const void *bytes, size_t size)
{
	ssize_t n;

	if (o->fd == -1)
		return size;
	do {
		n = write(o->fd, bytes, size);
	} while (n == -1 && errno == EINTR);
	if (n != -1) {
		o->written += (size_t)n;
		return (size_t)n;
	}
	if (errno == EAGAIN)
		return 0;
	o->broken = true;
	return size;
}

/* Keep bytes that the pipe has no room for. */
static void
link_output_keep(struct link_output *o, const unsigned char *bytes, size_t size)
{
	if (o->rest == NULL)
		o->rest = xmalloc(o->window);
	if (size > o->window - o->end) {
		memmove(o->rest, o->rest + o->begin, o->end - o->begin);
		o->end -= o->begin;
		o->begin = 0;
	}
	assert(size <= o->window - o->end);
	memcpy(o->rest + o->end, bytes, size);
	o->end += size;
	link_output_watch(o, true);
}

void
link_output_take(struct link_output *o, const void *bytes, size_t size)
{
	size_t n = 0;

	if (o->begin == o->end)
		n = link_output_write(o, bytes, size);
	o->ungranted += n;
	if (n == size)
		link_output_watch(o, link_output_is_unread(o));
	else
		link_output_keep(o, (const unsigned char *)bytes + n, size - n);
}

size_t
link_output_taken(const struct link_output *o)
{
	int unread = 0;

	if (o->fd != -1)
		(void)ioctl(o->fd, FIONREAD, &unread);
	return o->written - (size_t)unread;
}

void
link_output_continue(struct link_output *o)
{
	size_t n = 0;

	if (o->begin < o->end)
		n = link_output_write(o, o->rest + o->begin, o->end - o->begin);
	o->ungranted += n;
	o->begin += n;
	if (o->begin < o->end)
		return;
	o->begin = o->end = 0;
	link_output_watch(o, link_output_is_unread(o));
	if (o->ended && !o->watched)
		link_output_release(o);
}

void
link_output_end(struct link_output *o)
{
	o->ended = true;
	if (o->begin == o->end && !o->watched)
		link_output_release(o);
}

/* Grant nothing until a quarter of the window can be granted: if nothing waits
   for the pipe, the writer still has three quarters. */
size_t
link_output_grant(struct link_output *o)
{
	const size_t ungranted = o->ungranted;

	if (o->ended || ungranted < o->window / 4)
		return 0;
	o->ungranted = 0;
	return ungranted;
}
