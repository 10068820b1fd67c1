/*
 * Connecting within a time limit.  getaddrinfo(3) may take minutes, so it runs
 * in a child that is killed when the time is over.  The addresses are then
 * tried together, without blocking.
 */
#include "core/process/link_address.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"

/* The child's answer, sent in one atomic write. */
struct dial_answer {
	int count; /* 0: `gai` has the reason */
	int gai;
	struct dial_target targets[DIAL_TARGETS_MAX];
};
_Static_assert(sizeof(struct dial_answer) <= PIPE_BUF, "one atomic write");

/* Return the remaining ms for poll(2); 0: time is over. */
static int
dial_left_ms(int64_t deadline_ms)
{
	int64_t left = deadline_ms - clock_monotonic_ms();

	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* Call poll(2) until the deadline, also after signals. */
static int
dial_poll(struct pollfd *fds, int count, int64_t deadline_ms)
{
	int n;

	while ((n = poll(fds, (nfds_t)count, dial_left_ms(deadline_ms))) ==
		-1 &&
	    errno == EINTR)
		continue;
	return n;
}

/* Look up; the flags are those of getaddrinfo(3). */
static void
dial_ask(const char *host, const char *port, int flags,
    struct dial_answer *answer)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = flags };
	struct addrinfo *all, *a;

	memset(answer, 0, sizeof(*answer));
	answer->gai = getaddrinfo(host, port, &hints, &all);
	if (answer->gai != 0)
		return;
	for (a = all; a != NULL && answer->count < DIAL_TARGETS_MAX;
	     a = a->ai_next) {
		struct dial_target *t = &answer->targets[answer->count];

		if (a->ai_addrlen > sizeof(t->address))
			continue;
		memcpy(&t->address, a->ai_addr, a->ai_addrlen);
		t->length = a->ai_addrlen;
		answer->count++;
	}
	freeaddrinfo(all);
}

/* Look up in a child; -1: no answer in time. */
static int
dial_ask_child(const char *host, const char *port, int64_t deadline_ms,
    struct dial_answer *answer, struct error *e)
{
	struct pollfd fd = { .events = POLLIN };
	int fds[2], status = -1;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(e, "cannot look up %s", host);
	pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		dial_ask(host, port, 0, answer);
		_exit(write(fds[1], answer, sizeof(*answer)) !=
		    (ssize_t)sizeof(*answer));
	}
	(void)close(fds[1]);
	fd.fd = fds[0];
	if (pid == -1)
		(void)error_set_errno(e, "cannot look up %s", host);
	else if (dial_poll(&fd, 1, deadline_ms) == 1 &&
	    read(fds[0], answer, sizeof(*answer)) == (ssize_t)sizeof(*answer))
		status = 0;
	else
		(void)error_set_code(e, ERROR_TIMED_OUT,
		    "the name was not resolved in time");
	(void)close(fds[0]);
	if (pid != -1) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
	}
	return status;
}

int
dial_look_up(const char *host, const char *port, int64_t deadline_ms,
    struct dial_target targets[DIAL_TARGETS_MAX], struct error *e)
{
	struct dial_answer answer;

	dial_ask(host, port, AI_NUMERICHOST | AI_NUMERICSERV, &answer);
	/* A child could answer before its time limit is checked. */
	if (answer.gai == EAI_NONAME && deadline_ms <= clock_monotonic_ms())
		return error_set_code(e, ERROR_TIMED_OUT,
		    "the name was not resolved in time");
	if (answer.gai == EAI_NONAME &&
	    dial_ask_child(host, port, deadline_ms, &answer, e) != 0)
		return -1;
	if (answer.count == 0)
		return error_set_code(e, ERROR_NOT_FOUND,
		    "the name cannot be resolved: %s",
		    gai_strerror(answer.gai));
	memcpy(targets, answer.targets,
	    (size_t)answer.count * sizeof(*targets));
	return answer.count;
}

/* Begin to connect.  Returns the descriptor, or -1 with an errno. */
static int
dial_begin(const struct dial_target *t, int *number)
{
	int fd = socket(t->address.ss_family,
	    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd == -1) {
		*number = errno;
		return -1;
	}
	if (connect(fd, (const struct sockaddr *)&t->address, t->length) == 0 ||
	    errno == EINPROGRESS)
		return fd;
	*number = errno;
	(void)close(fd);
	return -1;
}

/* Return the result of a descriptor that poll(2) reported: 0 or an errno. */
static int
dial_result(int fd)
{
	int number = 0;
	socklen_t size = sizeof(number);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ?
	    number :
	    errno;
}

/* Wait for the first connection.  Failed descriptors are closed and set to -1,
   which poll(2) skips.  *number 0: time is over. */
static int
dial_wait(struct pollfd *fds, int count, int open, int64_t deadline_ms,
    int *number)
{
	int i, result;

	while (open > 0) {
		if (dial_poll(fds, count, deadline_ms) <= 0) {
			*number = 0;
			return -1;
		}
		for (i = 0; i < count; i++) {
			if (fds[i].fd == -1 || fds[i].revents == 0)
				continue;
			if ((result = dial_result(fds[i].fd)) == 0)
				return i;
			*number = result;
			(void)close(fds[i].fd);
			fds[i].fd = -1;
			open--;
		}
	}
	return -1;
}

int
dial_connect(const struct dial_target *targets, int count, int64_t deadline_ms,
    struct error *e)
{
	struct pollfd fds[DIAL_TARGETS_MAX];
	int i, open = 0, number = 0, winner, fd = -1;

	for (i = 0; i < count; i++) {
		fds[i] = (struct pollfd){ .events = POLLOUT };
		fds[i].fd = dial_begin(&targets[i], &number);
		open += fds[i].fd != -1;
	}
	winner = dial_wait(fds, count, open, deadline_ms, &number);
	for (i = 0; i < count; i++)
		if (i == winner)
			fd = fds[i].fd;
		else if (fds[i].fd != -1)
			(void)close(fds[i].fd);
	if (fd == -1)
		return number != 0 ?
		    error_set_reason(e, number) :
		    error_set_code(e, ERROR_TIMED_OUT, "no answer in time");
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}
