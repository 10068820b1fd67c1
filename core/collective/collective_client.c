/*
 * A member of a job's collectives: its connection to poprun, the shared memory
 * for large vectors, and the operations.
 */
#include "core/collective/collective.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/element.h"
#include "core/collective/collective_message.h"
#include "core/process/process.h"

/* Longest vector in a message, in bytes. */
enum { COLLECTIVE_INLINE_MAX = 32 * 1024 };

/* poprun enforces the time limits.  If no answer comes this long after one,
   poprun is stopped and the client gives up. */
enum { GRACE_MS = 5000, LEAVE_MS = 5000, LOOK_MS = 100 };

enum { ALIGNMENT = 64, PAGE = 4096 };

struct collective_client {
	bool alone; /* the only member: needs no server */
	int member, members, timeout_ms;
	int (*look)(const void *context, struct error *);
	const void *context;
	int fd;		  /* -1: alone, or lost */
	uint32_t request; /* number of the last message */
	int memory_fd;	  /* -1: none yet */
	unsigned char *memory;
	size_t memory_bytes;
	/* the outgoing message, then its answer */
	unsigned char buffer[COLLECTIVE_MESSAGE_MAX];
	const unsigned char *body; /* the answer's */
	size_t body_bytes;
};

/* ---- messages ---- */

/* Close the connection: a late answer is ignored, and nothing can be asked any
   more. */
static void
cut(struct collective_client *c)
{
	if (c->fd != -1)
		(void)close(c->fd);
	c->fd = -1;
}

static int
lose(struct collective_client *c, enum error_code code, const char *text,
    struct error *e)
{
	cut(c);
	return error_set_code(e, code, "%s", text);
}

/* Send a whole message; a descriptor (-1: none) goes with the first byte.  A
   closed connection is not reported here, because a last answer may still be
   waiting. */
static void
send_message(struct collective_client *c, size_t size, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec part = { c->buffer, size };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;

	if (fd != -1) {
		m.msg_control = control.room;
		m.msg_controllen = sizeof(control.room);
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.align), &fd, sizeof(int));
	}
	while (part.iov_len > 0) {
		sent = sendmsg(c->fd, &m, MSG_NOSIGNAL);
		if (sent == -1 && errno != EINTR)
			return;
		if (sent <= 0)
			continue;
		m.msg_control = NULL;
		m.msg_controllen = 0;
		part.iov_base = (char *)part.iov_base + sent;
		part.iov_len -= (size_t)sent;
	}
}

/* Called after a while without bytes; -1 ends the wait. */
static int
wait_on(struct collective_client *c, struct error *e)
{
	if (c->look == NULL)
		return lose(c, ERROR_TIMED_OUT, "poprun does not answer", e);
	if (c->look(c->context, e) == 0)
		return 0;
	cut(c);
	return -1;
}

/* Read at least `wanted` bytes of the answer, of which *got have been read. */
static int
fill(struct collective_client *c, size_t *got, size_t wanted, struct error *e)
{
	ssize_t n;

	while (*got < wanted) {
		n = recv(c->fd, c->buffer + *got, sizeof(c->buffer) - *got, 0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && errno == EAGAIN) {
			if (wait_on(c, e) != 0)
				return -1;
			continue;
		}
		if (n <= 0)
			return lose(c, ERROR_UNAVAILABLE, "poprun has ended",
			    e);
		*got += (size_t)n;
	}
	return 0;
}

/* Read the answer.  Each message has one, and nothing is sent before it
   came. */
static int
receive(struct collective_client *c, struct collective_head *h, struct error *e)
{
	static const char nonsense[] =
	    "poprun's answer is not valid; see ipubox-link(7)";
	size_t got = 0;

	if (fill(c, &got, COLLECTIVE_HEAD_BYTES, e) != 0)
		return -1;
	if (collective_message_get_head(h, c->buffer, NULL) != 0)
		return lose(c, ERROR_INVALID, nonsense, e);
	if (fill(c, &got, h->size, e) != 0)
		return -1;
	if (got != h->size || h->request != c->request ||
	    (h->kind != COLLECTIVE_DONE && h->kind != COLLECTIVE_ERROR))
		return lose(c, ERROR_INVALID, nonsense, e);
	c->body = c->buffer + COLLECTIVE_HEAD_BYTES;
	c->body_bytes = h->size - COLLECTIVE_HEAD_BYTES;
	return 0;
}

/* Send the message of `size` bytes with a descriptor (-1: none), and wait for
   DONE with a body of body_bytes. */
static int
ask(struct collective_client *c, size_t size, int fd, size_t body_bytes,
    struct error *e)
{
	struct collective_head h;
	struct error broken;
	uint32_t code;

	if (c->fd == -1)
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "the connection to poprun was lost earlier");
	send_message(c, size, fd);
	if (c->look != NULL)
		(void)c->look(c->context, NULL);
	if (receive(c, &h, e) != 0)
		return -1;
	if (h.kind == COLLECTIVE_DONE && c->body_bytes == body_bytes)
		return 0;
	if (h.kind == COLLECTIVE_DONE)
		return lose(c, ERROR_INVALID,
		    "poprun's result has the wrong size", e);
	if (collective_message_get_error(&code, e, c->body, c->body_bytes,
		&broken) != 0)
		return lose(c, ERROR_INVALID, broken.text, e);
	return -1;
}

