/*
 * The runner's side: a child for each command, which becomes it in the pod.
 */

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/strvec.h"
#include "core/process/process.h"

void
runner_exec_open(struct job_runner *r)
{
	const char	*directory = r->entry->directory.path;
	char		*path = xasprintf("%s/" EXEC_RELAY_SOCKET, directory);

	/* That of a runner that was killed: the lock is ours. */
	(void)unlink(path);
	free(path);
	path = NULL;
	r->execs.door = link_address_listen(directory, EXEC_RELAY_SOCKET,
	    &path, NULL);
	free(path);
}

/* Texts that end with NUL each, up to the end of the file. */
static int
read_command(int fd, struct strvec *words)
{
	char	*bytes = xmalloc(EXEC_RELAY_BYTES_MAX);
	ssize_t	 n = pread(fd, bytes, EXEC_RELAY_BYTES_MAX, 0), at;

	if (n <= 0 || n == EXEC_RELAY_BYTES_MAX || bytes[n - 1] != '\0')
		n = -1;
	for (at = 0; at < n; at += (ssize_t)strlen(bytes + at) + 1)
		strvec_add(words, bytes + at);
	free(bytes);
	return n > 0 && words->count > 1 ? 0 : -1;
}

/* In the child: become the command. */
static void __attribute__((noreturn))
become_command(const char *directory, const struct strvec *words,
    const int *files)
{
	struct error	 e;
	char		*pod = xasprintf("%s/pods/%s", directory,
	    words->items[0]);
	sigset_t	 none;
	int		 i, status;

	(void)setsid();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	for (i = 0; i < 3; i++)
		(void)dup2(files[EXEC_RELAY_STDIN + i], i);
	status = pod_process_exec(pod, words->items + 1, &e);
	fprintf(stderr, "error: %s\n", e.text);
	_exit(status);
}

static void
tell_end(const struct runner_exec *x, int status)
{
	struct packet	p;

	packet_init(&p);
	p.messages[p.count++] = (struct supervisor_message){
		.kind = SUPERVISOR_ENDED, .pid = x->pid, .value = status };
	(void)packet_send(&p, x->socket);
}

/* The child for what was asked; its socket is ours from here on. */
static void
start(struct job_runner *r, const int *files, const struct strvec *words)
{
	struct runner_execs	*x = &r->execs;
	struct runner_exec	 new = { .socket =
	    files[EXEC_RELAY_SOCKET_END] };

	(void)fflush(NULL);
	new.pid = fork();
	if (new.pid == 0)
		become_command(r->entry->directory.path, words, files);
	if (new.pid == -1) {
		tell_end(&new, SIGKILL);
		(void)close(new.socket);
		return;
	}
	x->items = xreallocarray(x->items, x->count + 1, sizeof(*x->items));
	x->items[x->count++] = new;
}

void
runner_exec_accept(struct job_runner *r)
{
	const struct timeval	limit = { .tv_sec = 1 };
	const int	fd = accept4(r->execs.door, NULL, NULL, SOCK_CLOEXEC);
	struct runner_instance	*in;
	struct strvec	words;
	struct packet	p = { .count = 0 };
	size_t		i, first = EXEC_RELAY_SOCKET_END;

	if (fd == -1)
		return;
	/* One who connects and says nothing keeps nobody waiting. */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	strvec_init(&words);
	if (packet_receive(&p, fd) == 0 && p.file_count == EXEC_RELAY_FILES &&
	    read_command(p.files[EXEC_RELAY_WORDS], &words) == 0 &&
	    runner_job_find_pod(r, words.items[0], &in) != NULL) {
		start(r, p.files, &words);
		first = EXEC_RELAY_WORDS;
	}
	for (i = first; i < p.file_count; i++)
		(void)close(p.files[i]);
	(void)close(fd);
	strvec_release(&words);
}

void
runner_exec_read(struct runner_exec *x)
{
	struct packet	p;
	size_t		i;

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
runner_exec_reap(struct runner_execs *x, pid_t pid)
{
	size_t	i = 0;
	int	status = 0;

	while (i < x->count && x->items[i].pid != pid)
		i++;
	if (i == x->count)
		return false;
	(void)waitpid(pid, &status, 0);
	tell_end(&x->items[i], status);
	if (x->items[i].socket != -1)
		(void)close(x->items[i].socket);
	x->items[i] = x->items[--x->count];
	return true;
}
