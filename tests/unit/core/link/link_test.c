/*
 * Both ends of a link in one process: messages cut anywhere, credit, and what a
 * peer that breaks the rules is told.
 */
#include <sys/socket.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/link/link.h"
#include "tests/unit/link_util.h"
#include "tests/unit/tap.h"

enum { INSTANCE = 7, HEAD_BYTES = 8, ROUNDS = 20000 };

static const unsigned char secret[LINK_SECRET_BYTES] = "the job's secret";

struct ends {
	struct link *poprun, *process;
};

/* Both go on until neither has anything more to do. */
static void
settle(const struct ends *p)
{
	struct link_message m;
	int i;

	for (i = 0; i < 4; i++)
		if (link_receive(p->poprun, &m, NULL) == 1 ||
		    link_receive(p->process, &m, NULL) == 1)
			break;
}

static struct ends
open_over(int poprun, int process)
{
	struct ends p = {
		.poprun = link_new(poprun, LINK_POPRUN, secret, -1),
		.process = link_new(process, LINK_PROCESS, secret, INSTANCE),
	};

	settle(&p);
	return p;
}

static struct ends
open_ends(void)
{
	int fds[2];

	make_pair(fds);
	return open_over(fds[0], fds[1]);
}

static void
close_ends(struct ends *p)
{
	link_free(p->poprun);
	link_free(p->process);
}

/* The next message; false: none came. */
static bool
get(struct link *l, struct link_message *m, struct error *e)
{
	int i, found = 0;

	for (i = 0; i < 4 && found == 0; i++)
		found = link_receive(l, m, e);
	return found == 1;
}

static void
test_open(void)
{
	struct ends p = open_ends();

	ok(link_is_open(p.poprun), "poprun has the other's proof");
	ok(link_is_open(p.process), "the process has poprun's");
	is_int(link_instance(p.poprun), INSTANCE, "poprun learns which it is");
	is_int(link_events(p.poprun), POLLIN, "nothing waits to be sent");
	close_ends(&p);
}

static void
test_messages(void)
{
	struct ends p = open_ends();
	struct link_message m = { .kind = 0 };
	unsigned char body[64];
	uint32_t number = 0;
	size_t used = 0;

	link_put(body, &used, 4242);
	link_put(body, &used, (uint32_t)-1);
	memcpy(body + used, "host", 4);
	link_send(p.process, LINK_STARTED, 0, body, used + 4);
	link_send(p.process, LINK_OVER, 0, NULL, 0);
	ok(get(p.poprun, &m, NULL), "a message");
	is_int(m.kind, LINK_STARTED, "its kind");
	used = 0;
	ok(link_get(&m, &used, &number) && number == 4242, "a number");
	ok(link_get(&m, &used, &number) && (int32_t)number == -1, "a second");
	ok(m.size - used == 4 && memcmp(m.body + used, "host", 4) == 0,
	    "the rest");
	used++;
	ok(!link_get(&m, &used, &number), "no number in three bytes");
	ok(get(p.poprun, &m, NULL), "a second message");
	is_int(m.kind, LINK_OVER, "its kind");
	is_int((long long)m.size, 0, "without a body");
	link_send(p.poprun, (enum link_kind)999, 0, "x", 1);
	ok(get(p.process, &m, NULL), "one of a later ipubox");
	is_int(m.kind, 999, "is handed out: to be passed over");
	close_ends(&p);
}

/* A message behind the proof in the same read. */
static void
test_at_once(void)
{
	struct link_message m = { .kind = 0 };
	struct ends p;
	int fds[2];

	make_pair(fds);
	p.poprun = link_new(fds[0], LINK_POPRUN, secret, -1);
	p.process = link_new(fds[1], LINK_PROCESS, secret, INSTANCE);
	(void)link_receive(p.process, &m, NULL);
	(void)link_receive(p.poprun, &m, NULL);
	ok(link_is_open(p.poprun), "poprun is ready");
	link_send(p.poprun, LINK_START, 0, "start", 5);
	ok(get(p.process, &m, NULL), "what comes with its proof");
	is_int(m.kind, LINK_START, "is there");
	close_ends(&p);
}

