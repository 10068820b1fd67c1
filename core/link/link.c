/*
 * A link.  Received messages are returned in place in the buffer; bytes that
 * the socket does not take wait in a queue.  Read link_receive() first.
 */
#include "core/link/link.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/clock.h"
#include "core/link/link_internal.h"
#include "core/process/process.h"

enum {
	HEAD_BYTES = 8,
	/* Besides an incomplete message, a whole one fits. */
	BUFFER_BYTES = 2 * (HEAD_BYTES + LINK_BODY_MAX),
	QUEUE_DATA_MAX = LINK_BODY_MAX, /* no more data is queued beyond this */
	QUEUE_MAX = 1024 * 1024,
	CREDIT_MAX = 1 << 30,
};

/* The result of a step. */
enum { BROKEN = -1, NOTHING, MESSAGE, PROGRESS };

struct link {
	int fd;
	struct link_proof proof;

	unsigned char *in; /* BUFFER_BYTES */
	size_t in_begin, in_end;
	bool filled; /* buffer refilled since link_receive() returned 0 */

	struct send_queue out;
	size_t credit[LINK_STREAMS];  /* bytes that may be sent */
	size_t granted[LINK_STREAMS]; /* bytes that may be received */
	bool ended[LINK_STREAMS];     /* its end was received */
	struct error over;	      /* its code is set once the link is
					 over */
};

void
link_put(unsigned char *body, size_t *used, uint32_t number)
{
	bits_put_le32(body + *used, number);
	*used += sizeof(number);
}

bool
link_get(const struct link_message *m, size_t *used, uint32_t *number)
{
	if (*used > m->size || m->size - *used < sizeof(*number))
		return false;
	*number = bits_get_le32(m->body + *used);
	*used += sizeof(*number);
	return true;
}

/* Send a head and a body, without copying what the socket takes at once. */
static void
link_transmit(struct link *l, const void *head, size_t head_size,
    const void *body, size_t size)
{
	unsigned char start[LINK_PROOF_ANSWER_BYTES];
	struct iovec parts[2];

	if (l->over.code != ERROR_NONE)
		return;
	memcpy(start, head, head_size);
	parts[0] = (struct iovec){ start, head_size };
	parts[1].iov_len = size;
	/* sendmsg(2) does not write to it. */
	memcpy(&parts[1].iov_base, &body, sizeof(body));
	send_queue_put(&l->out, parts, size > 0 ? 2 : 1);
}

/* Handle the proof's next part, if it is complete. */
static int
link_shake_hands(struct link *l, struct error *e)
{
	unsigned char reply[LINK_PROOF_ANSWER_BYTES];
	size_t size;
	const int used = link_proof_take(&l->proof, l->in + l->in_begin,
	    l->in_end - l->in_begin, reply, &size, e);

	if (used <= 0)
		return used == 0 ? NOTHING : BROKEN;
	l->in_begin += (size_t)used;
	if (size > 0)
		link_transmit(l, reply, size, NULL, 0);
	return PROGRESS;
}

/* Return true if the other end writes the stream. */
static bool
link_is_incoming(const struct link *l, int stream)
{
	return (stream == 0) == (l->proof.side == LINK_PROCESS);
}

static int
link_break(struct error *e, const char *what, int stream)
{
	return error_set_code(e, ERROR_INVALID,
	    "the other end breaks the rules of the link: %s stream %d", what,
	    stream);
}

/* Keep account of a stream.  -1: the message violates the protocol. */
static int
link_account(struct link *l, const struct link_message *m, struct error *e)
{
	size_t more;

	if (m->kind > LINK_CREDIT || m->kind < LINK_DATA)
		return 0;
	if (m->stream >= LINK_STREAMS ||
	    link_is_incoming(l, m->stream) != (m->kind != LINK_CREDIT))
		return link_break(e, "unknown", m->stream);
	if (m->kind == LINK_CREDIT) {
		more = m->size == sizeof(uint32_t) ?
		    bits_get_le32(m->body) :
		    SIZE_MAX;
		if (more > CREDIT_MAX - l->credit[m->stream])
			return link_break(e, "impossible credit for",
			    m->stream);
		l->credit[m->stream] += more;
		return 0;
	}
	if (l->ended[m->stream])
		return link_break(e, "more data after the end of", m->stream);
	if (m->kind == LINK_END_OF_STREAM)
		l->ended[m->stream] = true;
	else if (m->size > l->granted[m->stream])
		return link_break(e, "more data than it has credit for in",
		    m->stream);
	else
		l->granted[m->stream] -= m->size;
	return 0;
}

