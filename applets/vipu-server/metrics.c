/*
 * Serving metrics by HTTP: the paths, the reader's key, and the bounds.
 *
 *	/metrics		the controller, or the machine of the host that
 *				the request names
 *	/agents/ID/metrics	one machine
 *	/health, /ready		for probes
 *
 * An answer shows one snapshot, and every client may read.  When all places are
 * taken, the address that has the most loses its oldest one, so that other
 * addresses are always served.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <sys/socket.h>

#include <microhttpd.h>

#include <bsd/sys/queue.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu-server/exposition.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/encoding.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/pod/request.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc.h"

#define METRICS_OPENMETRICS \
	"application/openmetrics-text; version=1.0.0; charset=utf-8"
#define METRICS_TEXT "text/plain; version=0.0.4; charset=utf-8"

enum {
	CONNECTIONS = 32,
	CONNECTION_BYTES = 16 << 10,
	SILENCE_S = 10 /* until a silent connection is closed */
};

struct metrics {
	struct daemon *daemon;
	struct MHD_Daemon *http;
	struct rpc_watch watch; /* watch of the library's epoll descriptor */
	struct rpc_timer timer; /* its next time limit */
	uint64_t ticks;
	TAILQ_HEAD(, metrics_client) clients; /* oldest first */
	int count;			      /* number of clients */
	bool has_place; /* one closed in this run of the library */
};

/* A connection. */
struct metrics_client {
	TAILQ_ENTRY(metrics_client) entry;
	uint64_t origin; /* address, by link_address_origin() */
	int fd;
};

/* A request. */
struct metrics_request {
	struct metrics *metrics;
	struct MHD_Connection *connection;
	const char *path;
};

/* ---- answers ---- */

/* Queue an answer, and give up this reference to it. */
static enum MHD_Result
queue(const struct metrics_request *r, unsigned status, const char *type,
    struct MHD_Response *response)
{
	enum MHD_Result result;

	if (response == NULL)
		return MHD_NO;
	(void)MHD_add_response_header(response, "Content-Type", type);
	if (status == MHD_HTTP_UNAUTHORIZED)
		(void)MHD_add_response_header(response, "WWW-Authenticate",
		    "Basic realm=\"vipu-server\"");
	if (status == MHD_HTTP_SERVICE_UNAVAILABLE)
		(void)MHD_add_response_header(response, "Retry-After", "1");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)MHD_add_response_header(response, "Allow", "GET, HEAD");
	result = MHD_queue_response(r->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result
answer_text(const struct metrics_request *r, unsigned status, const char *text)
{
	char *line = xasprintf("%s\n", text);
	enum MHD_Result result = queue(r, status, "text/plain; charset=utf-8",
	    MHD_create_response_from_buffer(strlen(line), line,
		MHD_RESPMEM_MUST_COPY));

	free(line);
	return result;
}

static enum MHD_Result
answer_error(const struct metrics_request *r, const struct error *e)
{
	return answer_text(r,
	    e->code == ERROR_NOT_FOUND		 ? MHD_HTTP_NOT_FOUND :
		e->code == ERROR_INVALID	 ? MHD_HTTP_BAD_REQUEST :
		e->code == ERROR_UNAUTHENTICATED ? MHD_HTTP_UNAUTHORIZED :
						   MHD_HTTP_SERVICE_UNAVAILABLE,
	    e->text);
}

/* ---- the places ---- */

/* Return the oldest connection of the address that has the most. */
static struct metrics_client *
find_greediest(const struct metrics *m)
{
	struct metrics_client *c, *other, *found = NULL;
	int count, most = 0;

	TAILQ_FOREACH(c, &m->clients, entry) {
		count = 0;
		TAILQ_FOREACH(other, &m->clients, entry)
			count += other->origin == c->origin;
		if (count > most) {
			most = count;
			found = c;
		}
	}
	return found;
}

/* The library's notice of a connection.  The one that takes the last place ends
   another, so that the next finds a place as well. */
static void
notice(void *context, struct MHD_Connection *connection, void **state,
    enum MHD_ConnectionNotificationCode code)
{
	struct metrics *m = context;
	struct metrics_client *c = *state;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		m->count--;
		TAILQ_REMOVE(&m->clients, c, entry);
		m->has_place = true;
		free(c);
		return;
	}
	c = xcalloc(1, sizeof(*c));
	*state = c;
	c->fd = MHD_get_connection_info(connection,
	    MHD_CONNECTION_INFO_CONNECTION_FD)
		    ->connect_fd;
	c->origin = link_address_origin(c->fd);
	TAILQ_INSERT_TAIL(&m->clients, c, entry);
	if (++m->count == CONNECTIONS)
		(void)shutdown(find_greediest(m)->fd, SHUT_RDWR);
}

