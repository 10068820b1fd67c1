/*
 * Calls at the client: sending and receiving messages with their prefixes.
 */
#include "core/server/rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/server/rpc/rpc_client_internal.h"
#include "core/server/rpc/rpc_frame.h"
#include "core/server/rpc/rpc_status.h"

enum { HEADERS_MAX = 64 };

/* nghttp2 requests bytes of our messages. */
static nghttp2_ssize
stream_read_out(nghttp2_session *session, int32_t stream, uint8_t *to,
    size_t room, uint32_t *flags, nghttp2_data_source *source, void *user)
{
	struct rpc_stream *s = source->ptr;
	size_t n = s->out.end - s->out.begin;

	(void)session;
	(void)stream;
	(void)user;
	if (n > room)
		n = room;
	if (n > 0)
		memcpy(to, s->out.bytes + s->out.begin, n);
	s->out.begin += n;
	if (s->out.begin == s->out.end && s->is_half_closed)
		*flags |= NGHTTP2_DATA_FLAG_EOF;
	else if (n == 0)
		return NGHTTP2_ERR_DEFERRED;
	return (nghttp2_ssize)n;
}

/* Make the headers of a call; return their count. */
static size_t
stream_headers(const struct rpc_stream *s, const char *path,
    const struct rpc_metadata_row *metadata, const char *timeout,
    nghttp2_nv all[HEADERS_MAX])
{
	size_t n = 0;

	all[n++] = rpc_frame_header(":method", "POST");
	all[n++] = rpc_frame_header(":scheme", "http");
	all[n++] = rpc_frame_header(":path", path);
	/* A path is not a host name; other clients send localhost, too. */
	all[n++] = rpc_frame_header(":authority",
	    s->client->name[0] == '/' ? "localhost" : s->client->name);
	all[n++] = rpc_frame_header("te", "trailers");
	all[n++] = rpc_frame_header("content-type", "application/grpc");
	all[n++] = rpc_frame_header("user-agent", "ipubox/" IPUBOX_VERSION);
	if (timeout[0] != '\0')
		all[n++] = rpc_frame_header("grpc-timeout", timeout);
	for (; metadata != NULL && metadata->name != NULL && n < HEADERS_MAX;
	     metadata++)
		all[n++] = rpc_frame_header(metadata->name, metadata->value);
	return n;
}