/* Take the next message, if it is complete. */
static int
link_take_message(struct link *l, struct link_message *m, struct error *e)
{
	const unsigned char *head = l->in + l->in_begin;
	const size_t size = l->in_end - l->in_begin;
	size_t body;

	if (size < HEAD_BYTES)
		return NOTHING;
	body = bits_get_le32(head);
	if (body > LINK_BODY_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "the other end breaks the rules of the link: a message of "
		    "%zu bytes",
		    body);
	if (size - HEAD_BYTES < body)
		return NOTHING;
	m->kind = head[4] | head[5] << 8;
	m->stream = head[6] | head[7] << 8;
	m->body = head + HEAD_BYTES;
	m->size = body;
	l->in_begin += HEAD_BYTES + body;
	if (link_account(l, m, e) != 0)
		return BROKEN;
	return m->kind == LINK_CREDIT ? PROGRESS : MESSAGE;
}

/* Set the reason why the link is over. */
static int
link_closed_for(const struct link *l, enum error_code code, const char *reason,
    struct error *e)
{
	if (!link_is_open(l))
		return error_set_code(e, code,
		    "%s before it had proved that it knows the job's secret",
		    reason);
	if (l->in_end > l->in_begin)
		return error_set_code(e, code, "%s in the middle of a message",
		    reason);
	return error_set_code(e, code, "%s", reason);
}

static int
link_closed(const struct link *l, const char *reason, struct error *e)
{
	return link_closed_for(l, ERROR_UNAVAILABLE, reason, e);
}

/* Set the reason for an errno; a host that is silent or cannot be reached is
   ERROR_TIMED_OUT. */
static int
link_broken(const struct link *l, int number, struct error *e)
{
	const bool silent = number == ETIMEDOUT || number == EHOSTUNREACH ||
	    number == ENETUNREACH || number == EHOSTDOWN;

	return link_closed_for(l, silent ? ERROR_TIMED_OUT : ERROR_UNAVAILABLE,
	    strerror(number), e);
}

/* Return how much to read: as much as fits.  Before the link is open, only the
   proof's next part, because later bytes may belong to a visitor (link.h). */
static size_t
link_room_to_read(const struct link *l)
{
	const size_t room = BUFFER_BYTES - l->in_end;
	const size_t wanted = link_proof_wants(&l->proof);

	return link_is_open(l) || wanted - (l->in_end - l->in_begin) > room ?
	    room :
	    wanted - (l->in_end - l->in_begin);
}

/* Read once.  If needed, first move the rest of a message to the front. */
static int
link_fill(struct link *l, struct error *e)
{
	const size_t left = l->in_end - l->in_begin;
	ssize_t n;

	if (left == 0 || l->in_end > BUFFER_BYTES / 2) {
		memmove(l->in, l->in + l->in_begin, left);
		l->in_begin = 0;
		l->in_end = left;
	}
	do {
		n = recv(l->fd, l->in + l->in_end, link_room_to_read(l),
		    MSG_DONTWAIT);
	} while (n == -1 && errno == EINTR);
	if (n > 0) {
		l->in_end += (size_t)n;
		l->filled = true;
		return PROGRESS;
	}
	if (n == 0)
		return link_closed(l, "the other end has gone", e);
	if (errno != EAGAIN)
		return link_broken(l, errno, e);
	if (l->out.error == ENOBUFS)
		return link_closed(l, "the other end reads nothing", e);
	if (l->out.error != 0)
		return link_broken(l, l->out.error, e);
	return NOTHING;
}

/* Buffered messages come first; then one read, and after that a 0: if the
   socket has more, poll(2) reports it. */
int
link_receive(struct link *l, struct link_message *m, struct error *e)
{
	int found = PROGRESS;

	send_queue_flush(&l->out);
	while (found == PROGRESS && l->over.code == ERROR_NONE) {
		found = link_is_open(l) ? link_take_message(l, m, &l->over) :
					  link_shake_hands(l, &l->over);
		if (found == NOTHING && !l->filled)
			found = link_fill(l, &l->over);
	}
	if (l->over.code != ERROR_NONE)
		return error_copy(e, &l->over);
	if (found == NOTHING)
		l->filled = false;
	return found;
}

