/*
 * Addresses of links: a socket's path of any length, and who does not answer.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

enum { LONG_MS = 20000 };

/* Listen in the directory, and connect. */
static void
check_directory(const char *directory)
{
	struct error e = { .text = "" };
	char *path = NULL, *again = NULL, *address;
	const int listener = link_address_listen(directory, "link", &path, &e);
	int fd, other;

	if (!ok(listener != -1, "listening"))
		return;
	is_int(fcntl(listener, F_GETFD), FD_CLOEXEC, "close-on-exec");
	ok(fcntl(listener, F_GETFL) & O_NONBLOCK, "without waiting");
	is_int(accept(listener, NULL, NULL), -1, "for nobody yet");
	address = xasprintf("unix:%s", path);
	fd = link_address_connect(address, clock_monotonic_ms() + LONG_MS, &e);
	ok(fd != -1, "connected");
	is_int(fcntl(fd, F_GETFD), FD_CLOEXEC, "close-on-exec");
	is_int(fcntl(fd, F_GETFL) & O_NONBLOCK, 0, "and blocking");
	other = accept(listener, NULL, NULL);
	ok(other != -1, "accepted");
	is_int(link_address_listen(directory, "link", &again, &e), -1,
	    "a second one");
	ok(strstr(e.text, "cannot listen at ") == e.text, "its reason");
	is_int(again == NULL, 1, "and no path");
	is_int(unlink(address + strlen("unix:")), 0, "it is removed");
	(void)close(fd);
	(void)close(other);
	(void)close(listener);
	free(path);
	free(address);
}

static void
test_long_path(void)
{
	struct error e = { .text = "" };
	char *path, *socket_path = NULL;

	path = xasprintf("%s/%0200d", tap_directory(), 1);
	(void)mkdir(path, 0700);
	check_directory(path);
	is_int(rmdir(path), 0, "nothing is left");
	is_int(link_address_listen(path, "link", &socket_path, &e), -1,
	    "no directory");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
	free(path);
}

/* Nobody lets anybody in: the queue is full some time. */
static void
test_silence(void)
{
	struct error e = { .text = "" };
	char *path = NULL, *address;
	const int listener = link_address_listen(tap_directory(), "link", &path,
	    &e);
	int fds[2], fd;

	(void)listen(listener, 0);
	address = xasprintf("unix:%s", path);
	fds[0] = link_address_connect(address, clock_monotonic_ms() + LONG_MS,
	    &e);
	fd = link_address_connect(address, clock_monotonic_ms() + 50, &e);
	is_int(fd, -1, "no answer");
	is_int(e.code, ERROR_TIMED_OUT, "in time");
	ok(strstr(e.text, ": no answer in time") != NULL, "its reason");
	(void)close(listener);
	fds[1] = link_address_connect(address, clock_monotonic_ms() + LONG_MS,
	    &e);
	is_int(fds[1], -1, "nobody listens");
	is_int(e.code, ERROR_UNAVAILABLE, "its code");
	(void)close(fds[0]);
	(void)unlink(path);
	free(path);
	free(address);
}

/* How long a peer that answers to nothing is waited for, in ms; -1: always. */
static int
user_timeout(int fd)
{
	int alive = 0, ms = 0;
	socklen_t size = sizeof(alive);

	(void)getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &alive, &size);
	size = sizeof(ms);
	(void)getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &size);
	return alive ? ms : -1;
}

