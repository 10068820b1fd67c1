/*
 * HTTP/2 at the server, by nghttp2.  rpc_call.c interprets the streams; this
 * file handles a connection: bytes, limits, silence and closing.
 */
#include "core/server/rpc/rpc_connection.h"

#include <sys/socket.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum {
	READ_BYTES = 64 * 1024,
	WRITE_BYTES = 64 * 1024,   /* and a frame */
	WAITING_MAX = 1024 * 1024, /* maximum: nghttp2 is asked for bytes only
				      when none wait */
	RESETS = 1000,		   /* streams reset by a peer: burst, and rate
				      per second */
	RESETS_PER_S = 100,
	CONTINUATIONS = 8,	/* frames of one block of headers */
	ACKNOWLEDGEMENTS = 1000 /* waiting to be sent */
};

/* ---- callbacks of nghttp2 ---- */

static struct rpc_call *
connection_call(nghttp2_session *session, int32_t stream)
{
	return nghttp2_session_get_stream_user_data(session, stream);
}

static int
connection_on_begin_headers(nghttp2_session *session,
    const nghttp2_frame *frame, void *user)
{
	struct rpc_connection *c = user;

	if (frame->headers.cat == NGHTTP2_HCAT_REQUEST)
		(void)nghttp2_session_set_stream_user_data(session,
		    frame->hd.stream_id, rpc_call_new(c, frame->hd.stream_id));
	return 0;
}

static int
connection_on_header(nghttp2_session *session, const nghttp2_frame *frame,
    const uint8_t *name, size_t name_size, const uint8_t *value,
    size_t value_size, uint8_t flags, void *user)
{
	struct rpc_call *call = connection_call(session, frame->hd.stream_id);

	(void)flags;
	(void)user;
	/* Trailers of a request have no meaning in gRPC. */
	if (call != NULL && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
		rpc_call_header(call, name, name_size, value, value_size);
	return 0;
}

static int
connection_on_data(nghttp2_session *session, uint8_t flags, int32_t stream,
    const uint8_t *bytes, size_t size, void *user)
{
	struct rpc_call *call = connection_call(session, stream);

	(void)flags;
	(void)user;
	if (call != NULL)
		rpc_call_feed(call, bytes, size);
	return 0;
}

/* Whether a frame carries data; others count against the limit. */
static bool
connection_brings(const nghttp2_frame_hd *hd)
{
	return hd->type == NGHTTP2_HEADERS ||
	    (hd->type == NGHTTP2_DATA &&
		(hd->length > 0 || (hd->flags & NGHTTP2_FLAG_END_STREAM) != 0));
}

/* An invalid frame counts like one without data. */
static int
connection_spend(struct rpc_connection *c)
{
	if (rpc_limits_spend(&c->host->limits, &c->meter, c->host->loop.now_ms))
		return 0;
	rpc_places_complain(c, "it sends too many frames without data");
	c->is_over = true;
	return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int
connection_on_invalid(nghttp2_session *session, const nghttp2_frame *frame,
    int code, void *user)
{
	(void)session;
	(void)frame;
	rpc_places_complain(user, nghttp2_strerror(code));
	return connection_spend(user);
}

static int
connection_on_begin_frame(nghttp2_session *session, const nghttp2_frame_hd *hd,
    void *user)
{
	(void)session;
	return connection_brings(hd) ? 0 : connection_spend(user);
}

static int
connection_on_frame(nghttp2_session *session, const nghttp2_frame *frame,
    void *user)
{
	struct rpc_connection *c = user;
	struct rpc_call *call;

	c->times.heard_ms = c->host->loop.now_ms;
	c->times.asked_ms = -1;
	if (frame->hd.type == NGHTTP2_SETTINGS) {
		c->times.greeted_ms = c->times.heard_ms;
		/* The silence limit may end before the greeting was due. */
		rpc_timer_set(&c->host->loop.timers, &c->timer,
		    c->host->loop.now_ms);
	}
	if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)
		return 0;
	call = connection_call(session, frame->hd.stream_id);
	if (call == NULL)
		return 0;
	if (frame->hd.type == NGHTTP2_HEADERS &&
	    frame->headers.cat == NGHTTP2_HCAT_REQUEST)
		rpc_call_open(call);
	if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0)
		rpc_call_half_close(call);
	return 0;
}

