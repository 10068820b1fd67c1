/*
 * The child that holds a device for the program: start it, and speak lines with
 * it, as ipubox-link(7) says.
 */
#include "ipubox_file.h"
#include "popdist_internal.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GREETING	"ipubox-device "
#define VERSION		"1"

extern char	**environ;

/* Signals that the program may ignore or block, and the child does not. */
static int
set_signals(posix_spawnattr_t *attributes)
{
	static const int	signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
	    SIGPIPE, SIGCHLD };
	sigset_t		none, defaults;
	size_t			i;

	(void)sigemptyset(&none);
	(void)sigemptyset(&defaults);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)sigaddset(&defaults, signals[i]);
	if (posix_spawnattr_setsigmask(attributes, &none) != 0 ||
	    posix_spawnattr_setsigdefault(attributes, &defaults) != 0)
		return -1;
	return posix_spawnattr_setflags(attributes,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Start that file, with the socket as its input and output; an errno. */
static int
spawn(pid_t *pid, const char *file, int fd)
{
	/* "__ipubox" makes it ipubox, whatever its name is. */
	const char *const		words[] = { file, "__ipubox",
	    "__device", NULL };
	posix_spawn_file_actions_t	actions;
	posix_spawnattr_t		attributes;
	int				number = ENOMEM;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return number;
	if (posix_spawnattr_init(&attributes) == 0) {
		if (set_signals(&attributes) == 0 &&
		    posix_spawn_file_actions_adddup2(&actions, fd,
		    STDIN_FILENO) == 0 &&
		    posix_spawn_file_actions_adddup2(&actions, fd,
		    STDOUT_FILENO) == 0)
			number = posix_spawnp(pid, file, &actions, &attributes,
			    (char *const *)(uintptr_t)words, environ);
		(void)posix_spawnattr_destroy(&attributes);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return number;
}

/*
 * IPUBOX_FILE, else the ipubox that wrote this SDK, if it is on this host, else
 * ipubox, else poprun, which is the same file.
 */
static int
spawn_first(pid_t *pid, int fd)
{
	static const char	 written_by[] = IPUBOX_WRITTEN_BY;
	const char		*file = getenv("IPUBOX_FILE");
	int			 number = ENOENT;

	if (file != NULL && *file != '\0') {
		errno = spawn(pid, file, fd);
		return errno == 0 ? 0 : popdist_fail_errno(POPDIST_UNAVAILABLE,
		    "cannot start IPUBOX_FILE, %s", file);
	}
	if (access(written_by, X_OK) == 0)
		number = spawn(pid, written_by, fd);
	if (number == ENOENT)
		number = spawn(pid, "ipubox", fd);
	if (number == ENOENT)
		number = spawn(pid, "poprun", fd);
	if (number == ENOENT)
		return popdist_fail(POPDIST_UNAVAILABLE, "ipubox, which "
		    "holds the devices, was not found: put it into a directory "
		    "of PATH, or set IPUBOX_FILE to its path");
	errno = number;
	return number == 0 ? 0 : popdist_fail_errno(POPDIST_UNAVAILABLE,
	    "cannot start ipubox");
}

/* Two ends above 2, which are not the child's to close: dup2(2) replaces
   0 and 1 there. */
static int
make_socket(int ends[2])
{
	int	i, higher;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		if (ends[i] > STDERR_FILENO)
			continue;
		higher = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		(void)close(ends[i]);
		ends[i] = higher;
	}
	if (ends[0] != -1 && ends[1] != -1)
		return 0;
	for (i = 0; i < 2; i++)
		if (ends[i] != -1)
			(void)close(ends[i]);
	errno = EMFILE;
	return -1;
}

void
ipubox_child_end(struct ipubox_child *child)
{
	if (child->fd == -1)
		return;
	(void)close(child->fd);
	child->fd = -1;
	/* It ends because its input has; the program may have waited for it
	   already, and then there is nobody. */
	if (child->owner == getpid())
		while (waitpid(child->pid, NULL, 0) == -1 && errno == EINTR)
			continue;
}

int
ipubox_child_start(struct ipubox_child *child)
{
	int	ends[2];
	char	*line;

	(void)memset(child, 0, sizeof(*child));
	child->fd = -1;
	if (make_socket(ends) != 0)
		return popdist_fail_errno(POPDIST_NO_ROOM,
		    "cannot create a socket");
	child->owner = getpid();
	if (spawn_first(&child->pid, ends[1]) != 0) {
		(void)close(ends[0]);
		(void)close(ends[1]);
		return -1;
	}
	(void)close(ends[1]);
	child->fd = ends[0];
	if (ipubox_child_line(child, &line) != 0)
		return popdist_fail(POPDIST_UNAVAILABLE, "ipubox __device "
		    "ended at once; it may be older than this library");
	if (strcmp(line, GREETING VERSION) == 0)
		return 0;
	(void)popdist_fail(POPDIST_OTHER_VERSION, "ipubox answered '%.40s', "
	    "but this library needs '" GREETING VERSION "'", line);
	ipubox_child_end(child);
	return -1;
}

int
ipubox_child_line(struct ipubox_child *child, char **line)
{
	char	*end;
	ssize_t	 n;

	child->used -= child->taken;
	(void)memmove(child->buffer, child->buffer + child->taken,
	    child->used);
	child->taken = 0;
	for (;;) {
		end = (char *)memchr(child->buffer, '\n', child->used);
		if (end != NULL || child->used == sizeof(child->buffer))
			break;
		n = recv(child->fd, child->buffer + child->used,
		    sizeof(child->buffer) - child->used, 0);
		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		child->used += (size_t)n;
	}
	if (end == NULL) {
		ipubox_child_end(child);
		return popdist_fail_word(POPDIST_UNAVAILABLE, "unavailable",
		    "the ipubox that holds the device has ended");
	}
	*end = '\0';
	*line = child->buffer;
	child->taken = (size_t)(end - child->buffer) + 1;
	return 0;
}

static int
send_all(int fd, const char *text)
{
	size_t	left = strlen(text);
	ssize_t	n;

	while (left > 0) {
		n = send(fd, text, left, MSG_NOSIGNAL);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return -1;
		text += n;
		left -= (size_t)n;
	}
	return 0;
}

/* "busy Failed to acquire ...\nIPU 3 is ..." becomes the thread's error. */
static int
take_error(char *text)
{
	char	*space = strchr(text, ' '), *from, *to;
	int	 code = POPDIST_UNAVAILABLE;

	if (space == NULL)
		return popdist_fail(POPDIST_UNAVAILABLE, "%s", text);
	*space = '\0';
	for (from = to = space + 1; *from != '\0'; from++) {
		if (*from == '\\' && from[1] != '\0')
			*to++ = *++from == 'n' ? '\n' : *from;
		else
			*to++ = *from;
	}
	*to = '\0';
	if (strcmp(text, "invalid") == 0)
		code = POPDIST_INVALID;
	else if (strcmp(text, "busy") == 0)
		code = POPDIST_NO_ROOM;
	return popdist_fail_word(code, text, space + 1);
}

int
ipubox_child_ask(struct ipubox_child *child, const char *request,
    char **answer)
{
	char	*line;

	if (child->fd == -1)
		return popdist_fail(POPDIST_UNAVAILABLE,
		    "the ipubox that held the device has ended");
	if (child->owner != getpid())
		return popdist_fail(POPDIST_INVALID, "this process was forked "
		    "from the process that holds the device, pid %ld; only "
		    "that process may use it", (long)child->owner);
	/* Who has ended may have said why before. */
	(void)send_all(child->fd, request);
	if (ipubox_child_line(child, &line) != 0)
		return -1;
	if (strncmp(line, "error ", strlen("error ")) == 0)
		return take_error(line + strlen("error "));
	if (strncmp(line, "ok", 2) == 0 &&
	    (line[2] == ' ' || line[2] == '\0')) {
		*answer = line + 2;
		return 0;
	}
	(void)popdist_fail(POPDIST_UNAVAILABLE, "ipubox answered '%.100s'",
	    line);
	ipubox_child_end(child);
	return -1;
}
