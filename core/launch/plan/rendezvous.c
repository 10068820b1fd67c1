/*
 * MASTER_PORT: bound but not listened on, so that no other program gets it.
 * The first instance binds it again at its start; it is free at once, because
 * no connection was ever made through it.
 */
#include "core/launch/plan/plan.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <unistd.h>

void
rendezvous_open(struct rendezvous *r)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_ANY);
	r->port = RENDEZVOUS_DEFAULT_PORT;
	r->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (r->fd == -1)
		return;
	if (bind(r->fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    getsockname(r->fd, (struct sockaddr *)&address, &size) == 0)
		r->port = ntohs(address.sin_port);
	else
		rendezvous_close(r);
}

void
rendezvous_close(struct rendezvous *r)
{
	if (r->fd != -1)
		(void)close(r->fd);
	r->fd = -1;
}
