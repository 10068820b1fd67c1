/*
 * Whether another host answers.  getaddrinfo(3) may take minutes, so a child
 * asks and is ended when the time is up.
 */
#include "core/diag/connect_probe.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * In the child, without a limit: the reason as text, "" where one of the
 * host's addresses takes the connection.
 */
static void
try_host(const char *host, const char *port, struct error *e)
{
	struct addrinfo	hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo	*all, *a;
	int		fd, status;

	status = getaddrinfo(host, port, &hints, &all);
	if (status != 0) {
		(void)error_set_code(e, ERROR_UNAVAILABLE,
		    "the name cannot be resolved: %s", gai_strerror(status));
		return;
	}
	for (a = all; a != NULL; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC,
		    a->ai_protocol);
		status = fd == -1 ? -1 : connect(fd, a->ai_addr,
		    a->ai_addrlen);
		if (status != 0)
			(void)error_set_errno(e, "no connection to port %s",
			    port);
		else
			e->text[0] = '\0';
		if (fd != -1)
			(void)close(fd);
		if (status == 0)
			break;
	}
	freeaddrinfo(all);
}

/*
 * A name has no time limit of its own, so a child looks, and is ended when
 * its time is up.
 */
int
connect_probe_host(const char *host, const char *port, int timeout_ms,
    struct error *e)
{
	struct error	reason = { .text = "" };
	struct pollfd	fd = { .events = POLLIN };
	bool		answered;
	int		fds[2];
	pid_t		pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(e, "cannot look");
	pid = fork();
	if (pid == 0) {
		try_host(host, port, &reason);
		_exit(write(fds[1], &reason, sizeof(reason)) !=
		    (ssize_t)sizeof(reason));
	}
	(void)close(fds[1]);
	fd.fd = fds[0];
	answered = pid != -1 && poll(&fd, 1, timeout_ms) == 1 &&
	    read(fds[0], &reason, sizeof(reason)) == (ssize_t)sizeof(reason);
	(void)close(fds[0]);
	if (pid != -1) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
	}
	if (!answered)
		return error_set_code(e, ERROR_TIMED_OUT, "no answer within "
		    "%d ms", timeout_ms);
	return reason.text[0] == '\0' ? 0 : error_copy(e, &reason);
}