/* The same bytes cut in two at each place, and byte by byte. */
static void
test_cut(void)
{
	unsigned char bytes[3 * HEAD_BYTES + 70] = { 0 };
	size_t cut, i, used, whole, odd = 0;
	struct link_message m = { .kind = 0 };
	struct ends p;
	int fds[2], raw, found;

	bits_put_le32(bytes, 60);
	bits_put_le32(bytes + 4, LINK_STARTED);
	memset(bytes + HEAD_BYTES, 'a', 60);
	used = HEAD_BYTES + 60;
	bits_put_le32(bytes + used + 4, LINK_OVER);
	used += HEAD_BYTES;
	bits_put_le32(bytes + used, 10);
	bits_put_le32(bytes + used + 4, LINK_ENDED);
	for (cut = 0; cut <= sizeof(bytes); cut++) {
		make_pair(fds);
		raw = dup(fds[1]);
		p = open_over(fds[0], fds[1]);
		whole = 0;
		for (i = 0; i < 3; i++) {
			if (cut == sizeof(bytes))
				break;
			if (i < 2)
				put_raw(raw, bytes + i * cut,
				    i == 0 ? cut : sizeof(bytes) - cut);
			while ((found = link_receive(p.poprun, &m, NULL)) == 1)
				whole++;
			odd += found != 0;
		}
		for (i = 0; cut == sizeof(bytes) && i < cut; i++) {
			put_raw(raw, bytes + i, 1);
			while (link_receive(p.poprun, &m, NULL) == 1)
				whole++;
		}
		odd += whole != 3 || m.kind != LINK_ENDED || m.size != 10;
		close_ends(&p);
		(void)close(raw);
	}
	is_int((long long)odd, 0, "three messages, wherever they are cut");
}

static void
test_credit(void)
{
	struct ends p = open_ends();
	struct link_message m = { .kind = 0 };
	struct error e = { .text = "" };

	is_int((long long)link_room(p.process, 1), 0, "none at first");
	link_grant(p.poprun, 1, 10);
	link_grant(p.process, 0, LINK_BODY_MAX + 5);
	is_int(link_receive(p.process, &m, NULL), 0, "credit is no message");
	(void)link_receive(p.process, &m, NULL);
	(void)link_receive(p.poprun, &m, NULL);
	is_int((long long)link_room(p.process, 1), 10, "ten bytes");
	is_int((long long)link_room(p.process, 2), 0, "of that stream");
	is_int((long long)link_room(p.poprun, 0), LINK_BODY_MAX,
	    "as much as a message holds");
	link_send_data(p.process, 1, "0123456789", 10);
	is_int((long long)link_room(p.process, 1), 0, "all of it is used");
	link_send(p.process, LINK_STARTED, 0, NULL, 0);
	ok(get(p.poprun, &m, NULL) && m.kind == LINK_DATA && m.stream == 1 &&
		m.size == 10 && memcmp(m.body, "0123456789", 10) == 0,
	    "data");
	ok(get(p.poprun, &m, NULL) && m.kind == LINK_STARTED,
	    "messages need none");
	link_send(p.process, LINK_DATA, 1, "x", 1);
	is_int(end_of(p.poprun, &e), ERROR_INVALID, "a byte too many");
	is_str(e.text,
	    "the other end breaks the rules of the link: more data than it has "
	    "credit for in stream 1",
	    "the reason");
	is_int((long long)link_room(p.poprun, 0), 0, "and no room any more");
	link_send(p.poprun, LINK_RELEASE, 0, NULL, 0);
	close_ends(&p);
}

/* What breaks the rules, after ten bytes of credit for streams 1 and 0. */
static void
test_rules(void)
{
	static const struct {
		bool to_poprun;
		uint32_t size, kind, stream;
		const char *body, *what;
	} rows[] = {
		{ true, 11, LINK_DATA, 1, "0123456789a",
		    "more data than it has credit for in stream 1" },
		{ true, 1, LINK_DATA, 2, "0",
		    "more data than it has credit for in stream 2" },
		{ true, 1, LINK_DATA, 0, "0", "unknown stream 0" },
		{ true, 1, LINK_DATA, 3, "0", "unknown stream 3" },
		{ true, 0, LINK_END_OF_STREAM, 65535, "",
		    "unknown stream 65535" },
		{ true, 4, LINK_CREDIT, 1, "\1\0\0\0", "unknown stream 1" },
		{ true, 3, LINK_CREDIT, 0, "\1\0\0",
		    "impossible credit for stream 0" },
		{ true, 4, LINK_CREDIT, 0, "\1\0\0\x40",
		    "impossible credit for stream 0" },
		{ false, 1, LINK_DATA, 1, "0", "unknown stream 1" },
		{ false, 4, LINK_CREDIT, 1, "\xff\xff\xff\xff",
		    "impossible credit for stream 1" },
		{ false, LINK_BODY_MAX + 1, LINK_START, 0, "",
		    "a message of 65537 bytes" },
		{ true, UINT_MAX, 999, 999, "",
		    "a message of 4294967295 bytes" },
	};
	unsigned char head[HEAD_BYTES];
	char text[128];
	struct error e = { .text = "" };
	struct ends p;
	size_t i;
	int fds[2], raws[2];

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		make_pair(fds);
		raws[0] = dup(fds[0]);
		raws[1] = dup(fds[1]);
		p = open_over(fds[0], fds[1]);
		link_grant(p.poprun, 1, 10);
		link_grant(p.process, 0, 10);
		settle(&p);
		bits_put_le32(head, rows[i].size);
		bits_put_le32(head + 4, rows[i].kind | rows[i].stream << 16);
		put_raw(raws[rows[i].to_poprun], head, sizeof(head));
		if (rows[i].body[0] != '\0' || rows[i].size < 16)
			put_raw(raws[rows[i].to_poprun], rows[i].body,
			    rows[i].size);
		is_int(end_of(rows[i].to_poprun ? p.poprun : p.process, &e),
		    ERROR_INVALID, rows[i].what);
		(void)snprintf(text, sizeof(text),
		    "the other end breaks the rules of the link: %s",
		    rows[i].what);
		is_str(e.text, text, "the reason");
		close_ends(&p);
		(void)close(raws[0]);
		(void)close(raws[1]);
	}
}

