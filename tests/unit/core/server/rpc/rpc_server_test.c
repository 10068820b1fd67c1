/* A server and our client: calls of every kind, and how they end. */
#include "core/server/rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/unit/rpc_util.h"
#include "tests/unit/tap.h"

enum { WAIT_MS = 5000, MANY = 90 };

/* The answer to a text, or "CODE: TEXT" of the error. */
static const char *
ask_with(struct rpc_client *c, const char *method,
    const struct rpc_metadata_row *metadata, int64_t timeout_ms,
    const char *text)
{
	static char got[256];
	char path[64];
	unsigned char *answer;
	size_t size = 0;
	struct error e;

	(void)snprintf(path, sizeof(path), "/test.Echo/%s", method);
	if (rpc_stream_call(c, path, metadata, timeout_ms, text, strlen(text),
		&answer, &size, &e) != 0)
		(void)snprintf(got, sizeof(got), "%d: %.200s", e.code, e.text);
	else
		(void)snprintf(got, sizeof(got), "%.*s", (int)size,
		    (const char *)answer);
	free(answer);
	return got;
}

static const char *
ask(struct rpc_client *c, const char *method, const char *text)
{
	return ask_with(c, method, NULL, WAIT_MS, text);
}

/* Wait until the server has seen so many ends of that kind. */
static bool
saw_ends(struct rpc_client *c, enum rpc_end why, uint64_t count)
{
	const int64_t until = clock_monotonic_ms() + WAIT_MS;

	while (rpc_process_count(c).ends[why] < count)
		if (clock_monotonic_ms() > until)
			return false;
	return true;
}

static void
test_unary(struct rpc_client *c)
{
	const struct rpc_metadata_row rows[] = { { "x-user", "ann" },
		{ "x-key", "k 1" }, { NULL, NULL } };
	char wanted[64];

	is_str(ask(c, "Unary", "hello"), "hello", "an answer");
	is_str(ask(c, "Unary", ""), "", "an empty one");
	is_str(ask(c, "Late", "later"), "later", "one that comes later");
	(void)snprintf(wanted, sizeof(wanted), "%d: p1: 5%% used: \xc3\xbc",
	    ERROR_BUSY);
	is_str(ask(c, "Refuse", "p1: 5% used: \xc3\xbc"), wanted,
	    "a code and its sentence");
	(void)snprintf(wanted, sizeof(wanted),
	    "%d: unknown method /test.Echo/None", ERROR_UNSUPPORTED);
	is_str(ask(c, "None", ""), wanted, "an unknown method");
	is_str(ask_with(c, "Metadata", rows, WAIT_MS, "x-key"), "k 1",
	    "metadata");
	is_str(ask_with(c, "Metadata", rows, WAIT_MS, "x-none"), "-",
	    "metadata that is not there");
	is_str(ask(c, "Peer", ""), "remote", "who it is, over TCP");
	is_str(ask(c, "Pass", "x"), "not", "no descriptor is passed there");
}

/* Larger than every window and buffer on the way. */
static void
test_large(struct rpc_client *c)
{
	const size_t most = rpc_limits_default.message_bytes;
	unsigned char *request = malloc(most + 1), *answer;
	size_t size = 0;
	struct error e = { .code = ERROR_NONE };

	memset(request, 'r', most + 1);
	is_int(rpc_stream_call(c, "/test.Echo/Unary", NULL, WAIT_MS, request,
		   most, &answer, &size, &e),
	    0, "the longest message");
	ok(size == most && memcmp(answer, request, most) == 0,
	    "comes back whole");
	free(answer);
	is_int(rpc_stream_call(c, "/test.Echo/Unary", NULL, WAIT_MS, request,
		   most + 1, &answer, &size, &e),
	    -1, "one byte more");
	is_int(e.code, ERROR_NO_ROOM, "is refused");
	is_int(rpc_stream_call(c, "/test.Echo/Big", NULL, WAIT_MS, "9000000", 7,
		   &answer, &size, &e),
	    0, "an answer may be longer");
	is_int((long long)size, 9000000, "and is whole");
	free(answer);
	free(request);
	is_str(ask(c, "Unary", "on"), "on", "the connection goes on");
}

