/*
 * A member of a job's collectives, in as few words as it takes.
 */
#include "tests/unit/member_util.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"

static void
require_that(int condition, const char *what)
{
	if (condition)
		return;
	perror(what);
	exit(1);
}

void
member_connect(struct member *m, const char *directory)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	m->request = 0;
	(void)snprintf(a.sun_path, sizeof(a.sun_path), "%s/collectives",
	    directory);
	m->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	require_that(m->fd != -1 &&
		connect(m->fd, (const struct sockaddr *)&a, sizeof(a)) == 0,
	    "connect");
}

void
member_put(const struct member *m, const void *bytes, size_t size, int fd)
{
	union {
		struct cmsghdr head;
		char data[CMSG_SPACE(sizeof(fd))];
	} control = { { 0 } };
	struct iovec part = { .iov_len = size };
	struct msghdr h = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	memcpy(&part.iov_base, &bytes, sizeof(bytes));
	if (fd != -1) {
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		h.msg_control = &control;
		h.msg_controllen = sizeof(control);
	}
	while (part.iov_len > 0) {
		n = sendmsg(m->fd, &h, MSG_NOSIGNAL);
		/* poprun has closed it: the answer says so. */
		if (n == -1 && (errno == EPIPE || errno == ECONNRESET))
			return;
		require_that(n > 0, "sendmsg");
		part.iov_base = (char *)part.iov_base + n;
		part.iov_len -= (size_t)n;
		h.msg_control = NULL;
		h.msg_controllen = 0;
	}
}

/* Exactly so many bytes; 0: they do not come. */
static int
get(int fd, unsigned char *to, size_t size)
{
	ssize_t n;

	for (; size > 0; to += n, size -= (size_t)n) {
		n = recv(fd, to, size, 0);
		if (n == 0 || (n == -1 && errno == ECONNRESET))
			return 0;
		require_that(n > 0, "recv");
	}
	return 1;
}

void
member_receive(struct member *m, struct answer *a)
{
	struct collective_head h;

	memset(a, 0, sizeof(*a));
	if (!get(m->fd, m->message, COLLECTIVE_HEAD_BYTES))
		return;
	require_that(collective_message_get_head(&h, m->message, NULL) == 0,
	    "a head");
	a->body = m->message + COLLECTIVE_HEAD_BYTES;
	a->size = h.size - COLLECTIVE_HEAD_BYTES;
	if (!get(m->fd, m->message + COLLECTIVE_HEAD_BYTES, a->size))
		return;
	a->kind = h.kind;
	a->request = h.request;
	if (h.kind != COLLECTIVE_ERROR)
		return;
	require_that(a->size >= sizeof(a->code), "an error");
	a->code = bits_get_le32(a->body);
	(void)error_set_code(&a->why, collective_message_error_code(a->code),
	    "%.*s", (int)(a->size - sizeof(a->code)),
	    (const char *)a->body + sizeof(a->code));
}

void
member_open(struct member *m, const char *directory, uint32_t instance,
    uint32_t count)
{
	const struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = instance,
		.pid = (uint32_t)getpid(),
		.member = instance,
		.members = count };
	unsigned char bytes[COLLECTIVE_CALL_MAX];
	struct answer a;

	member_connect(m, directory);
	member_put(m, bytes,
	    collective_message_put_hello(bytes, ++m->request, &h), -1);
	member_receive(m, &a);
	require_that(a.kind == COLLECTIVE_DONE && a.request == m->request,
	    "a welcome");
}

uint32_t
member_send(struct member *m, int flags, const struct collective_call *c,
    const void *data)
{
	static unsigned char bytes[COLLECTIVE_MESSAGE_MAX];
	size_t size = collective_message_put_call(bytes, ++m->request,
	    (uint16_t)flags, c);

	if (c->data_bytes > 0)
		memcpy(bytes + size, data, c->data_bytes);
	member_put(m, bytes, size + c->data_bytes, -1);
	return m->request;
}

int
member_call(struct member *m, int flags, const struct collective_call *c,
    const void *data, struct answer *a)
{
	(void)member_send(m, flags, c, data);
	member_receive(m, a);
	return a->kind == COLLECTIVE_DONE ? 0 : -1;
}

struct collective_call
member_a_call(int operation, const char *id, int type, uint64_t count)
{
	struct collective_call c = { .operation = operation,
		.type = type,
		.count = count };

	(void)snprintf(c.id, sizeof(c.id), "%s", id);
	return c;
}

void *
member_share(struct member *m, size_t size, int seals, struct answer *a)
{
	unsigned char bytes[COLLECTIVE_CALL_MAX];
	const int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *memory;

	require_that(fd != -1 && ftruncate(fd, (off_t)size) == 0 &&
		fcntl(fd, F_ADD_SEALS, seals) == 0,
	    "memory");
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	require_that(memory != MAP_FAILED, "mmap");
	member_put(m, bytes,
	    collective_message_put_memory(bytes, ++m->request, size), fd);
	(void)close(fd);
	member_receive(m, a);
	return memory;
}

void
member_leave(struct member *m, int flags)
{
	const struct collective_head h = { .size = COLLECTIVE_HEAD_BYTES,
		.kind = COLLECTIVE_LEAVE,
		.flags = (uint16_t)flags,
		.request = ++m->request };
	unsigned char bytes[COLLECTIVE_HEAD_BYTES];
	struct answer a;

	collective_message_put_head(bytes, &h);
	member_put(m, bytes, sizeof(bytes), -1);
	member_receive(m, &a);
	(void)close(m->fd);
}