/* nghttp2 found that the peer broke HTTP/2's rules. */
static void
connection_note_goaway(struct rpc_connection *c, uint32_t code)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "its connection is closed with %s",
	    nghttp2_http2_strerror(code));
	if (code != NGHTTP2_NO_ERROR)
		rpc_places_complain(c, text);
}

/* The answer is complete; an incomplete request is not read further. */
static int
connection_on_sent(nghttp2_session *session, const nghttp2_frame *frame,
    void *user)
{
	if (frame->hd.type == NGHTTP2_GOAWAY)
		connection_note_goaway(user, frame->goaway.error_code);
	if (frame->hd.type == NGHTTP2_HEADERS &&
	    (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 &&
	    nghttp2_session_get_stream_remote_close(session,
		frame->hd.stream_id) == 0)
		(void)nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE,
		    frame->hd.stream_id, NGHTTP2_NO_ERROR);
	return 0;
}

static int
connection_on_stream_close(nghttp2_session *session, int32_t stream,
    uint32_t code, void *user)
{
	struct rpc_call *call = connection_call(session, stream);

	(void)code;
	(void)user;
	if (call == NULL)
		return 0;
	rpc_call_abandon(call, RPC_END_CANCELLED);
	rpc_call_free(call);
	return 0;
}

int
rpc_connection_prepare(struct rpc_host *h, struct error *e)
{
	nghttp2_session_callbacks *all;

	rpc_pool_init(&h->pool);
	if (nghttp2_session_callbacks_new(&h->callbacks) != 0 ||
	    nghttp2_option_new(&h->option) != 0) {
		rpc_connection_forget(h);
		return error_set_number(e, ENOMEM,
		    "cannot start an HTTP/2 session");
	}
	all = h->callbacks;
	nghttp2_session_callbacks_set_on_begin_headers_callback(all,
	    connection_on_begin_headers);
	nghttp2_session_callbacks_set_on_header_callback(all,
	    connection_on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all,
	    connection_on_data);
	nghttp2_session_callbacks_set_on_begin_frame_callback(all,
	    connection_on_begin_frame);
	nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(all,
	    connection_on_invalid);
	nghttp2_session_callbacks_set_on_frame_recv_callback(all,
	    connection_on_frame);
	nghttp2_session_callbacks_set_on_frame_send_callback(all,
	    connection_on_sent);
	nghttp2_session_callbacks_set_on_stream_close_callback(all,
	    connection_on_stream_close);
	nghttp2_option_set_no_closed_streams(h->option, 1);
	nghttp2_option_set_stream_reset_rate_limit(h->option, RESETS,
	    RESETS_PER_S);
	nghttp2_option_set_max_continuations(h->option, CONTINUATIONS);
	nghttp2_option_set_max_outbound_ack(h->option, ACKNOWLEDGEMENTS);
	return 0;
}

void
rpc_connection_forget(struct rpc_host *h)
{
	nghttp2_session_callbacks_del(h->callbacks);
	nghttp2_option_del(h->option);
	rpc_pool_release(&h->pool);
	h->callbacks = NULL;
	h->option = NULL;
}

/* ---- time ---- */

/* Check the limits when one may be due. */
static void
connection_look(void *context)
{
	struct rpc_connection *c = context;
	struct rpc_host *h = c->host;
	int64_t next_ms;
	enum rpc_due due;

	due = rpc_limits_look(&h->limits, &c->times, h->loop.now_ms, &next_ms);
	if (due == RPC_DUE_ASK) {
		c->times.asked_ms = h->loop.now_ms;
		(void)nghttp2_submit_ping(c->session, NGHTTP2_FLAG_NONE, NULL);
		rpc_turns_wake(c);
		due = rpc_limits_look(&h->limits, &c->times, h->loop.now_ms,
		    &next_ms);
	}
	if (due != RPC_DUE_NOTHING) {
		rpc_places_give_up(c, rpc_limits_reason(due));
		return;
	}
	rpc_timer_set(&h->loop.timers, &c->timer, next_ms);
}

/* ---- bytes ---- */

/* Gather bytes from nghttp2, so that one system call sends many frames.
   Returns 0 if it has none. */
