/* core/base/network: subnets, and the networks that this host has. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <bsd/string.h>

#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/network.h"
#include "tests/unit/tap.h"

/* Whether an address lies in a subnet. */
static const struct row {
	const char *subnet;
	const char *address;
	bool wanted;
} rows[] = {
	{ "10.3.7.0/24", "10.3.7.1", true },
	{ "10.3.7.0/24", "10.3.7.255", true },
	{ "10.3.7.0/24", "10.3.8.0", false },
	{ "10.3.7.0/23", "10.3.6.255", true },
	{ "10.3.7.0/31", "10.3.7.1", true },
	{ "10.3.7.0/31", "10.3.7.2", false },
	{ "10.3.7.9/32", "10.3.7.9", true },
	{ "10.3.7.9/32", "10.3.7.8", false },
	{ "0.0.0.0/0", "203.0.113.9", true },
	{ "0.0.0.0/0", "fd00::1", false },
	{ "172.16.0.0/12", "172.31.255.255", true },
	{ "172.16.0.0/12", "172.32.0.0", false },
	{ "fd00:77::/64", "fd00:77::ffff:1", true },
	{ "fd00:77::/64", "fd00:77:0:1::1", false },
	{ "fd00:77::/63", "fd00:77:0:1::1", true },
	{ "fd00:77::/64", "10.3.7.1", false },
	{ "::/0", "2001:db8::1", true },
	{ "10.3.7.0/33", "10.3.7.1", false },
	{ "10.3.7.0", "10.3.7.0", false },
	{ "", "10.3.7.0", false },
};

static void
address_read(const char *text, struct sockaddr_storage *a)
{
	struct sockaddr_in *four = (struct sockaddr_in *)(void *)a;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)(void *)a;

	memset(a, 0, sizeof(*a));
	a->ss_family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
	if (a->ss_family == AF_INET)
		(void)inet_pton(AF_INET, text, &four->sin_addr);
	else
		(void)inet_pton(AF_INET6, text, &six->sin6_addr);
}

static void
check_holds(void)
{
	const struct row *r;
	struct network n = { .interface = "eth0" };
	struct sockaddr_storage a;
	char name[128];

	for (r = rows; r < rows + ARRAY_SIZE(rows); r++) {
		(void)strlcpy(n.subnet, r->subnet, sizeof(n.subnet));
		address_read(r->address, &a);
		(void)snprintf(name, sizeof(name), "%s in %s: %s", r->address,
		    r->subnet, r->wanted ? "yes" : "no");
		ok(network_holds(&n, (struct sockaddr *)&a) == r->wanted, name);
	}
}

/* What is no network, and why. */
static void
check_refused(void)
{
	static const struct {
		const char *text;
		enum error_code code;
		const char *part;
	} refused[] = {
		{ "10.3.7/24", ERROR_INVALID, "neither an interface" },
		{ "10.3.7.0/33", ERROR_INVALID, "neither an interface" },
		{ "10.3.7.0/", ERROR_INVALID, "neither an interface" },
		{ "10.3.7.0/x", ERROR_INVALID, "neither an interface" },
		{ "/24", ERROR_INVALID, "neither an interface" },
		{ "fd00::/129", ERROR_INVALID, "neither an interface" },
		{ "nobody0", ERROR_NOT_FOUND, "no network nobody0; its" },
		{ "", ERROR_NOT_FOUND, "its networks are " },
		{ "lo", ERROR_NOT_FOUND, "no network lo; its" },
		{ "203.0.113.0/24", ERROR_NOT_FOUND, "203.0.113.0/24; its" },
		{ "2001:db8::/32", ERROR_NOT_FOUND, "2001:db8::/32; its" },
	};
	struct network n;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		e.text[0] = '\0';
		ok(network_find(refused[i].text, &n, &e) == -1 &&
			e.code == refused[i].code &&
			strstr(e.text, refused[i].part) != NULL,
		    refused[i].text);
	}
}

/* The one that leads to the world is found by its names. */
static void
check_own(void)
{
	struct network way, found;
	struct sockaddr_storage own;
	struct error e;
	char one[INET6_ADDRSTRLEN + 4];

	if (network_towards(NULL, &way, &e) != 0) {
		tap_skip("the network to the world", "no network here");
		return;
	}
	ok(network_find(way.interface, &found, &e) == 0 &&
		strcmp(found.interface, way.interface) == 0,
	    "by its interface");
	ok(network_find(way.subnet, &found, &e) == 0 &&
		strcmp(found.subnet, way.subnet) == 0,
	    "by its subnet");
	(void)snprintf(one, sizeof(one), "%s/32", way.address);
	ok(network_find(one, &found, &e) == 0 &&
		strcmp(found.address, way.address) == 0,
	    "by its address");
	address_read(way.address, &own);
	ok(network_holds(&way, (struct sockaddr *)&own), "it holds itself");
	address_read("127.0.0.1", &own);
	ok(network_towards((struct sockaddr *)&own, &found, &e) == -1,
	    "the loop leads nowhere");
}

int
main(void)
{
	check_holds();
	check_refused();
	check_own();
	return tap_done();
}
