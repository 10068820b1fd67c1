/*
 * Which controller an address means.  All of it in a network of the test's
 * own, where it is root; nothing is dialled outside the loopback.
 */
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/server/server.h"
#include "tests/unit/tap.h"

enum { SHORT_MS = 300 };

static const char *
look(const char *host, const char *port, const char *emulate)
{
	static char text[1600];
	struct server_request r = { .host = host,
		.port = port,
		.origin = "-H",
		.emulate_hosts = emulate,
		.timeout_ms = SHORT_MS };
	struct server_address a;
	struct error e = { .text = "" };

	if (server_address_look(&a, &r, &e) != 0)
		(void)snprintf(text, sizeof(text), "error: %s", e.text);
	else
		(void)snprintf(text, sizeof(text), "%s %s %d%s%s",
		    a.place == SERVER_LOCAL	 ? "local" :
			a.place == SERVER_REMOTE ? "remote" :
						   "silent",
		    a.host, a.port, a.place == SERVER_SILENT ? " " : "",
		    a.place == SERVER_SILENT ? a.reason.text : "");
	return text;
}

/* The refusal of who can ask the embedded controller only, or "". */
static const char *
refusal(const char *host, const char *port)
{
	static char text[1100];
	struct server_request r = { .host = host,
		.port = port,
		.origin = "-H",
		.timeout_ms = SHORT_MS };
	struct error e = { .text = "" };

	if (server_address_require_local(&r, &e) == 0)
		return "";
	(void)snprintf(text, sizeof(text), "%d %s", e.code, e.text);
	return text;
}

static int
listening(const char *address, int port, int *chosen)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port) };
	socklen_t size = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)inet_pton(AF_INET, address, &a.sin_addr);
	if (fd == -1 || bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(fd, 4) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) != 0) {
		perror(address);
		exit(1);
	}
	*chosen = ntohs(a.sin_port);
	return fd;
}

/* What is not dialled, whatever this host's network is. */
static void
test_said(void)
{
	static const struct {
		const char *host, *port, *emulate, *wanted;
	} rows[] = {
		{ NULL, NULL, NULL, "local local 8090" },
		{ "", "", NULL, "local local 8090" },
		{ "local", "9", NULL, "local local 8090" },
		{ "10.1.3.101", NULL, "yes", "local local 8090" },
		{ "pod3", "1", "1", "local local 8090" },
		{ "a b", NULL, "no",
		    "error: -H: 'a b' is not a valid host name or address" },
		{ "\033[31m", NULL, "yes",
		    "error: -H: '\\x1b[31m' is not a valid host name or "
		    "address" },
		{ "a,b", NULL, "yes",
		    "error: -H: 'a,b' is not a valid host name or address" },
		{ "pod3", "0", "yes",
		    "error: -H: port '0': too small, must be 1 to 65535" },
		{ "pod3", "x", NULL,
		    "error: -H: port 'x': not a whole number" },
		{ "pod3", NULL, "so",
		    "error: --emulate-hosts 'so': must be yes or no (on/off, "
		    "true/false and 1/0 mean the same)" },
	};
	char name[SERVER_ADDRESS_HOST_SIZE + 1];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		is_str(look(rows[i].host, rows[i].port, rows[i].emulate),
		    rows[i].wanted, "as it is said");
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ok(strncmp(look(name, NULL, NULL), "error: -H: 'aaa", 15) == 0,
	    "too long");
	(void)setenv("IPUBOX_EMULATE_HOSTS", "yes", 1);
	is_str(look("pod3", NULL, NULL), "local local 8090", "a variable");
	is_str(refusal("pod3", NULL), "", "is enough");
	(void)unsetenv("IPUBOX_EMULATE_HOSTS");
}

/* Another port than the default is dialled, this host's own too. */
static void
test_port(void)
{
	char port[8], wanted[600];
	int chosen, fd = listening("127.0.0.1", 0, &chosen);

	(void)snprintf(port, sizeof(port), "%d", chosen);
	(void)snprintf(wanted, sizeof(wanted), "remote 127.0.0.1 %d", chosen);
	is_str(look("127.0.0.1", port, NULL), wanted, "a server answers");
	(void)snprintf(wanted, sizeof(wanted),
	    "%d -H: a server answers at 127.0.0.1:%d, but this program uses "
	    "only the pod of this host; leave the address out, or set it to "
	    "local",
	    ERROR_UNSUPPORTED, chosen);
	is_str(refusal("127.0.0.1", port), wanted, "which is refused");
	(void)close(fd);
	(void)snprintf(wanted, sizeof(wanted),
	    "silent 127.0.0.1 %d Connection refused", chosen);
	is_str(look("127.0.0.1", port, NULL), wanted, "none does");
	(void)snprintf(wanted, sizeof(wanted),
	    "%d unable to connect to VIRM/V-IPU Controller at 127.0.0.1:%d: "
	    "context deadline exceeded\n(-H: Connection refused; local means "
	    "the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every "
	    "address does)",
	    ERROR_TIMED_OUT, chosen);
	is_str(refusal("127.0.0.1", port), wanted, "which is refused");
}

