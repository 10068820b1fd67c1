/*
 * The connection of a client, on nghttp2.  rpc_client_turn() waits; received
 * bytes are kept with their stream until read.
 */
#include "core/server/rpc/rpc.h"

#include <bsd/string.h>
#include <bsd/sys/queue.h>
#include <nghttp2/nghttp2.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc_client_internal.h"
#include "core/server/rpc/rpc_status.h"

enum {
	READ_BYTES = 64 * 1024,
	WAITING_MAX = 1024 * 1024, /* nghttp2 is asked only when nothing
				      waits */
	MESSAGE_BYTES = 64 * 1024 * 1024,
	ANSWER_MS = 20 * 1000
};

void
rpc_client_keep(struct rpc_client_bytes *b, const void *bytes, size_t size)
{
	size_t room = b->room == 0 ? 256 : b->room;

	if (b->begin == b->end)
		b->begin = b->end = 0;
	while (room - b->end < size)
		room *= 2;
	if (room > b->room) {
		b->bytes = xreallocarray(b->bytes, room, 1);
		b->room = room;
	}
	if (size > 0)
		memcpy(b->bytes + b->end, bytes, size);
	b->end += size;
}

/* Keep the first reason. */
static void
client_lose(struct rpc_client *c, const char *why)
{
	if (!c->is_over)
		(void)error_set_code(&c->reason, ERROR_UNAVAILABLE,
		    "%s: the connection is lost: %s", c->name, why);
	c->is_over = true;
}

void
rpc_client_abandon(struct rpc_client *c)
{
	client_lose(c, "another process uses it");
}

/* ---- callbacks of nghttp2 ---- */

static int
client_on_header(nghttp2_session *session, const nghttp2_frame *frame,
    const uint8_t *name, size_t name_size, const uint8_t *value,
    size_t value_size, uint8_t flags, void *user)
{
	struct rpc_stream *s = nghttp2_session_get_stream_user_data(session,
	    frame->hd.stream_id);
	char text[RPC_CLIENT_TEXT];

	(void)flags;
	(void)user;
	if (s == NULL)
		return 0;
	(void)snprintf(text, sizeof(text), "%.*s",
	    value_size < sizeof(text) ? (int)value_size : (int)sizeof(text) - 1,
	    (const char *)value);
	if (name_size == 7 && memcmp(name, ":status", 7) == 0)
		(void)parse_number("status", text, 100, 999, &s->http_status,
		    NULL);
	else if (name_size == 11 && memcmp(name, "grpc-status", 11) == 0) {
		s->status = rpc_status_parse(text);
		s->has_status = true;
	} else if (name_size == 12 && memcmp(name, "grpc-message", 12) == 0)
		rpc_status_unescape(text, s->text, sizeof(s->text));
	else if (name_size == strlen(RPC_STATUS_EXACT) &&
	    memcmp(name, RPC_STATUS_EXACT, name_size) == 0)
		(void)strlcpy(s->exact, text, sizeof(s->exact));
	return 0;
}

static int
client_on_data(nghttp2_session *session, uint8_t flags, int32_t stream,
    const uint8_t *bytes, size_t size, void *user)
{
	struct rpc_stream *s = nghttp2_session_get_stream_user_data(session,
	    stream);

	(void)flags;
	(void)user;
	/* The stream's window opens when its messages are read. */
	(void)nghttp2_session_consume_connection(session, size);
	if (s != NULL)
		rpc_client_keep(&s->in, bytes, size);
	return 0;
}

/* Note the words with which the server sends the connection away. */
static void
client_take_goaway(struct rpc_client *c, const nghttp2_goaway *g)
{
	char raw[RPC_CLIENT_TEXT], text[RPC_CLIENT_TEXT];

	if (g->opaque_data_len == 0 || g->error_code == NGHTTP2_NO_ERROR)
		return;
	(void)snprintf(raw, sizeof(raw), "%.*s",
	    g->opaque_data_len < sizeof(raw) ? (int)g->opaque_data_len :
					       (int)sizeof(raw) - 1,
	    (const char *)g->opaque_data);
	text_printable(raw, text, sizeof(text));
	client_lose(c, text);
}

static int
client_on_frame(nghttp2_session *session, const nghttp2_frame *frame,
    void *user)
{
	struct rpc_client *c = user;

	(void)session;
	c->heard_ms = clock_monotonic_ms();
	c->asked_ms = -1;
	if (frame->hd.type == NGHTTP2_SETTINGS)
		c->is_greeted = true;
	else if (frame->hd.type == NGHTTP2_GOAWAY)
		client_take_goaway(c, &frame->goaway);
	return 0;
}

static int
client_on_stream_close(nghttp2_session *session, int32_t stream, uint32_t code,
    void *user)
{
	struct rpc_stream *s = nghttp2_session_get_stream_user_data(session,
	    stream);

	(void)user;
	if (s != NULL) {
		s->is_closed = true;
		s->reset = code;
	}
	return 0;
}