struct rpc_stream *
rpc_stream_begin(struct rpc_client *c, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    struct error *e)
{
	struct rpc_stream *s;
	nghttp2_nv headers[HEADERS_MAX];
	nghttp2_data_provider2 body = { .read_callback = stream_read_out };
	char timeout[RPC_DEADLINE_SIZE] = "";

	if (c->is_over) {
		(void)error_copy(e, &c->reason);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->client = c;
	s->deadline_ms = INT64_MAX;
	if (timeout_ms > 0) {
		rpc_deadline_format(timeout_ms, timeout);
		s->deadline_ms = rpc_deadline_after(clock_monotonic_ms(),
		    timeout_ms);
	}
	rpc_frame_init(&s->frame, c->message_bytes);
	body.source.ptr = s;
	s->id = nghttp2_submit_request2(c->session, NULL, headers,
	    stream_headers(s, path, metadata, timeout, headers), &body, s);
	if (s->id < 0) {
		(void)error_set_code(e, ERROR_UNAVAILABLE, "%s: %s", c->name,
		    nghttp2_strerror(s->id));
		free(s);
		return NULL;
	}
	return s;
}

void
rpc_stream_send(struct rpc_stream *s, const void *bytes, size_t size)
{
	unsigned char prefix[RPC_FRAME_PREFIX];

	rpc_frame_put(prefix, size);
	rpc_client_keep(&s->out, prefix, sizeof(prefix));
	rpc_client_keep(&s->out, bytes, size);
	(void)nghttp2_session_resume_data(s->client->session, s->id);
	rpc_client_flush(s->client);
}

void
rpc_stream_half_close(struct rpc_stream *s)
{
	s->is_half_closed = true;
	(void)nghttp2_session_resume_data(s->client->session, s->id);
	rpc_client_flush(s->client);
}

/* Return how a closed stream ended. */
static enum rpc_received
stream_result(const struct rpc_stream *s, struct error *e)
{
	const char *name = s->client->name;
	enum rpc_status status = s->status;

	if (s->has_status && status == RPC_OK &&
	    !rpc_frame_is_partial(&s->frame))
		return RPC_ENDED;
	if (s->has_status && status != RPC_OK)
		(void)error_set_code(e, rpc_status_get_exact(status, s->exact),
		    "%s",
		    s->text[0] != '\0' ? s->text : rpc_status_name(status));
	else if (s->client->is_over)
		(void)error_copy(e, &s->client->reason);
	else if (s->reset != NGHTTP2_NO_ERROR)
		(void)error_set_code(e,
		    rpc_status_error(rpc_status_from_reset(s->reset)),
		    "%s: the server aborted the call: %s", name,
		    nghttp2_http2_strerror(s->reset));
	else if (s->http_status != 0 && s->http_status != 200)
		(void)error_set_code(e,
		    rpc_status_error(rpc_status_from_http(s->http_status)),
		    "%s: HTTP status %lld instead of an answer", name,
		    s->http_status);
	else
		(void)error_set_code(e, ERROR_DAMAGED,
		    "%s: the answer is incomplete", name);
	return RPC_FAILED;
}

/* Take the next received message.  Returns 1, 0 or -1 as rpc_frame_take(). */
static int
stream_take(struct rpc_stream *s, struct error *e)
{
	size_t used;
	int whole;

	whole = rpc_frame_take(&s->frame, s->in.bytes + s->in.begin,
	    s->in.end - s->in.begin, &used, e);
	s->in.begin += used;
	if (used > 0 && !s->is_closed)
		(void)nghttp2_session_consume_stream(s->client->session, s->id,
		    used);
	return whole;
}

enum rpc_received
rpc_stream_receive(struct rpc_stream *s, int64_t wait_ms,
    const unsigned char **bytes, size_t *size, struct error *e)
{
	struct rpc_client *c = s->client;
	const int64_t until_ms = wait_ms < 0 ?
	    INT64_MAX :
	    rpc_deadline_after(clock_monotonic_ms(), wait_ms);
	int whole;
	bool last = false;

	for (;;) {
		whole = s->in.begin < s->in.end ? stream_take(s, e) : 0;
		if (whole == -1)
			return RPC_FAILED;
		if (whole == 1) {
			*bytes = s->frame.size == 0 ?
			    (const unsigned char *)"" :
			    s->frame.bytes;
			*size = s->frame.size;
			return RPC_MESSAGE;
		}
		if (s->is_closed)
			return stream_result(s, e);
		if (clock_monotonic_ms() >= s->deadline_ms) {
			(void)error_set_code(e, ERROR_TIMED_OUT,
			    "%s: context deadline exceeded", c->name);
			return RPC_FAILED;
		}
		if (last)
			return RPC_NOTHING;
		last = clock_monotonic_ms() >= until_ms;
		if (rpc_client_turn(c,
			until_ms < s->deadline_ms ? until_ms :
						    s->deadline_ms) != 0 &&
		    !s->is_closed) {
			(void)error_copy(e, &c->reason);
			return RPC_FAILED;
		}
	}
}

void
rpc_stream_drop(struct rpc_stream *s)
{
	struct rpc_client *c;

	if (s == NULL)
		return;
	c = s->client;
	(void)nghttp2_session_set_stream_user_data(c->session, s->id, NULL);
	if (!s->is_closed && !c->is_over) {
		(void)nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE,
		    s->id, NGHTTP2_CANCEL);
		/* Otherwise nghttp2 could ask for freed bytes. */
		s->is_half_closed = true;
		s->out.begin = s->out.end;
		rpc_client_flush(c);
	}
	rpc_frame_release(&s->frame);
	free(s->out.bytes);
	free(s->in.bytes);
	free(s);
}

/* Receive the single message of an answer, and its end. */
static int
stream_finish(struct rpc_stream *s, unsigned char **answer, size_t *size,
    struct error *e)
{
	const unsigned char *bytes;
	enum rpc_received got = rpc_stream_receive(s, -1, &bytes, size, e);

	if (got == RPC_ENDED)
		return error_set_code(e, ERROR_DAMAGED,
		    "%s: the answer has no message", s->client->name);
	if (got != RPC_MESSAGE)
		return -1;
	*answer = xmalloc(*size + 1);
	if (*size > 0)
		memcpy(*answer, bytes, *size);
	got = rpc_stream_receive(s, -1, &bytes, &(size_t){ 0 }, e);
	if (got == RPC_ENDED)
		return 0;
	free(*answer);
	*answer = NULL;
	return got == RPC_FAILED ?
	    -1 :
	    error_set_code(e, ERROR_DAMAGED,
		"%s: the answer has a second message, but may have only one",
		s->client->name);
}

int
rpc_stream_call(struct rpc_client *c, const char *path,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    const void *bytes, size_t size, unsigned char **answer, size_t *answer_size,
    struct error *e)
{
	struct rpc_stream *s = rpc_stream_begin(c, path, metadata, timeout_ms,
	    e);
	int status;

	*answer = NULL;
	if (s == NULL)
		return -1;
	rpc_stream_send(s, bytes, size);
	rpc_stream_half_close(s);
	status = stream_finish(s, answer, answer_size, e);
	rpc_stream_drop(s);
	return status;
}