static void
test_time(struct rpc_client *c)
{
	struct rpc_stream *s;
	const unsigned char *bytes;
	size_t size;
	struct error e = { .code = ERROR_NONE };
	const int64_t began = clock_monotonic_ms();

	(void)ask_with(c, "Never", NULL, 50, "");
	ok(clock_monotonic_ms() - began >= 50, "it waits so long");
	ok(saw_ends(c, RPC_END_DEADLINE, 1) ||
		saw_ends(c, RPC_END_CANCELLED, 1),
	    "the service is told of a deadline");
	s = rpc_client_fd(c) == -1 ?
	    NULL :
	    rpc_stream_begin(c, "/test.Echo/Never", NULL, 0, &e);
	rpc_stream_send(s, "x", 1);
	rpc_stream_half_close(s);
	/* Calls of a connection are served in their order: the service has seen
	   that one then. */
	is_str(ask(c, "Unary", "next"), "next", "the next one is answered");
	is_int(rpc_stream_receive(s, 0, &bytes, &size, &e), RPC_NOTHING,
	    "no answer yet");
	rpc_stream_drop(s);
	ok(saw_ends(c, RPC_END_CANCELLED, 1),
	    "the service is told of a cancellation");
	s = rpc_stream_begin(c, "/test.Echo/Late", NULL, 0, &e);
	rpc_stream_send(s, "x", 1);
	rpc_stream_drop(s);
	is_str(ask(c, "Unary", "on"), "on", "half a call is dropped");
}

static void
test_stream(struct rpc_client *c)
{
	struct error e = { .code = ERROR_NONE };
	struct rpc_stream *s = rpc_stream_begin(c, "/test.Echo/Stream", NULL, 0,
	    &e);
	const unsigned char *bytes;
	size_t size = 0;
	int i, good = 0;

	is_int(rpc_stream_receive(s, 0, &bytes, &size, &e), RPC_NOTHING,
	    "nothing is there before the first message");
	for (i = 0; i < MANY; i++)
		rpc_stream_send(s, "abc", (size_t)i % 4);
	for (i = 0; i < MANY; i++)
		good += rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e) ==
			RPC_MESSAGE &&
		    size == (size_t)i % 4 && memcmp(bytes, "abc", size) == 0;
	is_int(good, MANY, "each message comes back, in order");
	rpc_stream_half_close(s);
	is_int(rpc_stream_receive(s, WAIT_MS, &bytes, &size, &e), RPC_ENDED,
	    "the stream ends well");
	rpc_stream_drop(s);
}

/* Many calls at a time, answered when they are ready. */
static void
test_many(struct rpc_client *c)
{
	struct rpc_stream *s[MANY];
	const unsigned char *bytes;
	size_t size = 0;
	struct error e = { .code = ERROR_NONE };
	char text[16];
	int i, good = 0;

	for (i = 0; i < MANY; i++) {
		s[i] = rpc_stream_begin(c,
		    i % 2 == 0 ? "/test.Echo/Late" : "/test.Echo/Unary", NULL,
		    WAIT_MS, &e);
		(void)snprintf(text, sizeof(text), "%d", i);
		rpc_stream_send(s[i], text, strlen(text));
		rpc_stream_half_close(s[i]);
	}
	for (i = MANY - 1; i >= 0; i--) {
		(void)snprintf(text, sizeof(text), "%d", i);
		good += rpc_stream_receive(s[i], WAIT_MS, &bytes, &size, &e) ==
			RPC_MESSAGE &&
		    size == strlen(text) && memcmp(bytes, text, size) == 0;
		rpc_stream_drop(s[i]);
	}
	is_int(good, MANY, "each of many calls gets its own answer");
}

/* The memory of the calls above is given back. */
static void
test_memory(struct rpc_client *c)
{
	const int64_t until = clock_monotonic_ms() + WAIT_MS;
	struct rpc_counts counts;

	/* The one over the unix socket has gone by now, or will. */
	do {
		counts = rpc_process_count(c);
	} while (counts.connections > 1 && clock_monotonic_ms() < until);
	ok(counts.held < 16384, "one call holds little");
	is_int((long long)counts.connections, 1, "and there is one connection");
	is_int((long long)counts.troubles, 0, "nobody misbehaved");
}

