/*
 * The server: accepts connections, and closes others to make room.
 */
#include "core/server/rpc/rpc.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc_connection.h"
#include "core/server/rpc/rpc_internal.h"

enum {
	LISTENERS_MAX = 16,
	ACCEPTS = 64, /* per turn: others wait */
	FILES_BESIDE = 64,
	PAUSE_MS = 100 /* without descriptors */
};

struct rpc_server {
	struct rpc_host host;
	struct rpc_watch listeners[LISTENERS_MAX];
	int listener_count;
	char *path; /* path of the unix socket */
	struct rpc_timer stop;
	struct rpc_timer resume; /* set while descriptors are lacking */
};

/* Raise the descriptor limit for all connections, or return the smaller number
   that the system allows. */
static size_t
server_raise_files(size_t connections)
{
	struct rlimit limit;
	const rlim_t wanted = connections + FILES_BESIDE;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
		return connections;
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur >= wanted)
		return connections;
	return limit.rlim_cur > 2 * FILES_BESIDE ?
	    (size_t)limit.rlim_cur - FILES_BESIDE :
	    FILES_BESIDE;
}

struct rpc_server *
rpc_server_new(const struct rpc_server_options *o, struct error *e)
{
	struct rpc_server *s = xcalloc(1, sizeof(*s));
	struct rpc_host *h = &s->host;

	h->methods = o->methods;
	h->method_count = o->method_count;
	h->limits = o->limits == NULL ? rpc_limits_default : *o->limits;
	h->owner = o->owner;
	h->trouble = o->trouble;
	rpc_places_init(h);
	TAILQ_INIT(&h->dirty);
	rpc_turns_init(h);
	rpc_limits_shrink(&h->limits,
	    server_raise_files(h->limits.connections));
	if (rpc_loop_init(&h->loop, e) == 0 &&
	    rpc_connection_prepare(h, e) == 0)
		return s;
	rpc_loop_release(&h->loop);
	free(s);
	return NULL;
}

/* ---- accepting ---- */

static void
server_describe_tcp(struct rpc_peer *peer, const struct sockaddr *a,
    socklen_t size)
{
	char host[INET6_ADDRSTRLEN + 20], port[8];

	if (getnameinfo(a, size, host, sizeof(host), port, sizeof(port),
		NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		(void)snprintf(peer->text, sizeof(peer->text), "unknown");
	else
		(void)snprintf(peer->text, sizeof(peer->text),
		    a->sa_family == AF_INET6 ? "[%.50s]:%s" : "%.50s:%s", host,
		    port);
}

/* Identify the peer of a socket. */
static void
server_describe(int fd, struct rpc_peer *peer)
{
	struct sockaddr_storage a;
	socklen_t size = sizeof(a), ucred_size;
	struct ucred credentials;
	const int yes = 1;

	*peer = (struct rpc_peer){ .uid = (uid_t)-1, .gid = (gid_t)-1 };
	peer->origin = link_address_origin(fd);
	memset(&a, 0, sizeof(a));
	if (getpeername(fd, (struct sockaddr *)&a, &size) != 0)
		a.ss_family = AF_UNSPEC;
	ucred_size = sizeof(credentials);
	if (a.ss_family == AF_UNIX &&
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials,
		&ucred_size) == 0) {
		peer->is_local = true;
		peer->uid = credentials.uid;
		peer->gid = credentials.gid;
		peer->pid = credentials.pid;
		(void)snprintf(peer->text, sizeof(peer->text), "uid %u, pid %d",
		    credentials.uid, credentials.pid);
		return;
	}
	server_describe_tcp(peer, (struct sockaddr *)&a, size);
	/* Answers are sent whole, so waiting gains nothing. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

int
rpc_server_adopt(struct rpc_server *s, int fd, struct error *e)
{
	struct rpc_host *h = &s->host;
	struct rpc_peer peer;
	struct rpc_connection *leaving;
	const char *reason;

	server_describe(fd, &peer);
	if (!rpc_places_find(h, &peer, &leaving, &reason)) {
		if (h->trouble != NULL)
			h->trouble(h->owner, &peer, reason);
		rpc_connection_refuse(fd);
		return error_set_code(e, ERROR_NO_ROOM,
		    "too many connections are open");
	}
	if (leaving != NULL)
		rpc_connection_dismiss(leaving, reason);
	return rpc_connection_new(&s->host, fd, &peer, e) == NULL ? -1 : 0;
}

static void
server_watch_listeners(struct rpc_server *s, uint32_t events)
{
	int i;

	for (i = 0; i < s->listener_count; i++)
		rpc_loop_change(&s->host.loop, &s->listeners[i], events);
}

static void
server_resume(void *context)
{
	server_watch_listeners(context, EPOLLIN);
}

/* Pause for lack of descriptors, which any part of this host may have. */
static void
server_pause(struct rpc_server *s)
{
	server_watch_listeners(s, 0);
	s->resume.fire = server_resume;
	s->resume.context = s;
	rpc_timer_set(&s->host.loop.timers, &s->resume,
	    s->host.loop.now_ms + PAUSE_MS);
}

/* Tries all listeners to find the ready one: they are few. */
static void
server_welcome(void *context, uint32_t events)
{
	struct rpc_server *s = context;
	int i, n, fd = -1;

	(void)events;
	for (i = 0; i < s->listener_count; i++) {
		for (n = 0; n < ACCEPTS; n++) {
			fd = accept4(s->listeners[i].fd, NULL, NULL,
			    SOCK_NONBLOCK | SOCK_CLOEXEC);
			if (fd == -1)
				break;
			(void)rpc_server_adopt(s, fd, NULL);
		}
		if (fd == -1 &&
		    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
			errno == ENOMEM))
			server_pause(s);
	}
}

/* ---- listening ---- */

static int
server_add(struct rpc_server *s, int fd, struct error *e)
{
	struct rpc_watch *w = &s->listeners[s->listener_count];

	*w = (struct rpc_watch){ .fd = fd,
		.ready = server_welcome,
		.context = s };
	if (rpc_loop_add(&s->host.loop, w, EPOLLIN, e) != 0) {
		(void)close(fd);
		return -1;
	}
	s->listener_count++;
	return 0;
}

static int
server_check_count(const struct rpc_server *s, struct error *e)
{
	return s->listener_count < LISTENERS_MAX ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"the server can listen on at most %d addresses", LISTENERS_MAX);
}

