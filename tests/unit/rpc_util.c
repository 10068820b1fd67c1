#include "tests/unit/rpc_util.h"

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"

enum {
	LATE_MS = 20,
	WAIT_MS = 5000,
	ECHOES = 11,
	METHODS = ECHOES + RPC_HEALTH_METHODS
};

/* Of the process that serves. */
struct server {
	struct rpc_server *rpc;
	struct rpc_health *health;
	struct rpc_method methods[METHODS];
	struct rpc_counts counts;
	struct rpc_watch signals;
	int troubles;
};

/* A call that is answered later. */
struct late {
	struct rpc_timer timer;
	struct rpc_call *call;
	struct server *server;
	size_t size;
	char bytes[];
};

static void __attribute__((noreturn)) die(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- methods ---- */

static void
unary(struct rpc_call *call, const void *bytes, size_t size)
{
	rpc_call_reply(call, bytes, size);
}

static void
refuse(struct rpc_call *call, const void *bytes, size_t size)
{
	struct error e;

	(void)error_set_code(&e, ERROR_BUSY, "%.*s", (int)size,
	    (const char *)bytes);
	rpc_call_refuse(call, &e);
}

static void
late_fire(void *context)
{
	struct late *l = context;

	rpc_call_reply(l->call, l->bytes, l->size);
	free(l);
}

static void
late(struct rpc_call *call, const void *bytes, size_t size)
{
	struct server *s = rpc_call_context(call);
	struct rpc_loop *loop = rpc_server_loop(s->rpc);
	struct late *l = xcalloc(1, sizeof(*l) + size);

	l->call = call;
	l->server = s;
	l->size = size;
	memcpy(l->bytes, bytes, size);
	l->timer.fire = late_fire;
	l->timer.context = l;
	rpc_call_set_data(call, l);
	rpc_timer_set(&loop->timers, &l->timer, loop->now_ms + LATE_MS);
}

static void
late_end(struct rpc_call *call, enum rpc_end why)
{
	struct late *l = rpc_call_data(call);

	l->server->counts.ends[why]++;
	rpc_timer_clear(&rpc_server_loop(l->server->rpc)->timers, &l->timer);
	free(l);
}

static void
never(struct rpc_call *call, const void *bytes, size_t size)
{
	(void)call;
	(void)bytes;
	(void)size;
}

static void
count_end(struct rpc_call *call, enum rpc_end why)
{
	struct server *s = rpc_call_context(call);

	s->counts.ends[why]++;
}

static void
big(struct rpc_call *call, const void *bytes, size_t size)
{
	char text[16], *answer;
	int count = 0;

	(void)snprintf(text, sizeof(text), "%.*s", (int)size,
	    (const char *)bytes);
	(void)sscanf(text, "%d", &count);
	answer = xmalloc((size_t)count + 1);
	memset(answer, 'b', (size_t)count);
	rpc_call_reply(call, answer, (size_t)count);
	free(answer);
}

static void
metadata(struct rpc_call *call, const void *bytes, size_t size)
{
	char name[64];
	const char *value;

	(void)snprintf(name, sizeof(name), "%.*s", (int)size,
	    (const char *)bytes);
	value = rpc_call_metadata(call, name);
	if (value == NULL)
		value = "-";
	rpc_call_reply(call, value, strlen(value));
}

static void
peer(struct rpc_call *call, const void *bytes, size_t size)
{
	const struct rpc_peer *p = rpc_call_peer(call);
	char text[32] = "remote";

	(void)bytes;
	(void)size;
	if (p->is_local)
		(void)snprintf(text, sizeof(text), "local %u", p->uid);
	rpc_call_reply(call, text, strlen(text));
}

static void
pass(struct rpc_call *call, const void *bytes, size_t size)
{
	const int fd = memfd_create("pass", MFD_CLOEXEC);
	const char *answer;

	if (fd == -1 || write(fd, bytes, size) != (ssize_t)size)
		die("memfd_create");
	answer = rpc_call_pass(call, fd) ? "passed" : "not";
	rpc_call_reply(call, answer, strlen(answer));
}

static void
stream(struct rpc_call *call, const void *bytes, size_t size)
{
	rpc_call_send(call, bytes, size);
}

static void
count(struct rpc_call *call, const void *bytes, size_t size)
{
	struct server *s = rpc_call_context(call);
	struct rusage usage;

	(void)bytes;
	(void)size;
	(void)getrusage(RUSAGE_SELF, &usage);
	s->counts.max_rss_kib = (uint64_t)usage.ru_maxrss;
	s->counts.connections = rpc_server_connections(s->rpc);
	s->counts.held = rpc_server_held(s->rpc);
	rpc_call_reply(call, &s->counts, sizeof(s->counts));
}

static void
sick(struct rpc_call *call, const void *bytes, size_t size)
{
	struct server *s = rpc_call_context(call);

	rpc_health_set(s->health, false);
	rpc_call_reply(call, bytes, size);
}

static const struct rpc_method echoes[ECHOES] = {
	{ .path = "/test.Echo/Unary", .take = unary },
	{ .path = "/test.Echo/Refuse", .take = refuse },
	{ .path = "/test.Echo/Late", .take = late, .end = late_end },
	{ .path = "/test.Echo/Never", .take = never, .end = count_end },
	{ .path = "/test.Echo/Big", .take = big },
	{ .path = "/test.Echo/Metadata", .take = metadata },
	{ .path = "/test.Echo/Peer", .take = peer },
	{ .path = "/test.Echo/Pass", .take = pass },
	{ .path = "/test.Echo/Stream",
	    .is_stream = true,
	    .take = stream,
	    .end = count_end },
	{ .path = "/test.Echo/Count", .take = count },
	{ .path = "/test.Echo/Sick", .take = sick },
};

/* ---- the process ---- */

static void
note_trouble(void *owner, const struct rpc_peer *who, const char *text)
{
	struct server *s = owner;
	char line[160];
	int n;

	(void)who;
	s->counts.troubles++;
	n = snprintf(line, sizeof(line), "%s\n", text);
	(void)!write(s->troubles, line, (size_t)n);
}

static void
take_signal(void *context, uint32_t events)
{
	struct server *s = context;
	struct signalfd_siginfo info;

	(void)events;
	(void)!read(s->signals.fd, &info, sizeof(info));
	rpc_server_stop(s->rpc);
}

static void
fill_methods(struct server *s)
{
	static const char *const services[] = { "test.Echo", NULL };
	size_t i;

	for (i = 0; i < ECHOES; i++) {
		s->methods[i] = echoes[i];
		s->methods[i].context = s;
	}
	s->health = rpc_health_new(services);
	rpc_health_methods(s->health, &s->methods[ECHOES]);
}

/* Serve until SIGTERM; the port goes to the parent. */
static void
serve(const struct rpc_limits *limits, const char *directory, int port_to,
    int troubles)
{
	struct server s = { .troubles = troubles };
	const struct rpc_server_options options = { .methods = s.methods,
		.method_count = METHODS,
		.limits = limits,
		.owner = &s,
		.trouble = note_trouble };
	struct error e;
	sigset_t signals;
	int port;

	fill_methods(&s);
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &signals, NULL);
	s.rpc = rpc_server_new(&options, &e);
	s.signals = (struct rpc_watch){ .fd = signalfd(-1, &signals,
					    SFD_CLOEXEC | SFD_NONBLOCK),
		.ready = take_signal,
		.context = &s };
	if (s.rpc == NULL ||
	    rpc_loop_add(rpc_server_loop(s.rpc), &s.signals, EPOLLIN, &e) !=
		0 ||
	    (port = rpc_server_listen_tcp(s.rpc, "127.0.0.1", 0, &e)) == -1 ||
	    (directory != NULL &&
		rpc_server_listen_unix(s.rpc, directory, "rpc", 0600, &e) !=
		    0)) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	if (write(port_to, &port, sizeof(port)) != (ssize_t)sizeof(port))
		die("write");
	(void)close(port_to);
	while (rpc_server_turn(s.rpc, -1))
		continue;
	rpc_server_free(s.rpc);
	rpc_health_free(s.health);
	(void)close(s.signals.fd);
	exit(0);
}

