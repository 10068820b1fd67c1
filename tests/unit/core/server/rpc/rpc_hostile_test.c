/*
 * What nobody should send: each gets its status or loses its connection, the
 * others go on, and the memory comes back.
 */
#include "core/server/rpc/rpc.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <sys/socket.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/unit/rpc_util.h"
#include "tests/unit/tap.h"

enum { WAIT_MS = 10000, BLOCK_MAX = 16384, CONNECTIONS = 20 };
/* Kinds of frames, and their flags. */
enum { DATA, HEADERS, RESET = 3, SETTINGS, PING = 6, GOAWAY, CONTINUATION = 9 };
enum { END_STREAM = 1, END_HEADERS = 4 };

/* Times are short: each of them passes once. */
static const struct rpc_limits limits = { .message_bytes = 1024 * 1024,
	.header_bytes = 16384,
	.streams = 100,
	.connections = CONNECTIONS,
	.peer_connections = CONNECTIONS,
	.connection_bytes = 8 * 1024 * 1024,
	.held_bytes = 4 * 1024 * 1024,
	.greeting_ms = 300,
	.request_ms = 300,
	.send_ms = 500,
	.silence_ms = 400,
	.answer_ms = 300,
	.stop_ms = 1000,
	.frames = 200,
	.frames_per_s = 100 };

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/* ---- a peer that writes bytes ---- */

/* What it has closed is not this test's business. */
static void
put(int fd, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	ssize_t n;

	while (size > 0 && (n = send(fd, at, size, MSG_NOSIGNAL)) > 0) {
		at += n;
		size -= (size_t)n;
	}
}

static void
frame(int fd, int type, int flags, int stream, const void *payload, size_t size)
{
	const unsigned char head[] = { (unsigned char)(size >> 16),
		(unsigned char)(size >> 8), (unsigned char)size,
		(unsigned char)type, (unsigned char)flags, 0, 0,
		(unsigned char)(stream >> 8), (unsigned char)stream };

	put(fd, head, sizeof(head));
	put(fd, payload, size);
}

/* A connection that has said its preface. */
static int
greet(const struct rpc_process *p)
{
	const int fd = rpc_process_dial(p);

	put(fd, preface, sizeof(preface) - 1);
	frame(fd, SETTINGS, 0, 0, "", 0);
	return fd;
}

/* The block of headers of a call (HPACK, RFC 7541): its size. */
static size_t
block(char *out, const char *path, const char *type)
{
	/* POST, http; literals of :authority (1), :path (4) and content-type
	   (31). */
	return (size_t)snprintf(out, 256,
	    "\x83\x86\x01\x01x\x04%c%s\x0f\x10%c%s", (int)strlen(path), path,
	    (int)strlen(type), type);
}

static void
call(int fd, int stream, const char *path, const char *type, int flags)
{
	char out[256];

	frame(fd, HEADERS, END_HEADERS | flags, stream, out,
	    block(out, path, type));
}

/* ---- and reads what comes ---- */

/* Exactly so many bytes; false: the connection is closed, or it takes long. */
static bool
get(int fd, unsigned char *to, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	while (size > 0) {
		if (poll(&p, 1, WAIT_MS) != 1 ||
		    (n = recv(fd, to, size, 0)) <= 0)
			return false;
		to += n;
		size -= (size_t)n;
	}
	return true;
}

/* The next frame of that type, its payload in `to`; -1: none comes. */
static int
get_frame(int fd, int type, unsigned char *to)
{
	unsigned char head[9];
	size_t size;

	while (get(fd, head, sizeof(head))) {
		size = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
		if (size > BLOCK_MAX || !get(fd, to, size))
			return -1;
		if (head[3] == type)
			return (int)size;
	}
	return -1;
}