static int
client_make_session(struct rpc_client *c)
{
	nghttp2_session_callbacks *all = NULL;
	nghttp2_option *option = NULL;
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1024 * 1024 },
	};
	int status = -1;

	if (nghttp2_session_callbacks_new(&all) != 0 ||
	    nghttp2_option_new(&option) != 0)
		goto out;
	nghttp2_session_callbacks_set_on_header_callback(all, client_on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all,
	    client_on_data);
	nghttp2_session_callbacks_set_on_frame_recv_callback(all,
	    client_on_frame);
	nghttp2_session_callbacks_set_on_stream_close_callback(all,
	    client_on_stream_close);
	nghttp2_option_set_no_auto_window_update(option, 1);
	if (nghttp2_session_client_new2(&c->session, all, c, option) == 0 &&
	    nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, settings,
		ARRAY_SIZE(settings)) == 0 &&
	    nghttp2_session_set_local_window_size(c->session, NGHTTP2_FLAG_NONE,
		0, 16 * 1024 * 1024) == 0)
		status = 0;
out:
	nghttp2_session_callbacks_del(all);
	nghttp2_option_del(option);
	return status;
}

/* ---- bytes ---- */

/* Keep the descriptor received with a message; the last one counts. */
static void
client_keep_passed(struct rpc_client *c, struct msghdr *h)
{
	const struct cmsghdr *p = CMSG_FIRSTHDR(h);

	if (p == NULL || p->cmsg_level != SOL_SOCKET ||
	    p->cmsg_type != SCM_RIGHTS ||
	    p->cmsg_len != CMSG_LEN(sizeof(c->passed)))
		return;
	if (c->passed != -1)
		(void)close(c->passed);
	memcpy(&c->passed, CMSG_DATA(p), sizeof(c->passed));
}

int
rpc_client_take_passed(struct rpc_client *c)
{
	const int fd = c->passed;

	c->passed = -1;
	return fd;
}

/* Room for one descriptor: the kernel drops others. */
static ssize_t
client_receive(struct rpc_client *c, void *bytes, size_t size)
{
	struct iovec part = { .iov_base = bytes, .iov_len = size };
	union {
		struct cmsghdr aligned;
		char bytes[CMSG_LEN(sizeof(int))];
	} room;
	struct msghdr h;
	ssize_t n;

	do {
		h = (struct msghdr){ .msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = room.bytes,
			.msg_controllen = sizeof(room.bytes) };
		n = recvmsg(c->fd, &h, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n == -1 && errno == EINTR);
	if (n > 0)
		client_keep_passed(c, &h);
	return n;
}

static void
client_read(struct rpc_client *c)
{
	uint8_t bytes[READ_BYTES];
	const ssize_t n = client_receive(c, bytes, sizeof(bytes));
	nghttp2_ssize used;

	if (n == 0)
		client_lose(c, "the server closed it");
	else if (n == -1 && errno != EAGAIN)
		client_lose(c, strerror(errno));
	if (n <= 0)
		return;
	used = nghttp2_session_mem_recv2(c->session, bytes, (size_t)n);
	if (used < 0)
		client_lose(c, nghttp2_strerror((int)used));
}

void
rpc_client_flush(struct rpc_client *c)
{
	const uint8_t *bytes;
	struct iovec part;
	nghttp2_ssize n = 0;
	union {
		const uint8_t *from;
		void *to;
	} both;

	send_queue_flush(&c->out);
	while (c->out.error == 0 && send_queue_waiting(&c->out) == 0 &&
	    (n = nghttp2_session_mem_send2(c->session, &bytes)) > 0) {
		both.from = bytes;
		part.iov_base = both.to;
		part.iov_len = (size_t)n;
		send_queue_put(&c->out, &part, 1);
	}
	if (n < 0)
		client_lose(c, nghttp2_strerror((int)n));
	if (c->out.error != 0) {
		/* The reason may have come before the server closed it. */
		client_read(c);
		client_lose(c, strerror(c->out.error));
	}
}

/* Send a PING to a silent server. */
static void
client_keep_alive(struct rpc_client *c)
{
	const int64_t now_ms = clock_monotonic_ms();

	if (c->asked_ms != -1 && now_ms >= c->asked_ms + c->answer_ms)
		client_lose(c, "the server does not answer");
	else if (c->silence_ms > 0 && c->asked_ms == -1 &&
	    now_ms >= c->heard_ms + c->silence_ms) {
		c->asked_ms = now_ms;
		(void)nghttp2_submit_ping(c->session, NGHTTP2_FLAG_NONE, NULL);
	}
}

int64_t
rpc_client_due_ms(const struct rpc_client *c)
{
	if (c->asked_ms != -1)
		return rpc_deadline_after(c->asked_ms, c->answer_ms);
	return c->silence_ms > 0 ?
	    rpc_deadline_after(c->heard_ms, c->silence_ms) :
	    INT64_MAX;
}

int
rpc_client_turn(struct rpc_client *c, int64_t until_ms)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLIN };
	const int64_t due_ms = rpc_client_due_ms(c);
	int64_t left = -1;

	client_keep_alive(c);
	rpc_client_flush(c);
	if (c->is_over)
		return -1;
	if (send_queue_waiting(&c->out) > 0)
		fd.events |= POLLOUT;
	if (due_ms < until_ms)
		until_ms = due_ms;
	if (until_ms != INT64_MAX) {
		left = until_ms - clock_monotonic_ms();
		left = left < 0 ? 0 : left > INT_MAX ? INT_MAX : left;
	}
	if (poll(&fd, 1, (int)left) > 0 && fd.revents != 0) {
		if ((fd.revents & (POLLIN | POLLHUP | POLLERR)) != 0)
			client_read(c);
		if (!c->is_over)
			rpc_client_flush(c);
	}
	return c->is_over ? -1 : 0;
}

