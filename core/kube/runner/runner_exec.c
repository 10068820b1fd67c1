/*
 * Commands that pods of a job run in each other, like the launcher's
 * kubexec.sh.  If a user namespace separates the two pods, the job's runner,
 * which is outside both, starts the command.
 *
 * The request is one packet with five descriptors: the socket for all further
 * packets, the words, and standard input, output and error.  Packets with
 * signals for the command follow, and one with its end.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/strvec.h"
#include "core/process/link_address.h"
#include "core/process/packet.h"

enum {
	CONNECT_MS = 10000,
	SIGNAL_STATUS = 128,		  /* plus the signal's number */
	WORDS_BYTES_MAX = 2 * 1024 * 1024 /* limit of one command */
};

/* The descriptors of the request packet. */
enum exec_file {
	EXEC_SOCKET_END, /* for all further packets */
	EXEC_WORDS,	 /* the pod's name and the command's words, each ending
			    with NUL */
	EXEC_STDIN,
	EXEC_STDOUT,
	EXEC_STDERR,
	EXEC_FILES
};

/* Socket for requests, in the entry's directory. */
#define EXEC_SOCKET "exec"

/* ---- the requesting side ---- */

/* Write the words to an anonymous file; -1 and errno. */
static int
write_command(const char *pod, char *const *argv)
{
	int fd = memfd_create("ipubox-exec", MFD_CLOEXEC);
	int status = fd == -1 ? -1 : file_put(fd, pod, strlen(pod) + 1);

	for (; status == 0 && *argv != NULL; argv++)
		status = file_put(fd, *argv, strlen(*argv) + 1);
	if (status == 0)
		return fd;
	if (fd != -1)
		(void)close(fd);
	return -1;
}