/* The value of a header of the next answer, or "". */
static const char *
inflate_header(int fd, nghttp2_hd_inflater *inflater, const char *name)
{
	static char value[256];
	static unsigned char payload[BLOCK_MAX];
	nghttp2_nv nv;
	nghttp2_ssize used;
	int size = get_frame(fd, HEADERS, payload), flags;
	const unsigned char *at = payload;

	value[0] = '\0';
	while (size > 0) {
		used = nghttp2_hd_inflate_hd3(inflater, &nv, &flags, at,
		    (size_t)size, 1);
		if (used < 0)
			break;
		at += used;
		size -= (int)used;
		if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0 &&
		    strcmp((const char *)nv.name, name) == 0)
			(void)snprintf(value, sizeof(value), "%s",
			    (const char *)nv.value);
		if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0)
			break;
	}
	(void)nghttp2_hd_inflate_end_headers(inflater);
	return value;
}

/* The same of the first answer of a connection. */
static const char *
get_header(int fd, const char *name)
{
	nghttp2_hd_inflater *inflater;
	const char *value;

	if (nghttp2_hd_inflate_new(&inflater) != 0)
		abort();
	value = inflate_header(fd, inflater, name);
	nghttp2_hd_inflate_del(inflater);
	return value;
}

/* Whether the server closes it, whatever it says before. */
static bool
is_closed(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[4096];

	while (poll(&p, 1, WAIT_MS) == 1)
		if (recv(fd, bytes, sizeof(bytes), 0) <= 0)
			return true;
	return false;
}

