/*
 * Which controller an address means.  What is this host's own is found without
 * a server of names, so that it is found where there is none.
 */
#include "core/control/server_address.h"

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
#include "core/base/parse.h"
#include "core/process/dial.h"
#include "core/state/settings.h"

/* The port as getaddrinfo(3) wants it. */
enum { PORT_TEXT_SIZE = 8 };

/* An address without its port; IPv4 within IPv6 is IPv4. */
struct bare_address {
	int		family;		/* AF_UNSPEC: neither of the two */
	unsigned char	bytes[16];
};

static struct bare_address
bare(const struct sockaddr *a)
{
	struct bare_address		 b = { .family = AF_UNSPEC };
	const struct sockaddr_in	*four;
	const struct sockaddr_in6	*six;

	if (a != NULL && a->sa_family == AF_INET) {
		four = (const struct sockaddr_in *)(const void *)a;
		b.family = AF_INET;
		memcpy(b.bytes, &four->sin_addr, 4);
	} else if (a != NULL && a->sa_family == AF_INET6) {
		six = (const struct sockaddr_in6 *)(const void *)a;
		b.family = AF_INET6;
		memcpy(b.bytes, &six->sin6_addr, 16);
		if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
			b.family = AF_INET;
			memmove(b.bytes, b.bytes + 12, 4);
			memset(b.bytes + 4, 0, 12);
		}
	}
	return b;
}

/* 127.0.0.0/8, ::1, and "any", which this host takes for itself. */
static bool
is_loopback(const struct bare_address *b)
{
	static const unsigned char	any[16], one[16] = { [15] = 1 };

	if (b->family == AF_INET)
		return b->bytes[0] == 127 || memcmp(b->bytes, any, 4) == 0;
	return b->family == AF_INET6 && (memcmp(b->bytes, any, 16) == 0 ||
	    memcmp(b->bytes, one, 16) == 0);
}

/* Whether an interface of this host has it. */
static bool
is_own_address(const struct dial_target *t, const struct ifaddrs *interfaces)
{
	struct bare_address	wanted, has;

	wanted = bare((const struct sockaddr *)&t->address);
	if (is_loopback(&wanted))
		return true;
	for (; interfaces != NULL; interfaces = interfaces->ifa_next) {
		has = bare(interfaces->ifa_addr);
		if (has.family == wanted.family && has.family != AF_UNSPEC &&
		    memcmp(has.bytes, wanted.bytes, sizeof(has.bytes)) == 0)
			return true;
	}
	return false;
}

/* "localhost", or what this host is called, with its domain or without. */
static bool
is_own_name(const char *host)
{
	char	name[HOST_NAME_MAX + 1] = "";
	size_t	len;

	if (strcasecmp(host, "localhost") == 0)
		return true;
	if (gethostname(name, sizeof(name)) != 0 || name[0] == '\0')
		return false;
	name[sizeof(name) - 1] = '\0';
	len = strcspn(name, ".");
	return strcasecmp(host, name) == 0 ||
	    (strlen(host) == len && strncasecmp(host, name, len) == 0);
}

static bool
is_own(const struct dial_target *targets, int count)
{
	struct ifaddrs	*interfaces = NULL;
	bool		 own = true;
	int		 i;

	if (getifaddrs(&interfaces) != 0)
		interfaces = NULL;
	for (i = 0; i < count; i++)
		own = own && is_own_address(&targets[i], interfaces);
	if (interfaces != NULL)
		freeifaddrs(interfaces);
	return own;
}