static size_t
connection_gather(struct rpc_connection *c, unsigned char *to, size_t room,
    const uint8_t **rest, size_t *rest_size)
{
	size_t size = 0;
	nghttp2_ssize n;

	*rest_size = 0;
	while ((n = nghttp2_session_mem_send2(c->session, rest)) > 0) {
		*rest_size = (size_t)n;
		if ((size_t)n > room - size)
			break;
		memcpy(to + size, *rest, (size_t)n);
		size += (size_t)n;
		*rest_size = 0;
	}
	if (n < 0)
		c->is_over = true;
	return size;
}

/* Send until nothing is left or the socket is full. */
static void
connection_send(struct rpc_connection *c)
{
	static unsigned char bytes[WRITE_BYTES];
	struct iovec parts[2];
	const uint8_t *rest;
	size_t rest_size;
	union {
		const uint8_t *from;
		void *to;
	} last;

	send_queue_flush(&c->out);
	while (c->out.error == 0 && send_queue_waiting(&c->out) == 0) {
		parts[0].iov_base = bytes;
		parts[0].iov_len = connection_gather(c, bytes, sizeof(bytes),
		    &rest, &rest_size);
		last.from = rest;
		parts[1].iov_base = last.to;
		parts[1].iov_len = rest_size;
		if (parts[0].iov_len + rest_size == 0)
			break;
		send_queue_put(&c->out, parts, rest_size > 0 ? 2 : 1);
	}
	if (c->out.error != 0)
		c->is_over = true;
}

/* Note since when the socket is full. */
static void
connection_note_stuck(struct rpc_connection *c, size_t before)
{
	const size_t waiting = send_queue_waiting(&c->out);
	const int64_t now_ms = c->host->loop.now_ms;

	rpc_loop_change(&c->host->loop, &c->watch,
	    waiting > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
	if (waiting == 0) {
		/* Free memory: most connections have nothing to send. */
		send_queue_shrink(&c->out);
		c->times.stuck_ms = -1;
	} else if (c->times.stuck_ms == -1 || waiting != before) {
		c->times.stuck_ms = now_ms;
		rpc_timer_set(&c->host->loop.timers, &c->timer,
		    now_ms + c->host->limits.send_ms);
	}
}

void
rpc_connection_flush(struct rpc_connection *c)
{
	const size_t before = send_queue_waiting(&c->out);

	if (c->is_dirty)
		TAILQ_REMOVE(&c->host->dirty, c, dirty_link);
	c->is_dirty = false;
	if (!c->is_over)
		connection_send(c);
	if (!c->is_over && c->host->is_stopping && TAILQ_EMPTY(&c->calls) &&
	    send_queue_waiting(&c->out) == 0)
		c->is_over = true;
	if (c->is_over ||
	    (send_queue_waiting(&c->out) == 0 &&
		nghttp2_session_want_read(c->session) == 0 &&
		nghttp2_session_want_write(c->session) == 0))
		rpc_connection_close(c, NULL);
	else
		connection_note_stuck(c, before);
}

/* Read once, then let other connections have their turn. */
static void
connection_read(struct rpc_connection *c)
{
	static uint8_t bytes[READ_BYTES];
	ssize_t n;
	nghttp2_ssize used;

	do {
		n = recv(c->watch.fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	} while (n == -1 && errno == EINTR);
	if (n == 0 || (n == -1 && errno != EAGAIN))
		c->is_over = true;
	if (n <= 0)
		return;
	rpc_places_hear(c);
	used = nghttp2_session_mem_recv2(c->session, bytes, (size_t)n);
	if (used < 0 && !c->is_over) {
		rpc_places_complain(c, nghttp2_strerror((int)used));
		c->is_over = true;
	}
}

static void
connection_ready(void *context, uint32_t events)
{
	struct rpc_connection *c = context;

	if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
		connection_read(c);
	rpc_turns_wake(c);
}

/* ---- life of a connection ---- */

/* Send our preface, with the peer's limits. */
static int
connection_greet(struct rpc_connection *c, struct error *e)
{
	const struct rpc_limits *l = &c->host->limits;
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, l->streams },
		{ NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
		    (uint32_t)l->header_bytes },
		{ NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1 },
	};

	if (nghttp2_session_server_new3(&c->session, c->host->callbacks, c,
		c->host->option, &c->host->pool.mem) != 0 ||
	    nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, settings,
		ARRAY_SIZE(settings)) != 0)
		return error_set_number(e, ENOMEM,
		    "cannot start an HTTP/2 session");
	return 0;
}