int
rpc_client_fd(const struct rpc_client *c)
{
	return c->fd;
}

int
rpc_client_serve(struct rpc_client *c, struct error *e)
{
	return rpc_client_turn(c, clock_monotonic_ms()) == 0 ?
	    0 :
	    error_copy(e, &c->reason);
}

/* ---- a connection ---- */

/* Return HOST:PORT, IPv6 in brackets. */
static char *
client_name(const struct rpc_client_options *o)
{
	if (o->path != NULL)
		return xstrdup(o->path);
	return xasprintf(strchr(o->host, ':') != NULL ? "[%s]:%s" : "%s:%s",
	    o->host, o->port);
}

static int
client_connect(const struct rpc_client_options *o, int64_t deadline_ms,
    struct error *e)
{
	struct dial_target targets[DIAL_TARGETS_MAX];
	int count;

	if (o->path != NULL)
		return link_address_connect_path(o->path, deadline_ms, e);
	count = dial_look_up(o->host, o->port, deadline_ms, targets, e);
	if (count == -1)
		return -1;
	return dial_connect(targets, count, deadline_ms, e);
}

/* Wait for the server's SETTINGS, which every HTTP/2 server sends first. */
static int
client_greet(struct rpc_client *c, int64_t deadline_ms, struct error *e)
{
	if (client_make_session(c) != 0)
		return error_set_number(e, ENOMEM,
		    "cannot start an HTTP/2 session");
	while (!c->is_greeted) {
		if (rpc_client_turn(c, deadline_ms) != 0)
			return error_copy(e, &c->reason);
		if (!c->is_greeted && clock_monotonic_ms() >= deadline_ms)
			return error_set_code(e, ERROR_TIMED_OUT,
			    "it accepts connections, but does not answer");
	}
	return 0;
}

int
rpc_client_unreachable(const char *where, const char *why, struct error *e)
{
	return error_set_code(e, ERROR_TIMED_OUT,
	    "unable to connect to VIRM/V-IPU Controller at %s: context "
	    "deadline exceeded\n(%s)",
	    where, why);
}

/* Make a client over a socket; NULL on failure, with the reason in *why. */
static struct rpc_client *
client_new(int fd, const struct rpc_client_options *o, int64_t deadline_ms,
    struct error *why, struct error *e)
{
	struct rpc_client *c = xcalloc(1, sizeof(*c));
	const int yes = 1;

	c->fd = fd;
	if (o->path == NULL)
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes,
		    sizeof(yes));
	c->name = client_name(o);
	c->message_bytes = o->message_bytes != 0 ?
	    o->message_bytes :
	    MESSAGE_BYTES;
	c->answer_ms = o->answer_ms != 0 ? o->answer_ms : ANSWER_MS;
	c->asked_ms = c->passed = -1;
	send_queue_init(&c->out, c->fd, WAITING_MAX);
	if (c->fd != -1 && client_greet(c, deadline_ms, why) == 0) {
		c->silence_ms = o->silence_ms;
		return c;
	}
	(void)rpc_client_unreachable(c->name, why->text, e);
	rpc_client_close(c);
	return NULL;
}

struct rpc_client *
rpc_client_open(const struct rpc_client_options *o, struct error *e)
{
	const int64_t deadline_ms = rpc_deadline_after(clock_monotonic_ms(),
	    o->connect_ms);
	struct error why;
	const int fd = client_connect(o, deadline_ms, &why);

	return client_new(fd, o, deadline_ms, &why, e);
}

struct rpc_client *
rpc_client_adopt(int fd, const struct rpc_client_options *o, struct error *e)
{
	struct error why;

	return client_new(fd, o,
	    rpc_deadline_after(clock_monotonic_ms(), o->connect_ms), &why, e);
}

void
rpc_client_close(struct rpc_client *c)
{
	if (c == NULL)
		return;
	if (c->session != NULL && !c->is_over) {
		(void)nghttp2_session_terminate_session(c->session,
		    NGHTTP2_NO_ERROR);
		rpc_client_flush(c);
	}
	nghttp2_session_del(c->session);
	send_queue_release(&c->out);
	if (c->fd != -1)
		(void)close(c->fd);
	if (c->passed != -1)
		(void)close(c->passed);
	free(c->name);
	free(c);
}