int
rpc_server_listen_tcp(struct rpc_server *s, const char *address, int port,
    struct error *e)
{
	int fd, bound;

	if (server_check_count(s, e) != 0)
		return -1;
	fd = link_address_listen_tcp(address, port, &bound, e);
	return fd == -1 || server_add(s, fd, e) != 0 ? -1 : bound;
}

int
rpc_server_listen_unix(struct rpc_server *s, const char *directory,
    const char *name, mode_t mode, struct error *e)
{
	struct stat st;
	char *path;
	int fd;

	if (server_check_count(s, e) != 0)
		return -1;
	path = xasprintf("%s/%s", directory, name);
	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
		(void)unlink(path);
	free(path);
	fd = link_address_listen(directory, name, &s->path, e);
	if (fd == -1)
		return -1;
	if (chmod(s->path, mode) != 0) {
		(void)error_set_errno(e, "cannot set the permissions of %s",
		    s->path);
		(void)close(fd);
		return -1;
	}
	return server_add(s, fd, e);
}

static void
server_close_listeners(struct rpc_server *s)
{
	int i;

	for (i = 0; i < s->listener_count; i++) {
		rpc_loop_remove(&s->host.loop, &s->listeners[i]);
		(void)close(s->listeners[i].fd);
	}
	s->listener_count = 0;
	rpc_timer_clear(&s->host.loop.timers, &s->resume);
	if (s->path != NULL)
		(void)unlink(s->path);
	free(s->path);
	s->path = NULL;
}

/* ---- life of the server ---- */

/* Serve some of the waiting requests. */
static void
server_serve_waiting(struct rpc_host *h)
{
	struct rpc_call *call;

	rpc_turns_begin(h);
	while ((call = rpc_turns_next(h)) != NULL)
		rpc_call_serve(call);
}

/* Send what waits, and free the connections that are given up. */
static void
server_flush(struct rpc_host *h)
{
	struct rpc_connection *c;

	while ((c = TAILQ_FIRST(&h->dirty)) != NULL)
		rpc_connection_flush(c);
	h->leaving = 0;
}

bool
rpc_server_turn(struct rpc_server *s, int64_t wait_ms)
{
	struct rpc_host *h = &s->host;

	server_flush(h); /* answers that the owner gave in between */
	if (h->is_stopping && h->count == 0)
		return false;
	rpc_turns_begin(h);
	rpc_loop_turn(&h->loop, rpc_turns_is_empty(h) ? wait_ms : 0);
	server_serve_waiting(h);
	rpc_places_shed(h);
	server_flush(h);
	return !h->is_stopping || h->count > 0;
}

/* Abandon the rest. */
static void
server_give_up(void *context)
{
	struct rpc_host *h = context;
	struct rpc_connection *c;

	while ((c = TAILQ_FIRST(&h->connections)) != NULL)
		rpc_connection_close(c,
		    "it did not read its answers before the server stopped");
}

void
rpc_server_stop(struct rpc_server *s)
{
	struct rpc_host *h = &s->host;
	struct rpc_connection *c;

	if (h->is_stopping)
		return;
	h->is_stopping = true;
	server_close_listeners(s);
	TAILQ_FOREACH(c, &h->connections, link)
		rpc_connection_stop(c);
	s->stop.fire = server_give_up;
	s->stop.context = h;
	rpc_timer_set(&h->loop.timers, &s->stop,
	    h->loop.now_ms + h->limits.stop_ms);
}

void
rpc_server_free(struct rpc_server *s)
{
	struct rpc_connection *c;

	if (s == NULL)
		return;
	server_close_listeners(s);
	while ((c = TAILQ_FIRST(&s->host.connections)) != NULL)
		rpc_connection_close(c, NULL);
	rpc_timer_clear(&s->host.loop.timers, &s->stop);
	rpc_connection_forget(&s->host);
	rpc_loop_release(&s->host.loop);
	free(s);
}

struct rpc_loop *
rpc_server_loop(struct rpc_server *s)
{
	return &s->host.loop;
}

void
rpc_server_shortage(struct rpc_server *s, char text[RPC_SERVER_SHORTAGE_SIZE])
{
	struct rpc_host *h = &s->host;
	unsigned most = 0;
	const struct rpc_peer *peer = rpc_places_crowd(h, &most);
	const char *port = peer == NULL ? NULL : strrchr(peer->text, ':');

	text[0] = '\0';
	if (peer != NULL)
		(void)snprintf(text, RPC_SERVER_SHORTAGE_SIZE,
		    "of its %zu connections %zu have shown no key, and %u are "
		    "from %.*s",
		    h->count, h->strangers, most,
		    port == NULL ? (int)strcspn(peer->text, ",") :
				   (int)(port - peer->text),
		    peer->text);
}

size_t
rpc_server_connections(const struct rpc_server *s)
{
	return s->host.count;
}

size_t
rpc_server_held(const struct rpc_server *s)
{
	return s->host.held;
}
