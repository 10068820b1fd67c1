/*
 * The datagram of sd_notify(3).
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"

void
ready_notify(const char *state)
{
	const char		*path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un	 a = { .sun_family = AF_UNIX };
	size_t			 size = path == NULL ? 0 : strlen(path);
	socklen_t		 length;
	int			 fd;

	if (size == 0)
		return;
	if ((path[0] != '/' && path[0] != '@') ||
	    size >= sizeof(a.sun_path)) {
		log_warnx("NOTIFY_SOCKET %s: not the address of a socket",
		    path);
		return;
	}
	memcpy(a.sun_path, path, size);
	if (path[0] == '@')
		a.sun_path[0] = '\0';
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -1 || sendto(fd, state, strlen(state), MSG_NOSIGNAL,
	    (const struct sockaddr *)&a, length) == -1)
		log_warn("cannot tell the service manager of %s", state);
	if (fd != -1)
		(void)close(fd);
}
