/*
 * A connection to poprun, and the memory through which large vectors go.  The
 * protocol is ipubox-link(7)'s: one message there, one answer back.
 */
#include "popdist_internal.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	VERSION = 1,
	MESSAGE_MAX = 64 * 1024,
	MEMORY_MIN = 256 * 1024,
	LEAVE_SECONDS = 5
};

static const size_t	nonsense = (size_t)-1;	/* size of an invalid answer */

unsigned char *
popdist_put(unsigned char *at, uint64_t value, int bytes)
{
	int	i;

	for (i = 0; i < bytes; i++)
		at[i] = (unsigned char)(value >> (8 * i));
	return at + bytes;
}

uint32_t
popdist_get(const unsigned char *at, int bytes)
{
	uint32_t	value = 0;
	int		i;

	for (i = 0; i < bytes; i++)
		value |= (uint32_t)at[i] << (8 * i);
	return value;
}

void
popdist_lane_close(struct popdist_lane *lane)
{
	if (lane->fd != -1)
		(void)close(lane->fd);
	lane->fd = -1;
	if (lane->memory != NULL)
		(void)munmap(lane->memory, lane->memory_bytes);
	lane->memory = NULL;
	lane->memory_bytes = 0;
	popdist_mailbox_close(lane);
	free(lane->buffer);
	lane->buffer = NULL;
}

/* Avoid descriptors 0, 1 and 2, which may be closed: other code prints to
   them. */
static int
move_up(int fd)
{
	int	higher;

	if (fd > STDERR_FILENO || fd == -1)
		return fd;
	higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	(void)close(fd);
	return higher;
}

/*
 * Connect to DIRECTORY/collectives.  A path of more than 107 bytes is
 * reached by a descriptor of the directory.
 */
static int
connect_to(int fd, const char *directory)
{
	struct sockaddr_un	address;
	int			above = -1, length, status = -1;

	(void)memset(&address, 0, sizeof(address));
	address.sun_family = AF_UNIX;
	length = snprintf(address.sun_path, sizeof(address.sun_path),
	    "%s/collectives", directory);
	if ((size_t)length >= sizeof(address.sun_path)) {
		above = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (above == -1)
			return -1;
		(void)snprintf(address.sun_path, sizeof(address.sun_path),
		    "/proc/self/fd/%d/collectives", above);
	}
	do
		status = connect(fd, (const struct sockaddr *)&address,
		    sizeof(address));
	while (status != 0 && errno == EINTR);
	if (above != -1)
		(void)close(above);
	return status;
}

/* Introduce this member by HELLO. */
static int
greet(struct popdist_lane *lane, const struct popdist_member *m)
{
	struct popdist_message	message;
	unsigned char		bytes[POPDIST_HEAD_BYTES + 20], *at;
	size_t			answer;

	at = popdist_put(bytes + POPDIST_HEAD_BYTES, VERSION, 4);
	at = popdist_put(at, (uint64_t)m->instance, 4);
	at = popdist_put(at, (uint64_t)getpid(), 4);
	at = popdist_put(at, (uint64_t)m->member, 4);
	(void)popdist_put(at, (uint64_t)m->members, 4);
	(void)memset(&message, 0, sizeof(message));
	message.kind = POPDIST_HELLO;
	message.bytes = bytes;
	message.body_bytes = 20;
	message.more = m->group;
	message.more_bytes = strlen(m->group);
	message.descriptor = -1;
	return popdist_lane_ask(lane, &message, &answer);
}

int
popdist_lane_use(struct popdist_lane *lane, int fd,
    const struct popdist_member *m)
{
	lane->fd = fd;
	lane->buffer = (unsigned char *)malloc(MESSAGE_MAX);
	if (lane->buffer == NULL)
		(void)popdist_fail_errno(POPDIST_NO_ROOM, "cannot allocate a "
		    "buffer of %d bytes", MESSAGE_MAX);
	else if (greet(lane, m) == 0)
		return 0;
	popdist_lane_close(lane);
	return -1;
}

