/*
 * Connecting within a time limit, on the loopback alone.
 */
#include <sys/socket.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { QUEUE = 8, SHORT_MS = 100, LONG_MS = 20000 };

/* A socket at a free port of 127.0.0.1, and the port as text. */
static int
bound(char port[8])
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd == -1 || bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) != 0) {
		perror("a socket of the loopback");
		exit(1);
	}
	(void)snprintf(port, 8, "%u", ntohs(a.sin_port));
	return fd;
}

static int64_t
within(int ms)
{
	return clock_monotonic_ms() + ms;
}

static void
test_look_up(void)
{
	struct dial_target t[DIAL_TARGETS_MAX];
	struct error e = { .text = "" };

	is_int(dial_look_up("127.0.0.1", "80", 0, t, &e), 1, "a number");
	is_int(t[0].address.ss_family, AF_INET, "of IPv4");
	is_int(dial_look_up("::1", "80", 0, t, &e), 1, "a number");
	is_int(t[0].address.ss_family, AF_INET6, "of IPv6");
}

/* Whether this host knows the name without asking another one. */
static bool
knows_localhost(void)
{
	FILE *f = fopen("/etc/hosts", "r");
	char line[256];
	bool known = false;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		known |= line[0] != '#' && strstr(line, "localhost") != NULL;
	if (f != NULL)
		(void)fclose(f);
	return known;
}

/* In a network of its own, so that nobody else is asked. */
static void
test_names(void)
{
	struct dial_target t[DIAL_TARGETS_MAX];
	struct error e = { .text = "" };
	char name[300];

	if (!knows_localhost() || geteuid() != 0 ||
	    unshare(CLONE_NEWNET) != 0) {
		tap_skip("names",
		    "wants root, a network of its own, and localhost in "
		    "/etc/hosts");
		return;
	}
	ok(dial_look_up("localhost", "80", within(LONG_MS), t, &e) >= 1,
	    "a name of this host");
	is_int(dial_look_up("localhost", "80", 0, t, &e), -1, "no time");
	is_int(e.code, ERROR_TIMED_OUT, "its code");
	is_str(e.text, "the name was not resolved in time", "its reason");
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	is_int(dial_look_up(name, "80", within(LONG_MS), t, &e), -1,
	    "longer than any name");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
}

static void
test_connect(void)
{
	struct dial_target t[DIAL_TARGETS_MAX], u[DIAL_TARGETS_MAX];
	struct error e = { .text = "" };
	char open_port[8], closed_port[8];
	int fd, listener = bound(open_port);
	int closed = bound(closed_port);

	if (listen(listener, 1) != 0)
		perror("listen");
	(void)dial_look_up("127.0.0.1", closed_port, 0, t, NULL);
	is_int(dial_connect(t, 1, within(LONG_MS), &e), -1, "nobody listens");
	is_int(e.code, ERROR_UNAVAILABLE, "its code");
	is_str(e.text, strerror(ECONNREFUSED), "its reason");
	(void)dial_look_up("127.0.0.1", open_port, 0, u, NULL);
	t[1] = u[0];
	fd = dial_connect(t, 2, within(LONG_MS), &e);
	ok(fd != -1, "the one of two that listens");
	is_int(fcntl(fd, F_GETFL) & O_NONBLOCK, 0, "blocking");
	is_int(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC, "close-on-exec");
	(void)close(fd);
	(void)close(closed);
	(void)close(listener);
}

/* A queue that is full takes nobody: who asks then waits in vain. */
static void
test_silence(void)
{
	struct dial_target t[DIAL_TARGETS_MAX];
	struct error e = { .text = "" };
	char port[8];
	int waiting[QUEUE], i, fd, listener = bound(port);
	int64_t began;

	if (listen(listener, 0) != 0)
		perror("listen");
	(void)dial_look_up("127.0.0.1", port, 0, t, NULL);
	for (i = 0; i < QUEUE; i++) {
		waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)connect(waiting[i], (struct sockaddr *)&t[0].address,
		    t[0].length);
	}
	began = clock_monotonic_ms();
	fd = dial_connect(t, 1, within(SHORT_MS), &e);
	is_int(fd, -1, "no answer");
	is_int(e.code, ERROR_TIMED_OUT, "its code");
	is_str(e.text, "no answer in time", "its reason");
	ok(clock_monotonic_ms() - began >= SHORT_MS, "at the deadline");
	for (i = 0; i < QUEUE; i++)
		(void)close(waiting[i]);
	(void)close(listener);
}

int
main(void)
{
	test_look_up();
	test_connect();
	test_silence();
	test_names();
	return tap_done();
}