struct rpc_connection *
rpc_connection_new(struct rpc_host *h, int fd, const struct rpc_peer *peer,
    struct error *e)
{
	struct rpc_connection *c = xcalloc(1, sizeof(*c));
	const int64_t now_ms = h->loop.now_ms;

	c->host = h;
	c->peer = *peer;
	c->watch = (struct rpc_watch){ .fd = fd,
		.ready = connection_ready,
		.context = c };
	c->times = (struct rpc_times){ .opened_ms = now_ms,
		.greeted_ms = -1,
		.heard_ms = now_ms,
		.asked_ms = -1,
		.stuck_ms = -1 };
	c->meter.since_ms = now_ms;
	c->timer.fire = connection_look;
	c->timer.context = c;
	TAILQ_INIT(&c->calls);
	TAILQ_INIT(&c->waiting);
	send_queue_init(&c->out, fd, WAITING_MAX);
	if (connection_greet(c, e) != 0 ||
	    rpc_loop_add(&h->loop, &c->watch, EPOLLIN, e) != 0) {
		nghttp2_session_del(c->session);
		(void)close(fd);
		free(c);
		return NULL;
	}
	rpc_places_take(c);
	connection_look(c);
	rpc_turns_wake(c);
	return c;
}

/* Tell the peer which calls were received, so that it may retry others
   elsewhere.  Streams last as long as both sides want, so they are ended. */
void
rpc_connection_stop(struct rpc_connection *c)
{
	struct rpc_call *call, *next;

	(void)nghttp2_submit_goaway(c->session, NGHTTP2_FLAG_NONE,
	    nghttp2_session_get_last_proc_stream_id(c->session),
	    NGHTTP2_NO_ERROR, NULL, 0);
	TAILQ_FOREACH_SAFE(call, &c->calls, link, next) {
		if (call->method == NULL || !call->method->is_stream)
			continue;
		rpc_call_abandon(call, RPC_END_STOPPED);
		rpc_call_finish(call, RPC_UNAVAILABLE,
		    "the server is stopping");
	}
	rpc_turns_wake(c);
}

void
rpc_connection_dismiss(struct rpc_connection *c, const char *reason)
{
	(void)nghttp2_session_terminate_session(c->session, NGHTTP2_NO_ERROR);
	connection_send(c);
	rpc_connection_close(c, reason);
}

/* nghttp2's first bytes would be just these. */
void
rpc_connection_refuse(int fd)
{
	/* Settings, and GOAWAY with the code ENHANCE_YOUR_CALM. */
	static const char frames[] =
	    "\0\0\0\4\0\0\0\0\0"
	    "\0\0\x1c\7\0\0\0\0\0"
	    "\0\0\0\0\0\0\0\x0b"
	    "too many connections";
	unsigned char bytes[4096];

	(void)!send(fd, frames, sizeof(frames) - 1,
	    MSG_DONTWAIT | MSG_NOSIGNAL);
	/* Closing a socket with unread bytes would discard what was sent. */
	(void)shutdown(fd, SHUT_WR);
	(void)!recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	(void)close(fd);
}

void
rpc_connection_close(struct rpc_connection *c, const char *reason)
{
	struct rpc_host *h = c->host;
	struct rpc_call *call;

	if (reason != NULL)
		rpc_places_complain(c, reason);
	while ((call = TAILQ_FIRST(&c->calls)) != NULL) {
		rpc_call_abandon(call, RPC_END_CLOSED);
		rpc_call_free(call);
	}
	if (c->is_dirty)
		TAILQ_REMOVE(&h->dirty, c, dirty_link);
	rpc_places_leave(c);
	rpc_timer_clear(&h->loop.timers, &c->timer);
	rpc_loop_remove(&h->loop, &c->watch);
	nghttp2_session_del(c->session);
	send_queue_release(&c->out);
	(void)close(c->watch.fd);
	free(c);
}
