/*
 * Sending without waiting.
 */
#include "core/process/packet.h"

#include <sys/socket.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum { FIRST_ROOM = 1024 };

void
send_queue_init(struct send_queue *q, int fd, size_t max)
{
	*q = (struct send_queue){ .fd = fd, .max = max, .descriptor = -1 };
}

static void
send_queue_drop(struct send_queue *q)
{
	if (q->descriptor != -1)
		(void)close(q->descriptor);
	q->descriptor = -1;
}

void
send_queue_release(struct send_queue *q)
{
	send_queue_drop(q);
	free(q->bytes);
	q->bytes = NULL;
}

void
send_queue_shrink(struct send_queue *q)
{
	free(q->bytes);
	q->bytes = NULL;
	q->begin = q->end = q->room = 0;
}

bool
send_queue_pass(struct send_queue *q, int fd)
{
	if (q->descriptor == -1 && q->error == 0) {
		q->descriptor = fd;
		return true;
	}
	(void)close(fd);
	return false;
}

size_t
send_queue_waiting(const struct send_queue *q)
{
	return q->end - q->begin;
}

/* Stop sending and drop the queue; received bytes may still be read. */
static void
send_queue_stop(struct send_queue *q, int number)
{
	q->error = number;
	q->begin = q->end = 0;
}

/* Add the passed descriptor to the message (unix(7)). */
static void
send_queue_add(const struct send_queue *q, struct msghdr *h, void *room,
    size_t size)
{
	struct cmsghdr *c;

	h->msg_control = room;
	h->msg_controllen = size;
	c = CMSG_FIRSTHDR(h);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(q->descriptor));
	memcpy(CMSG_DATA(c), &q->descriptor, sizeof(q->descriptor));
}

/* Send as much of these parts as the socket takes now. */
static size_t
send_queue_write(struct send_queue *q, struct iovec *parts, size_t count)
{
	struct msghdr h = {
		.msg_iov = parts,
		.msg_iovlen = count < IOV_MAX ? count : IOV_MAX,
	};
	union {
		struct cmsghdr aligned;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room = { .bytes = { 0 } };
	ssize_t n;

	if (q->descriptor != -1)
		send_queue_add(q, &h, &room, sizeof(room.bytes));
	do {
		n = sendmsg(q->fd, &h, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (n == -1 && errno == EINTR);
	if (n > 0)
		send_queue_drop(q);
	if (n == -1 && errno != EAGAIN)
		send_queue_stop(q, errno);
	return n == -1 ? 0 : (size_t)n;
}

/* Append bytes to the waiting ones. */
static void
send_queue_keep(struct send_queue *q, const void *bytes, size_t size)
{
	const size_t waiting = send_queue_waiting(q);

	if (size == 0 || q->error != 0)
		return;
	if (waiting + size > q->max) {
		send_queue_stop(q, ENOBUFS);
		return;
	}
	if (size > q->room - q->end) {
		if (waiting > 0)
			memmove(q->bytes, q->bytes + q->begin, waiting);
		q->begin = 0;
		q->end = waiting;
	}
	if (size > q->room - q->end) {
		if (q->room == 0)
			q->room = FIRST_ROOM;
		while (size > q->room - q->end)
			q->room *= 2;
		q->bytes = xreallocarray(q->bytes, q->room, 1);
	}
	memcpy(q->bytes + q->end, bytes, size);
	q->end += size;
}

void
send_queue_put(struct send_queue *q, struct iovec *parts, size_t count)
{
	size_t i = 0, sent = 0;

	if (q->error != 0)
		return;
	if (send_queue_waiting(q) == 0)
		sent = send_queue_write(q, parts, count);
	for (; i < count && sent >= parts[i].iov_len; i++)
		sent -= parts[i].iov_len;
	for (; i < count; i++, sent = 0)
		send_queue_keep(q, (const char *)parts[i].iov_base + sent,
		    parts[i].iov_len - sent);
}

void
send_queue_flush(struct send_queue *q)
{
	struct iovec part;

	if (send_queue_waiting(q) == 0)
		return;
	part.iov_base = q->bytes + q->begin;
	part.iov_len = send_queue_waiting(q);
	q->begin += send_queue_write(q, &part, 1);
	if (send_queue_waiting(q) == 0)
		q->begin = q->end = 0;
}
