/*
 * Listening and connecting by address.  A socket's path may have 107 bytes
 * (unix(7)); one in a directory with a longer name is reached through
 * /proc/self/fd.
 */
#include "core/process/link_address.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"

/* Who connects while so many wait has to wait; the system may allow less. */
enum { BACKLOG = 4096 };

static const char	scheme[] = "unix:";

/*
 * The address of a path.  *directory is open while it is used, or -1.  -1 and
 * errno where the directory cannot be opened.
 */
static int
link_address_fill(struct sockaddr_un *a, const char *path, int *directory)
{
	const char	*last = strrchr(path, '/');
	char		*above;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	*directory = -1;
	if (strlen(path) < sizeof(a->sun_path) || last == NULL) {
		(void)snprintf(a->sun_path, sizeof(a->sun_path), "%s", path);
		return 0;
	}
	above = xasprintf("%.*s", (int)(last - path) + 1, path);
	*directory = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(above);
	(void)snprintf(a->sun_path, sizeof(a->sun_path),
	    "/proc/self/fd/%d/%s", *directory, last + 1);
	return *directory == -1 ? -1 : 0;
}

/* A socket; -1 and errno. */
static int
link_address_socket(int flags)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

/* bind(2) or connect(2). */
static int
link_address_use(int (*use)(int, const struct sockaddr *, socklen_t), int fd,
    const char *path)
{
	struct sockaddr_un	a;
	int			directory, status = -1, number;

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
	const int	fd = link_address_socket(SOCK_NONBLOCK);
	int		number;

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

/* connect(2) waits no longer than this; 0: as long as it takes. */
static void
link_address_limit(int fd, int64_t ms)
{
	const struct timeval	limit = {
	    .tv_sec = (time_t)(ms / 1000),
	    .tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

int
link_address_connect_path(const char *path, int64_t deadline_ms,
    struct error *e)
{
	int64_t	left;
	int	fd = link_address_socket(0), number;

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
	/* The queue of those who wait to be let in stayed full. */
	if (number == EAGAIN)
		return error_set_code(e, ERROR_TIMED_OUT,
		    "%s: no answer in time", path);
	return error_set_number(e, number, "cannot connect to %s", path);
}

int
link_address_connect(const char *address, int64_t deadline_ms,
    struct error *e)
{
	const char	*path = address + strlen(scheme);

	if (strncmp(address, scheme, strlen(scheme)) != 0 || *path != '/')
		return error_set_code(e, ERROR_INVALID,
		    "\"%s\" is not the address of a socket", address);
	return link_address_connect_path(path, deadline_ms, e);
}
