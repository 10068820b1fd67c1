/*
 * A call at the server: headers and bytes become a request; an answer becomes
 * headers, bytes and trailers.  rpc_connection.c receives and sends.
 */
#include "core/server/rpc/rpc_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc_connection.h"
#include "core/server/rpc/rpc_frame.h"
#include "core/server/rpc/rpc_internal.h"
#include "core/server/rpc/rpc_status.h"

enum {
	HEADER_OVERHEAD = 32, /* RFC 9113, 6.5.2 */
	STREAM_BYTES = 1024,  /* approximate size of an nghttp2 stream */
	TEXT_BYTES = 1024     /* size of an escaped text */
};

/* ---- memory and deadlines of a call ---- */

/* Report its memory to the host, which closes a connection that uses too
   much. */
static void
call_account(struct rpc_call *call)
{
	struct rpc_connection *c = call->connection;
	const size_t held = sizeof(*call) + STREAM_BYTES + call->metadata.room +
	    call->request.room + call->answer.room;
	const size_t seen = held +
	    (call->answer.shared == NULL ? 0 : call->answer.end);

	c->held += seen - call->seen;
	c->owned += held - call->held;
	c->host->held += held - call->held;
	call->held = held;
	call->seen = seen;
	if (c->owned > c->host->limits.connection_bytes)
		rpc_places_give_up(c, "its calls hold too much memory");
}

/* Set the timer to its earliest deadline, the caller's or ours. */
static void
call_arm(struct rpc_call *call)
{
	struct rpc_host *h = call->connection->host;
	int64_t due = INT64_MAX;

	if (!call->is_done)
		due = call->deadline_ms;
	if (!call->is_done && call->partial_ms != -1 &&
	    call->partial_ms + h->limits.request_ms < due)
		due = call->partial_ms + h->limits.request_ms;
	if (call->progress_ms != -1 &&
	    call->progress_ms + h->limits.send_ms < due)
		due = call->progress_ms + h->limits.send_ms;
	rpc_timer_set(&h->loop.timers, &call->timer, due);
}

static void
call_expire(void *context)
{
	struct rpc_call *call = context;
	const struct rpc_host *h = call->connection->host;
	const int64_t now_ms = h->loop.now_ms;

	if (call->progress_ms != -1 &&
	    now_ms >= call->progress_ms + h->limits.send_ms) {
		/* Its window stays closed. */
		(void)nghttp2_submit_rst_stream(call->connection->session,
		    NGHTTP2_FLAG_NONE, call->stream, NGHTTP2_ENHANCE_YOUR_CALM);
		rpc_turns_wake(call->connection);
	} else if (now_ms >= call->deadline_ms) {
		rpc_call_abandon(call, RPC_END_DEADLINE);
		rpc_call_finish(call, RPC_DEADLINE_EXCEEDED,
		    "context deadline exceeded");
	} else {
		rpc_call_abandon(call, RPC_END_DEADLINE);
		rpc_call_finish(call, RPC_DEADLINE_EXCEEDED,
		    "the request did not arrive in time");
	}
}

struct rpc_call *
rpc_call_new(struct rpc_connection *c, int32_t stream)
{
	struct rpc_call *call = xcalloc(1, sizeof(*call));

	call->connection = c;
	call->stream = stream;
	call->deadline_ms = INT64_MAX;
	call->partial_ms = c->host->loop.now_ms;
	call->progress_ms = -1;
	call->timer.fire = call_expire;
	call->timer.context = call;
	rpc_frame_init(&call->request, c->host->limits.message_bytes);
	TAILQ_INSERT_TAIL(&c->calls, call, link);
	call_account(call);
	call_arm(call);
	return call;
}

void
rpc_call_free(struct rpc_call *call)
{
	struct rpc_connection *c = call->connection;

	rpc_answer_release(&call->answer, &c->host->held);
	c->held -= call->seen;
	c->owned -= call->held;
	c->host->held -= call->held;
	rpc_timer_clear(&c->host->loop.timers, &call->timer);
	rpc_turns_forget(call);
	TAILQ_REMOVE(&c->calls, call, link);
	rpc_metadata_release(&call->metadata);
	rpc_frame_release(&call->request);
	free(call->text);
	free(call);
}

void
rpc_call_abandon(struct rpc_call *call, enum rpc_end why)
{
	if (call->is_taken && !call->is_done && call->method->end != NULL)
		call->method->end(call, why);
	/* The service is not called again, whatever `end` did. */
	call->is_taken = false;
}

