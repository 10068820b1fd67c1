/*
 * Messages and descriptors in one sendmsg(2) and recvmsg(2): see packet.h.
 */
#include "core/process/packet.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Aligned for the kernel. */
union packet_control {
	struct cmsghdr head;
	char data[CMSG_SPACE(PACKET_FILES * sizeof(int))];
};

void
packet_init(struct packet *p)
{
	p->count = p->file_count = 0;
}

bool
packet_has_room(const struct packet *p, size_t files)
{
	return p->count < PACKET_MESSAGES &&
	    p->file_count + files <= PACKET_FILES;
}

int
packet_send(struct packet *p, int socket)
{
	const size_t bytes = p->file_count * sizeof(p->files[0]);
	union packet_control control;
	struct iovec text = {
		.iov_base = p->messages,
		.iov_len = p->count * sizeof(p->messages[0]),
	};
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1 };
	ssize_t n = 0;
	size_t i;
	int number;

	if (p->count == 0)
		return 0;
	if (p->file_count > 0) {
		memset(&control, 0, sizeof(control));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(bytes);
		memcpy(CMSG_DATA(&control.head), p->files, bytes);
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(bytes);
	}
	do {
		if (socket != -1)
			n = sendmsg(socket, &m, MSG_NOSIGNAL);
	} while (n == -1 && errno == EINTR);
	number = errno;
	for (i = 0; i < p->file_count; i++)
		(void)close(p->files[i]);
	packet_init(p);
	return n == -1 ? number : 0;
}

int
packet_receive(struct packet *p, int socket)
{
	union packet_control control;
	struct iovec text = { .iov_base = p->messages,
		.iov_len = sizeof(p->messages) };
	struct msghdr m = { .msg_iov = &text,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	ssize_t n;

	packet_init(p);
	/* If the other end closes before it has read everything, this comes
	   once, before the last packets that it sent. */
	do {
		n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	} while (n == -1 && (errno == EINTR || errno == ECONNRESET));
	if (n <= 0)
		return -1;
	p->count = (size_t)n / sizeof(p->messages[0]);
	c = CMSG_FIRSTHDR(&m);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS) {
		p->file_count = (c->cmsg_len - CMSG_LEN(0)) /
		    sizeof(p->files[0]);
		memcpy(p->files, CMSG_DATA(c),
		    p->file_count * sizeof(p->files[0]));
	}
	return 0;
}
