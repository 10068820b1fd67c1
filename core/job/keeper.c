#include "core/job/keeper.h"

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/job/tree.h"

/* So often nothing endable may be found before the rest is given up: it runs
   as another user. */
enum { TRIES = 3 };

struct keeper {
	const struct keeper_plan *plan;
	struct tree	 tree;
	pid_t		*pids;		/* of the instances, 0: not running */
	int		 running;
	int		 socket;	/* -1: poprun is gone */
	int		 children;	/* signalfd of SIGCHLD */
	int		 null;
	bool		 childless;
};

int64_t
keeper_now_ms(void)
{
	struct timespec	now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
tell(const struct keeper *k, enum keeper_kind kind, int instance, pid_t pid,
    int value)
{
	const struct keeper_message	m = {
		.kind = (int32_t)kind, .instance = instance,
		.pid = (int32_t)pid, .value = value
	};

	if (k->socket != -1)
		(void)send(k->socket, &m, sizeof(m), MSG_NOSIGNAL);
}

static void
end_tree(struct keeper *k, int signal)
{
	tree_end(&k->tree, signal, keeper_now_ms());
}

/* Start one instance: 0 or an errno. */
static int
spawn(const struct keeper *k, int instance, const posix_spawnattr_t *attr,
    pid_t *pid)
{
	const struct keeper_plan	*p = k->plan;
	posix_spawn_file_actions_t	 actions;
	int				 input, error;

	input = instance == 0 ? p->input : k->null;
	if ((error = posix_spawn_file_actions_init(&actions)) != 0)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, input,
	    STDIN_FILENO);
	if (error == 0 && p->ends != NULL)
		error = posix_spawn_file_actions_adddup2(&actions,
		    p->ends[2 * instance], STDOUT_FILENO);
	if (error == 0 && p->ends != NULL)
		error = posix_spawn_file_actions_adddup2(&actions,
		    p->ends[2 * instance + 1], STDERR_FILENO);
	if (error == 0)
		error = posix_spawn(pid, p->path, &actions, attr, p->argv,
		    p->environments[instance]);
	(void)posix_spawn_file_actions_destroy(&actions);
	return error;
}

static int
make_attributes(const struct keeper_plan *p, posix_spawnattr_t *attr)
{
	sigset_t	defaults;

	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)sigaddset(&defaults, SIGCHLD);
	if (posix_spawnattr_init(attr) != 0)
		return -1;
	(void)posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP |
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setpgroup(attr, 0);
	(void)posix_spawnattr_setsigmask(attr, &p->mask);
	(void)posix_spawnattr_setsigdefault(attr, &defaults);
	return 0;
}

static void
start_instances(struct keeper *k)
{
	posix_spawnattr_t	attr;
	pid_t			pid;
	int			i, error;

	if (make_attributes(k->plan, &attr) != 0) {
		tell(k, KEEPER_CANNOT_START, 0, 0, ENOMEM);
		return;
	}
	for (i = 0; i < k->plan->count; i++) {
		if ((error = spawn(k, i, &attr, &pid)) != 0) {
			tell(k, KEEPER_CANNOT_START, i, 0, error);
			end_tree(k, SIGTERM);
			break;
		}
		k->pids[i] = pid;
		k->running++;
		tree_add(&k->tree, pid);
		tell(k, KEEPER_STARTED, i, pid, 0);
	}
	(void)posix_spawnattr_destroy(&attr);
}

/*
 * Only the instances hold their ends of the pipes from here on, so that a
 * pipe ends with its writers and instance 0's input with its reader.
 */
static void
close_ends(const struct keeper *k)
{
	int	i;

	for (i = 0; k->plan->ends != NULL && i < 2 * k->plan->count; i++)
		(void)close(k->plan->ends[i]);
	if (k->plan->input != STDIN_FILENO)
		(void)close(k->plan->input);
	(void)dup2(k->null, STDIN_FILENO);
}

static int
find_instance(const struct keeper *k, pid_t pid)
{
	int	i;

	for (i = 0; i < k->plan->count; i++)
		if (k->pids[i] == pid)
			return i;
	return -1;
}

