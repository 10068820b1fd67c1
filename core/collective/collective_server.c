/*
 * The server's thread.  It waits with epoll(7) for connections, their messages
 * and reports of other threads; collective_service carries out messages.  Read
 * server_run() first.
 */
#include "core/collective/collective.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/collective/collective_connection.h"
#include "core/collective/collective_service.h"
#include "core/collective/collective_table.h"
#include "core/process/process.h"

enum {
	EVENTS = 64,
	CONNECTIONS_AN_INSTANCE = 128, /* a replica has one, and a thread may */
	FILES_BESIDE = 64,
	LOOKING_NS = 100 * 1000, /* spin on mailboxes this long before
				    sleeping */
	LOOKS = 8,		 /* looks at mailboxes per look at sockets */
	PAUSE_MS = 100		 /* without descriptors */
};

/* A report to the thread, through a pipe. */
struct collective_report {
	enum { REPORT_END, REPORT_RELAY, REPORT_STOP } kind;
	int instance, status; /* of a process that ended */
	pid_t pid;
	int fd; /* of a relay's connection */
};

struct collective_server {
	int instances;
	char *path;
	int listener, epoll;
	int reports[2];	   /* pipe of reports */
	int64_t paused_ms; /* end of a pause without descriptors; 0: none */
	struct collective_service service;
	TAILQ_HEAD(, collective_connection) connections;
	size_t count;
	int64_t looking_until_ns; /* end of spinning on mailboxes */
	struct rlimit files;	  /* the old limit; a maximum of 0: unchanged */
	pthread_t thread;
	bool running;
};

/* Watch a descriptor of the server, or change its events. */
static int
server_watch(const struct collective_server *s, int how, int *fd,
    uint32_t events)
{
	struct epoll_event event = { .events = events, .data = { .ptr = fd } };

	return epoll_ctl(s->epoll, how, *fd, &event);
}

struct collective_server *
collective_server_new(const char *directory, int instances, struct error *e)
{
	struct collective_server *s = xcalloc(1, sizeof(*s));

	s->instances = instances;
	s->epoll = s->reports[0] = s->reports[1] = -1;
	TAILQ_INIT(&s->connections);
	collective_service_init(&s->service, instances);
	s->listener = link_address_listen(directory, "collectives", &s->path,
	    e);
	if (s->listener != -1)
		return s;
	collective_server_free(s);
	return NULL;
}

int
collective_server_fd(const struct collective_server *s)
{
	return s->running ? -1 : s->listener;
}

/* Free a connection after its guest. */
static void
server_close(struct collective_server *s, struct collective_connection *c)
{
	TAILQ_REMOVE(&s->connections, c, link);
	s->count--;
	collective_connection_free(c);
}

/* End a connection: its member is lost unless it has left. */
static void
server_end(struct collective_server *s, struct collective_connection *c)
{
	if (c->guest != NULL)
		collective_table_lose(s->service.table, c->guest,
		    clock_monotonic_ms());
	server_close(s, c);
}

/* Handle the whole messages of one read.  Returns false if no more are
   available or the connection has ended. */
static bool
server_read_some(struct collective_server *s, struct collective_connection *c)
{
	const enum collective_state state = collective_connection_receive(c);
	struct collective_head h;
	const unsigned char *body;
	struct error e;
	int found = 1;

	while (!c->over &&
	    (found = collective_connection_next(c, &h, &body, &e)) == 1)
		collective_service_take(&s->service, c, &h, body);
	if (found == -1)
		collective_service_reject(c, 0, e.text);
	if (state == COLLECTIVE_ENDED || c->over) {
		server_end(s, c);
		return false;
	}
	return state == COLLECTIVE_PROGRESS;
}

/* Read while the program reads its answers: a fast sender must not be served
   without end. */
static void
server_read(struct collective_server *s, struct collective_connection *c)
{
	while (server_read_some(s, c) && (c->events & EPOLLIN) != 0)
		continue;
}

/* ---- mailboxes ---- */