int
popdist_lane_open(struct popdist_lane *lane, const char *directory,
    int instance, int instances)
{
	const struct popdist_member	m = { instance, "", instance,
	    instances };

	lane->fd = move_up(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
	if (lane->fd == -1)
		return popdist_fail_errno(POPDIST_NO_ROOM,
		    "cannot create a socket");
	if (connect_to(lane->fd, directory) != 0) {
		(void)popdist_fail_errno(POPDIST_UNAVAILABLE, "cannot connect "
		    "to poprun at %s/collectives", directory);
		popdist_lane_close(lane);
		return -1;
	}
	if (popdist_lane_use(lane, lane->fd, &m) != 0)
		return -1;
	popdist_mailbox_open(lane);
	return lane->fd != -1 ? 0 : -1;
}

void
popdist_lane_leave(struct popdist_lane *lane, int flags)
{
	const struct timeval	limit = { LEAVE_SECONDS, 0 };
	unsigned char		bytes[POPDIST_HEAD_BYTES];
	struct popdist_message	message;
	size_t			answer;

	(void)setsockopt(lane->fd, SOL_SOCKET, SO_RCVTIMEO, &limit,
	    sizeof(limit));
	lane->look = NULL;
	(void)memset(&message, 0, sizeof(message));
	message.kind = POPDIST_LEAVE;
	message.flags = flags;
	message.bytes = bytes;
	message.descriptor = -1;
	(void)popdist_lane_ask(lane, &message, &answer);
	popdist_lane_close(lane);
}

/* Send the two parts whole, and the descriptor once. */
static void
send_all(int fd, struct iovec *parts, int descriptor)
{
	union { struct cmsghdr head; char bytes[CMSG_SPACE(sizeof(int))]; }
			 control;
	struct msghdr	 m;
	struct cmsghdr	*c;
	ssize_t		 n;
	size_t		 step;
	int		 i;

	(void)memset(&m, 0, sizeof(m));
	m.msg_iov = parts;
	m.msg_iovlen = 2;
	if (descriptor != -1) {
		(void)memset(&control, 0, sizeof(control));
		m.msg_control = control.bytes;
		m.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		(void)memcpy(CMSG_DATA(c), &descriptor, sizeof(int));
	}
	while (parts[0].iov_len + parts[1].iov_len > 0) {
		n = sendmsg(fd, &m, MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return;
		m.msg_control = NULL;
		m.msg_controllen = 0;
		for (i = 0; i < 2 && n > 0; i++) {
			step = (size_t)n < parts[i].iov_len ? (size_t)n :
			    parts[i].iov_len;
			parts[i].iov_base = (char *)parts[i].iov_base + step;
			parts[i].iov_len -= step;
			n -= (ssize_t)step;
		}
	}
}

/*
 * Read a whole message into the lane's buffer, which has *used bytes already.
 * Returns its size; 0: none came; or `nonsense`.
 */
static size_t
receive_one(struct popdist_lane *lane, size_t *used)
{
	size_t	size = POPDIST_HEAD_BYTES;
	ssize_t	n;

	for (;;) {
		if (*used >= POPDIST_HEAD_BYTES)
			size = popdist_get(lane->buffer, 4);
		if (size < POPDIST_HEAD_BYTES || size > MESSAGE_MAX)
			return nonsense;
		if (*used >= size)
			return size;
		n = recv(lane->fd, lane->buffer + *used, MESSAGE_MAX - *used,
		    0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && errno == EAGAIN && lane->look != NULL &&
		    lane->look(lane->context) == 0)
			continue;
		if (n <= 0)
			return 0;
		*used += (size_t)n;
	}
}

/*
 * Read the answer into the buffer.  One question is open, so nothing follows
 * the answer; a late wake-up may precede it.
 */
static size_t
receive(struct popdist_lane *lane)
{
	size_t	size, used = 0;

	while ((size = receive_one(lane, &used)) != 0 && size != nonsense &&
	    popdist_get(lane->buffer + 4, 2) == POPDIST_WOKEN) {
		used -= size;
		(void)memmove(lane->buffer, lane->buffer + size, used);
	}
	return size == 0 || used == size ? size : nonsense;
}

/* Make the code and the sentence of ERROR those of the thread. */
static int
take_error(struct popdist_lane *lane, size_t body_bytes)
{
	const unsigned char	*body = lane->buffer + POPDIST_HEAD_BYTES;
	const int		 code = (int)popdist_get(body, 4);

	(void)popdist_fail(code, "%.*s", (int)(body_bytes - 4),
	    (const char *)body + 4);
	if (code == POPDIST_INVALID)
		popdist_lane_close(lane);	/* poprun does the same */
	return -1;
}

int
popdist_lane_ask(struct popdist_lane *lane, struct popdist_message *m,
    size_t *body_bytes)
{
	const size_t	 head = POPDIST_HEAD_BYTES + m->body_bytes;
	struct iovec	 parts[2];
	unsigned char	*at;
	size_t		 size;
	uint32_t	 kind;

	at = popdist_put(m->bytes, head + m->more_bytes, 4);
	at = popdist_put(at, (uint64_t)m->kind, 2);
	at = popdist_put(at, (uint64_t)m->flags, 2);
	at = popdist_put(at, ++lane->request, 4);
	(void)popdist_put(at, 0, 4);
	parts[0].iov_base = m->bytes;
	parts[0].iov_len = head;
	parts[1].iov_base = (void *)(uintptr_t)m->more;
	parts[1].iov_len = m->more_bytes;
	if (lane->mailbox != NULL && m->kind == POPDIST_OPERATION) {
		size = popdist_mailbox_ask(lane, parts);
	} else {
		/* poprun may have sent a reason before it ended. */
		send_all(lane->fd, parts, m->descriptor);
		size = receive(lane);
	}
	if (size != 0 && size != nonsense &&
	    popdist_get(lane->buffer + 8, 4) == lane->request) {
		kind = popdist_get(lane->buffer + 4, 2);
		*body_bytes = size - POPDIST_HEAD_BYTES;
		if (kind == POPDIST_DONE)
			return 0;
		if (kind == POPDIST_ERROR && *body_bytes >= 4)
			return take_error(lane, *body_bytes);
	}
	popdist_lane_close(lane);
	return popdist_fail(POPDIST_UNAVAILABLE, size == 0 ?
	    "poprun has ended" : "poprun sent an unexpected message");
}

/* Make memory that cannot shrink, so that poprun may trust it; -1, with
   errno. */
static int
make_memory(size_t bytes)
{
	const unsigned	close_on_exec = 1, allow_sealing = 2;
	const int	seals = 2 | 4;		/* to shrink, to grow */
	const int	add_seals = 1033;	/* fcntl(2), F_ADD_SEALS */
	int		fd;

	/* Some libcs have no memfd_create(). */
	fd = move_up((int)syscall(SYS_memfd_create, "popdist",
	    close_on_exec | allow_sealing));
	if (fd == -1)
		return -1;
	if (ftruncate(fd, (off_t)bytes) == 0 && fcntl(fd, add_seals, seals) ==
	    0)
		return fd;
	(void)close(fd);
	return -1;
}

unsigned char *
popdist_lane_share(size_t bytes, int *fd)
{
	void	*memory = MAP_FAILED;

	*fd = make_memory(bytes);
	if (*fd != -1)
		memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		    *fd, 0);
	if (memory != MAP_FAILED) {
		/* A forked process has no use for it. */
		(void)madvise(memory, bytes, MADV_DONTFORK);
		return (unsigned char *)memory;
	}
	(void)popdist_fail_errno(POPDIST_NO_ROOM, "cannot share %lu bytes of "
	    "memory with poprun", (unsigned long)bytes);
	if (*fd != -1)
		(void)close(*fd);
	return NULL;
}

int
popdist_lane_pass(struct popdist_lane *lane, enum popdist_kind kind, int fd,
    size_t bytes)
{
	struct popdist_message	message;
	unsigned char		body[POPDIST_HEAD_BYTES + 8];
	size_t			answer;

	(void)popdist_put(body + POPDIST_HEAD_BYTES, bytes, 8);
	(void)memset(&message, 0, sizeof(message));
	message.kind = kind;
	message.bytes = body;
	message.body_bytes = 8;
	message.descriptor = fd;
	return popdist_lane_ask(lane, &message, &answer);
}

int
popdist_lane_memory(struct popdist_lane *lane, size_t bytes)
{
	size_t		 size = MEMORY_MIN;
	unsigned char	*memory;
	int		 fd, status;

	if (bytes <= lane->memory_bytes)
		return 0;
	/* Pages that are not touched cost nothing, so this may be generous. */
	while (size < bytes)
		size *= 2;
	memory = popdist_lane_share(size, &fd);
	if (memory == NULL)
		return -1;
	status = popdist_lane_pass(lane, POPDIST_MEMORY, fd, size);
	(void)close(fd);
	if (status != 0) {
		(void)munmap(memory, size);
		return -1;
	}
	if (lane->memory != NULL)
		(void)munmap(lane->memory, lane->memory_bytes);
	lane->memory = memory;
	lane->memory_bytes = size;
	return 0;
}
