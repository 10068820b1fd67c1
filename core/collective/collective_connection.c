/*
 * A connection's bytes, descriptors and memory.
 */
#include "core/collective/collective_connection.h"

#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum { COLLECTIVE_BYTES_MAX = COLLECTIVE_MESSAGE_MAX - COLLECTIVE_BYTES_HEAD };

enum {
	FIRST_ROOM = 4096, /* most messages are small */
	/* A program that does not read its answers is not read from either, so
	   this limits the answers to its earlier requests. */
	OUT_MAX = 1 << 30,
	OUT_FULL = 256 * 1024,
	PASSED_MAX = 4 /* most descriptors with one message */
};

/* Offsets in a mailbox: 64-bit numbers on separate cache lines, and
   messages. */
enum {
	REQUEST = 0,
	ANSWER = 64,
	PROGRAM_SLEEPS = 128,
	POPRUN_SLEEPS = 192,
	MESSAGE = 4096,
	REPLY = MESSAGE + COLLECTIVE_MESSAGE_MAX,
	MAILBOX_BYTES = REPLY + COLLECTIVE_MESSAGE_MAX
};

/* Bytes of a memory that are sent before a message. */
struct collective_transfer {
	TAILQ_ENTRY(collective_transfer) link;
	const unsigned char *memory;
	uint64_t offset, left;
	size_t size;
	unsigned char message[];
};

bool
collective_connection_is_full(const struct collective_connection *c)
{
	return send_queue_waiting(&c->out) > OUT_FULL ||
	    !TAILQ_EMPTY(&c->transfers);
}

/* Watch for messages, and for room to send if output waits.  A program with too
   much unread output is not read. */
static void
watch(struct collective_connection *c)
{
	const size_t waiting = send_queue_waiting(&c->out);
	struct epoll_event event = {
		.events = (collective_connection_is_full(c) ? 0 : EPOLLIN) |
		    (waiting > 0 ? EPOLLOUT : 0),
		.data = { .ptr = c },
	};

	/* A receiver that takes nothing is given up: end its connection. */
	if (c->out.error == ENOBUFS)
		(void)shutdown(c->fd, SHUT_RDWR);
	if (event.events == c->events || c->epoll == -1)
		return;
	(void)epoll_ctl(c->epoll, c->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD,
	    c->fd, &event);
	c->is_watched = true;
	c->events = event.events;
}

struct collective_connection *
collective_connection_new(int fd, pid_t pid, int epoll)
{
	struct collective_connection *c = xcalloc(1, sizeof(*c));

	c->fd = fd;
	c->pid = pid;
	c->epoll = epoll;
	c->received_fd = -1;
	c->room = FIRST_ROOM;
	c->in = xmalloc(c->room);
	send_queue_init(&c->out, fd, OUT_MAX);
	TAILQ_INIT(&c->requests);
	TAILQ_INIT(&c->transfers);
	watch(c);
	return c;
}

static void
unmap(struct collective_connection *c)
{
	if (c->memory != NULL)
		(void)munmap(c->memory, c->memory_bytes);
	c->memory = NULL;
	c->memory_bytes = 0;
}

