/*
 * The side of who asks: its descriptors go to the runner, and its signals.
 */
#include "applets/ipubox-job/exec_relay.h"

#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/process/process.h"

enum {
	CONNECT_MS = 10000,
	SIGNAL_STATUS = 128		/* and the signal's number */
};

/* The words as a file that nobody else has; -1 and errno. */
static int
write_command(const char *pod, char *const *argv)
{
	int	fd = memfd_create("ipubox-exec", MFD_CLOEXEC);
	int	status = fd == -1 ? -1 : file_put(fd, pod, strlen(pod) + 1);

	for (; status == 0 && *argv != NULL; argv++)
		status = file_put(fd, *argv, strlen(*argv) + 1);
	if (status == 0)
		return fd;
	if (fd != -1)
		(void)close(fd);
	return -1;
}

/* The packet by which the runner is asked; 0 or an errno. */
static int
ask_runner(int door, const char *pod, char *const *argv, int *socket)
{
	struct packet	p;
	int		ends[2], words, i;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	*socket = ends[0];
	packet_init(&p);
	p.messages[p.count++] = (struct supervisor_message){
		.kind = SUPERVISOR_STARTED };
	p.files[EXEC_RELAY_SOCKET_END] = ends[1];
	words = write_command(pod, argv);
	if (words == -1) {
		(void)close(ends[1]);
		return errno;
	}
	p.files[EXEC_RELAY_WORDS] = words;
	for (i = 0; i < 3; i++) {
		p.files[EXEC_RELAY_STDIN + i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
		if (p.files[EXEC_RELAY_STDIN + i] == -1)
			p.files[EXEC_RELAY_STDIN + i] = open("/dev/null",
			    O_RDWR | O_CLOEXEC);
	}
	p.file_count = EXEC_RELAY_FILES;
	return packet_send(&p, door);
}

/* Signals that would end this process, to be read. */
static int
open_signals(void)
{
	static const int	ours[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t		set;
	size_t			i;

	(void)sigemptyset(&set);
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		(void)sigaddset(&set, ours[i]);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static void
pass_signal(int signals, int socket)
{
	struct signalfd_siginfo	info;
	struct packet		p;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	packet_init(&p);
	p.messages[p.count++] = (struct supervisor_message){
		.kind = SUPERVISOR_SIGNAL, .value = (int)info.ssi_signo };
	(void)packet_send(&p, socket);
}

/* Until it has ended: its exit status; -1: the runner is gone. */
static int
wait_for_end(int signals, int socket)
{
	struct pollfd	fds[] = { { .fd = socket, .events = POLLIN },
	    { .fd = signals, .events = POLLIN } };
	struct packet	p;
	int		value;

	for (;;) {
		if (poll(fds, 2, -1) == -1 && errno != EINTR)
			return -1;
		if (fds[1].revents != 0)
			pass_signal(signals, socket);
		if (fds[0].revents == 0)
			continue;
		if (packet_receive(&p, socket) != 0 || p.count == 0)
			return -1;
		value = p.messages[0].value;
		return WIFSIGNALED(value) ? SIGNAL_STATUS + WTERMSIG(value) :
		    WEXITSTATUS(value);
	}
}

int
exec_relay_run(const char *pod_directory, char *const *argv, struct error *e)
{
	char	*path = xasprintf("%s/../../" EXEC_RELAY_SOCKET,
	    pod_directory);
	int	 door = link_address_connect_path(path, clock_monotonic_ms() +
	    CONNECT_MS, e), socket = -1, signals, number, status = -1;

	free(path);
	if (door == -1)
		return -1;
	signals = open_signals();
	number = ask_runner(door, path_base_name(pod_directory), argv, &socket);
	if (number == 0)
		status = wait_for_end(signals, socket);
	else
		(void)error_set_number(e, number, "cannot ask the job's "
		    "runner");
	if (number == 0 && status == -1)
		(void)error_set(e, "the job's runner has ended");
	(void)close(door);
	(void)close(signals);
	if (socket != -1)
		(void)close(socket);
	return status;
}