/* ---- the reader's rights ---- */

static const char *
header_of(const struct metrics_request *r, const char *name)
{
	return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND,
	    name);
}

/* Check the user and key of "Basic BASE64", if the request has any.  -1: they
   are wrong. */
static int
check_key(const struct metrics_request *r, bool *is_trusted, struct error *e)
{
	const char *header = header_of(r, "Authorization");
	const struct metrics_client *client =
	    MHD_get_connection_info(r->connection,
		MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
	char *text, *colon;
	size_t size;
	int status;

	*is_trusted = false;
	if (header == NULL)
		return 0;
	text = strncasecmp(header, "Basic ", strlen("Basic ")) == 0 ?
	    base64_decode(header + strlen("Basic "), &size) :
	    NULL;
	colon = text == NULL ? NULL : strchr(text, ':');
	if (colon == NULL) {
		free(text);
		return error_set_code(e, ERROR_UNAUTHENTICATED,
		    "Authorization: must be Basic with a user and its access "
		    "key");
	}
	*colon++ = '\0';
	status = daemon_login(r->metrics->daemon, text, colon, client->origin,
	    is_trusted, e);
	free(text);
	return status;
}

/* ---- the paths ---- */

enum { AGENT_SIZE = 128 };

/* Read the agent of "/agents/ID/metrics".  False: another path. */
static bool
read_agent(const char *path, char agent[AGENT_SIZE])
{
	int end = 0;

	return sscanf(path, "/agents/%127[^/]/metrics%n", agent, &end) == 1 &&
	    end > 0 && path[end] == '\0';
}

/* Return the machine of the host that the request names, or -1.  A reader that
   takes this listener for the machine's own sends it. */
static int
find_host(const struct metrics_request *r, const struct pod *pod)
{
	const char *host = header_of(r, "Host");
	size_t size;
	int i;

	if (host == NULL)
		return -1;
	size = *host == '[' ? strcspn(++host, "]") : strcspn(host, ":");
	for (i = 0; i < pod->agent_count; i++)
		if (strlen(pod->agents[i].host) == size &&
		    memcmp(pod->agents[i].host, host, size) == 0)
			return i;
	return -1;
}

/* Choose the machine of the path, or the controller.  A machine that is down
   does not answer. */
static int
choose(const struct metrics_request *r, struct exposition *x, struct error *e)
{
	const struct pod *pod = &x->snapshot->pod;
	char agent[AGENT_SIZE];

	if (read_agent(r->path, agent)) {
		x->agent = selection_find_agent(pod, agent, e);
		if (x->agent == -1)
			return -1;
	} else
		x->agent = find_host(r, pod);
	if (x->agent != -1 &&
	    !pod_machine_is_up(&pod->agents[x->agent], x->now_ns / 1000000))
		return error_set_code(e, ERROR_UNAVAILABLE,
		    "the machine of agent %s does not answer",
		    pod->agents[x->agent].name);
	return 0;
}

/* Print the text of the pod and its slots at this moment, which the caller
   frees.  The daemon's own registry is not frozen. */
static char *
print_metrics(const struct metrics_request *r, struct exposition *x,
    size_t *size, struct error *e)
{
	struct registry registry;
	struct snapshot snapshot;
	struct memstream m;
	char *text = NULL;

	lock_set_deadline(clock_monotonic_ms());
	if (reader_open_beside(r->metrics->daemon->controller, &registry, e) !=
	    0)
		return NULL;
	if (snapshot_take(&registry, &snapshot, e) == 0) {
		x->snapshot = &snapshot;
		x->registry = &registry;
		x->now_ns = clock_real_ns();
		x->ticks = ++r->metrics->ticks;
		holder_place_init(&x->place);
		snapshot_freeze(&snapshot, &registry, x->now_ns);
		if (choose(r, x, e) == 0) {
			exposition_print(x, memstream_open(&m));
			text = memstream_close(&m, size);
		}
		snapshot_release(&snapshot);
	}
	registry_close(&registry);
	return text;
}

static enum MHD_Result
answer_metrics(const struct metrics_request *r)
{
	const char *accept = header_of(r, "Accept");
	struct exposition x = { .is_openmetrics = accept != NULL &&
		    strstr(accept, "application/openmetrics-text") != NULL };
	struct error e;
	size_t size;
	char *text;

	if (check_key(r, &x.is_trusted, &e) != 0 ||
	    (text = print_metrics(r, &x, &size, &e)) == NULL)
		return answer_error(r, &e);
	return queue(r, MHD_HTTP_OK,
	    x.is_openmetrics ? METRICS_OPENMETRICS : METRICS_TEXT,
	    MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE));
}