static void
test_end_of_stream(void)
{
	struct ends p = open_ends();
	struct link_message m = { .kind = 0 };
	struct error e = { .text = "" };

	link_grant(p.poprun, 2, 10);
	settle(&p);
	link_send_data(p.process, 2, "abc", 3);
	link_send(p.process, LINK_END_OF_STREAM, 2, NULL, 0);
	ok(get(p.poprun, &m, NULL) && m.kind == LINK_DATA, "data");
	ok(get(p.poprun, &m, NULL) && m.kind == LINK_END_OF_STREAM &&
		m.stream == 2,
	    "and their end");
	link_send_data(p.process, 2, "d", 1);
	is_int(end_of(p.poprun, &e), ERROR_INVALID, "nothing follows it");
	is_str(e.text,
	    "the other end breaks the rules of the link: more data after the "
	    "end of stream 2",
	    "the reason");
	close_ends(&p);
}

/* What was sent before the end is received, in whole messages. */
static void
test_gone(void)
{
	struct ends p = open_ends();
	struct link_message m = { .kind = 0 };
	struct error e = { .text = "" };

	link_send(p.poprun, LINK_START, 0, "unread", 6);
	link_send(p.process, LINK_ENDED, 0, "12345678", 8);
	link_free(p.process);
	link_send(p.poprun, LINK_RELEASE, 0, NULL, 0);
	ok(get(p.poprun, &m, NULL) && m.kind == LINK_ENDED, "its last word");
	is_int(end_of(p.poprun, &e), ERROR_UNAVAILABLE, "then its end");
	link_free(p.poprun);

	p = open_ends();
	put_raw(link_fd(p.process), "\4\0\0\0\x0a\0\0\0ab", 10);
	link_free(p.process);
	is_int(end_of(p.poprun, &e), ERROR_UNAVAILABLE, "a part is not");
	is_str(e.text, "the other end has gone in the middle of a message",
	    "the reason");
	link_free(p.poprun);
}

/* The other end takes nothing: data stop early, messages at a limit. */
static void
test_not_read(void)
{
	static unsigned char data[LINK_BODY_MAX];
	struct ends p = open_ends();
	struct error e = { .text = "" };
	size_t sent = 0, room, messages = 0;

	link_grant(p.poprun, 1, 64 * 1024 * 1024);
	settle(&p);
	while ((room = link_room(p.process, 1)) > 0) {
		link_send_data(p.process, 1, data, room);
		sent += room;
	}
	ok(sent > 0 && sent < 4 * 1024 * 1024, "the credit is not used up");
	ok(!link_is_flushed(p.process), "some of it waits");
	is_int(link_events(p.process), POLLIN | POLLOUT, "to be sent");
	while (messages < 1000 && link_events(p.process) != POLLIN &&
	    !link_is_flushed(p.process)) {
		link_send(p.process, LINK_STARTED, 0, data, sizeof(data));
		messages++;
	}
	ok(messages > 4 && messages < 1000, "messages go on for a while");
	is_int(end_of(p.process, &e), ERROR_UNAVAILABLE, "then it is given up");
	is_str(e.text, "the other end reads nothing", "the reason");
	close_ends(&p);
}

/* A generator of our own, so that a failure comes again. */
static unsigned
draw(unsigned *state, unsigned below)
{
	*state = *state * 1103515245 + 12345;
	return *state / 65536 % below;
}

