/*
 * Sockets without a link at the other end, and the ends of links.
 */
#include "tests/unit/link_util.h"

#include <sys/socket.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/tap.h"

void
make_pair(int fds[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
		perror("socketpair");
		exit(1);
	}
}

void
put_raw(int fd, const void *bytes, size_t size)
{
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		perror("send");
}

enum error_code
end_of(struct link *l, struct error *e)
{
	struct link_message m;
	int i, found = 0;

	for (i = 0; i < 8 && found != -1; i++)
		found = link_receive(l, &m, e);
	ok(found == -1, "the link is over");
	ok(link_receive(l, &m, NULL) == -1, "and stays so");
	return e->code;
}