/* Send the request packet to the runner; 0 or an errno value. */
static int
ask_runner(int door, const char *pod, char *const *argv, int *socket)
{
	struct packet p;
	int ends[2], words, i;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	*socket = ends[0];
	packet_init(&p);
	p.messages[p.count++] =
	    (struct supervisor_message){ .kind = SUPERVISOR_STARTED };
	p.files[EXEC_SOCKET_END] = ends[1];
	words = write_command(pod, argv);
	if (words == -1) {
		(void)close(ends[1]);
		return errno;
	}
	p.files[EXEC_WORDS] = words;
	for (i = 0; i < 3; i++) {
		p.files[EXEC_STDIN + i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
		if (p.files[EXEC_STDIN + i] == -1)
			p.files[EXEC_STDIN + i] = open("/dev/null",
			    O_RDWR | O_CLOEXEC);
	}
	p.file_count = EXEC_FILES;
	return packet_send(&p, door);
}

/* Return a descriptor for the signals that would end this process. */
static int
open_signals(void)
{
	static const int ours[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t set;
	size_t i;

	(void)sigemptyset(&set);
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		(void)sigaddset(&set, ours[i]);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static void
pass_signal(int signals, int socket)
{
	struct signalfd_siginfo info;
	struct packet p;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	packet_init(&p);
	p.messages[p.count++] =
	    (struct supervisor_message){ .kind = SUPERVISOR_SIGNAL,
		    .value = (int)info.ssi_signo };
	(void)packet_send(&p, socket);
}

/* Wait for the end: its exit status; -1: the runner is gone. */
static int
wait_for_end(int signals, int socket)
{
	struct pollfd fds[] = { { .fd = socket, .events = POLLIN },
		{ .fd = signals, .events = POLLIN } };
	struct packet p;
	int value;

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
runner_exec_run(const char *pod_directory, char *const *argv, struct error *e)
{
	char *path = xasprintf("%s/../../" EXEC_SOCKET, pod_directory);
	int door = link_address_connect_path(path,
		clock_monotonic_ms() + CONNECT_MS, e),
	    socket = -1, signals, number, status = -1;

	free(path);
	if (door == -1)
		return -1;
	signals = open_signals();
	number = ask_runner(door, path_base_name(pod_directory), argv, &socket);
	if (number == 0)
		status = wait_for_end(signals, socket);
	else
		(void)error_set_number(e, number,
		    "cannot ask the job's runner");
	if (number == 0 && status == -1)
		(void)error_set(e, "the job's runner has ended");
	(void)close(door);
	(void)close(signals);
	if (socket != -1)
		(void)close(socket);
	return status;
}

/* ---- the runner's side ---- */

void
runner_exec_open(struct job_runner *r)
{
	const char *directory = r->entry->directory.path;
	char *path = xasprintf("%s/" EXEC_SOCKET, directory);

	/* Left by a runner that was killed: this process holds the lock. */
	(void)unlink(path);
	free(path);
	path = NULL;
	r->exec_listener = link_address_listen(directory, EXEC_SOCKET, &path,
	    NULL);
	free(path);
}

/* Read texts that each end with NUL, up to the end of the file. */
static int
read_command(int fd, struct strvec *words)
{
	char *bytes = xmalloc(WORDS_BYTES_MAX);
	ssize_t n = pread(fd, bytes, WORDS_BYTES_MAX, 0), at;

	if (n <= 0 || n == WORDS_BYTES_MAX || bytes[n - 1] != '\0')
		n = -1;
	for (at = 0; at < n; at += (ssize_t)strlen(bytes + at) + 1)
		strvec_add(words, bytes + at);
	free(bytes);
	return n > 0 && words->count > 1 ? 0 : -1;
}

/* Become the command, in the child. */
static void __attribute__((noreturn)) become_command(const char *directory,
    const struct strvec *words, const int *files)
{
	struct error e;
	char *pod = xasprintf("%s/pods/%s", directory, words->items[0]);
	sigset_t none;
	int i, status;

	(void)setsid();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	for (i = 0; i < 3; i++)
		(void)dup2(files[EXEC_STDIN + i], i);
	status = pod_process_exec(pod, words->items + 1, &e);
	(void)dprintf(files[EXEC_STDERR], "error: %s\n", e.text);
	_exit(status);
}

static void
tell_end(const struct runner_exec *x, int status)
{
	struct packet p;

	packet_init(&p);
	p.messages[p.count++] =
	    (struct supervisor_message){ .kind = SUPERVISOR_ENDED,
		    .pid = x->pid,
		    .value = status };
	(void)packet_send(&p, x->socket);
}

/* Start the child for a request; its socket belongs to us from here on. */
static void
start(struct job_runner *r, const int *files, const struct strvec *words)
{
	struct runner_exec new = { .socket = files[EXEC_SOCKET_END] };

	(void)fflush(NULL);
	new.pid = fork();
	if (new.pid == 0)
		become_command(r->entry->directory.path, words, files);
	if (new.pid == -1) {
		tell_end(&new, SIGKILL);
		(void)close(new.socket);
		return;
	}
	r->execs = xreallocarray(r->execs, r->exec_count + 1,
	    sizeof(*r->execs));
	r->execs[r->exec_count++] = new;
}

void
runner_exec_accept(struct job_runner *r)
{
	const struct timeval limit = { .tv_sec = 1 };
	const int fd = accept4(r->exec_listener, NULL, NULL, SOCK_CLOEXEC);
	struct runner_instance *in;
	struct strvec words;
	struct packet p = { .count = 0 };
	size_t i, first = EXEC_SOCKET_END;

	if (fd == -1)
		return;
	/* A client that connects and sends nothing must not block others. */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	strvec_init(&words);
	if (packet_receive(&p, fd) == 0 && p.file_count == EXEC_FILES &&
	    read_command(p.files[EXEC_WORDS], &words) == 0 &&
	    runner_job_find_pod(r, words.items[0], &in) != NULL) {
		start(r, p.files, &words);
		first = EXEC_WORDS;
	}
	for (i = first; i < p.file_count; i++)
		(void)close(p.files[i]);
	(void)close(fd);
	strvec_release(&words);
}

void
runner_exec_read(struct runner_exec *x)
{
	struct packet p;
	size_t i;

	if (packet_receive(&p, x->socket) != 0) {
		(void)close(x->socket);
		x->socket = -1;
		(void)kill(x->pid, SIGTERM);
		return;
	}
	for (i = 0; i < p.count; i++)
		if (p.messages[i].kind == SUPERVISOR_SIGNAL)
			(void)kill(x->pid, p.messages[i].value);
	for (i = 0; i < p.file_count; i++)
		(void)close(p.files[i]);
}

bool
runner_exec_reap(struct job_runner *r, pid_t pid)
{
	struct runner_exec *x = r->execs;
	size_t i = 0;
	int status = 0;

	while (i < r->exec_count && x[i].pid != pid)
		i++;
	if (i == r->exec_count)
		return false;
	(void)waitpid(pid, &status, 0);
	tell_end(&x[i], status);
	if (x[i].socket != -1)
		(void)close(x[i].socket);
	x[i] = x[--r->exec_count];
	return true;
}
