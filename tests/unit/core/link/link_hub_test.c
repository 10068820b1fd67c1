/*
 * All links of a job, both ends in one process: who is let in, what becomes of
 * what the instances write, and how much of it waits at most.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/link/link_internal.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum {
	SILENT = 400,
	LONG_MS = 20000,
	MANY = 200,
	PIPE_BYTES = 64 * 1024,
	/* What a stream may hold: its window, the pipe, the socket. */
	HELD_MAX = 1024 * 1024,
	MUCH = 50 * 1024 * 1024
};

/* Where hubs listen: as link_hub_new(). */
static const struct link_reach *reach;

/* What a hub told last, and how often. */
struct heard {
	struct link_hub *hub;
	int opened, messages, lost;
	int instance, kind;
	uint32_t number;
	enum error_code code;
	char reason[1024];
};

static void
hear(void *context, const struct link_hub_event *event)
{
	struct heard *h = context;
	size_t used = 0;

	h->instance = event->instance;
	if (event->kind == LINK_HUB_OPEN)
		h->opened++;
	if (event->kind == LINK_HUB_MESSAGE) {
		h->messages++;
		h->kind = event->message->kind;
		(void)link_get(event->message, &used, &h->number);
	}
	if (event->kind == LINK_HUB_LOST) {
		h->lost++;
		h->code = event->reason->code;
		(void)snprintf(h->reason, sizeof(h->reason), "%s",
		    event->reason->text);
	}
}

static void
begin(struct heard *h, int instances)
{
	struct error e = { .text = "" };

	memset(h, 0, sizeof(*h));
	h->hub = link_hub_new(instances, tap_directory(), reach, hear, h, &e);
	if (h->hub == NULL) {
		printf("Bail out! %s\n", e.text);
		exit(1);
	}
}

/* The hub goes on while poll(2) says that there is something to do. */
static void
pump(const struct heard *h)
{
	struct pollfd ready = { .fd = link_hub_fd(h->hub), .events = POLLIN };

	while (poll(&ready, 1, 0) == 1)
		link_hub_continue(h->hub);
}

static int
dial(const struct heard *h)
{
	struct error e = { .text = "" };
	const int fd = link_address_connect(link_hub_address(h->hub),
	    clock_monotonic_ms() + LONG_MS, &e);

	is_str(e.text, "", "connected");
	return fd;
}

static struct link *
new_process(const struct heard *h, int instance)
{
	unsigned char secret[LINK_SECRET_BYTES] = { 0 };

	(void)hex_parse(link_hub_secret(h->hub), secret, sizeof(secret));
	return link_new(dial(h), LINK_PROCESS, secret, instance);
}

/* Both ends go on until nothing more happens; true: a message is in *m. */
static bool
settle(const struct heard *h, struct link *l, struct link_message *m)
{
	int i, found = 0;

	for (i = 0; i < 4 && found == 0; i++) {
		pump(h);
		found = link_receive(l, m, NULL);
	}
	return found == 1;
}

static struct link *
open_process(const struct heard *h, int instance)
{
	struct link *l = new_process(h, instance);
	struct link_message m;

	(void)settle(h, l, &m);
	return l;
}

/* What can be read of a pipe now; -1: its end. */
static long
read_some(int fd, char *bytes, size_t size)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	ssize_t n;

	if (poll(&ready, 1, 0) != 1)
		return 0;
	n = read(fd, bytes, size);
	return n == 0 ? -1 : (long)n;
}

static void
send_text(struct link *l, int stream, const char *text)
{
	link_send_data(l, stream, text, strlen(text));
}

static void
test_messages(void)
{
	struct heard h;
	struct link_message m = { .kind = 0 };
	struct link *a, *b;
	unsigned char body[4];
	size_t used = 0;
	struct stat st;
	char *path;

	begin(&h, 2);
	ok(strncmp(link_hub_address(h.hub),
	       reach == NULL ? "unix:/" : "tcp:", reach == NULL ? 6 : 4) == 0,
	    "an address");
	is_int((long long)strlen(link_hub_secret(h.hub)), 2 * LINK_SECRET_BYTES,
	    "a secret");
	a = open_process(&h, 1);
	ok(link_is_open(a), "a process is let in");
	is_int(h.opened, 1, "which is told");
	is_int(h.instance, 1, "with its instance");
	b = open_process(&h, 0);
	link_put(body, &used, 4711);
	link_send(a, LINK_STARTED, 0, body, used);
	link_send(a, LINK_RELEASE, 0, NULL, 0);
	link_send(a, (enum link_kind)999, 0, NULL, 0);
	pump(&h);
	is_int(h.messages, 2, "messages, but those that are not for poprun");
	is_int(h.kind, 999, "those of a later ipubox among them");
	is_int(h.number, 4711, "their bodies too");
	link_hub_send(h.hub, 1, LINK_SIGNAL, body, used);
	link_hub_send(h.hub, -1, LINK_RELEASE, NULL, 0);
	ok(settle(&h, a, &m) && m.kind == LINK_SIGNAL, "to one");
	ok(settle(&h, a, &m) && m.kind == LINK_RELEASE, "to all: to this one");
	ok(settle(&h, b, &m) && m.kind == LINK_RELEASE, "and to that one");
	link_free(a);
	pump(&h);
	is_int(h.lost, 1, "one has gone");
	is_int(h.instance, 1, "the right one");
	is_str(h.reason, "the other end has gone", "its reason");
	link_hub_send(h.hub, -1, LINK_RELEASE, NULL, 0);
	ok(settle(&h, b, &m) && m.kind == LINK_RELEASE, "the other hears on");
	path = xstrdup(link_hub_address(h.hub) + strlen("unix:"));
	if (reach == NULL)
		is_int(stat(path, &st), 0, "the socket is there");
	link_hub_free(h.hub);
	is_int(stat(path, &st), -1, "until the hub is gone");
	link_free(b);
	free(path);
}