/* The address is as others would be told it. */
static void
test_tcp(const char *host)
{
	struct error e = { .text = "" };
	int port = 0, again, listener, fd, other;
	char *address;

	listener = link_address_listen_tcp(host, 0, &port, &e);
	if (listener == -1 && strchr(host, ':') != NULL) {
		tap_skip(host, e.text);
		return;
	}
	if (!ok(listener != -1 && port != 0, host))
		return;
	is_int(fcntl(listener, F_GETFD), FD_CLOEXEC, "close-on-exec");
	ok(fcntl(listener, F_GETFL) & O_NONBLOCK, "without waiting");
	is_int(link_address_listen_tcp(host, port, &again, &e), -1,
	    "a second one");
	is_int(e.code, ERROR_BUSY, "its code");
	address = xasprintf("tcp:%d:%s", port, host);
	fd = link_address_connect(address, clock_monotonic_ms() + LONG_MS, &e);
	ok(fd != -1, address);
	is_int(fcntl(fd, F_GETFD), FD_CLOEXEC, "close-on-exec");
	is_int(fcntl(fd, F_GETFL) & O_NONBLOCK, 0, "and blocking");
	is_int(user_timeout(fd), LINK_ADDRESS_SILENCE_MS,
	    "it hears of silence");
	other = accept(listener, NULL, NULL);
	ok(other != -1, "accepted");
	link_address_keep_alive(other);
	is_int(user_timeout(other), LINK_ADDRESS_SILENCE_MS, "on both ends");
	(void)close(listener);
	is_int(link_address_connect(address, clock_monotonic_ms() + LONG_MS,
		   &e),
	    -1, "nobody listens");
	is_int(e.code, ERROR_UNAVAILABLE, e.text);
	is_int(link_address_listen_tcp("here", 0, &port, &e), -1, "a name");
	is_int(e.code, ERROR_INVALID, "is no address");
	(void)close(fd);
	(void)close(other);
	free(address);
}

static void
test_not_addresses(void)
{
	static const char *const rows[] = { "", "unix:", "unix:link",
		"tcp:", "tcp:1", "tcp:here:1", "tcp:0:127.0.0.1",
		"tcp:99999:127.0.0.1", "/link" };
	struct error e = { .text = "" };
	char *address;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_int(link_address_connect(rows[i], 0, &e), -1, rows[i]);
		is_int(e.code, ERROR_INVALID, "its code");
	}
	is_str(e.text, "\"/link\" must be the address of a socket",
	    "its reason");
	address = xasprintf("unix:%s/nothing", tap_directory());
	is_int(link_address_connect(address, 0, &e), -1, "nobody is there");
	is_int(e.code, ERROR_NOT_FOUND, "its code");
	free(address);
}

/* A range of ports: the first that is free, and none. */
static void
test_range(void)
{
	struct link_reach r = { .address = "127.0.0.1" };
	struct error e;
	int first, second, third, port, bound;

	first = link_address_listen_tcp("127.0.0.1", 0, &port, &e);
	ok(first != -1, "any port");
	r.first_port = port;
	r.last_port = port < 65000 ? port + 100 : port;
	second = link_address_listen_reach(&r, &bound, &e);
	ok(port >= 65000 ||
		(second != -1 && bound > port && bound <= port + 100),
	    "the next one that is free");
	r.last_port = port;
	third = link_address_listen_reach(&r, &bound, &e);
	ok(third == -1 && e.code == ERROR_BUSY &&
		strstr(e.text, "other programs use all ports") != NULL,
	    "none is free");
	(void)close(first);
	if (second != -1)
		(void)close(second);
	r = (struct link_reach){ .address = "203.0.113.1" };
	ok(link_address_listen_reach(&r, &bound, &e) == -1 &&
		e.code != ERROR_BUSY,
	    "not an address of this host");
}

/* The other end's place: its uid, or its address without the port. */
static void
test_origin(void)
{
	int pair[2], far[2], near[2], listener, port, i;
	char *address;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		abort();
	ok(link_address_origin(pair[0]) == (UINT64_C(1) << 63 | geteuid()),
	    "a user of this host");
	listener = link_address_listen_tcp("127.0.0.1", 0, &port, NULL);
	address = xasprintf("tcp:%d:127.0.0.1", port);
	for (i = 0; i < 2; i++) {
		far[i] = link_address_connect(address,
		    clock_monotonic_ms() + 10000, NULL);
		near[i] = accept(listener, NULL, NULL);
	}
	ok(link_address_origin(near[0]) == htonl(INADDR_LOOPBACK),
	    "an address");
	ok(link_address_origin(near[0]) == link_address_origin(near[1]),
	    "of any port");
	for (i = 0; i < 2; i++) {
		(void)close(pair[i]);
		(void)close(far[i]);
		(void)close(near[i]);
	}
	(void)close(listener);
	free(address);
}

int
main(void)
{
	test_origin();
	check_directory(tap_directory());
	test_long_path();
	test_silence();
	test_tcp("127.0.0.1");
	test_tcp("::1");
	test_not_addresses();
	test_range();
	is_int(rmdir(tap_directory()), 0, "no socket is left");
	return tap_done();
}