struct link *
link_new(int fd, enum link_side side,
    const unsigned char secret[LINK_SECRET_BYTES], int instance)
{
	struct link *l = xcalloc(1, sizeof(*l));
	unsigned char first[LINK_PROOF_HELLO_BYTES];
	const int on = 1;
	size_t size;

	l->fd = fd;
	l->in = xmalloc(BUFFER_BYTES);
	send_queue_init(&l->out, fd, QUEUE_MAX);
	/* This only affects TCP. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	size = link_proof_init(&l->proof, side, secret, instance, first);
	if (size > 0)
		link_transmit(l, first, size, NULL, 0);
	return l;
}

void
link_free(struct link *l)
{
	if (l == NULL)
		return;
	(void)close(l->fd);
	link_proof_release(&l->proof);
	free(l->in);
	send_queue_release(&l->out);
	free(l);
}

int
link_fd(const struct link *l)
{
	return l->fd;
}

/* A broken output counts as writable, so that link_receive() is called and
   reports the reason. */
short
link_events(const struct link *l)
{
	return send_queue_waiting(&l->out) > 0 || l->out.error != 0 ?
	    POLLIN | POLLOUT :
	    POLLIN;
}

bool
link_is_open(const struct link *l)
{
	return l->proof.stage == LINK_PROOF_DONE;
}

int
link_instance(const struct link *l)
{
	return l->proof.instance;
}

void
link_send(struct link *l, enum link_kind kind, int stream, const void *body,
    size_t size)
{
	unsigned char head[HEAD_BYTES];

	assert(link_is_open(l) && size <= LINK_BODY_MAX);
	bits_put_le32(head, (uint32_t)size);
	bits_put_le32(head + 4, (uint32_t)kind | (uint32_t)stream << 16);
	link_transmit(l, head, sizeof(head), body, size);
}

size_t
link_room(const struct link *l, int stream)
{
	if (!link_is_open(l) || l->out.error != 0 ||
	    l->over.code != ERROR_NONE ||
	    send_queue_waiting(&l->out) > QUEUE_DATA_MAX)
		return 0;
	return l->credit[stream] < LINK_BODY_MAX ?
	    l->credit[stream] :
	    LINK_BODY_MAX;
}

void
link_send_data(struct link *l, int stream, const void *data, size_t size)
{
	assert(size <= l->credit[stream]);
	l->credit[stream] -= size;
	link_send(l, LINK_DATA, stream, data, size);
}

void
link_grant(struct link *l, int stream, size_t size)
{
	unsigned char body[sizeof(uint32_t)];
	size_t used = 0;

	l->granted[stream] += size;
	link_put(body, &used, (uint32_t)size);
	link_send(l, LINK_CREDIT, stream, body, used);
}

bool
link_is_flushed(const struct link *l)
{
	return send_queue_waiting(&l->out) == 0;
}

int
link_dial(const char *address, const unsigned char *secret, int instance,
    int64_t deadline_ms, struct error *e)
{
	struct pollfd p = { .fd = link_address_connect(address, deadline_ms,
				e) };
	struct link *l;
	struct link_message m;
	int64_t left = 1;
	int status = 0, proved = -1;

	if (p.fd == -1)
		return -1;
	l = link_new(p.fd, LINK_PROCESS, secret, instance);
	while (status == 0 && !link_is_open(l) && left > 0) {
		p.events = link_events(l);
		left = deadline_ms - clock_monotonic_ms();
		if (left > 0 && poll(&p, 1, (int)left) != -1)
			status = link_receive(l, &m, e);
	}
	if (link_is_open(l)) {
		proved = fcntl(p.fd, F_DUPFD_CLOEXEC, 0);
		if (proved == -1)
			(void)error_set_errno(e, "cannot keep a connection");
	} else if (status == 0)
		(void)error_set_code(e, ERROR_TIMED_OUT,
		    "the other end did not prove in time that it knows the "
		    "job's secret");
	link_free(l);
	return proved;
}