/* Who is not let in, and that others are none the worse for it. */
static void
test_refused(void)
{
	static const unsigned char wrong[LINK_SECRET_BYTES] = "wrong";
	struct heard h;
	struct link_message m = { .kind = 0 };
	struct link *stranger, *first, *second, *beyond;
	int noise;

	begin(&h, 3);
	stranger = link_new(dial(&h), LINK_PROCESS, wrong, 0);
	noise = dial(&h);
	(void)!write(noise, "GET / HTTP/1.1\r\n\r\n", 18);
	first = open_process(&h, 0);
	(void)settle(&h, stranger, &m);
	ok(!link_is_open(stranger), "one with another secret");
	is_int(link_receive(stranger, &m, NULL), -1, "is sent away");
	while (read(noise, (char[64]){ 0 }, 64) > 0)
		continue;
	is_int(read(noise, (char[64]){ 0 }, 64), 0, "and noise is");
	is_int(h.opened, 1, "the right one is let in");
	second = open_process(&h, 0);
	is_int(link_receive(second, &m, NULL), -1, "the same instance again");
	beyond = open_process(&h, 3);
	is_int(link_receive(beyond, &m, NULL), -1, "one too many");
	link_free(beyond);
	beyond = open_process(&h, -2);
	is_int(link_receive(beyond, &m, NULL), -1, "a negative one");
	is_int(h.opened, 1, "nobody else is let in");
	is_int(h.lost, 0, "and nobody is lost");
	link_hub_send(h.hub, -1, LINK_START, NULL, 0);
	ok(settle(&h, first, &m) && m.kind == LINK_START, "the first counts");
	link_free(first);
	pump(&h);
	is_int(h.lost, 1, "the first has gone");
	link_free(second);
	second = open_process(&h, 0);
	is_int(link_receive(second, &m, NULL), -1, "none takes its place");
	link_free(stranger);
	link_free(second);
	link_free(beyond);
	(void)close(noise);
	link_hub_free(h.hub);
}

/* A process that breaks the rules behind its proof is lost, with a reason. */
static void
test_garbage(void)
{
	struct heard h;
	struct link *l;

	begin(&h, 1);
	l = open_process(&h, 0);
	(void)!write(link_fd(l), "GET / HTTP/1.1\r\n\r\n", 18);
	pump(&h);
	is_int(h.lost, 1, "garbage ends a link");
	is_int(h.code, ERROR_INVALID, "its code");
	is_str(h.reason,
	    "the other end breaks the rules of the link: a message of "
	    "542393671 bytes",
	    "its reason");
	link_free(l);
	link_hub_free(h.hub);
}

static void
test_outputs(void)
{
	struct heard h;
	struct link_message m;
	struct link *l, *gone;
	char text[16] = "";
	int out, err, late;

	begin(&h, 2);
	out = link_hub_output(h.hub, 0, 1);
	l = open_process(&h, 0);
	ok(link_room(l, 1) > 0, "a stream with a pipe may send");
	is_int((long long)link_room(l, 2), 0, "one without may not");
	err = link_hub_output(h.hub, 0, 2);
	(void)settle(&h, l, &m);
	ok(link_room(l, 2) > 0, "until it has one");
	is_int(fcntl(out, F_GETFD), FD_CLOEXEC, "close-on-exec");
	is_int(fcntl(out, F_GETFL) & O_NONBLOCK, 0, "and blocking");
	send_text(l, 1, "out");
	send_text(l, 2, "error");
	pump(&h);
	is_int(read_some(out, text, sizeof(text)), 3, "what is written");
	ok(memcmp(text, "out", 3) == 0, "comes out of the pipe");
	is_int(read_some(err, text, sizeof(text)), 5, "of its own stream");
	is_int(read_some(out, text, sizeof(text)), 0, "no end yet");
	link_send(l, LINK_END_OF_STREAM, 1, NULL, 0);
	pump(&h);
	is_int(read_some(out, text, sizeof(text)), -1, "the stream's end");
	is_int(read_some(err, text, sizeof(text)), 0, "not the other's");
	link_free(l);
	pump(&h);
	is_int(read_some(err, text, sizeof(text)), -1, "the link's end");
	gone = open_process(&h, 1);
	link_free(gone);
	pump(&h);
	late = link_hub_output(h.hub, 1, 1);
	is_int(read_some(late, text, sizeof(text)), -1,
	    "asked for when it is gone: the end at once");
	(void)close(late);
	(void)close(out);
	(void)close(err);
	link_hub_free(h.hub);
}