static void
reap(struct keeper *k)
{
	struct signalfd_siginfo	ignored;
	pid_t			pid;
	int			status, i;

	(void)!read(k->children, &ignored, sizeof(ignored));
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		tree_remove(&k->tree, pid);
		if ((i = find_instance(k, pid)) == -1)
			continue;
		k->pids[i] = 0;
		k->running--;
		tell(k, KEEPER_ENDED, i, pid, status);
		if (status != 0 && !k->tree.ending)
			end_tree(k, SIGTERM);
	}
	k->childless = pid == -1 && errno == ECHILD;
}

/* A message of poprun, or its end. */
static void
listen_to_poprun(struct keeper *k)
{
	struct keeper_message	m;
	ssize_t			n;

	do {
		n = recv(k->socket, &m, sizeof(m), 0);
	} while (n == -1 && errno == EINTR);
	if (n != (ssize_t)sizeof(m)) {
		(void)close(k->socket);
		k->socket = -1;
		if (!k->tree.ending)
			end_tree(k, SIGTERM);
	} else if (m.kind == KEEPER_SIGNAL)
		tree_signal(&k->tree, m.value);
	else if (m.kind == KEEPER_END)
		end_tree(k, m.value);
}

static void
keep(struct keeper *k)
{
	struct pollfd	fds[2];
	int		timeout, tries = 0;

	for (;;) {
		reap(k);
		if (k->childless)
			return;
		/* What the instances left behind ends with the last one. */
		if (k->running == 0 && !k->tree.ending)
			end_tree(k, SIGTERM);
		timeout = -1;
		if (k->tree.ending) {
			timeout = tree_continue(&k->tree, keeper_now_ms());
			tries = timeout == -1 ? tries + 1 : 0;
			if (tries > TRIES)
				return;
			if (timeout == -1)
				timeout = TREE_LOOK_AGAIN_MS;
		}
		fds[0] = (struct pollfd){ .fd = k->socket, .events = POLLIN };
		fds[1] = (struct pollfd){
			.fd = k->children, .events = POLLIN
		};
		if (poll(fds, 2, timeout) > 0 && fds[0].revents != 0)
			listen_to_poprun(k);
	}
}

/* An input that ends at once; a bare chroot has no /dev/null. */
static int
open_null(void)
{
	int	fds[2];
	int	null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null != -1 || pipe2(fds, O_CLOEXEC) != 0)
		return null;
	(void)close(fds[1]);
	return fds[0];
}

static void
keeper_main(const struct keeper_plan *plan, int socket)
{
	struct rlimit	limit;
	struct keeper	k = { .plan = plan, .socket = socket };
	sigset_t	all, children;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_NAME, (unsigned long)"poprun-keeper", 0L, 0L, 0L);
	tree_init(&k.tree, plan->grace_ms);
	(void)sigemptyset(&children);
	(void)sigaddset(&children, SIGCHLD);
	k.children = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
	k.null = open_null();
	k.pids = xcalloc((size_t)plan->count, sizeof(*k.pids));
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = plan->open_files;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (k.children == -1 || k.null == -1)
		tell(&k, KEEPER_CANNOT_START, 0, 0, errno);
	else {
		start_instances(&k);
		close_ends(&k);
		keep(&k);
	}
	tell(&k, KEEPER_DONE, 0, 0, 0);
	_exit(0);
}

int
keeper_start(const struct keeper_plan *plan, void (*in_keeper)(void *),
    void *context, pid_t *keeper, struct error *e)
{
	int	sockets[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
	    sockets) != 0)
		return error_set_errno(e, "cannot make a socket");
	*keeper = fork();
	if (*keeper == 0) {
		(void)close(sockets[0]);
		in_keeper(context);
		keeper_main(plan, sockets[1]);
	}
	(void)close(sockets[1]);
	if (*keeper == -1) {
		(void)close(sockets[0]);
		return error_set_errno(e, "cannot start the keeper");
	}
	return sockets[0];
}