/* Return the time until the next limit or the end of a pause in ms, or -1. */
static int
server_wait_ms(const struct collective_server *s)
{
	int64_t due = collective_table_deadline(s->service.table), left;

	if (s->paused_ms != 0 && (due == -1 || s->paused_ms < due))
		due = s->paused_ms;
	if (due == -1)
		return -1;
	left = due - clock_monotonic_ms();
	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* Handle the messages in mailboxes.  Returns false if all were empty. */
static bool
server_look(struct collective_server *s)
{
	struct collective_connection *c, *next;
	struct collective_head h;
	const unsigned char *body;
	struct error e;
	bool any = false;
	int found;

	TAILQ_FOREACH_SAFE(c, &s->connections, link, next) {
		found = collective_connection_next_mail(c, &h, &body, &e);
		if (found == 0)
			continue;
		any = true;
		if (found == 1)
			collective_service_take(&s->service, c, &h, body);
		else
			collective_service_reject(c, 0, e.text);
		if (c->over)
			server_end(s, c);
	}
	return any;
}

/* Tell programs whether they have to wake this thread. */
static void
server_announce_sleep(struct collective_server *s, bool sleeps)
{
	struct collective_connection *c;

	TAILQ_FOREACH(c, &s->connections, link)
		collective_connection_sleep(c, sleeps);
}

/* Poll the mailboxes while work arrives and a little longer, yielding the
   processor: a member that got its result often sends its next vector at
   once. */
static bool
server_look_around(struct collective_server *s)
{
	bool found = false;
	int i;

	for (i = 0; i < LOOKS; i++) {
		found |= server_look(s);
		(void)sched_yield();
	}
	return found;
}

/* Wait for epoll(7).  It only sleeps after the mailboxes were empty for a
   while. */
static int
server_wait(struct collective_server *s, struct epoll_event *events, int count)
{
	const int64_t now_ns = clock_monotonic_ns();
	bool looking = now_ns < s->looking_until_ns, found;

	if (looking)
		found = server_look_around(s);
	else {
		server_announce_sleep(s, true);
		found = server_look(s);
	}
	if (found)
		s->looking_until_ns = now_ns + LOOKING_NS;
	count = epoll_wait(s->epoll, events, count,
	    looking || found ? 0 : server_wait_ms(s));
	if (!looking)
		server_announce_sleep(s, false);
	return count;
}

/* ---- the thread ---- */

/* Add a connection unless too many exist. */
static void
server_take(struct collective_server *s, int fd, pid_t pid, bool is_far)
{
	struct collective_connection *c;

	if (s->count >= (size_t)s->instances * CONNECTIONS_AN_INSTANCE) {
		(void)close(fd);
		return;
	}
	c = collective_connection_new(fd, pid, s->epoll);
	c->is_far = is_far;
	TAILQ_INSERT_TAIL(&s->connections, c, link);
	s->count++;
}

/* Accept a connection of this user; refuse others. */
static void
server_let_in(struct collective_server *s, int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	    peer.uid == geteuid())
		server_take(s, fd, peer.pid, false);
	else
		(void)close(fd);
}

static void
server_pause(struct collective_server *s)
{
	if (server_watch(s, EPOLL_CTL_MOD, &s->listener, 0) == 0)
		s->paused_ms = clock_monotonic_ms() + PAUSE_MS;
}

static void
server_resume(struct collective_server *s)
{
	if (s->paused_ms != 0 && clock_monotonic_ms() >= s->paused_ms &&
	    server_watch(s, EPOLL_CTL_MOD, &s->listener, EPOLLIN) == 0)
		s->paused_ms = 0;
}

/* Accept connections.  Without a free descriptor clients wait a while: any part
   of this process, or of the host, may close one. */
static void
server_accept(struct collective_server *s)
{
	int fd;

	while ((fd = accept4(s->listener, NULL, NULL,
		    SOCK_NONBLOCK | SOCK_CLOEXEC)) != -1)
		server_let_in(s, fd);
	if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
	    errno == ENOMEM)
		server_pause(s);
}

/* Read everything that has arrived. */
static void
server_read_all(struct collective_server *s)
{
	struct collective_connection *c, *next;

	server_accept(s);
	(void)server_look(s);
	TAILQ_FOREACH_SAFE(c, &s->connections, link, next)
		server_read(s, c);
}

/* Handle reports of other threads.  Messages sent before a process's end are
   handled before the report of that end.  Returns false when the thread must
   end. */
static bool
server_listen(struct collective_server *s)
{
	struct collective_report reports[EVENTS];
	bool goes_on = true;
	ssize_t size;
	size_t i;

	while ((size = read(s->reports[0], reports, sizeof(reports))) > 0) {
		for (i = 0; i < (size_t)size / sizeof(reports[0]); i++)
			if (reports[i].kind == REPORT_RELAY)
				server_take(s, reports[i].fd, 0, true);
		server_read_all(s);
		for (i = 0; i < (size_t)size / sizeof(reports[0]); i++)
			if (reports[i].kind == REPORT_END)
				collective_table_ended(s->service.table,
				    reports[i].instance, reports[i].pid,
				    reports[i].status);
			else if (reports[i].kind == REPORT_STOP)
				goes_on = false;
	}
	return goes_on;
}