/* ---- the answer ---- */

/* Append the status and its text to the headers; return the count. */
static size_t
call_status_headers(const struct rpc_call *call, nghttp2_nv *all, size_t count,
    char number[4])
{
	/* Every answer needs it, and snprintf(3) is slow. */
	rpc_status_digits(call->status, number);
	all[count++] = rpc_frame_header("grpc-status", number);
	if (call->text != NULL && call->text[0] != '\0')
		all[count++] = rpc_frame_header("grpc-message", call->text);
	if (call->exact[0] != '\0')
		all[count++] = rpc_frame_header(RPC_STATUS_EXACT, call->exact);
	return count;
}

/* nghttp2 requests bytes of the answer; trailers follow the last one. */
static nghttp2_ssize
call_read(nghttp2_session *session, int32_t stream, uint8_t *to, size_t room,
    uint32_t *flags, nghttp2_data_source *source, void *user)
{
	struct rpc_call *call = source->ptr;
	struct rpc_answer *a = &call->answer;
	const size_t n = rpc_answer_take(a, to, room);
	nghttp2_nv trailers[3];
	char number[4];

	(void)user;
	if (rpc_answer_waiting(a) > 0) {
		call->progress_ms = call->connection->host->loop.now_ms;
		call_arm(call);
		return (nghttp2_ssize)n;
	}
	call->progress_ms = -1;
	call_arm(call);
	if (!call->is_done)
		return n == 0 ? NGHTTP2_ERR_DEFERRED : (nghttp2_ssize)n;
	*flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
	if (nghttp2_submit_trailer(session, stream, trailers,
		call_status_headers(call, trailers, 0, number)) != 0)
		return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
	return (nghttp2_ssize)n;
}

/* Return the bytes that the caller has not taken, to detect a slow one. */
static size_t
rpc_call_waiting(const struct rpc_call *call)
{
	return rpc_answer_waiting(&call->answer);
}

/* Submit the headers of an answer with messages; or resume it with more. */
static void
call_submit(struct rpc_call *call)
{
	const nghttp2_nv headers[] = {
		rpc_frame_header(":status", "200"),
		rpc_frame_header("content-type", "application/grpc"),
		rpc_frame_header("grpc-accept-encoding", "identity"),
	};
	nghttp2_data_provider2 body = { .source.ptr = call,
		.read_callback = call_read };
	nghttp2_session *session = call->connection->session;

	if (call->is_answered)
		(void)nghttp2_session_resume_data(session, call->stream);
	else
		(void)nghttp2_submit_response2(session, call->stream, headers,
		    ARRAY_SIZE(headers), &body);
	call->is_answered = true;
	if (call->progress_ms == -1 && rpc_call_waiting(call) > 0)
		call->progress_ms = call->connection->host->loop.now_ms;
	call_arm(call);
	rpc_turns_wake(call->connection);
}

/* Submit an answer without messages: one block of headers. */
static void
call_submit_status(struct rpc_call *call)
{
	nghttp2_nv headers[5];
	size_t count = 0;
	char number[4], http[8];

	(void)snprintf(http, sizeof(http), "%d",
	    call->http_status == 0 ? 200 : call->http_status);
	headers[count++] = rpc_frame_header(":status", http);
	if (call->http_status == 0) {
		headers[count++] = rpc_frame_header("content-type",
		    "application/grpc");
		count = call_status_headers(call, headers, count, number);
	}
	(void)nghttp2_submit_response2(call->connection->session, call->stream,
	    headers, count, NULL);
	call->is_answered = true;
	call_arm(call);
	rpc_turns_wake(call->connection);
}

void
rpc_call_send(struct rpc_call *call, const void *bytes, size_t size)
{
	if (call->is_done)
		return;
	rpc_answer_put(&call->answer, bytes, size);
	call_account(call);
	call_submit(call);
}

void
rpc_call_finish(struct rpc_call *call, enum rpc_status status, const char *text)
{
	char escaped[TEXT_BYTES];

	if (call->is_done)
		return;
	rpc_turns_forget(call);
	call->is_done = true;
	call->status = status;
	rpc_status_escape(text, escaped, sizeof(escaped));
	if (escaped[0] != '\0')
		call->text = xstrdup(escaped);
	if (!call->is_taking)
		rpc_frame_release(&call->request);
	call_account(call);
	if (call->is_answered || call->answer.end > 0)
		call_submit(call);
	else
		call_submit_status(call);
}

