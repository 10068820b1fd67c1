/*
 * The controller that an address means.  This host's addresses are recognised
 * without a name server, in case it is missing.
 */
#include "core/server/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <bsd/string.h>

#include <ctype.h>
#include <ifaddrs.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/network.h"
#include "core/base/parse.h"
#include "core/process/process.h"
#include "core/server/rpc/rpc.h"
#include "core/state/state.h"

/* The port as getaddrinfo(3) wants it. */
enum { PORT_TEXT_SIZE = 8 };

/* A server that is silent for this long gets a PING. */
enum { SILENCE_MS = 10000 };

static bool
is_own(const struct dial_target *targets, int count)
{
	bool own = true;
	int i;

	for (i = 0; i < count; i++)
		own = own &&
		    own_host_has_address(
			(const struct sockaddr *)&targets[i].address);
	return own;
}

/* Set an interface's address, with its scope, and the port. */
static void
set_target(struct dial_target *t, const struct sockaddr *a, int port)
{
	struct sockaddr_in6 six;
	struct sockaddr_in four;

	memset(t, 0, sizeof(*t));
	if (a->sa_family == AF_INET6) {
		memcpy(&six, a, sizeof(six));
		six.sin6_port = htons((uint16_t)port);
		memcpy(&t->address, &six, sizeof(six));
		t->length = sizeof(six);
	} else {
		memcpy(&four, a, sizeof(four));
		four.sin_port = htons((uint16_t)port);
		memcpy(&t->address, &four, sizeof(four));
		t->length = sizeof(four);
	}
}

/* List both loopbacks and every address of an interface. */
static int
own_targets(int port, struct dial_target targets[DIAL_TARGETS_MAX])
{
	const struct sockaddr_in four = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct sockaddr_in6 six = { .sin6_family = AF_INET6,
		.sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct ifaddrs *all = NULL, *a;
	int count = 0;

	set_target(&targets[count++], (const struct sockaddr *)&four, port);
	set_target(&targets[count++], (const struct sockaddr *)&six, port);
	if (getifaddrs(&all) != 0)
		return count;
	for (a = all; a != NULL && count < DIAL_TARGETS_MAX; a = a->ifa_next) {
		if (a->ifa_addr != NULL && own_host_has_address(a->ifa_addr) &&
		    !own_host_is_loopback(a->ifa_addr))
			set_target(&targets[count++], a->ifa_addr, port);
	}
	freeifaddrs(all);
	return count;
}

/* Whether the embedded pod stands for a server of this host that does not
   listen. */
static bool
is_assumed(const struct server_address *a)
{
	bool strict;

	return a->port == SERVER_ADDRESS_PORT &&
	    a->reason.code != ERROR_TIMED_OUT &&
	    settings_strict(&strict, NULL, NULL) == 0 && !strict;
}

/* Connect, or return -1.  On this host's address a closed port refuses at once;
   without any network no server can listen. */
static int
server_address_dial(struct server_address *a, int64_t timeout_ms)
{
	struct dial_target targets[DIAL_TARGETS_MAX];
	int64_t deadline = clock_monotonic_ms() + timeout_ms;
	char port[PORT_TEXT_SIZE];
	bool own = own_host_has_name(a->host);
	int count, fd;

	(void)snprintf(port, sizeof(port), "%d", a->port);
	count = own ?
	    own_targets(a->port, targets) :
	    dial_look_up(a->host, port, deadline, targets, &a->reason);
	a->place = SERVER_SILENT;
	if (count == -1)
		return -1;
	own = own || is_own(targets, count);
	fd = dial_connect(targets, count, deadline, &a->reason);
	if (fd != -1)
		a->place = SERVER_REMOTE;
	else if (own && is_assumed(a))
		a->place = SERVER_LOCAL;
	return fd;
}

/* Check that a name or address is safe for terminals and resolvers. */
static int
check_host(const struct server_request *r, struct error *e)
{
	const char *c, *host = r->host;

	for (c = host; *c != '\0'; c++)
		if (!isgraph((unsigned char)*c) || strchr("/,@\"'", *c) != NULL)
			break;
	if (*c == '\0' && strlen(host) < SERVER_ADDRESS_HOST_SIZE)
		return 0;
	return error_set_code(e, ERROR_INVALID,
	    "'%.*s' is not a valid host name or address", 64, host);
}

static const char *
origin_of(const struct server_request *r)
{
	return r->origin != NULL ? r->origin : "the V-IPU server's host";
}

static bool
is_set(const char *text)
{
	return text != NULL && text[0] != '\0';
}

/* "[::1]" is ::1, as in a URL. */
static void
copy_host(struct server_address *a, const char *host)
{
	size_t len = strlen(host);

	if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
		(void)strlcpy(a->host, host + 1, sizeof(a->host));
		a->host[len - 2] = '\0';
	} else
		(void)strlcpy(a->host, host, sizeof(a->host));
}

static int64_t
timeout_of(const struct server_request *r)
{
	return r->timeout_ms != 0 ? r->timeout_ms : SERVER_ADDRESS_TIMEOUT_MS;
}

/* Check the request; *emulated: always the embedded controller. */
static int
server_address_read(const struct server_request *r, long long *port,
    bool *emulated, struct error *e)
{
	*port = SERVER_ADDRESS_PORT;
	*emulated = r->socket == NULL;
	if (r->socket != NULL || !is_set(r->host) ||
	    strcmp(r->host, "local") == 0)
		return 0;
	if (check_host(r, e) != 0 ||
	    (is_set(r->port) &&
		parse_number("port", r->port, 1, UINT16_MAX, port, e) != 0))
		return error_prefix(e, "%s", origin_of(r));
	return settings_emulate_hosts(r->emulate_hosts, emulated, NULL, e);
}