static size_t
fill(struct link *l, int stream, size_t sent, size_t limit)
{
	static unsigned char data[LINK_BODY_MAX];
	size_t i, room, total = 0;

	while ((room = link_room(l, stream)) > 0 && total < limit) {
		room = room < limit - total ? room : limit - total;
		for (i = 0; i < room; i++)
			data[i] = (unsigned char)((sent + total + i) % 251);
		link_send_data(l, stream, data, room);
		total += room;
	}
	return total;
}

/*
 * Far more than is ever held goes through, in order, however slowly it is read;
 * and a message does not wait for it.
 */
static void
test_slow_reader(void)
{
	struct heard h;
	struct link_message m;
	struct link *l;
	static char bytes[PIPE_BYTES];
	size_t sent = 0, got = 0, held = 0, odd = 0;
	long i, n;
	int out;

	begin(&h, 1);
	out = link_hub_output(h.hub, 0, 1);
	l = open_process(&h, 0);
	for (i = 0; i < 100; i++) {
		sent += fill(l, 1, sent, MUCH);
		(void)settle(&h, l, &m);
	}
	ok(sent > PIPE_BYTES && sent <= HELD_MAX, "nobody reads: it stops");
	link_send(l, LINK_STARTED, 0, NULL, 0);
	(void)settle(&h, l, &m);
	is_int(h.messages, 1, "a message passes all the same");
	while (got < MUCH) {
		n = read_some(out, bytes, sizeof(bytes));
		if (n <= 0 && held == got)
			break;
		held = got;
		for (i = 0; i < n; i++)
			odd += (unsigned char)bytes[i] !=
			    (got + (size_t)i) % 251;
		got += (size_t)n;
		sent += fill(l, 1, sent, MUCH - sent);
		odd += sent - got > HELD_MAX;
		(void)settle(&h, l, &m);
	}
	is_int((long long)got, MUCH, "everything comes");
	is_int((long long)odd, 0, "in order, and little of it waits");
	link_free(l);
	(void)close(out);
	link_hub_free(h.hub);
}

/* What waits for room in the pipe is not lost with the link. */
static void
test_lost_full(void)
{
	struct heard h;
	struct link_message m;
	struct link *l;
	static char bytes[HELD_MAX];
	size_t sent = 0, got = 0;
	long i, n = 0;
	int out;

	begin(&h, 1);
	out = link_hub_output(h.hub, 0, 1);
	l = open_process(&h, 0);
	for (i = 0; i < 8; i++) {
		sent += fill(l, 1, sent, MUCH);
		(void)settle(&h, l, &m);
	}
	ok(sent > PIPE_BYTES, "more than the pipe holds");
	link_free(l);
	pump(&h);
	is_int(h.lost, 1, "the link is lost");
	for (i = 0; i < 1000 && n != -1; i++) {
		got += (size_t)n;
		n = read_some(out, bytes, sizeof(bytes));
		pump(&h);
	}
	is_int(n, -1, "the pipe ends");
	is_int((long long)got, (long long)sent, "after everything");
	(void)close(out);
	link_hub_free(h.hub);
}

/* Nobody wants it any more: the instance is not held up. */
static void
test_no_reader(void)
{
	struct heard h;
	struct link_message m;
	struct link *l;
	size_t sent = 0;
	int i, out;

	begin(&h, 1);
	out = link_hub_output(h.hub, 0, 1);
	l = open_process(&h, 0);
	for (i = 0; i < 8; i++) {
		sent += fill(l, 1, sent, MUCH);
		(void)settle(&h, l, &m);
	}
	(void)close(out);
	for (i = 0; i < 10000 && sent < MUCH; i++) {
		sent += fill(l, 1, sent, MUCH - sent);
		(void)settle(&h, l, &m);
	}
	is_int((long long)sent, MUCH, "it writes on, for nobody");
	is_int(h.lost, 0, "and stays");
	link_free(l);
	link_hub_free(h.hub);
}

