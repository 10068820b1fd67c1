/*
 * What instances read, through a hub and a link: no more than they have credit
 * for, to its end, and nothing that nobody reads.
 */
#include <sys/socket.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/link/link.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { LONG_MS = 20000 };

/* That the hub told. */
static int messages;

static void
hear(void *context, const struct link_hub_event *event)
{
	(void)context;
	messages += event->kind == LINK_HUB_MESSAGE;
}

static struct link_hub *
begin(int instances)
{
	struct error e = { .text = "" };
	struct link_hub *h = link_hub_new(instances, tap_directory(), NULL,
	    hear, NULL, &e);

	messages = 0;
	if (h == NULL) {
		printf("Bail out! %s\n", e.text);
		exit(1);
	}
	return h;
}

/* The hub goes on while poll(2) says that there is something to do. */
static void
pump(struct link_hub *h)
{
	struct pollfd ready = { .fd = link_hub_fd(h), .events = POLLIN };

	while (poll(&ready, 1, 0) == 1)
		link_hub_continue(h);
}

/* Both ends go on until nothing more happens; true: a message is in *m. */
static bool
settle(struct link_hub *h, struct link *l, struct link_message *m)
{
	int i, found = 0;

	for (i = 0; i < 4 && found == 0; i++) {
		pump(h);
		found = link_receive(l, m, NULL);
	}
	return found == 1;
}

static struct link *
open_process(struct link_hub *h, int instance)
{
	unsigned char secret[LINK_SECRET_BYTES] = { 0 };
	struct link_message m;
	struct link *l;

	(void)hex_parse(link_hub_secret(h), secret, sizeof(secret));
	l = link_new(link_address_connect(link_hub_address(h),
			 clock_monotonic_ms() + LONG_MS, NULL),
	    LINK_PROCESS, secret, instance);
	(void)settle(h, l, &m);
	return l;
}

/* What comes over stream 0 now; -1: its end. */
static long
take_input(struct link_hub *h, struct link *l, char *text)
{
	struct link_message m;
	long used = 0;

	while (settle(h, l, &m)) {
		if (m.kind == LINK_END_OF_STREAM)
			return -1;
		memcpy(text + used, m.body, m.size);
		used += (long)m.size;
		if (m.kind != LINK_DATA)
			return -2;
	}
	return used;
}

/* It is read at the pace of the instance, to its end. */
static void
test_input(void)
{
	static const char bytes[] = "0123456789";
	struct link_hub *h;
	struct link *l;
	char text[16] = "";
	int fds[2], file;

	h = begin(2);
	ok(pipe(fds) == 0 && write(fds[1], bytes, 6) == 6, "a pipe");
	link_hub_input(h, 1, fds[0]);
	l = open_process(h, 1);
	is_int(take_input(h, l, text), 0, "without credit nothing is read");
	link_grant(l, 0, 4);
	is_int(take_input(h, l, text), 4, "then as much as there is of it");
	link_grant(l, 0, 4);
	is_int(take_input(h, l, text), 2, "and no more than there is");
	is_int(take_input(h, l, text), 0, "until more is written");
	is_int(write(fds[1], bytes + 6, 4), 4, "which happens");
	is_int(take_input(h, l, text), 2, "again as much as it has credit");
	ok(memcmp(text, "67", 2) == 0, "in order");
	link_grant(l, 0, 4);
	is_int(take_input(h, l, text), 2, "the rest");
	(void)close(fds[1]);
	is_int(take_input(h, l, text), -1, "and the end");
	link_free(l);
	l = open_process(h, 0);
	link_grant(l, 0, LINK_BODY_MAX);
	is_int(take_input(h, l, text), 0, "another one has none");
	file = open("/dev/null", O_RDONLY);
	link_hub_input(h, 0, file);
	is_int(take_input(h, l, text), -1, "what epoll(7) refuses is read");
	is_int(fcntl(file, F_GETFD), -1, "and closed");
	link_free(l);
	link_hub_free(h);
}

/* Whoever writes learns that the instance reads no more, or is gone; another
   copy of the descriptor does no harm. */
static void
test_input_closed(bool lost)
{
	struct link_hub *h;
	struct link_message m;
	struct link *l;
	int fds[2], copy = -1;

	h = begin(1);
	ok(pipe(fds) == 0 && (copy = dup(fds[0])) != -1, "a pipe");
	link_hub_input(h, 0, fds[0]);
	l = open_process(h, 0);
	link_grant(l, 0, LINK_BODY_MAX);
	(void)settle(h, l, &m);
	if (lost)
		link_free(l);
	else
		link_send(l, LINK_INPUT_CLOSED, 0, NULL, 0);
	pump(h);
	is_int(messages, 0, "the caller is not told");
	is_int(write(fds[1], "x", 1), 1, "something is written");
	pump(h);
	is_int(read(copy, (char[2]){ 0 }, 2), 1, "the hub has not read it");
	(void)close(copy);
	is_int(write(fds[1], "x", 1), -1, "no reader is left");
	(void)close(fds[1]);
	if (!lost)
		link_free(l);
	link_hub_free(h);
}

/* Report that the program has taken so much of its input. */
static void
report_taken(struct link_hub *h, struct link *l, size_t taken)
{
	unsigned char body[sizeof(uint32_t)];
	size_t used = 0;

	link_put(body, &used, (uint32_t)taken);
	link_send(l, LINK_INPUT_TAKEN, 0, body, used);
	pump(h);
}

/* Bytes stay in the descriptor until the program has taken them; so do those
   that it never takes. */
static void
test_input_taken(int fd)
{
	struct link_hub *h;
	struct link *l;
	char text[16] = "";
	const int copy = dup(fd);

	h = begin(1);
	link_hub_input(h, 0, fd);
	l = open_process(h, 0);
	report_taken(h, l, 0);
	link_grant(l, 0, LINK_BODY_MAX);
	is_int(take_input(h, l, text), 6, "it is sent");
	is_int(take_input(h, l, text), 0, "once");
	report_taken(h, l, 7);
	report_taken(h, l, 2);
	is_int(take_input(h, l, text), 0, "and not what is left");
	link_send(l, LINK_INPUT_CLOSED, 0, NULL, 0);
	pump(h);
	memset(text, 0, sizeof(text));
	is_int(read(copy, text, sizeof(text)), 4, "that stays");
	is_str(text, "2345", "as it is");
	(void)close(copy);
	link_free(l);
	link_hub_free(h);
}

static void
test_inputs_taken(void)
{
	char path[] = "inputXXXXXX";
	int fds[2], file = -1;

	ok(pipe(fds) == 0 && write(fds[1], "012345", 6) == 6, "a pipe");
	test_input_taken(fds[0]);
	(void)close(fds[1]);
	ok(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 &&
		write(fds[1], "012345", 6) == 6,
	    "a socket");
	test_input_taken(fds[0]);
	(void)close(fds[1]);
	ok(chdir(tap_directory()) == 0 && (file = mkstemp(path)) != -1 &&
		pwrite(file, "012345", 6, 0) == 6,
	    "a file");
	test_input_taken(file);
}

int
main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	test_input();
	test_input_closed(false);
	test_input_closed(true);
	test_inputs_taken();
	return tap_done();
}