/* An interface of the new network gets an address and is switched on. */
static bool
add_address(const char *interface, const char *address)
{
	struct ifreq r;
	struct sockaddr_in *a = (struct sockaddr_in *)(void *)&r.ifr_addr;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	bool good;

	memset(&r, 0, sizeof(r));
	(void)snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", interface);
	a->sin_family = AF_INET;
	(void)inet_pton(AF_INET, address, &a->sin_addr);
	good = ioctl(fd, SIOCSIFADDR, &r) == 0;
	r.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
	good = good && ioctl(fd, SIOCSIFFLAGS, &r) == 0;
	(void)close(fd);
	return good;
}

static void
is_local(const char *host, const char *name)
{
	is_str(look(host, NULL, NULL), "local local 8090", name);
}

/* This host's own, and where a server listens there. */
static void
test_own(void)
{
	int chosen, fd;

	is_local("localhost", "own: localhost");
	is_local("LocalHost", "in any case");
	is_local("127.0.0.1", "own: 127.0.0.1");
	is_local("127.9.8.7", "own: 127.0.0.0/8");
	is_local("::1", "own: ::1");
	is_local("[::1]", "in brackets");
	is_local("::ffff:127.0.0.1", "IPv4 in IPv6");
	is_local("10.77.0.1", "own: an interface's address");
	is_local("pod9.example", "own: its name");
	is_local("pod9", "without its domain");
	is_str(look("pod9", "8091", NULL),
	    "silent pod9 8091 Connection refused",
	    "another port is another server's");
	fd = listening("10.77.0.1", SERVER_ADDRESS_PORT, &chosen);
	is_str(look("10.77.0.1", NULL, NULL), "remote 10.77.0.1 8090",
	    "a server listens there");
	is_str(look("pod9", NULL, NULL), "remote pod9 8090", "found by name");
	is_str(look("localhost", NULL, NULL), "remote localhost 8090",
	    "which is every address of this host");
	is_local("127.0.0.1", "but not where it does not listen");
	is_str(look("10.77.0.1", NULL, "on"), "local local 8090",
	    "nor with emulated hosts");
	(void)close(fd);
}

static void
test_other(void)
{
	const char *reason = strerror(ENETUNREACH), *got;
	char wanted[400];

	(void)snprintf(wanted, sizeof(wanted), "silent 192.0.2.1 8090 %s",
	    reason);
	is_str(look("192.0.2.1", NULL, NULL), wanted, "another address");
	(void)snprintf(wanted, sizeof(wanted),
	    "%d unable to connect to VIRM/V-IPU Controller at "
	    "[2001:db8::1]:8090: context deadline exceeded\n(-H: %s; local "
	    "means the pod of this host, and with IPUBOX_EMULATE_HOSTS=1 every "
	    "address does)",
	    ERROR_TIMED_OUT, reason);
	is_str(refusal("2001:db8::1", NULL), wanted, "of IPv6");
	got = look("pod3.invalid", NULL, NULL);
	ok(strncmp(got, "silent pod3.invalid 8090 the name ", 34) == 0, got);
}

int
main(void)
{
	test_said();
	test_port();
	if (geteuid() != 0 || unshare(CLONE_NEWNET | CLONE_NEWUTS) != 0) {
		tap_skip("own and other addresses",
		    "wants root and a network of its own");
		return tap_done();
	}
	is_local("127.0.0.1", "a host without a network is a host");
	is_local("localhost", "by its name as well");
	if (!add_address("lo", "127.0.0.1") ||
	    !add_address("lo:1", "10.77.0.1") ||
	    sethostname("pod9.example", 12) != 0) {
		perror("a network of its own");
		return 1;
	}
	test_own();
	test_other();
	return tap_done();
}