void
collective_connection_free(struct collective_connection *c)
{
	struct collective_transfer *t;
	struct collective_request *r;

	while ((r = TAILQ_FIRST(&c->requests)) != NULL)
		collective_connection_settle(r);
	while ((t = TAILQ_FIRST(&c->transfers)) != NULL) {
		TAILQ_REMOVE(&c->transfers, t, link);
		free(t);
	}
	unmap(c);
	if (c->mailbox != NULL)
		(void)munmap(c->mailbox, MAILBOX_BYTES);
	free(c->mail);
	if (c->received_fd != -1)
		(void)close(c->received_fd);
	/* A forked process may still have it open, so that epoll(7) would
	   report a freed connection. */
	if (c->is_watched)
		(void)epoll_ctl(c->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	(void)close(c->fd);
	send_queue_release(&c->out);
	free(c->in);
	free(c);
}

/* Keep the descriptor that came with a message for the next message about
   memory.  A superfluous one replaces it. */
static void
take_descriptors(struct collective_connection *c, struct msghdr *m)
{
	struct cmsghdr *control;
	size_t i, count;
	int fds[PASSED_MAX];

	for (control = CMSG_FIRSTHDR(m); control != NULL;
	     control = CMSG_NXTHDR(m, control)) {
		if (control->cmsg_level != SOL_SOCKET ||
		    control->cmsg_type != SCM_RIGHTS)
			continue;
		count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(fds[0]);
		memcpy(fds, CMSG_DATA(control), count * sizeof(fds[0]));
		for (i = 0; i < count; i++) {
			if (c->received_fd != -1)
				(void)close(c->received_fd);
			c->received_fd = fds[i];
		}
	}
}

enum collective_state
collective_connection_receive(struct collective_connection *c)
{
	union {
		struct cmsghdr head; /* for its alignment */
		char data[CMSG_SPACE(PASSED_MAX * sizeof(int))];
	} control;
	struct iovec part;
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	if (c->begin == c->end)
		c->begin = c->end = 0;
	if (c->end == c->room && c->begin > 0) {
		memmove(c->in, c->in + c->begin, c->end - c->begin);
		c->end -= c->begin;
		c->begin = 0;
	}
	if (c->end == c->room) {
		c->room = 2 * COLLECTIVE_MESSAGE_MAX;
		c->in = xreallocarray(c->in, c->room, 1);
	}
	part = (struct iovec){ c->in + c->end, c->room - c->end };
	m.msg_control = &control;
	m.msg_controllen = sizeof(control);
	do {
		n = recvmsg(c->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n == -1 && errno == EINTR);
	if (n == -1 && errno == EAGAIN)
		return COLLECTIVE_NOTHING;
	if (n <= 0)
		return COLLECTIVE_ENDED;
	if (m.msg_controllen > 0)
		take_descriptors(c, &m);
	c->end += (size_t)n;
	return (size_t)n == part.iov_len || m.msg_controllen > 0 ?
	    COLLECTIVE_PROGRESS :
	    COLLECTIVE_NOTHING;
}

int
collective_connection_next(struct collective_connection *c,
    struct collective_head *h, const unsigned char **body, struct error *e)
{
	const unsigned char *at = c->in + c->begin;
	const size_t size = c->end - c->begin;

	if (size < COLLECTIVE_HEAD_BYTES)
		return 0;
	if (collective_message_get_head(h, at, e) != 0)
		return -1;
	if (size < h->size)
		return 0;
	*body = at + COLLECTIVE_HEAD_BYTES;
	c->begin += h->size;
	return 1;
}

/* Return a mailbox's word.  Each side writes its bytes before its number;
   before sleeping it announces that, then looks again.  So one of the two
   always sees the other. */
static _Atomic uint64_t *
mailbox_word(const struct collective_connection *c, int at)
{
	return (_Atomic uint64_t *)(void *)(c->mailbox + at);
}

/* Examine a copy, because the program can still write to the mailbox. */
int
collective_connection_next_mail(struct collective_connection *c,
    struct collective_head *h, const unsigned char **body, struct error *e)
{
	uint64_t number;

	if (c->mailbox == NULL || c->mail_waits)
		return 0;
	number = atomic_load(mailbox_word(c, REQUEST));
	if (number == c->mail_number)
		return 0;
	c->mail_number = number;
	memcpy(c->mail, c->mailbox + MESSAGE, COLLECTIVE_HEAD_BYTES);
	if (collective_message_get_head(h, c->mail, e) != 0)
		return -1;
	if (h->request != (uint32_t)number)
		return error_set_code(e, ERROR_INVALID,
		    "the message in the mailbox does not have the mailbox's "
		    "number");
	*body = c->mail + COLLECTIVE_HEAD_BYTES;
	memcpy(c->mail + COLLECTIVE_HEAD_BYTES,
	    c->mailbox + MESSAGE + COLLECTIVE_HEAD_BYTES,
	    h->size - COLLECTIVE_HEAD_BYTES);
	c->mail_waits = true;
	return 1;
}

void
collective_connection_sleep(struct collective_connection *c, bool sleeps)
{
	if (c->mailbox != NULL)
		atomic_store(mailbox_word(c, POPRUN_SLEEPS), sleeps ? 1 : 0);
}

/* Check that the memory cannot shrink: an access beyond its end would raise a
   signal. */
static int
connection_check_memory(int fd, uint64_t size, struct error *e)
{
	const int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	if (seals == -1 || (seals & F_SEAL_SHRINK) == 0)
		return error_set_code(e, ERROR_INVALID,
		    "the memory is not sealed with F_SEAL_SHRINK");
	if (fstat(fd, &st) != 0)
		return error_set_errno(e, "cannot inspect the memory");
	if (size == 0 || size > (uint64_t)st.st_size)
		return error_set_code(e, ERROR_INVALID,
		    "the memory has %lld bytes instead of %llu",
		    (long long)st.st_size, (unsigned long long)size);
	return 0;
}

/* Map the received descriptor.  NULL: impossible, or the old memory is in
   use. */
static unsigned char *
map_received(struct collective_connection *c, uint64_t size, bool in_use,
    struct error *e)
{
	const int fd = c->received_fd;
	void *memory = MAP_FAILED;

	if (fd == -1) {
		(void)error_set_code(e, ERROR_INVALID,
		    "the descriptor of the memory is missing");
		return NULL;
	}
	c->received_fd = -1;
	if (in_use)
		(void)error_set_code(e, ERROR_BUSY,
		    "a waiting operation still uses the earlier memory");
	else if (connection_check_memory(fd, size, e) == 0) {
		memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
		if (memory == MAP_FAILED)
			(void)error_set_errno(e, "cannot map the memory");
	}
	(void)close(fd);
	return memory != MAP_FAILED ? memory : NULL;
}

/* Make memory here for a program on another host.  Pages are allocated when
   they are used. */
static unsigned char *
map_far(const struct collective_connection *c, uint64_t size, struct error *e)
{
	void *memory = MAP_FAILED;

	if (size == 0 || size > SSIZE_MAX)
		(void)error_set_code(e, ERROR_INVALID,
		    "memory of %llu bytes is not valid",
		    (unsigned long long)size);
	else if (c->users > 0 || !TAILQ_EMPTY(&c->transfers))
		(void)error_set_code(e, ERROR_BUSY,
		    "a waiting operation still uses the earlier memory");
	else if ((memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) ==
	    MAP_FAILED)
		(void)error_set_errno(e, "cannot map the memory");
	return memory != MAP_FAILED ? memory : NULL;
}

static int
map_mailbox(struct collective_connection *c, uint64_t size, struct error *e)
{
	unsigned char *memory;

	if (size != MAILBOX_BYTES)
		return error_set_code(e, ERROR_INVALID,
		    "the mailbox has %llu bytes instead of %d",
		    (unsigned long long)size, MAILBOX_BYTES);
	memory = map_received(c, size, c->mailbox != NULL, e);
	if (memory == NULL)
		return -1;
	c->mailbox = memory;
	c->mail = xmalloc(COLLECTIVE_MESSAGE_MAX);
	c->mail_number = atomic_load(mailbox_word(c, REQUEST));
	return 0;
}

int
collective_connection_map(struct collective_connection *c,
    enum collective_kind kind, uint64_t size, struct error *e)
{
	unsigned char *memory;

	if (kind == COLLECTIVE_MAILBOX)
		return map_mailbox(c, size, e);
	memory = c->is_far ? map_far(c, size, e) :
			     map_received(c, size, c->users > 0, e);
	if (memory == NULL)
		return -1;
	unmap(c);
	c->memory = memory;
	c->memory_bytes = (size_t)size;
	return 0;
}

struct collective_request *
collective_connection_ask(struct collective_connection *c, uint32_t number,
    size_t data_bytes, bool in_memory)
{
	struct collective_request *r = xmalloc(sizeof(*r) + data_bytes);

	r->connection = c;
	r->number = number;
	r->in_memory = in_memory;
	r->vector = NULL;
	r->result = NULL;
	r->data_bytes = data_bytes;
	c->users += in_memory;
	c->held += data_bytes;
	TAILQ_INSERT_TAIL(&c->requests, r, link);
	return r;
}

void
collective_connection_settle(struct collective_request *r)
{
	struct collective_connection *c = r->connection;

	c->users -= r->in_memory;
	c->held -= r->data_bytes;
	TAILQ_REMOVE(&c->requests, r, link);
	free(r);
}

/* Send the next bytes of a memory, and after the last ones the message. */
static void
transfer_some(struct collective_connection *c, struct collective_transfer *t)
{
	unsigned char head[COLLECTIVE_BYTES_HEAD];
	const uint64_t bytes = t->left < COLLECTIVE_BYTES_MAX ?
	    t->left :
	    COLLECTIVE_BYTES_MAX;
	struct iovec parts[2] = { { head, sizeof(head) } };
	const unsigned char *from = t->memory + t->offset;

	if (bytes == 0) {
		parts[0] = (struct iovec){ t->message, t->size };
		send_queue_put(&c->out, parts, 1);
		TAILQ_REMOVE(&c->transfers, t, link);
		free(t);
		return;
	}
	(void)collective_message_put_bytes(head, t->offset, (size_t)bytes);
	/* sendmsg(2) does not write to it. */
	memcpy(&parts[1].iov_base, &from, sizeof(from));
	parts[1].iov_len = (size_t)bytes;
	send_queue_put(&c->out, parts, 2);
	t->offset += bytes;
	t->left -= bytes;
}

void
collective_connection_flush(struct collective_connection *c)
{
	struct collective_transfer *t;

	send_queue_flush(&c->out);
	while (send_queue_waiting(&c->out) <= OUT_FULL && c->out.error == 0 &&
	    (t = TAILQ_FIRST(&c->transfers)) != NULL)
		transfer_some(c, t);
	watch(c);
}

void
collective_connection_put(struct collective_connection *c, struct iovec *parts,
    size_t count)
{
	send_queue_put(&c->out, parts, count);
	watch(c);
}

void
collective_connection_transfer(struct collective_connection *c,
    const unsigned char *memory, uint64_t offset, uint64_t bytes,
    const void *message, size_t size)
{
	struct collective_transfer *t = xmalloc(sizeof(*t) + size);

	*t = (struct collective_transfer){ .memory = memory,
		.offset = offset,
		.left = bytes,
		.size = size };
	memcpy(t->message, message, size);
	TAILQ_INSERT_TAIL(&c->transfers, t, link);
	collective_connection_flush(c);
}

/* Put an answer of at most 64 KiB into the mailbox, and wake a sleeping
   program. */
static void
put_mail(struct collective_connection *c, const struct iovec *parts,
    size_t count)
{
	const struct collective_head h = { .size = COLLECTIVE_HEAD_BYTES,
		.kind = COLLECTIVE_WOKEN,
		.request = (uint32_t)c->mail_number };
	unsigned char *at = c->mailbox + REPLY;
	unsigned char woken[COLLECTIVE_HEAD_BYTES];
	struct iovec part = { woken, sizeof(woken) };
	size_t i;

	for (i = 0; i < count; i++) {
		if (parts[i].iov_len > 0)
			memcpy(at, parts[i].iov_base, parts[i].iov_len);
		at += parts[i].iov_len;
	}
	c->mail_waits = false;
	atomic_store(mailbox_word(c, ANSWER), c->mail_number);
	if (atomic_load(mailbox_word(c, PROGRAM_SLEEPS)) != 0) {
		collective_message_put_head(woken, &h);
		collective_connection_put(c, &part, 1);
	}
}

/* Send an answer the same way as the message came. */
static void
put_answer(struct collective_connection *c, uint32_t number,
    struct iovec *parts, size_t count)
{
	if (c->mail_waits && (uint32_t)c->mail_number == number)
		put_mail(c, parts, count);
	else
		collective_connection_put(c, parts, count);
}

void
collective_connection_done(struct collective_connection *c, uint32_t number,
    struct iovec *result, size_t count)
{
	struct collective_head h = { .size = COLLECTIVE_HEAD_BYTES,
		.kind = COLLECTIVE_DONE,
		.request = number };
	unsigned char head[COLLECTIVE_HEAD_BYTES];
	struct iovec small[2], *parts = small;
	size_t i;

	if (count > 1)
		parts = xcalloc(count + 1, sizeof(*parts));
	for (i = 0; i < count; i++) {
		parts[i + 1] = result[i];
		h.size += (uint32_t)result[i].iov_len;
	}
	collective_message_put_head(head, &h);
	parts[0] = (struct iovec){ head, sizeof(head) };
	put_answer(c, number, parts, count + 1);
	if (parts != small)
		free(parts);
}

void
collective_connection_welcome(struct collective_connection *c, uint32_t number)
{
	unsigned char bytes[COLLECTIVE_HEAD_BYTES + 2 * sizeof(uint32_t)];
	struct iovec part = { bytes,
		collective_message_put_welcome(bytes, number,
		    (uint32_t)getpid()) };

	put_answer(c, number, &part, 1);
}

void
collective_connection_refuse(struct collective_connection *c, uint32_t number,
    enum collective_code code, const char *text)
{
	unsigned char bytes[COLLECTIVE_HEAD_BYTES + sizeof(uint32_t) +
	    sizeof(((struct error *)NULL)->text)];
	struct iovec part = { bytes,
		collective_message_put_error(bytes, number, code, text) };

	put_answer(c, number, &part, 1);
}