/* An address of an interface, with its scope, and the port. */
static void
set_target(struct dial_target *t, const struct sockaddr *a, int port)
{
	struct sockaddr_in6	six;
	struct sockaddr_in	four;

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

/* Both loopbacks and every address of an interface. */
static int
own_targets(int port, struct dial_target targets[DIAL_TARGETS_MAX])
{
	const struct sockaddr_in	four = { .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const struct sockaddr_in6	six = { .sin6_family = AF_INET6,
	    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct ifaddrs			*all = NULL, *a;
	struct bare_address		 b;
	int				 count = 0;

	set_target(&targets[count++], (const struct sockaddr *)&four,
	    port);
	set_target(&targets[count++], (const struct sockaddr *)&six,
	    port);
	if (getifaddrs(&all) != 0)
		return count;
	for (a = all; a != NULL && count < DIAL_TARGETS_MAX; a = a->ifa_next) {
		b = bare(a->ifa_addr);
		if (b.family != AF_UNSPEC && !is_loopback(&b))
			set_target(&targets[count++], a->ifa_addr, port);
	}
	freeifaddrs(all);
	return count;
}

/*
 * Dial it.  On this host's own address, who does not listen refuses at once;
 * where it has no network at all nobody can listen.
 */
static void
server_address_dial(struct server_address *a, int64_t timeout_ms)
{
	struct dial_target	targets[DIAL_TARGETS_MAX];
	int64_t			deadline = clock_monotonic_ms() + timeout_ms;
	char			port[PORT_TEXT_SIZE];
	bool			own = is_own_name(a->host);
	int			count, fd;

	(void)snprintf(port, sizeof(port), "%d", a->port);
	count = own ? own_targets(a->port, targets) :
	    dial_look_up(a->host, port, deadline, targets, &a->reason);
	a->place = SERVER_SILENT;
	if (count == -1)
		return;
	own = own || is_own(targets, count);
	fd = dial_connect(targets, count, deadline, &a->reason);
	if (fd != -1) {
		a->place = SERVER_REMOTE;
		(void)close(fd);
	} else if (own && a->port == SERVER_ADDRESS_PORT &&
	    a->reason.code != ERROR_TIMED_OUT) {
		a->place = SERVER_LOCAL;
	}
}

/* A name or an address: nothing that a terminal or a resolver trips over. */
static int
check_host(const struct server_request *r, struct error *e)
{
	const char	*c, *host = r->host;

	for (c = host; *c != '\0'; c++)
		if (!isgraph((unsigned char)*c) || strchr("/,@\"'", *c) != NULL)
			break;
	if (*c == '\0' && strlen(host) < SERVER_ADDRESS_HOST_SIZE)
		return 0;
	return error_set_code(e, ERROR_INVALID, "'%.*s' is not a valid host "
	    "name or address", 64, host);
}

static const char *
origin_of(const struct server_request *r)
{
	return r->origin != NULL ? r->origin : "the V-IPU server's host";
}

static bool
is_said(const char *text)
{
	return text != NULL && text[0] != '\0';
}

/* "[::1]" is ::1, as in a URL. */
static void
copy_host(struct server_address *a, const char *host)
{
	size_t	len = strlen(host);

	if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
		(void)strlcpy(a->host, host + 1, sizeof(a->host));
		a->host[len - 2] = '\0';
	} else
		(void)strlcpy(a->host, host, sizeof(a->host));
}

int
server_address_look(struct server_address *a, const struct server_request *r,
    struct error *e)
{
	long long	port = SERVER_ADDRESS_PORT;
	bool		emulated;

	memset(a, 0, sizeof(*a));
	a->port = SERVER_ADDRESS_PORT;
	a->place = SERVER_LOCAL;
	(void)strlcpy(a->host, "local", sizeof(a->host));
	if (!is_said(r->host) || strcmp(r->host, "local") == 0)
		return 0;
	if (check_host(r, e) != 0 || (is_said(r->port) &&
	    parse_number("port", r->port, 1, UINT16_MAX, &port, e) != 0))
		return error_prefix(e, "%s", origin_of(r));
	if (settings_emulate_hosts(r->emulate_hosts, &emulated, NULL, e) != 0)
		return -1;
	if (emulated)
		return 0;
	a->port = (int)port;
	copy_host(a, r->host);
	server_address_dial(a, r->timeout_ms != 0 ? r->timeout_ms :
	    SERVER_ADDRESS_TIMEOUT_MS);
	if (a->place == SERVER_LOCAL)
		(void)strlcpy(a->host, "local", sizeof(a->host));
	return 0;
}

/* HOST:PORT, an IPv6 address in brackets. */
static const char *
server_address_text(const struct server_address *a, char *text, size_t size)
{
	bool	six = strchr(a->host, ':') != NULL;

	(void)snprintf(text, size, "%s%s%s:%d", six ? "[" : "", a->host,
	    six ? "]" : "", a->port);
	return text;
}

int
server_address_resolve(struct server_address *a,
    const struct server_request *r, struct error *e)
{
	char	text[SERVER_ADDRESS_HOST_SIZE + 16];

	if (server_address_look(a, r, e) != 0)
		return -1;
	if (a->place != SERVER_SILENT)
		return 0;
	return error_set_code(e, ERROR_TIMED_OUT, "unable to connect to "
	    "VIRM/V-IPU Controller at %s: context deadline exceeded\n"
	    "(%s: %s; local is the pod of this host, and with "
	    "IPUBOX_EMULATE_HOSTS=1 every address is)",
	    server_address_text(a, text, sizeof(text)),
	    origin_of(r), a->reason.text);
}

int
server_address_require_local(const struct server_request *r,
    struct error *e)
{
	struct server_address	a;
	char			text[SERVER_ADDRESS_HOST_SIZE + 16];

	if (server_address_resolve(&a, r, e) != 0)
		return -1;
	if (a.place == SERVER_LOCAL)
		return 0;
	return error_set_code(e, ERROR_UNSUPPORTED, "%s: a server answers at "
	    "%s, and this ipubox cannot talk to it yet; local is the pod of "
	    "this host", origin_of(r),
	    server_address_text(&a, text, sizeof(text)));
}