/* All connect, and then prove themselves. */
static void
test_many(void)
{
	struct heard h;
	struct link_message m;
	struct link *l[MANY];
	char text[16];
	int out[MANY], i, round, odd = 0;

	begin(&h, MANY);
	for (i = 0; i < MANY; i++) {
		l[i] = new_process(&h, i);
		/* Systems let 128 wait, and more. */
		if (i == MANY / 2)
			pump(&h);
		out[i] = link_hub_output(h.hub, i, 1);
	}
	for (round = 0; round < 4; round++) {
		pump(&h);
		for (i = 0; i < MANY; i++)
			odd += link_receive(l[i], &m, NULL) != 0;
	}
	is_int(h.opened, MANY, "all are there");
	for (i = 0; i < MANY; i++) {
		(void)snprintf(text, sizeof(text), "%d", i);
		send_text(l[i], 1, text);
		link_send(l[i], LINK_ENDED, 0, NULL, 0);
	}
	pump(&h);
	is_int(h.messages, MANY, "all say something");
	for (i = 0; i < MANY; i++) {
		memset(text, 0, sizeof(text));
		odd += read_some(out[i], text, sizeof(text) - 1) < 1 ||
		    text[0] !=
			'0' +
			    i /
				(i > 99	      ? 100 :
					i > 9 ? 10 :
						1);
		link_free(l[i]);
		(void)close(out[i]);
	}
	pump(&h);
	is_int(odd, 0, "each in its own pipe");
	is_int(h.lost, MANY, "all have gone");
	link_hub_free(h.hub);
}

/* Whether the hub has not closed it. */
static bool
is_open(int fd)
{
	char hello[64];
	ssize_t n;

	do {
		n = recv(fd, hello, sizeof(hello), MSG_DONTWAIT);
	} while (n > 0);
	return n == -1 && errno == EAGAIN;
}

/* Connections that say nothing: they end in time, and hold nobody up. */
static void
test_silent(void)
{
	struct heard h;
	struct link_message m;
	struct link *l[2];
	int silent[SILENT], i, open = 0;
	const int64_t now = clock_monotonic_ms();

	begin(&h, 2);
	for (i = 0; i < SILENT; i++)
		silent[i] = dial(&h);
	for (i = 0; i < 2; i++) {
		l[i] = new_process(&h, i);
		while (h.opened == i)
			(void)settle(&h, l[i], &m);
	}
	is_int(h.opened, 2, "the processes are let in");
	for (i = 0; i < SILENT; i++)
		open += is_open(silent[i]);
	is_int(open, LINK_HUB_GUESTS + 1, "as many as have places stay");
	link_hub_expire(h.hub, now + LINK_HUB_GUEST_MS - 1);
	ok(is_open(silent[SILENT - 1]), "for their time");
	link_hub_expire(h.hub, clock_monotonic_ms() + LINK_HUB_GUEST_MS);
	for (i = 0, open = 0; i < SILENT; i++) {
		open += is_open(silent[i]);
		(void)close(silent[i]);
	}
	is_int(open, 0, "then they are closed");
	for (i = 0; i < 2; i++)
		link_free(l[i]);
	link_hub_free(h.hub);
}

/* A process that is forked while the hub is there leaves it alone. */
static void
test_forget(void)
{
	struct heard h;
	struct link_message m;
	struct link *l;
	char text[16];
	pid_t pid;
	int out;

	begin(&h, 1);
	out = link_hub_output(h.hub, 0, 1);
	l = open_process(&h, 0);
	(void)fill(l, 1, 0, MUCH);
	(void)settle(&h, l, &m);
	pid = fork();
	if (pid == 0) {
		link_hub_forget(h.hub);
		_exit(0);
	}
	(void)waitpid(pid, NULL, 0);
	while (read_some(out, text, sizeof(text)) > 0)
		pump(&h);
	link_hub_send(h.hub, 0, LINK_START, NULL, 0);
	ok(settle(&h, l, &m) && m.kind == LINK_START, "messages go on");
	(void)settle(&h, l, &m);
	ok(link_room(l, 1) > 0, "and so do streams");
	is_int(access(link_hub_address(h.hub) + strlen("unix:"), F_OK), 0,
	    "the socket is still there");
	link_free(l);
	(void)close(out);
	link_hub_free(h.hub);
}

int
main(void)
{
	const struct link_reach loop = { .address = "127.0.0.1" };

	(void)signal(SIGPIPE, SIG_IGN);
	test_messages();
	test_refused();
	test_garbage();
	test_outputs();
	test_slow_reader();
	test_lost_full();
	test_no_reader();
	test_many();
	test_silent();
	test_forget();
	reach = &loop;
	test_messages();
	test_refused();
	test_garbage();
	test_outputs();
	test_lost_full();
	test_many();
	is_int(rmdir(tap_directory()), 0, "no socket is left");
	return tap_done();
}