/* The library's handler of requests.  It calls a second time when the headers
   of a request without a body are complete. */
static enum MHD_Result
answer(void *context, struct MHD_Connection *connection, const char *path,
    const char *method, const char *version, const char *body,
    size_t *body_size, void **state)
{
	static char is_known;
	char agent[AGENT_SIZE];
	struct error e;
	const struct metrics_request r = { .metrics = context,
		.connection = connection,
		.path = path };

	(void)version;
	(void)body;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return answer_text(&r, MHD_HTTP_METHOD_NOT_ALLOWED,
		    "only GET and HEAD are served");
	if (*body_size != 0)
		return MHD_NO;
	if (*state == NULL) {
		*state = &is_known;
		return MHD_YES;
	}
	if (strcmp(path, "/metrics") == 0 || read_agent(path, agent))
		return answer_metrics(&r);
	if (strcmp(path, "/ready") == 0)
		return daemon_registry(r.metrics->daemon, &e) != NULL ?
		    answer_text(&r, MHD_HTTP_OK, "ready") :
		    answer_error(&r, &e);
	if (strcmp(path, "/health") == 0)
		return answer_text(&r, MHD_HTTP_OK, "healthy");
	return answer_text(&r, MHD_HTTP_NOT_FOUND,
	    "the paths are /metrics, /agents/ID/metrics, /health and "
	    "/ready");
}

/* ---- the loop ---- */

/*
 * Let the library work, then rest for as long as that took: readers get at most
 * half of the server's time, however many they are.  The library only accepts
 * on a free place in its next run.
 */
static void
metrics_work(void *context, uint32_t events)
{
	struct metrics *m = context;
	struct rpc_loop *loop = rpc_server_loop(m->daemon->rpc);
	const int64_t start_ms = clock_monotonic_ms();
	int64_t now_ms, wait_ms;

	(void)events;
	m->has_place = false;
	(void)MHD_run(m->http);
	now_ms = clock_monotonic_ms();
	wait_ms = m->has_place ? 0 : MHD_get_timeout64s(m->http);
	if (now_ms > start_ms) {
		wait_ms = now_ms - start_ms;
		rpc_loop_change(loop, &m->watch, 0);
	}
	rpc_timer_set(&loop->timers, &m->timer,
	    wait_ms < 0 ? INT64_MAX : now_ms + wait_ms);
}

static void
metrics_fire(void *context)
{
	struct metrics *m = context;

	rpc_loop_change(rpc_server_loop(m->daemon->rpc), &m->watch, EPOLLIN);
	metrics_work(m, 0);
}

/* Start the library on the listening socket, which it closes in the end. */
static int
start_http(struct metrics *m, int fd, struct error *e)
{
	const union MHD_DaemonInfo *info;

	m->http = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_THREAD_SAFETY, 0,
	    NULL, NULL, answer, m, MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
	    MHD_OPTION_NOTIFY_CONNECTION, notice, m,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_S,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
	    MHD_OPTION_END);
	if (m->http == NULL) {
		(void)close(fd);
		return error_set(e, "cannot serve metrics");
	}
	info = MHD_get_daemon_info(m->http, MHD_DAEMON_INFO_EPOLL_FD);
	m->watch.fd = info->epoll_fd;
	m->watch.ready = metrics_work;
	m->watch.context = m;
	m->timer.fire = metrics_fire;
	m->timer.context = m;
	return rpc_loop_add(rpc_server_loop(m->daemon->rpc), &m->watch, EPOLLIN,
	    e);
}

struct metrics *
metrics_start(struct daemon *d, struct error *e)
{
	const struct server_listen *l = &d->settings->metrics;
	struct metrics *m;
	int port, fd;

	fd = link_address_listen_tcp(l->host, l->port, &port, e);
	if (fd == -1)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->daemon = d;
	TAILQ_INIT(&m->clients);
	m->watch.fd = -1;
	if (start_http(m, fd, e) != 0) {
		metrics_stop(m);
		return NULL;
	}
	log_info(strchr(l->host, ':') != NULL ? "metrics on [%s]:%d" :
						"metrics on %s:%d",
	    l->host, port);
	return m;
}

void
metrics_stop(struct metrics *m)
{
	struct rpc_loop *loop;

	if (m == NULL)
		return;
	loop = rpc_server_loop(m->daemon->rpc);
	rpc_timer_clear(&loop->timers, &m->timer);
	if (m->watch.fd != -1)
		rpc_loop_remove(loop, &m->watch);
	if (m->http != NULL)
		MHD_stop_daemon(m->http);
	free(m);
}