/* The next line about a peer. */
static const char *
trouble(const struct rpc_process *p)
{
	static char line[160];
	struct pollfd fd = { .fd = p->troubles, .events = POLLIN };
	size_t n = 0;

	while (n < sizeof(line) - 1 && poll(&fd, 1, WAIT_MS) == 1 &&
	    read(p->troubles, &line[n], 1) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
	return line;
}

/* Another one is served, and nothing of the bad one is left. */
static void
others_go_on(const struct rpc_process *p)
{
	const int64_t until = clock_monotonic_ms() + WAIT_MS;
	struct rpc_client *c = rpc_process_client(p);
	struct rpc_counts counts;

	do {
		counts = rpc_process_count(c);
	} while (counts.held > 8192 && clock_monotonic_ms() < until);
	rpc_client_close(c);
	ok(counts.held <= 8192, "others go on, and memory comes back");
}

/* ---- the cases ---- */

static void
test_garbage(const struct rpc_process *p)
{
	static const char http[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd = rpc_process_dial(p);

	put(fd, http, sizeof(http) - 1);
	ok(is_closed(fd), "HTTP/1.1 is sent away");
	(void)close(fd);
	is_str(trouble(p), "Received bad client magic byte string",
	    "and the log says why");
	fd = greet(p);
	put(fd, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10);
	ok(is_closed(fd), "a frame of 16 MiB is, too");
	(void)close(fd);
	is_str(trouble(p), "its connection is closed with FRAME_SIZE_ERROR",
	    "and the log says why");
	fd = greet(p);
	frame(fd, DATA, 0, 7, "x", 1);
	ok(is_closed(fd), "data of no stream are, too");
	(void)close(fd);
	(void)trouble(p);
	fd = greet(p);
	frame(fd, HEADERS, END_HEADERS, 1, "\x80", 1);
	ok(is_closed(fd), "a header that is not HPACK's is, too");
	(void)close(fd);
	(void)trouble(p);
	others_go_on(p);
}

static void
test_slow(const struct rpc_process *p)
{
	struct rpc_client *c;
	struct rpc_stream *s;
	const unsigned char *bytes;
	size_t size;
	struct error e;
	int fd = rpc_process_dial(p);

	ok(is_closed(fd), "who says nothing is sent away");
	(void)close(fd);
	is_str(trouble(p), "it did not begin to speak HTTP/2 in time",
	    "and the log says why");
	fd = greet(p);
	put(fd, "\0\0\x10\1", 4);
	ok(is_closed(fd), "who sends half a frame is, too");
	(void)close(fd);
	is_str(trouble(p), "it does not answer", "and the log says why");
	c = rpc_process_client(p);
	s = rpc_stream_begin(c, "/test.Echo/Unary", NULL, 0, &e);
	is_int(rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e), RPC_FAILED,
	    "a request that does not come is refused");
	is_int(e.code, ERROR_TIMED_OUT, "as too late");
	rpc_stream_drop(s);
	rpc_client_close(c);
	others_go_on(p);
}

static void
test_calls(const struct rpc_process *p)
{
	unsigned char payload[BLOCK_MAX];
	int fd = greet(p);

	call(fd, 1, "/test.Echo/Unary", "text/plain", END_STREAM);
	is_str(get_header(fd, ":status"), "415", "another content type");
	/* Each inflater begins with an empty table. */
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpcx", END_STREAM);
	is_str(get_header(fd, ":status"), "415", "one that looks like it");
	call(fd, 3, "/a\x1b[1m", "application/grpc", END_STREAM);
	ok(get_frame(fd, RESET, payload) == 4, "a path with control bytes");
	(void)trouble(p);
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/None", "application/grpc+proto", END_STREAM);
	is_str(get_header(fd, "grpc-status"), "12", "an unknown method");
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", END_STREAM);
	is_str(get_header(fd, "grpc-status"), "13", "no message");
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", 0);
	frame(fd, DATA, END_STREAM, 1, "\0\0\0\0\5abc", 8);
	is_str(get_header(fd, "grpc-status"), "13", "half a message");
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", 0);
	frame(fd, DATA, 0, 1, "\0\7\0\0\0abc", 8);
	is_str(get_header(fd, "grpc-status"), "8",
	    "a prefix of more than is taken");
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", 0);
	frame(fd, DATA, END_STREAM, 1, "\0\0\0\0\1a\0\0\0\0\1b", 12);
	is_str(get_header(fd, "grpc-status"), "13", "two messages");
	(void)close(fd);
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", 0);
	frame(fd, DATA, END_STREAM, 1, "\1\0\0\0\1a", 6);
	is_str(get_header(fd, "grpc-status"), "12", "a compressed one");
	(void)close(fd);
	others_go_on(p);
}

static void
test_floods(const struct rpc_process *p)
{
	static const char many[] = "it sends too many frames without data";
	char out[256];
	const size_t size = block(out, "/test.Echo/Never", "application/grpc");
	int fd = greet(p), i;

	for (i = 0; i < 1000; i++)
		frame(fd, PING, 0, 0, "12345678", 8);
	ok(is_closed(fd), "who sends PINGs without end is sent away");
	(void)close(fd);
	is_str(trouble(p), many, "and the log says why");
	fd = greet(p);
	for (i = 0; i < 1000; i++)
		frame(fd, SETTINGS, 0, 0, "\0\3\0\0\0\1", 6);
	ok(is_closed(fd), "who sends SETTINGS without end");
	(void)close(fd);
	is_str(trouble(p), many, "and the log says why");
	fd = greet(p);
	call(fd, 1, "/test.Echo/Unary", "application/grpc", 0);
	for (i = 0; i < 1000; i++)
		frame(fd, DATA, 0, 1, "", 0);
	ok(is_closed(fd), "who sends empty data without end");
	(void)close(fd);
	is_str(trouble(p), many, "and the log says why");
	fd = greet(p);
	for (i = 0; i < 5000; i++) {
		frame(fd, HEADERS, END_HEADERS, 2 * i + 1, out, size);
		frame(fd, RESET, 0, 2 * i + 1, "\0\0\0\x8", 4);
	}
	ok(is_closed(fd), "who opens and resets streams without end");
	(void)close(fd);
	is_str(trouble(p), many, "and the log says why");
	fd = greet(p);
	frame(fd, HEADERS, 0, 1, out, size);
	for (i = 0; i < 100; i++)
		frame(fd, CONTINUATION, 0, 1, "", 0);
	ok(is_closed(fd), "who continues headers without end");
	(void)close(fd);
	(void)trouble(p);
	others_go_on(p);
}

/*
 * A header of 4,000 bytes that is put into the table, and one byte for each
 * time that it comes again: 400 MB of headers in 100 KB.
 */
static void
test_bomb(const struct rpc_process *p)
{
	static char bomb[BLOCK_MAX];
	struct rpc_client *c;
	struct rpc_counts before, after;
	size_t size = block(bomb, "/test.Echo/Unary", "application/grpc");
	const char *status;
	int fd, i;

	c = rpc_process_client(p);
	before = rpc_process_count(c);
	rpc_client_close(c);
	fd = greet(p);
	/* A literal with a new name, 7 + 4,000 bytes (127 + 3873). */
	memcpy(bomb + size,
	    "\x40\x01"
	    "b\x7f\xa1\x1e",
	    6);
	size += 6;
	memset(bomb + size, 'v', 4000);
	size += 4000;
	frame(fd, HEADERS, END_STREAM, 1, bomb, size);
	memset(bomb, 0xbe, sizeof(bomb));
	for (i = 0; i < 6; i++)
		frame(fd, CONTINUATION, i == 5 ? END_HEADERS : 0, 1, bomb,
		    sizeof(bomb));
	/* For their size, or, on a busy machine, for the time they take. */
	status = get_header(fd, "grpc-status");
	ok(strcmp(status, "8") == 0 || strcmp(status, "4") == 0,
	    "headers that grow are refused");
	(void)close(fd);
	c = rpc_process_client(p);
	after = rpc_process_count(c);
	rpc_client_close(c);
	ok(after.max_rss_kib < before.max_rss_kib + 4096, "and take no memory");
	others_go_on(p);
}

/* Ask for an answer of so many bytes. */
static void
big(int fd, const char *size)
{
	char body[13] = "\0\0\0\0\7";

	(void)snprintf(body + 5, sizeof(body) - 5, "%s", size);
	call(fd, 1, "/test.Echo/Big", "application/grpc", 0);
	frame(fd, DATA, END_STREAM, 1, body, sizeof(body) - 1);
}

/* Who does not take answers, by its window or by its socket. */
static void
test_unread(const struct rpc_process *p)
{
	unsigned char payload[BLOCK_MAX];
	const char *why;
	int fd = greet(p);

	big(fd, "1000000");
	/* Its window of 65,535 bytes is never opened again. */
	is_int(get_frame(fd, RESET, payload), 4,
	    "who opens no window loses the call");
	(void)close(fd);
	fd = greet(p);
	big(fd, "5000000");
	ok(is_closed(fd), "who has the server hold too much is sent away");
	(void)close(fd);
	/* On a busy machine its time may be over first. */
	why = trouble(p);
	ok(strcmp(why,
	       "calls hold too much memory, and its calls most of it") == 0 ||
		strcmp(why, "it does not answer") == 0,
	    "and the log says why");
	fd = greet(p);
	/* A window of 1 GiB for the stream and the connection: the socket
	   fills. */
	frame(fd, SETTINGS, 0, 0, "\0\4\x3f\xff\xff\xff", 6);
	frame(fd, 8, 0, 0, "\x3f\xff\xff\xff", 4);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 4096 },
	    sizeof(int));
	big(fd, "3900000");
	others_go_on(p);
	(void)close(fd);
}

