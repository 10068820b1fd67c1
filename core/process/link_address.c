/*
 * Listening and connecting by address.  A socket's path may have 107 bytes
 * (unix(7)); a socket in a directory with a longer name is reached through
 * /proc/self/fd.
 */
#include "core/process/link_address.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

/* Length of the queue of waiting connections; the system may limit it. */
enum { BACKLOG = 4096 };

static const char unix_scheme[] = "unix:", tcp_scheme[] = "tcp:";

/* Fill in the address of a path.  *directory stays open while it is used, or is
   -1.  Returns -1 with errno set if the directory cannot be opened. */
static int
link_address_fill(struct sockaddr_un *a, const char *path, int *directory)
{
	const char *last = strrchr(path, '/');
	char *above;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	*directory = -1;
	if (strlen(path) < sizeof(a->sun_path) || last == NULL) {
		(void)snprintf(a->sun_path, sizeof(a->sun_path), "%s", path);
		return 0;
	}
	above = xasprintf("%.*s", (int)(last - path) + 1, path);
	*directory = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(above);
	(void)snprintf(a->sun_path, sizeof(a->sun_path), "/proc/self/fd/%d/%s",
	    *directory, last + 1);
	return *directory == -1 ? -1 : 0;
}

/* Make a socket; -1 with errno set. */
static int
link_address_socket(int flags)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

/* Call bind(2) or connect(2).  Returns 0 or an errno. */
static int
link_address_use(int (*use)(int, const struct sockaddr *, socklen_t), int fd,
    const char *path)
{
	struct sockaddr_un a;
	int directory, status = -1, number;

	if (link_address_fill(&a, path, &directory) == 0)
		status = use(fd, (const struct sockaddr *)&a, sizeof(a));
	number = status == 0 ? 0 : errno;
	if (directory != -1)
		(void)close(directory);
	return number;
}

int
link_address_listen(const char *directory, const char *name, char **path,
    struct error *e)
{
	const int fd = link_address_socket(SOCK_NONBLOCK);
	int number;

	*path = xasprintf("%s/%s", directory, name);
	number = fd == -1 ? errno : link_address_use(bind, fd, *path);
	if (number == 0 && listen(fd, BACKLOG) != 0)
		number = errno;
	if (number == 0)
		return fd;
	(void)error_set_number(e, number, "cannot listen at %s", *path);
	if (fd != -1)
		(void)close(fd);
	free(*path);
	*path = NULL;
	return -1;
}

/* Make a listening socket; -1 with an errno in *number. */
static int
link_address_bind(const struct addrinfo *a, int *number)
{
	const int yes = 1;
	int fd;

	fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
	    0);
	if (fd == -1) {
		*number = errno;
		return -1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (a->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes,
		    sizeof(yes));
	if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	*number = errno;
	(void)close(fd);
	return -1;
}

uint64_t
link_address_origin(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in four;
		struct sockaddr_in6 six;
	} a = { .any.sa_family = AF_UNSPEC };
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(a), peer_size = sizeof(peer);
	uint64_t half;

	(void)getpeername(fd, &a.any, &size);
	if (a.any.sa_family == AF_INET)
		return a.four.sin_addr.s_addr;
	if (a.any.sa_family == AF_INET6) {
		memcpy(&half, a.six.sin6_addr.s6_addr, sizeof(half));
		return half;
	}
	(void)getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size);
	return UINT64_C(1) << 63 | peer.uid;
}

/* Return the port of a socket. */
static int
link_address_port(int fd)
{
	struct sockaddr_storage a;
	socklen_t size = sizeof(a);
	char text[8] = "0";
	struct sockaddr *any = (struct sockaddr *)&a;
	long long port = 0;

	if (getsockname(fd, any, &size) == 0 &&
	    getnameinfo(any, size, NULL, 0, text, sizeof(text),
		NI_NUMERICSERV) == 0)
		(void)parse_number("port", text, 0, UINT16_MAX, &port, NULL);
	return (int)port;
}

int
link_address_listen_tcp(const char *address, int port, int *bound,
    struct error *e)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE };
	struct addrinfo *a;
	char text[16];
	int fd, number = 0;

	(void)snprintf(text, sizeof(text), "%d", port);
	if (getaddrinfo(address, text, &hints, &a) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s: must be an address to listen on, such as 127.0.0.1 or "
		    "::1",
		    address);
	fd = link_address_bind(a, &number);
	freeaddrinfo(a);
	if (number == EADDRINUSE)
		return error_set_code(e, ERROR_BUSY,
		    "cannot listen on %s port %d: another program uses the "
		    "port",
		    address, port);
	if (fd == -1)
		return error_set_number(e, number,
		    "cannot listen on %s port %d", address, port);
	*bound = link_address_port(fd);
	return fd;
}

