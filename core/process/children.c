/*
 * Helper commands, mostly ssh, several at the same time.  Their output is kept.
 * One loop over poll(2) writes their input, reads their output and enforces
 * their time limits.  Read children_run() and step() first.
 */
#include "core/process/process.h"

#include <sys/prctl.h>
#include <sys/signalfd.h>
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

enum { GRACE_MS = 1000, READ_SIZE = 16 * 1024 };

enum { INPUT, OUTPUT, ERRORS, STREAMS };

/* A slot for a running child; it is reused for later ones. */
struct running {
	struct child *child; /* NULL: free */
	pid_t pid;
	int fds[STREAMS]; /* our ends; -1: closed */
	size_t sent;
	int64_t deadline_ms; /* 0: none */
	bool notified;	     /* SIGTERM was sent */
};

/* The state of one call of children_run(). */
struct runner {
	struct running *places;
	struct pollfd *polls;
	int jobs;
	int running;
	int signals;	 /* signalfd */
	int interrupted; /* the signal that ended the run */
	sigset_t mask;	 /* the caller's */
	child_done *done;
};

/* Close a descriptor once; then it is -1. */
static void
close_end(int *fd)
{
	if (*fd != -1)
		(void)close(*fd);
	*fd = -1;
}

/* Bytes beyond CHILD_OUTPUT_MAX are dropped, so that a child that never stops
   writing does not use up the memory.  The text always ends with a NUL. */
static void
child_text_add(struct child_text *t, const char *data, size_t size)
{
	if (size > CHILD_OUTPUT_MAX - t->size)
		size = CHILD_OUTPUT_MAX - t->size;
	if (t->size + size + 1 > t->room) {
		t->room = 2 * (t->size + size + 1);
		t->text = xreallocarray(t->text, t->room, 1);
	}
	if (size > 0)
		memcpy(t->text + t->size, data, size);
	t->size += size;
	t->text[t->size] = '\0';
}

void
children_release(struct child *c)
{
	free(c->out.text);
	free(c->err.text);
	memset(&c->out, 0, sizeof(c->out));
	memset(&c->err, 0, sizeof(c->err));
}

/* Become the command in the child; `ends` are its ends of the pipes. */
static void
become(const struct child *c, int ends[STREAMS], const sigset_t *mask)
{
	char text[256];

	if (!c->terminal)
		(void)setpgid(0, 0);
	/* End ssh when this process is killed. */
	(void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0UL, 0UL, 0UL);
	if (dup2(ends[INPUT], STDIN_FILENO) != -1 &&
	    dup2(ends[OUTPUT], STDOUT_FILENO) != -1 &&
	    (ends[ERRORS] == -1 || dup2(ends[ERRORS], STDERR_FILENO) != -1)) {
		(void)signal(SIGPIPE, SIG_DFL);
		(void)sigprocmask(SIG_SETMASK, c->mask != NULL ? c->mask : mask,
		    NULL);
		(void)execv(c->argv[0], c->argv);
	}
	(void)snprintf(text, sizeof(text), "cannot execute %s: %s\n",
	    c->argv[0], strerror(errno));
	(void)!write(STDERR_FILENO, text, strlen(text));
	_exit(CHILD_NOT_STARTED);
}

/* Open a stream that is not a pipe.  Returns 1, or 0 if it is a pipe, or -1. */
static int
children_open_stream(const struct child *c, int stream, int *theirs)
{
	if (stream == ERRORS && c->terminal)
		return 1;
	if (stream == INPUT && c->input_file != NULL)
		*theirs = open(c->input_file, O_RDONLY | O_CLOEXEC);
	else if (stream == OUTPUT && c->shown)
		*theirs = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		return 0;
	return *theirs == -1 ? -1 : 1;
}