/*
 * Both ways at once, in pieces of any size, over a socket that holds little:
 * every byte comes, in order, and no message is lost among them.
 */
static void
test_random(int fds[2], const char *name)
{
	static unsigned char data[LINK_BODY_MAX];
	struct ends p = open_over(fds[0], fds[1]);
	struct link *ends[2] = { p.poprun, p.process };
	const int streams[2] = { 0, 1 };
	struct link_message m;
	size_t sent[2] = { 0, 0 }, got[2] = { 0, 0 };
	size_t messages[2] = { 0, 0 }, heard[2] = { 0, 0 };
	size_t room, i, wrong_bytes = 0;
	unsigned state = 1;
	int round, who, found;

	link_grant(p.poprun, 1, 200000);
	link_grant(p.process, 0, 200000);
	for (round = 0; round < ROUNDS; round++) {
		who = (int)draw(&state, 2);
		room = round < ROUNDS - 2000 ?
		    link_room(ends[who], streams[who]) :
		    0;
		if (room > 0 && draw(&state, 2) == 0) {
			room = draw(&state, (unsigned)room) + 1;
			for (i = 0; i < room; i++)
				data[i] =
				    (unsigned char)((sent[who] + i) % 251);
			link_send_data(ends[who], streams[who], data, room);
			sent[who] += room;
		}
		if (room > 0 && draw(&state, 4) == 0) {
			link_send(ends[who], LINK_WINDOW_SIZE, 0, data,
			    draw(&state, 3000));
			messages[who]++;
		}
		who = (int)draw(&state, 2);
		found = link_receive(ends[who], &m, NULL);
		wrong_bytes += found == -1;
		if (found != 1)
			continue;
		if (m.kind == LINK_DATA) {
			for (i = 0; i < m.size; i++)
				wrong_bytes += m.body[i] !=
				    (got[1 - who] + i) % 251;
			got[1 - who] += m.size;
			link_grant(ends[who], streams[1 - who], m.size);
		} else
			heard[1 - who]++;
	}
	ok(sent[0] > 1000000 && sent[1] > 1000000, name);
	is_int((long long)wrong_bytes, 0, "every byte in its place");
	is_int((long long)got[0], (long long)sent[0], "all that poprun sent");
	is_int((long long)got[1], (long long)sent[1], "all of the process");
	is_int((long long)heard[0], (long long)messages[0], "its messages");
	is_int((long long)heard[1], (long long)messages[1], "the others");
	close_ends(&p);
}

static void
make_tcp_pair(int fds[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	const int listener = socket(AF_INET, SOCK_STREAM, 0);

	fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&a, &size) != 0 ||
	    connect(fds[0], (struct sockaddr *)&a, size) != 0 ||
	    (fds[1] = accept(listener, NULL, NULL)) == -1) {
		perror("a connection on the loopback");
		exit(1);
	}
	(void)close(listener);
}

/* The proof goes to and fro over the network: each end waits for the other. */
static void
test_tcp(void)
{
	struct pollfd ready[2];
	struct link_message m;
	struct ends p;
	int fds[2], on = 0;
	socklen_t size = sizeof(on);

	make_tcp_pair(fds);
	p.poprun = link_new(fds[0], LINK_POPRUN, secret, -1);
	p.process = link_new(fds[1], LINK_PROCESS, secret, INSTANCE);
	while (!link_is_open(p.poprun) || !link_is_open(p.process)) {
		ready[0] = (struct pollfd){ .fd = fds[0], .events = POLLIN };
		ready[1] = (struct pollfd){ .fd = fds[1], .events = POLLIN };
		if (poll(ready, 2, 20000) <= 0)
			break;
		if (ready[0].revents != 0)
			(void)link_receive(p.poprun, &m, NULL);
		if (ready[1].revents != 0)
			(void)link_receive(p.process, &m, NULL);
	}
	ok(link_is_open(p.poprun) && link_is_open(p.process), "over TCP");
	(void)getsockopt(fds[0], IPPROTO_TCP, TCP_NODELAY, &on, &size);
	is_int(on, 1, "small messages go at once");
	close_ends(&p);
}

int
main(void)
{
	int fds[2];
	const int little = 4096;

	test_open();
	test_messages();
	test_at_once();
	test_cut();
	test_credit();
	test_rules();
	test_end_of_stream();
	test_gone();
	test_not_read();
	make_pair(fds);
	test_random(fds, "both ways");
	make_pair(fds);
	(void)setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &little,
	    sizeof(little));
	(void)setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &little,
	    sizeof(little));
	test_random(fds, "through a narrow socket");
	test_tcp();
	return tap_done();
}