void
rpc_process_start(struct rpc_process *p, const struct rpc_limits *limits,
    const char *directory)
{
	int ports[2], troubles[2];

	(void)fflush(stdout);
	if (pipe(ports) != 0 || pipe(troubles) != 0 || (p->pid = fork()) == -1)
		die("rpc_process_start");
	if (p->pid == 0) {
		/* A test that fails leaves nothing behind. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(ports[0]);
		(void)close(troubles[0]);
		serve(limits, directory, ports[1], troubles[1]);
	}
	(void)close(ports[1]);
	(void)close(troubles[1]);
	if (read(ports[0], &p->port, sizeof(p->port)) !=
	    (ssize_t)sizeof(p->port))
		die("the server does not start");
	(void)close(ports[0]);
	p->troubles = troubles[0];
	(void)snprintf(p->port_text, sizeof(p->port_text), "%d", p->port);
}

void
rpc_process_ask(const struct rpc_process *p)
{
	(void)kill(p->pid, SIGTERM);
}

int
rpc_process_wait(struct rpc_process *p)
{
	int status;

	if (waitpid(p->pid, &status, 0) != p->pid)
		die("waitpid");
	(void)close(p->troubles);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct rpc_client *
rpc_process_client(const struct rpc_process *p)
{
	const struct rpc_client_options o = { .host = "127.0.0.1",
		.port = p->port_text,
		.connect_ms = WAIT_MS };
	struct error e;
	struct rpc_client *c = rpc_client_open(&o, &e);

	if (c == NULL) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return c;
}

int
rpc_process_dial(const struct rpc_process *p)
{
	const struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)p->port),
		.sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd == -1 ||
	    connect(fd, (const struct sockaddr *)&a, sizeof(a)) != 0)
		die("connect");
	return fd;
}

struct rpc_counts
rpc_process_count(struct rpc_client *c)
{
	struct rpc_counts counts = { .connections = 0 };
	unsigned char *answer;
	size_t size;
	struct error e;

	if (rpc_stream_call(c, "/test.Echo/Count", NULL, WAIT_MS, "", 0,
		&answer, &size, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	if (size == sizeof(counts))
		memcpy(&counts, answer, size);
	free(answer);
	return counts;
}