static void
server_serve(struct collective_server *s, struct collective_connection *c,
    uint32_t events)
{
	if ((events & EPOLLOUT) != 0)
		collective_connection_flush(c);
	if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
		server_read(s, c);
}

static void *
server_run(void *context)
{
	struct collective_server *s = context;
	struct epoll_event events[EVENTS];
	bool has_reports, goes_on = true;
	int count, i;

	while (goes_on) {
		count = server_wait(s, events, ARRAY_SIZE(events));
		has_reports = false;
		for (i = 0; i < count; i++) {
			if (events[i].data.ptr == &s->reports[0])
				has_reports = true;
			else if (events[i].data.ptr == &s->listener)
				server_accept(s);
			else
				server_serve(s, events[i].data.ptr,
				    events[i].events);
		}
		if (has_reports)
			goes_on = server_listen(s);
		if (collective_table_deadline(s->service.table) != -1)
			collective_table_expire(s->service.table,
			    clock_monotonic_ms());
		server_resume(s);
	}
	return NULL;
}

/* Raise the limit of open files for the connections while they exist. */
static void
server_raise_file_limit(struct collective_server *s)
{
	struct rlimit limit;
	const rlim_t more = (rlim_t)s->instances * CONNECTIONS_AN_INSTANCE +
	    FILES_BESIDE;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur == limit.rlim_max)
		return;
	s->files = limit;
	limit.rlim_cur = limit.rlim_max - limit.rlim_cur > more ?
	    limit.rlim_cur + more :
	    limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* Start the thread with all signals blocked; the main thread takes them. */
static int
server_start_thread(struct collective_server *s)
{
	sigset_t all, before;
	int code;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	code = pthread_create(&s->thread, NULL, server_run, s);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	s->running = code == 0;
	return code;
}

int
collective_server_start(struct collective_server *s)
{
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll == -1 || pipe2(s->reports, O_CLOEXEC) == -1 ||
	    fcntl(s->reports[0], F_SETFL, O_NONBLOCK) == -1 ||
	    server_watch(s, EPOLL_CTL_ADD, &s->reports[0], EPOLLIN) != 0 ||
	    server_watch(s, EPOLL_CTL_ADD, &s->listener, EPOLLIN) != 0)
		return errno;
	server_raise_file_limit(s);
	return server_start_thread(s);
}

/* Send a report in one piece: it is smaller than PIPE_BUF. */
static void
server_report(const struct collective_server *s,
    const struct collective_report *report)
{
	while (write(s->reports[1], report, sizeof(*report)) == -1 &&
	    errno == EINTR)
		continue;
}

void
collective_server_ended(struct collective_server *s, int instance, pid_t pid,
    int status)
{
	if (!s->running) {
		collective_table_ended(s->service.table, instance, pid, status);
		return;
	}
	server_report(s,
	    &(struct collective_report){ .kind = REPORT_END,
		.instance = instance,
		.pid = pid,
		.status = status });
}

void
collective_server_adopt(struct collective_server *s, int fd)
{
	server_report(s,
	    &(struct collective_report){ .kind = REPORT_RELAY, .fd = fd });
}

void
collective_server_leave(struct collective_server *s)
{
	if (s != NULL && s->listener != -1)
		(void)close(s->listener);
}

void
collective_server_free(struct collective_server *s)
{
	struct collective_connection *c;

	if (s == NULL)
		return;
	if (s->running) {
		server_report(s,
		    &(struct collective_report){ .kind = REPORT_STOP });
		(void)pthread_join(s->thread, NULL);
	}
	collective_service_release(&s->service);
	while ((c = TAILQ_FIRST(&s->connections)) != NULL) {
		TAILQ_REMOVE(&s->connections, c, link);
		collective_connection_free(c);
	}
	if (s->listener != -1)
		(void)close(s->listener);
	if (s->epoll != -1)
		(void)close(s->epoll);
	if (s->reports[0] != -1) {
		(void)close(s->reports[0]);
		(void)close(s->reports[1]);
	}
	if (s->files.rlim_max != 0)
		(void)setrlimit(RLIMIT_NOFILE, &s->files);
	if (s->path != NULL)
		(void)unlink(s->path);
	free(s->path);
	free(s);
}