/* Make a pipe for each stream: our ends are non-blocking, theirs are not. */
static int
make_pipes(const struct child *c, int ours[STREAMS], int theirs[STREAMS])
{
	int i, ends[2], other;

	for (i = 0; i < STREAMS; i++)
		ours[i] = theirs[i] = -1;
	for (i = 0; i < STREAMS; i++) {
		if ((other = children_open_stream(c, i, &theirs[i])) == -1)
			return -1;
		if (other == 1)
			continue;
		if (pipe2(ends, O_CLOEXEC) != 0)
			return -1;
		ours[i] = ends[i == INPUT];
		theirs[i] = ends[i != INPUT];
		(void)fcntl(ours[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

/* Start a child with fork(2).  A child that cannot be started ends at once,
   with the reason in its error output.  Both sides call setpgid(2), so that the
   group exists whichever runs first. */
static void
children_start(struct runner *r, struct running *place, struct child *c)
{
	int theirs[STREAMS], i;

	memset(&c->out, 0, sizeof(c->out));
	memset(&c->err, 0, sizeof(c->err));
	child_text_add(&c->out, "", 0);
	child_text_add(&c->err, "", 0);
	c->timed_out = false;
	c->started = c->ended = time(NULL);
	c->started_ms = c->ended_ms = clock_real_ms();
	memset(place, 0, sizeof(*place));
	if (make_pipes(c, place->fds, theirs) != 0 ||
	    (place->pid = fork()) == -1) {
		const char *reason = strerror(errno);

		child_text_add(&c->err, reason, strlen(reason));
		c->status = CHILD_NOT_STARTED;
		for (i = 0; i < STREAMS; i++)
			close_end(&place->fds[i]);
		if (r->done != NULL)
			r->done(c);
	} else {
		if (place->pid == 0)
			become(c, theirs, &r->mask);
		if (!c->terminal)
			(void)setpgid(place->pid, place->pid);
		place->child = c;
		if (c->limit_ms > 0)
			place->deadline_ms = clock_monotonic_ms() + c->limit_ms;
		if (c->input == NULL)
			close_end(&place->fds[INPUT]);
		r->running++;
	}
	for (i = 0; i < STREAMS; i++)
		close_end(&theirs[i]);
}

/* Write as much as the pipe takes.  A child that closes its input early (EPIPE)
   has read what it wanted. */
static void
send_input(struct running *place)
{
	const char *input = place->child->input;
	ssize_t n;

	n = write(place->fds[INPUT], input + place->sent,
	    strlen(input + place->sent));
	if (n == -1 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		place->sent += (size_t)n;
	if (n == -1 || input[place->sent] == '\0')
		close_end(&place->fds[INPUT]);
}

/* Read the available bytes. */
static void
receive(struct running *place, int stream)
{
	struct child_text *t = stream == OUTPUT ?
	    &place->child->out :
	    &place->child->err;
	char data[READ_SIZE];
	ssize_t n;

	while ((n = read(place->fds[stream], data, sizeof(data))) > 0)
		child_text_add(t, data, (size_t)n);
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		close_end(&place->fds[stream]);
}

/* Send SIGTERM to the child's whole group, or to it alone if it has the
   terminal; on the second call SIGKILL. */
static void
end_child(struct running *place, int64_t now)
{
	pid_t target = place->child->terminal ? place->pid : -place->pid;

	(void)kill(target, place->notified ? SIGKILL : SIGTERM);
	(void)kill(target, SIGCONT);
	place->notified = true;
	place->deadline_ms = now + GRACE_MS;
}

/* Reap a child that has ended.  Only the bytes in the pipes are read, because a
   process that it left may hold them open. */
static void
children_reap(struct runner *r, struct running *place)
{
	struct child *c = place->child;
	int status, i;

	if (waitpid(place->pid, &status, WNOHANG) != place->pid)
		return;
	c->ended = time(NULL);
	c->ended_ms = clock_real_ms();
	c->status = WIFEXITED(status) ?
	    WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
	for (i = OUTPUT; i < STREAMS; i++)
		if (place->fds[i] != -1)
			receive(place, i);
	for (i = 0; i < STREAMS; i++)
		close_end(&place->fds[i]);
	/* Other processes of its group had to end with it. */
	if (place->notified && !c->terminal)
		(void)kill(-place->pid, SIGKILL);
	place->child = NULL;
	r->running--;
	if (r->interrupted == 0 && r->done != NULL)
		r->done(c);
}

/* Read signals.  SIGCHLD only wakes the loop: several deaths may be one signal,
   so all children are checked.  Any other signal ends the rest, once. */
static void
take_signals(struct runner *r)
{
	struct signalfd_siginfo info;
	int i;

	while (read(r->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD || r->interrupted != 0)
			continue;
		r->interrupted = (int)info.ssi_signo;
		for (i = 0; i < r->jobs; i++)
			if (r->places[i].child != NULL)
				end_child(&r->places[i], clock_monotonic_ms());
	}
	for (i = 0; i < r->jobs; i++)
		if (r->places[i].child != NULL)
			children_reap(r, &r->places[i]);
}

/* Prepare poll(2).  Returns the time to wait in ms; -1: no limit. */
static int
prepare_poll(struct runner *r, int64_t now)
{
	struct running *place;
	int64_t wait = -1, left;
	int i, stream;

	r->polls[0].fd = r->signals;
	r->polls[0].events = POLLIN;
	for (i = 0; i < r->jobs; i++) {
		place = &r->places[i];
		for (stream = 0; stream < STREAMS; stream++) {
			struct pollfd *p = &r->polls[1 + STREAMS * i + stream];

			p->fd = place->child == NULL ? -1 : place->fds[stream];
			p->events = stream == INPUT ? POLLOUT : POLLIN;
			p->revents = 0;
		}
		if (place->child == NULL || place->deadline_ms == 0)
			continue;
		left = place->deadline_ms > now ? place->deadline_ms - now : 0;
		if (wait == -1 || left < wait)
			wait = left;
	}
	return (int)wait;
}

/* Write to and read from a child, as poll(2) reports. */
static void
serve(struct running *place, const struct pollfd *polls)
{
	int stream;

	for (stream = 0; stream < STREAMS; stream++) {
		if (polls[stream].fd == -1 || polls[stream].revents == 0)
			continue;
		if (stream == INPUT)
			send_input(place);
		else
			receive(place, stream);
	}
}

/* Run one round: wait for a stream, a signal or the next time limit, serve
   ready children, and end those that exceed their time. */
static void
step(struct runner *r)
{
	struct running *place;
	int64_t now = clock_monotonic_ms();
	int i, n;

	n = poll(r->polls, (nfds_t)(1 + STREAMS * r->jobs),
	    prepare_poll(r, now));
	now = clock_monotonic_ms();
	for (i = 0; i < r->jobs; i++) {
		place = &r->places[i];
		if (place->child == NULL)
			continue;
		if (n > 0)
			serve(place, &r->polls[1 + STREAMS * i]);
		if (place->deadline_ms != 0 && now >= place->deadline_ms) {
			place->child->timed_out = r->interrupted == 0;
			end_child(place, now);
		}
	}
	take_signals(r);
}

/* Catch the signals that end this process; ignored ones stay ignored. */
static int
catch_signals(struct runner *r)
{
	static const int endings[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t set;
	size_t i;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	for (i = 0; i < ARRAY_SIZE(endings); i++)
		if (sigaction(endings[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			(void)sigaddset(&set, endings[i]);
	(void)sigprocmask(SIG_BLOCK, &set, &r->mask);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The caller's signal mask and handlers are restored at the end.  SIGCHLD must
   not be ignored meanwhile, or the kernel reaps the children itself. */
int
children_run(struct child *children, size_t count, int jobs, child_done *done)
{
	struct runner r = { .jobs = jobs, .done = done };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, pipes;
	struct sigaction plain = { .sa_handler = SIG_DFL }, deaths;
	size_t next = 0;
	int i;

	if ((size_t)jobs > count)
		r.jobs = jobs = count > 0 ? (int)count : 1;
	(void)sigaction(SIGPIPE, &ignore, &pipes);
	(void)sigaction(SIGCHLD, &plain, &deaths);
	r.signals = catch_signals(&r);
	r.places = xcalloc((size_t)jobs, sizeof(*r.places));
	r.polls = xcalloc(1 + STREAMS * (size_t)jobs, sizeof(*r.polls));
	while (r.running > 0 || (next < count && r.interrupted == 0)) {
		for (i = 0; i < jobs && next < count && r.interrupted == 0; i++)
			if (r.places[i].child == NULL)
				children_start(&r, &r.places[i],
				    &children[next++]);
		if (r.running > 0)
			step(&r);
	}
	free(r.places);
	free(r.polls);
	(void)close(r.signals);
	(void)sigprocmask(SIG_SETMASK, &r.mask, NULL);
	(void)sigaction(SIGCHLD, &deaths, NULL);
	(void)sigaction(SIGPIPE, &pipes, NULL);
	return r.interrupted;
}