void
rpc_call_reply(struct rpc_call *call, const void *bytes, size_t size)
{
	if (call->is_done)
		return;
	rpc_answer_put(&call->answer, bytes, size);
	rpc_call_finish(call, RPC_OK, "");
}

void
rpc_call_reply_shared(struct rpc_call *call, struct rpc_shared *s)
{
	if (call->is_done)
		return;
	rpc_answer_share(&call->answer, s, &call->connection->host->held);
	rpc_call_finish(call, RPC_OK, "");
}

void
rpc_call_refuse(struct rpc_call *call, const struct error *e)
{
	if (!call->is_done)
		rpc_status_put_exact(e->code, call->exact);
	rpc_call_finish(call, rpc_status_from(e->code), e->text);
}

bool
rpc_call_pass(struct rpc_call *call, int fd)
{
	struct rpc_connection *c = call->connection;

	if (c->peer.is_local)
		return send_queue_pass(&c->out, fd);
	(void)close(fd);
	return false;
}

/* ---- the request ---- */

static bool
call_is(const uint8_t *bytes, size_t size, const char *text)
{
	return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

/* Whether it is "application/grpc", perhaps with "+proto" or parameters. */
static bool
call_is_grpc(const uint8_t *bytes, size_t size)
{
	static const char type[] = "application/grpc";
	const size_t length = sizeof(type) - 1;

	return size >= length && memcmp(bytes, type, length) == 0 &&
	    (size == length || bytes[length] == '+' || bytes[length] == ';');
}

static void
call_take_timeout(struct rpc_call *call, const uint8_t *value, size_t size)
{
	char text[RPC_DEADLINE_SIZE + 1];
	int64_t ms;

	(void)snprintf(text, sizeof(text), "%.*s",
	    size < sizeof(text) ? (int)size : (int)sizeof(text) - 1,
	    (const char *)value);
	ms = rpc_deadline_parse(text);
	call->is_bad_timeout = ms == -1;
	if (ms != -1)
		call->deadline_ms =
		    rpc_deadline_after(call->connection->host->loop.now_ms, ms);
}

void
rpc_call_header(struct rpc_call *call, const uint8_t *name, size_t name_size,
    const uint8_t *value, size_t value_size)
{
	call->header_bytes += name_size + value_size + HEADER_OVERHEAD;
	if (call->header_bytes > call->connection->host->limits.header_bytes)
		rpc_metadata_release(&call->metadata);
	else if (call_is(name, name_size, ":method"))
		call->is_post = call_is(value, value_size, "POST");
	else if (call_is(name, name_size, ":path")) {
		/* The rest is zeros. */
		if (value_size < sizeof(call->path))
			memcpy(call->path, value, value_size);
	} else if (call_is(name, name_size, "content-type"))
		call->is_grpc = call_is_grpc(value, value_size);
	else if (call_is(name, name_size, "grpc-timeout"))
		call_take_timeout(call, value, value_size);
	else if (name_size > 0 && name[0] != ':')
		rpc_metadata_add(&call->metadata, name, name_size, value,
		    value_size);
	call_account(call);
}

static const struct rpc_method *
call_find(const struct rpc_host *h, const char *path)
{
	size_t i;

	for (i = 0; i < h->method_count; i++)
		if (strcmp(h->methods[i].path, path) == 0)
			return &h->methods[i];
	return NULL;
}

/* Check the headers; returns the status, with a text. */
static enum rpc_status
call_check(struct rpc_call *call, struct error *e)
{
	const struct rpc_host *h = call->connection->host;

	if (call->header_bytes > h->limits.header_bytes)
		(void)error_set_code(e, ERROR_NO_ROOM,
		    "the headers have %zu bytes; the limit is %zu",
		    call->header_bytes, h->limits.header_bytes);
	else if (call->method == NULL)
		(void)error_set_code(e, ERROR_UNSUPPORTED, "unknown method %s",
		    call->path);
	else if (call->is_bad_timeout)
		(void)error_set_code(e, ERROR_INVALID,
		    "grpc-timeout must be one to eight digits and a unit");
	else if (h->is_stopping)
		(void)error_set_code(e, ERROR_UNAVAILABLE,
		    "the server is stopping");
	else if (call->deadline_ms <= h->loop.now_ms)
		(void)error_set_code(e, ERROR_TIMED_OUT,
		    "context deadline exceeded");
	return rpc_status_from(e->code);
}

void
rpc_call_open(struct rpc_call *call)
{
	struct error e = { .code = ERROR_NONE };

	call->method = call_find(call->connection->host, call->path);
	if (!call->is_post)
		call->http_status = 405;
	else if (!call->is_grpc)
		call->http_status = 415;
	if (call->http_status != 0)
		rpc_call_finish(call, RPC_UNKNOWN, "");
	else if (call_check(call, &e) != RPC_OK)
		rpc_call_refuse(call, &e);
	else {
		if (call->method->message_bytes != 0)
			call->request.max = call->method->message_bytes;
		/* A stream may be silent for long. */
		if (call->method->is_stream)
			call->partial_ms = -1;
		call_arm(call);
	}
}

/* Give the complete message to the service, but not for a connection that is to
   be closed. */
void
rpc_call_serve(struct rpc_call *call)
{
	struct rpc_connection *c = call->connection;
	struct rpc_host *h = c->host;

	rpc_places_shed(h);
	if (c->is_over)
		return;
	rpc_turns_take(h);
	call->is_taken = call->is_taking = true;
	call->method->take(call,
	    call->request.size == 0 ? (const void *)"" : call->request.bytes,
	    call->request.size);
	call->is_taking = false;
	if (call->is_done)
		rpc_frame_release(&call->request);
	call_account(call);
	rpc_turns_spend(c);
}

/* Note since when a message, or the rest of a unary request, is incomplete. */
static void
call_note_partial(struct rpc_call *call)
{
	const bool waits = rpc_frame_is_partial(&call->request) ||
	    !call->method->is_stream;

	if (!waits)
		call->partial_ms = -1;
	else if (call->partial_ms == -1)
		call->partial_ms = call->connection->host->loop.now_ms;
	call_account(call);
	call_arm(call);
}

void
rpc_call_feed(struct rpc_call *call, const uint8_t *bytes, size_t size)
{
	struct error e;
	size_t used;
	int whole;

	while (size > 0 && !call->is_done) {
		if (call->has_message) {
			rpc_call_finish(call, RPC_INTERNAL,
			    "the call has a second message, but takes only "
			    "one");
			return;
		}
		whole = rpc_frame_take(&call->request, bytes, size, &used, &e);
		if (whole == -1) {
			rpc_call_abandon(call, RPC_END_CANCELLED);
			rpc_call_refuse(call, &e);
			return;
		}
		call->has_message = whole == 1 && !call->method->is_stream;
		if (whole == 1 && call->method->is_stream)
			rpc_call_serve(call);
		bytes += used;
		size -= used;
	}
	if (!call->is_done)
		call_note_partial(call);
}

void
rpc_call_half_close(struct rpc_call *call)
{
	if (call->is_done)
		return;
	call->partial_ms = -1;
	call_arm(call);
	if (rpc_frame_is_partial(&call->request)) {
		rpc_call_abandon(call, RPC_END_CANCELLED);
		rpc_call_finish(call, RPC_INTERNAL,
		    "the request ends within a message");
	} else if (call->method->is_stream) {
		if (call->is_taken && call->method->half_close != NULL)
			call->method->half_close(call);
		else
			rpc_call_finish(call, RPC_OK, "");
	} else if (!call->has_message)
		rpc_call_finish(call, RPC_INTERNAL,
		    "the request has no message");
	else if (rpc_turns_is_due(call->connection))
		rpc_call_serve(call);
	else
		rpc_turns_wait(call);
}

/* ---- facts about a call ---- */

const struct rpc_peer *
rpc_call_peer(const struct rpc_call *call)
{
	return &call->connection->peer;
}

size_t
rpc_call_entries_max(const struct rpc_call *call)
{
	return call->method->entries != 0 ?
	    call->method->entries :
	    call->connection->host->limits.entries;
}

void
rpc_call_trust(struct rpc_call *call)
{
	rpc_places_trust(call->connection);
}

const char *
rpc_call_path(const struct rpc_call *call)
{
	return call->path;
}

const char *
rpc_call_metadata(const struct rpc_call *call, const char *name)
{
	return rpc_metadata_get(&call->metadata, name);
}

void *
rpc_call_context(const struct rpc_call *call)
{
	return call->method->context;
}

void *
rpc_call_data(const struct rpc_call *call)
{
	return call->data;
}

void
rpc_call_set_data(struct rpc_call *call, void *data)
{
	call->data = data;
}