/*
 * One holds much; another asks for more and, in the same packet, for a little:
 * the first one goes, and the second one has its answers.
 */
static void
test_greedy(const struct rpc_process *p)
{
	unsigned char payload[BLOCK_MAX];
	nghttp2_hd_inflater *inflater;
	const char *why;
	bool answered = false;
	int first, second, i, on = 1, off = 0;

	first = greet(p);
	big(first, "9000000");
	/* Lines of those before may come late. */
	do
		why = trouble(p);
	while (why[0] != '\0' && strncmp(why, "its", 3) != 0);
	is_str(why, "its calls hold too much memory",
	    "a connection has a limit of its own");
	(void)close(first);
	first = greet(p);
	second = greet(p);
	if (nghttp2_hd_inflate_new(&inflater) != 0)
		abort();
	big(first, "3900000");
	(void)get_frame(first, HEADERS, payload);
	(void)setsockopt(second, IPPROTO_TCP, TCP_CORK, &on, sizeof(on));
	big(second, "1000000");
	call(second, 3, "/test.Echo/Refuse", "application/grpc", 0);
	frame(second, DATA, END_STREAM, 3, "\0\0\0\0\1x", 6);
	(void)setsockopt(second, IPPROTO_TCP, TCP_CORK, &off, sizeof(off));
	for (i = 0; i < 2 && !answered; i++)
		answered =
		    strcmp(inflate_header(second, inflater, "grpc-status"),
			"9") == 0;
	ok(answered, "the second one has its answers");
	ok(is_closed(first), "the first one has gone");
	nghttp2_hd_inflate_del(inflater);
	(void)close(first);
	(void)close(second);
	others_go_on(p);
}

