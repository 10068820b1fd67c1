/* Who leaves when more connections come than have places. */
#include "core/link/link_internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { PLACES = 8, STRANGERS = 400 };

static const unsigned char secret[LINK_SECRET_BYTES];

/* A connection from that address of this host. */
static int
dial_from(const char *address, int port)
{
	struct sockaddr_in from = { .sin_family = AF_INET };
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (inet_pton(AF_INET, address, &from.sin_addr) != 1 ||
	    bind(fd, (const struct sockaddr *)&from, sizeof(from)) != 0 ||
	    connect(fd, (const struct sockaddr *)&to, sizeof(to)) != 0)
		abort();
	return fd;
}

/* Our end of one, with the other end in *far. */
static int
connect_from(const char *address, int listener, int port, int *far)
{
	struct pollfd ready = { .fd = listener, .events = POLLIN };

	*far = dial_from(address, port);
	return poll(&ready, 1, -1) == 1 ? accept(listener, NULL, NULL) : -1;
}

/* As the hub does it. */
static struct link_guest *
let_in(struct link_guests *g, int fd, int64_t now_ms)
{
	struct link_guest *leaving = link_guests_leaving(g);

	if (leaving != NULL) {
		link_free(leaving->link);
		link_guests_remove(g, leaving);
	}
	return link_guests_add(g, fd, secret, now_ms);
}

static void
ignore(void *context, const struct link_hub_event *event)
{
	(void)context;
	(void)event;
}

static void
count_opened(void *context, const struct link_hub_event *event)
{
	*(int *)context += event->kind == LINK_HUB_OPEN;
}

static void
pump(struct link_hub *h)
{
	struct pollfd ready = { .fd = link_hub_fd(h), .events = POLLIN };

	while (poll(&ready, 1, 0) == 1)
		link_hub_continue(h);
}

/* A process that is slow to prove itself keeps its place, although 400 silent
   connections of its address follow.  A machine that stands still for 100 ms
   in between takes it away, so it is tried again. */
static void
test_slow(void)
{
	const struct link_reach reach = { .address = "127.0.0.1" };
	struct error e = { .text = "" };
	int opened = 0, port, tries, i, fd, silent[STRANGERS];
	struct link_hub *h = link_hub_new(1, NULL, &reach, count_opened,
	    &opened, &e);
	unsigned char key[LINK_SECRET_BYTES];
	struct link_message m;
	struct link *l;

	if (h == NULL || sscanf(link_hub_address(h), "tcp:%d", &port) != 1 ||
	    hex_parse(link_hub_secret(h), key, sizeof(key)) != 0)
		abort();
	for (tries = 0; tries < 20 && opened == 0; tries++) {
		fd = dial_from("127.0.0.1", port);
		for (i = 0; i < STRANGERS; i++)
			silent[i] = dial_from("127.0.0.1", port);
		pump(h);
		l = link_new(fd, LINK_PROCESS, key, 0);
		(void)link_receive(l, &m, NULL);
		pump(h);
		link_free(l);
		for (i = 0; i < STRANGERS; i++)
			(void)close(silent[i]);
		pump(h);
	}
	is_int(opened, 1, "a slow one is let in");
	link_hub_free(h);
}

/* A hub whose hosts are all in one network. */
static void
test_network(void)
{
	const struct network own = { .subnet = "127.1.0.0/16" };
	const struct link_reach reach = { .address = "127.0.0.1",
		.only = &own };
	struct error e = { .text = "" };
	struct link_hub *h = link_hub_new(1, NULL, &reach, ignore, NULL, &e);
	struct pollfd ready = { .events = POLLIN };
	char hello[64];
	int far[2], port, i;

	if (h == NULL)
		abort();
	for (i = 0; i < 2; i++) {
		ready.fd = link_hub_fd(h);
		if (sscanf(link_hub_address(h), "tcp:%d", &port) != 1)
			abort();
		far[i] = dial_from(i == 0 ? "127.0.0.2" : "127.1.0.2", port);
		while (poll(&ready, 1, 0) == 1)
			link_hub_continue(h);
		ready.fd = far[i];
		is_int(poll(&ready, 1, -1), 1, "something comes");
		is_int(recv(far[i], hello, sizeof(hello), 0) > 0, i,
		    "a greeting for those of the network alone");
		(void)close(far[i]);
	}
	link_hub_free(h);
}

int
main(void)
{
	struct link_guests g;
	const struct link *first, *last = NULL;
	int port, i, far[STRANGERS + 1];
	const int listener = link_address_listen_tcp("127.0.0.1", 0, &port,
	    NULL);

	link_guests_init(&g, PLACES);
	is_int(link_guests_next_ms(&g), 0, "no guests");
	first = let_in(&g, connect_from("127.0.0.2", listener, port, &far[0]),
	    1)
		    ->link;
	ok(link_guests_leaving(&g) == NULL, "there are places");
	for (i = 1; i <= STRANGERS; i++)
		last = let_in(&g,
		    connect_from("127.0.0.3", listener, port, &far[i]), i + 1)
			   ->link;
	is_int((int)g.count, PLACES, "no more guests than places");
	for (i = 0; i < PLACES; i++) {
		first = g.all[i].link == first ? NULL : first;
		last = g.all[i].link == last ? NULL : last;
	}
	ok(first == NULL, "one from another address has stayed");
	ok(last == NULL, "and the last one of the many");
	is_int(link_guests_leaving(&g)->until_ms,
	    STRANGERS + 1 - (PLACES - 2) + LINK_HUB_GUEST_MS,
	    "the oldest one of the many leaves next");
	i = STRANGERS + 1 - (PLACES - 2) + LINK_HUB_STAY_MS;
	is_int(link_guests_full_ms(&g, i - 1), i, "after some time");
	is_int(link_guests_full_ms(&g, i), 0, "then at once");
	is_int(link_guests_next_ms(&g), 1 + LINK_HUB_GUEST_MS,
	    "the first one's time is over first");
	ok(link_guests_late(&g, LINK_HUB_GUEST_MS) == NULL, "but not yet");
	ok(link_guests_late(&g, 1 + LINK_HUB_GUEST_MS) != NULL, "then it is");
	link_guests_release(&g);
	test_network();
	test_slow();
	for (i = 0; i <= STRANGERS; i++)
		(void)close(far[i]);
	(void)close(listener);
	return tap_done();
}