/* ---- joining and leaving ---- */

/* Limit the time for an answer; 0: no limit. */
static void
limit_wait(const struct collective_client *c, int64_t ms)
{
	const struct timeval limit = { .tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	(void)setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

/* Join.  The answer has 8 bytes: the protocol's version and poprun's
   process. */
static int
hello(struct collective_client *c, const struct collective_member *m,
    struct error *e)
{
	struct collective_hello h = { .version = COLLECTIVE_VERSION,
		.instance = (uint32_t)m->instance,
		.pid = (uint32_t)getpid(),
		.member = (uint32_t)m->member,
		.members = (uint32_t)m->members };

	(void)strlcpy(h.group, m->group, sizeof(h.group));
	return ask(c, collective_message_put_hello(c->buffer, ++c->request, &h),
	    -1, 2 * sizeof(uint32_t), e);
}

static int
join(struct collective_client *c, const struct collective_member *m,
    struct error *e)
{
	const int64_t deadline_ms = m->timeout_ms == 0 ?
	    INT64_MAX :
	    clock_monotonic_ms() + m->timeout_ms;
	char *path = xasprintf("%s/collectives", m->directory);

	c->fd = link_address_connect_path(path, deadline_ms, e);
	free(path);
	if (c->fd == -1)
		return error_prefix(e, "the collectives of this job");
	if (m->look != NULL)
		limit_wait(c, LOOK_MS);
	else if (m->timeout_ms != 0)
		limit_wait(c, (int64_t)m->timeout_ms + GRACE_MS);
	return hello(c, m, e);
}

struct collective_client *
collective_client_open(const struct collective_member *m, struct error *e)
{
	struct collective_client *c = xcalloc(1, sizeof(*c));

	c->alone = m->directory == NULL;
	c->member = m->member;
	c->members = m->members;
	c->timeout_ms = m->timeout_ms;
	c->look = m->look;
	c->context = m->context;
	c->fd = c->memory_fd = -1;
	if (c->alone || join(c, m, e) == 0)
		return c;
	collective_client_close(c, false);
	return NULL;
}

static void
release_memory(struct collective_client *c)
{
	if (c->memory != NULL)
		(void)munmap(c->memory, c->memory_bytes);
	if (c->memory_fd != -1)
		(void)close(c->memory_fd);
	c->memory = NULL;
	c->memory_fd = -1;
	c->memory_bytes = 0;
}

void
collective_client_close(struct collective_client *c, bool for_good)
{
	struct collective_head h = { .size = COLLECTIVE_HEAD_BYTES,
		.kind = COLLECTIVE_LEAVE,
		.flags = for_good ? COLLECTIVE_FOR_GOOD : 0 };

	if (c == NULL)
		return;
	if (c->fd != -1) {
		c->look = NULL;
		limit_wait(c, LEAVE_MS);
		h.request = ++c->request;
		collective_message_put_head(c->buffer, &h);
		(void)ask(c, h.size, -1, 0, NULL);
	}
	if (c->fd != -1)
		(void)close(c->fd);
	release_memory(c);
	free(c);
}

/* ---- memory ---- */

/* Make memory of a fixed size, so that poprun may map it safely. */
static int
new_memory(struct collective_client *c, size_t bytes, struct error *e)
{
	c->memory_fd = memfd_create("ipubox-vectors",
	    MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (c->memory_fd == -1 || ftruncate(c->memory_fd, (off_t)bytes) == -1 ||
	    fcntl(c->memory_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == -1)
		return error_set_errno(e,
		    "cannot allocate %zu bytes of memory to share with poprun",
		    bytes);
	c->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    c->memory_fd, 0);
	if (c->memory != MAP_FAILED) {
		c->memory_bytes = bytes;
		return 0;
	}
	c->memory = NULL;
	return error_set_errno(e,
	    "cannot map the %zu bytes that are shared with poprun", bytes);
}

/* Get memory of at least `bytes`, the earlier one if it is large enough. */
static int
need_memory(struct collective_client *c, size_t bytes, struct error *e)
{
	if (bytes <= c->memory_bytes)
		return 0;
	release_memory(c);
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	if (new_memory(c, bytes, e) == 0 &&
	    ask(c,
		collective_message_put_memory(c->buffer, ++c->request,
		    c->memory_bytes),
		c->memory_fd, 0, e) == 0)
		return 0;
	release_memory(c);
	return -1;
}

/* ---- operations ---- */

/* A member's contribution, which may be NULL, and its results. */
struct vectors {
	const void *data;
	size_t data_bytes;
	void *result;
	size_t result_bytes;
};

/* Run an operation through memory, where the vector is overwritten by its
   result, except that the vector of a gather is after its result. */
static int
by_memory(struct collective_client *c, struct collective_call *call,
    const struct vectors *v, struct error *e)
{
	const size_t vector_offset = call->operation == COLLECTIVE_GATHER ?
	    (v->result_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT :
	    0;
	const size_t end = vector_offset + v->data_bytes;

	if (need_memory(c, end > v->result_bytes ? end : v->result_bytes, e) !=
	    0)
		return -1;
	if (v->data_bytes > 0)
		memcpy(c->memory + vector_offset, v->data, v->data_bytes);
	call->vector = vector_offset;
	if (ask(c,
		collective_message_put_call(c->buffer, ++c->request,
		    COLLECTIVE_IN_MEMORY, call),
		-1, 0, e) != 0)
		return -1;
	memcpy(v->result, c->memory, v->result_bytes);
	return 0;
}

static int
by_message(struct collective_client *c, struct collective_call *call,
    const struct vectors *v, struct error *e)
{
	size_t size;

	call->data_bytes = v->data_bytes;
	size = collective_message_put_call(c->buffer, ++c->request, 0, call);
	if (v->data_bytes > 0)
		memcpy(c->buffer + size, v->data, v->data_bytes);
	if (ask(c, size + v->data_bytes, -1, v->result_bytes, e) != 0)
		return -1;
	if (v->result_bytes > 0)
		memcpy(v->result, c->body, v->result_bytes);
	return 0;
}

static int
operate(struct collective_client *c, const char *id,
    struct collective_call *call, const struct vectors *v, struct error *e)
{
	(void)strlcpy(call->id, id, sizeof(call->id));
	call->timeout_ms = (uint32_t)c->timeout_ms;
	if (v->data_bytes > COLLECTIVE_INLINE_MAX ||
	    v->result_bytes > COLLECTIVE_INLINE_MAX)
		return by_memory(c, call, v, e);
	return by_message(c, call, v, e);
}

/* Check early whatever can be, so that a job of one instance, which asks no
   server, refuses the same. */
static int
check_id(const char *id, struct error *e)
{
	const size_t bytes = strlen(id);

	if (bytes >= 1 && bytes <= COLLECTIVE_NAME_MAX)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "the id of a collective must have 1 to %d bytes, not %zu",
	    COLLECTIVE_NAME_MAX, bytes);
}

static int
check(const struct collective_client *c, const char *id, int type, size_t count,
    struct error *e)
{
	const size_t size = element_size(type);

	if (check_id(id, e) != 0)
		return -1;
	if (size == 0)
		return error_set_code(e, ERROR_INVALID,
		    "element type %d is not valid", type);
	if (count <= PTRDIFF_MAX / size / ((size_t)c->members + 1))
		return 0;
	return error_set_code(e, ERROR_NO_ROOM,
	    "%zu elements of each member are too many", count);
}

int
collective_client_barrier(struct collective_client *c, const char *id,
    struct error *e)
{
	struct collective_call call = { .operation = COLLECTIVE_BARRIER };
	const struct vectors none = { 0 };

	if (check_id(id, e) != 0)
		return -1;
	if (c->alone)
		return 0;
	return operate(c, id, &call, &none, e);
}

int
collective_client_sum(struct collective_client *c, const char *id, int type,
    void *data, size_t count, struct error *e)
{
	const size_t bytes = count * element_size(type);
	const struct vectors v = { data, bytes, data, bytes };
	struct collective_call call = { .operation = COLLECTIVE_SUM,
		.type = type,
		.count = count };

	if (check(c, id, type, count, e) != 0)
		return -1;
	if (!element_is_summable(type))
		return error_set_code(e, ERROR_INVALID,
		    "'%s': %s cannot be added up", id, element_name(type));
	if (c->alone)
		return 0;
	return operate(c, id, &call, &v, e);
}

int
collective_client_gather(struct collective_client *c, const char *id, int type,
    const void *data, void *out, size_t count, struct error *e)
{
	const size_t bytes = count * element_size(type);
	const struct vectors v = { data, bytes, out,
		bytes * (size_t)c->members };
	struct collective_call call = { .operation = COLLECTIVE_GATHER,
		.type = type,
		.count = count };

	if (check(c, id, type, count, e) != 0)
		return -1;
	if (!c->alone)
		return operate(c, id, &call, &v, e);
	if (bytes > 0)
		memmove(out, data, bytes);
	return 0;
}

int
collective_client_broadcast(struct collective_client *c, const char *id,
    int type, void *data, size_t count, int root, struct error *e)
{
	const size_t bytes = count * element_size(type);
	const struct vectors v = { data, c->member == root ? bytes : 0, data,
		bytes };
	struct collective_call call = { .operation = COLLECTIVE_BROADCAST,
		.type = type,
		.count = count,
		.root = (uint32_t)root };

	if (check(c, id, type, count, e) != 0)
		return -1;
	if (root < 0 || root >= c->members)
		return error_set_code(e, ERROR_INVALID,
		    "'%s': root %d must be a number from 0 to %d", id, root,
		    c->members - 1);
	if (c->alone)
		return 0;
	return operate(c, id, &call, &v, e);
}