int
server_address_check(const struct server_request *r, struct error *e)
{
	long long port;
	bool emulated;

	return server_address_read(r, &port, &emulated, e);
}

/* Find it; *fd is the connection to a server that answers, or -1. */
static int
server_address_find(struct server_address *a, const struct server_request *r,
    int *fd, struct error *e)
{
	long long port;
	bool emulated;

	*fd = -1;
	memset(a, 0, sizeof(*a));
	a->port = SERVER_ADDRESS_PORT;
	a->place = SERVER_LOCAL;
	(void)strlcpy(a->host, "local", sizeof(a->host));
	if (server_address_read(r, &port, &emulated, e) != 0)
		return -1;
	if (emulated)
		return 0;
	a->port = (int)port;
	copy_host(a, r->socket != NULL ? r->socket : r->host);
	*fd = r->socket != NULL ?
	    server_socket_connect_path(a->host, timeout_of(r), &a->reason) :
	    server_address_dial(a, timeout_of(r));
	if (r->socket != NULL)
		a->place = *fd != -1 ? SERVER_REMOTE : SERVER_SILENT;
	a->is_assumed = a->place == SERVER_LOCAL;
	if (a->is_assumed)
		(void)strlcpy(a->host, "local", sizeof(a->host));
	return 0;
}

int
server_address_look(struct server_address *a, const struct server_request *r,
    struct error *e)
{
	int fd, status = server_address_find(a, r, &fd, e);

	if (fd != -1)
		(void)close(fd);
	return status;
}

const char *
server_address_text(const struct server_address *a, char *text, size_t size)
{
	bool six = strchr(a->host, ':') != NULL;

	/* A socket's path. */
	if (a->host[0] == '/')
		(void)strlcpy(text, a->host, size);
	else
		(void)snprintf(text, size, "%s%s%s:%d", six ? "[" : "", a->host,
		    six ? "]" : "", a->port);
	return text;
}

const char *
server_address_note(const struct server_request *r,
    char note[SERVER_ADDRESS_NOTE_SIZE])
{
	struct server_address a, asked = { .port = SERVER_ADDRESS_PORT };
	struct state_paths paths;
	struct lock_holder server;
	char text[SERVER_ADDRESS_TEXT_SIZE];

	note[0] = '\0';
	/* A file's origin is "FILE:LINE". */
	if (!is_set(r->host) || strchr(origin_of(r), ':') != NULL ||
	    server_address_look(&a, r, NULL) != 0 || !a.is_assumed ||
	    paths_find(&paths, NULL) != 0 ||
	    server_lock_find_holder(paths.directory, &server))
		return note;
	copy_host(&asked, r->host);
	(void)snprintf(note, SERVER_ADDRESS_NOTE_SIZE,
	    "no server listens at %s; using the embedded pod of this host",
	    server_address_text(&asked, text, sizeof(text)));
	return note;
}

/* Refuse a server that does not answer, with a remedy. */
static int
server_address_silent(const struct server_address *a,
    const struct server_request *r, struct error *e)
{
	char text[SERVER_ADDRESS_TEXT_SIZE];
	char why[2 * sizeof(a->reason.text)];

	(void)snprintf(why, sizeof(why),
	    "%s: %s; local means the pod of this host, and with "
	    "IPUBOX_EMULATE_HOSTS=1 every address does",
	    origin_of(r), a->reason.text);
	return rpc_client_unreachable(
	    server_address_text(a, text, sizeof(text)), why, e);
}

int
server_address_connect(struct server_address *a, const struct server_request *r,
    struct rpc_client **client, struct error *e)
{
	const int64_t until_ms = clock_monotonic_ms() + timeout_of(r);
	char port[PORT_TEXT_SIZE];
	struct rpc_client_options o = { .host = a->host,
		.port = port,
		.path = r->socket,
		.silence_ms = SILENCE_MS };
	int fd;

	*client = NULL;
	if (server_address_find(a, r, &fd, e) != 0)
		return -1;
	if (a->place == SERVER_LOCAL)
		return 0;
	if (a->place == SERVER_SILENT)
		return server_address_silent(a, r, e);
	(void)snprintf(port, sizeof(port), "%d", a->port);
	o.connect_ms = until_ms - clock_monotonic_ms();
	*client = rpc_client_adopt(fd, &o, e);
	if (*client == NULL && r->socket == NULL && own_host_is(a->host))
		server_socket_explain(true, e);
	return *client != NULL ? 0 : -1;
}

int
server_address_require_local(const struct server_request *r, struct error *e)
{
	struct server_address a;
	char text[SERVER_ADDRESS_TEXT_SIZE];

	if (server_address_look(&a, r, e) != 0)
		return -1;
	if (a.place == SERVER_LOCAL)
		return 0;
	if (a.place == SERVER_SILENT)
		return server_address_silent(&a, r, e);
	return error_set_code(e, ERROR_UNSUPPORTED,
	    "%s: a server answers at %s, but this program uses only the pod of "
	    "this host; leave the address out, or set it to local",
	    origin_of(r), server_address_text(&a, text, sizeof(text)));
}

int
server_address_lacks(const char *where, const char *what, struct error *e)
{
	return error_set_code(e, ERROR_UNSUPPORTED,
	    "the server at %s can only show and change partitions: %s needs a "
	    "vipu-server of ipubox",
	    where, what);
}