static void
test_crowd(const struct rpc_process *p)
{
	enum { CROWD = 60 };
	struct rpc_client *c;
	struct rpc_counts counts;
	unsigned char payload[BLOCK_MAX];
	int fds[CROWD], i;

	for (i = 0; i < CROWD; i++)
		fds[i] = greet(p);
	c = rpc_process_client(p);
	counts = rpc_process_count(c);
	rpc_client_close(c);
	ok(counts.connections <= CONNECTIONS, "no more than its limit");
	is_int(get_frame(fds[0], GOAWAY, payload), 8,
	    "who was silent longest is told to go");
	ok(is_closed(fds[0]), "and has gone");
	for (i = 0; i < CROWD; i++)
		(void)close(fds[i]);
	others_go_on(p);
}

/* All of them ask something: one more is not let in, and learns it. */
static void
test_busy(const struct rpc_process *p)
{
	const struct rpc_client_options o = { .host = "127.0.0.1",
		.port = p->port_text,
		.connect_ms = WAIT_MS };
	unsigned char payload[BLOCK_MAX];
	struct rpc_client *c;
	struct error e = { .text = "" };
	int fds[CONNECTIONS + 1], i;

	for (i = 0; i <= CONNECTIONS; i++) {
		fds[i] = greet(p);
		call(fds[i], 1, "/test.Echo/Never", "application/grpc", 0);
		frame(fds[i], DATA, END_STREAM, 1, "\0\0\0\0\0", 5);
		frame(fds[i], PING, 0, 0, "12345678", 8);
		if (i < CONNECTIONS && get_frame(fds[i], PING, payload) != 8)
			break;
	}
	is_int(i, CONNECTIONS + 1, "so many ask something");
	is_int(get_frame(fds[CONNECTIONS], GOAWAY, payload), 28,
	    "one more is told to go");
	is_int(payload[7], NGHTTP2_ENHANCE_YOUR_CALM, "with the reason");
	c = rpc_client_open(&o, &e);
	if (c != NULL)
		(void)rpc_stream_call(c, "/test.Echo/Unary", NULL, WAIT_MS, "",
		    0, &(unsigned char *){ NULL }, &(size_t){ 0 }, &e);
	rpc_client_close(c);
	ok(strstr(e.text, "too many connections") != NULL,
	    "our client says it");
	for (i = 0; i <= CONNECTIONS; i++)
		(void)close(fds[i]);
	/* Until it has heard that they went. */
	do {
		fds[0] = greet(p);
		frame(fds[0], PING, 0, 0, "12345678", 8);
		i = get_frame(fds[0], PING, payload);
		(void)close(fds[0]);
	} while (i != 8);
	others_go_on(p);
}

int
main(void)
{
	struct rpc_process p;

	rpc_process_start(&p, &limits, NULL);
	test_garbage(&p);
	test_slow(&p);
	test_calls(&p);
	test_floods(&p);
	test_bomb(&p);
	test_unread(&p);
	test_greedy(&p);
	test_crowd(&p);
	test_busy(&p);
	rpc_process_ask(&p);
	is_int(rpc_process_wait(&p), 0, "the server ends");
	return tap_done();
}