int
link_address_listen_reach(const struct link_reach *r, int *bound,
    struct error *e)
{
	struct error reason;
	int port = r->first_port, fd;

	do {
		fd = link_address_listen_tcp(r->address, port, bound, &reason);
	} while (fd == -1 && reason.code == ERROR_BUSY &&
	    port++ < r->last_port);
	if (fd != -1)
		return fd;
	return reason.code != ERROR_BUSY ?
	    error_copy(e, &reason) :
	    error_set_code(e, ERROR_BUSY,
		"cannot listen on %s: other programs use all ports from %d to "
		"%d",
		r->address, r->first_port, r->last_port);
}

/* Limit the time of connect(2); 0: no limit. */
static void
link_address_limit(int fd, int64_t ms)
{
	const struct timeval limit = { .tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

int
link_address_connect_path(const char *path, int64_t deadline_ms,
    struct error *e)
{
	int64_t left;
	int fd = link_address_socket(0), number;

	if (fd == -1)
		return error_set_errno(e, "cannot make a socket");
	do {
		left = deadline_ms - clock_monotonic_ms();
		link_address_limit(fd, left > 0 ? left : 1);
		number = link_address_use(connect, fd, path);
	} while (number == EINTR);
	link_address_limit(fd, 0);
	if (number == 0)
		return fd;
	(void)close(fd);
	/* The queue of waiting connections stayed full. */
	if (number == EAGAIN)
		return error_set_code(e, ERROR_TIMED_OUT,
		    "%s: no answer in time", path);
	return error_set_number(e, number, "cannot connect to %s", path);
}

bool
link_address_own(int fd, char text[LINK_ADDRESS_HOST_SIZE])
{
	struct sockaddr_storage own;
	struct sockaddr *any = (struct sockaddr *)&own;
	socklen_t size = sizeof(own);

	return getsockname(fd, any, &size) == 0 && own.ss_family != AF_UNIX &&
	    getnameinfo(any, size, text, LINK_ADDRESS_HOST_SIZE, NULL, 0,
		NI_NUMERICHOST) == 0;
}

/* The host is probed twice within the time, with a fifth of it for each
   answer. */
void
link_address_keep_alive(int fd)
{
	const int part_s = LINK_ADDRESS_SILENCE_MS / 1000 / 5;
	const int silence_ms = LINK_ADDRESS_SILENCE_MS;
	const struct {
		int level, option, value;
	} rows[] = {
		{ IPPROTO_TCP, TCP_NODELAY, 1 },
		{ IPPROTO_TCP, TCP_KEEPIDLE, 3 * part_s },
		{ IPPROTO_TCP, TCP_KEEPINTVL, part_s },
		{ IPPROTO_TCP, TCP_KEEPCNT, 2 },
		{ IPPROTO_TCP, TCP_USER_TIMEOUT, silence_ms },
		{ SOL_SOCKET, SO_KEEPALIVE, 1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		(void)setsockopt(fd, rows[i].level, rows[i].option,
		    &rows[i].value, sizeof(rows[i].value));
}

/* Connect to "PORT:ADDRESS". */
static int
link_address_connect_tcp(const char *text, int64_t deadline_ms, struct error *e)
{
	const char *host = strchr(text, ':');
	struct dial_target targets[DIAL_TARGETS_MAX];
	char port[8];
	long long number;
	int count, fd = -1;

	(void)snprintf(port, sizeof(port), "%.*s", (int)strcspn(text, ":"),
	    text);
	if (host == NULL ||
	    parse_number("port", port, 1, UINT16_MAX, &number, NULL) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "\"%s\" must be a port and an address", text);
	count = dial_look_up(++host, port, deadline_ms, targets, e);
	if (count != -1)
		fd = dial_connect(targets, count, deadline_ms, e);
	if (fd == -1)
		return error_prefix(e, "cannot connect to %s port %s", host,
		    port);
	link_address_keep_alive(fd);
	return fd;
}

int
link_address_connect(const char *address, int64_t deadline_ms, struct error *e)
{
	const char *path = address + strlen(unix_scheme);

	if (strncmp(address, tcp_scheme, strlen(tcp_scheme)) == 0)
		return link_address_connect_tcp(address + strlen(tcp_scheme),
		    deadline_ms, e);
	if (strncmp(address, unix_scheme, strlen(unix_scheme)) != 0 ||
	    *path != '/')
		return error_set_code(e, ERROR_INVALID,
		    "\"%s\" must be the address of a socket", address);
	return link_address_connect_path(path, deadline_ms, e);
}