/* What is in the file that the server passed; "none". */
static const char *
read_passed(struct rpc_client *c)
{
	static char text[16];
	const int fd = rpc_client_take_passed(c);
	ssize_t n;

	if (fd == -1)
		return "none";
	n = pread(fd, text, sizeof(text) - 1, 0);
	(void)close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static void
test_passed(struct rpc_client *c)
{
	is_str(ask(c, "Unary", "x"), "x", "a call that passes nothing");
	is_str(read_passed(c), "none", "passes nothing");
	is_str(ask(c, "Pass", "one"), "passed", "a descriptor is passed");
	is_str(read_passed(c), "one", "and is there with the answer");
	is_str(read_passed(c), "none", "once");
	is_str(ask(c, "Pass", "two"), "passed", "another");
	is_str(ask(c, "Pass", "three"), "passed", "and one more");
	is_str(read_passed(c), "three", "the last one counts");
	(void)ask(c, "Pass", "four");
}

static void
test_unix(const struct rpc_process *p, const char *directory)
{
	char path[256], wanted[32];
	struct rpc_client_options o = { .path = path, .connect_ms = WAIT_MS };
	struct rpc_client *c;
	struct error e;

	(void)p;
	(void)snprintf(path, sizeof(path), "%s/rpc", directory);
	(void)snprintf(wanted, sizeof(wanted), "local %u", geteuid());
	c = rpc_client_open(&o, &e);
	ok(c != NULL, "a unix socket");
	if (c != NULL) {
		is_str(ask(c, "Peer", ""), wanted, "who it is, by the kernel");
		test_passed(c);
	}
	rpc_client_close(c);
	(void)snprintf(path, sizeof(path), "%s/none", directory);
	ok(rpc_client_open(&o, &e) == NULL, "a socket that is not there");
	is_int(e.code, ERROR_TIMED_OUT, "is a dead server");
}

/* What is in flight is answered, new calls are not. */
static void
test_stop(struct rpc_process *p, struct rpc_client *c, const char *directory)
{
	struct rpc_stream *unary, *stream;
	const unsigned char *bytes;
	unsigned char *answer;
	size_t size = 0;
	struct error e = { .code = ERROR_NONE };
	char path[256];

	stream = rpc_stream_begin(c, "/test.Echo/Stream", NULL, 0, &e);
	rpc_stream_send(stream, "x", 1);
	is_int(rpc_stream_receive(stream, WAIT_MS, &bytes, &size, &e),
	    RPC_MESSAGE, "a stream that lasts");
	unary = rpc_stream_begin(c, "/test.Echo/Late", NULL, 0, &e);
	rpc_stream_send(unary, "last", 4);
	rpc_stream_half_close(unary);
	/* Its answer says that the call above has come. */
	(void)rpc_process_count(c);
	rpc_process_ask(p);
	is_int(rpc_stream_receive(stream, WAIT_MS, &bytes, &size, &e),
	    RPC_FAILED, "it is ended when the server stops");
	is_int(e.code, ERROR_UNAVAILABLE, "with the reason");
	is_str(e.text, "the server is stopping", "in words");
	is_int(rpc_stream_receive(unary, WAIT_MS, &bytes, &size, &e),
	    RPC_MESSAGE, "a call in flight is answered");
	is_int(rpc_stream_receive(unary, WAIT_MS, &bytes, &size, &e), RPC_ENDED,
	    "well");
	rpc_stream_drop(unary);
	rpc_stream_drop(stream);
	is_int(rpc_process_wait(p), 0, "then the server ends");
	(void)rpc_stream_call(c, "/test.Echo/Unary", NULL, WAIT_MS, "", 0,
	    &answer, &size, &e);
	is_int(e.code, ERROR_UNAVAILABLE, "the connection is lost");
	(void)snprintf(path, sizeof(path), "%s/rpc", directory);
	is_int(access(path, F_OK), -1, "its socket is gone");
}

/* Nobody listens: the words, and within the time. */
static void
test_dead(const struct rpc_process *p)
{
	const struct rpc_client_options o = { .host = "127.0.0.1",
		.port = p->port_text,
		.connect_ms = WAIT_MS };
	struct error e = { .code = ERROR_NONE };
	char wanted[128];

	ok(rpc_client_open(&o, &e) == NULL, "a server that is gone");
	is_int(e.code, ERROR_TIMED_OUT, "its code");
	(void)snprintf(wanted, sizeof(wanted),
	    "unable to connect to VIRM/V-IPU Controller at 127.0.0.1:%s: "
	    "context deadline exceeded\n",
	    p->port_text);
	is_int(strncmp(e.text, wanted, strlen(wanted)), 0, "its words");
}

int
main(void)
{
	struct rpc_process p;
	struct rpc_client *c;
	const char *directory = tap_directory();

	rpc_process_start(&p, NULL, directory);
	c = rpc_process_client(&p);
	test_unary(c);
	test_large(c);
	test_time(c);
	test_stream(c);
	test_many(c);
	test_unix(&p, directory);
	test_memory(c);
	test_stop(&p, c, directory);
	rpc_client_close(c);
	test_dead(&p);
	is_int(rmdir(directory), 0, "nothing is left");
	return tap_done();
}
