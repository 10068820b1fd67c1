/*
 * This host's networks.  Subnets are compared as bytes, for both families.
 */
#include "core/base/network.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <bsd/string.h>

#include <ifaddrs.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/parse.h"
#include "core/base/text.h"

enum {
	BYTES_4 = 4,
	BYTES_6 = 16,
	PORT = 9 /* "discard"; no packet is sent to it */
};

/* Return the bytes of an IPv4 or IPv6 address and their count; NULL: another
   family. */
static const unsigned char *
address_bytes(const struct sockaddr *a, int *count)
{
	const struct sockaddr_in *four;
	const struct sockaddr_in6 *six;

	if (a != NULL && a->sa_family == AF_INET) {
		four = (const struct sockaddr_in *)(const void *)a;
		*count = BYTES_4;
		return (const unsigned char *)&four->sin_addr;
	}
	if (a != NULL && a->sa_family == AF_INET6) {
		six = (const struct sockaddr_in6 *)(const void *)a;
		*count = BYTES_6;
		return (const unsigned char *)&six->sin6_addr;
	}
	return NULL;
}

/* Return the number of leading bits in a mask. */
static int
mask_bits(const struct sockaddr *mask)
{
	const unsigned char *bytes;
	int count = 0, bits = 0;

	bytes = address_bytes(mask, &count);
	while (bytes != NULL && bits < count * CHAR_BIT &&
	    (bytes[bits / CHAR_BIT] & (0x80 >> bits % CHAR_BIT)) != 0)
		bits++;
	return bits;
}

/* Return true if the first `bits` bits are equal. */
static bool
same_bits(const unsigned char *a, const unsigned char *b, int bits)
{
	const int whole = bits / CHAR_BIT, rest = bits % CHAR_BIT;

	return memcmp(a, b, (size_t)whole) == 0 &&
	    (rest == 0 || ((a[whole] ^ b[whole]) >> (CHAR_BIT - rest)) == 0);
}

/* Read an interface's address as a network.  Returns false if it does not lead
   out. */
static bool
network_read(const struct ifaddrs *a, struct network *n)
{
	unsigned char base[BYTES_6] = { 0 };
	char text[INET6_ADDRSTRLEN];
	const unsigned char *bytes;
	int count = 0, bits, i;

	bytes = address_bytes(a->ifa_addr, &count);
	if (bytes == NULL || own_host_is_loopback(a->ifa_addr) ||
	    (a->ifa_flags & IFF_UP) == 0)
		return false;
	bits = mask_bits(a->ifa_netmask);
	memcpy(base, bytes, (size_t)count);
	for (i = bits; i < count * CHAR_BIT; i++)
		base[i / CHAR_BIT] &= (unsigned char)~(0x80 >> i % CHAR_BIT);
	(void)strlcpy(n->interface, a->ifa_name, sizeof(n->interface));
	(void)inet_ntop(a->ifa_addr->sa_family, bytes, n->address,
	    sizeof(n->address));
	(void)inet_ntop(a->ifa_addr->sa_family, base, text, sizeof(text));
	(void)snprintf(n->subnet, sizeof(n->subnet), "%s/%d", text, bits);
	return true;
}

/* The interface or address to find. */
struct network_query {
	const char *interface;	    /* NULL: any */
	const unsigned char *bytes; /* bytes of an address; NULL: any */
	int count, bits;	    /* count of bytes; bits to compare */
};

static bool
network_fits(const struct network_query *q, const struct ifaddrs *a)
{
	const unsigned char *bytes;
	int count = 0;

	bytes = address_bytes(a->ifa_addr, &count);
	return (q->interface == NULL ||
		   strcmp(q->interface, a->ifa_name) == 0) &&
	    (q->bytes == NULL ||
		(bytes != NULL && count == q->count &&
		    same_bits(bytes, q->bytes, q->bits)));
}

/* Return "eth0 (10.3.7.0/24), ib0 (10.9.0.0/16)" or "none"; the caller frees
   it. */
static char *
network_list(const struct ifaddrs *all)
{
	struct memstream m;
	struct network n;
	const char *between = "";

	(void)memstream_open(&m);
	for (; all != NULL; all = all->ifa_next)
		if (network_read(all, &n)) {
			fprintf(m.file, "%s%s (%s)", between, n.interface,
			    n.subnet);
			between = ", ";
		}
	if (*between == '\0')
		fputs("none", m.file);
	return memstream_close(&m, NULL);
}

/* Find the first match; IPv4 before IPv6, which Open MPI does not use. */
static int
network_search(const struct network_query *q, const char *text,
    struct network *n, struct error *e)
{
	static const int families[] = { AF_INET, AF_INET6 };
	struct ifaddrs *all, *a;
	char *list;
	int status = -1, i;

	if (getifaddrs(&all) != 0)
		return error_set_errno(e,
		    "cannot list the networks of this host");
	for (i = 0; i < 2 && status != 0; i++)
		for (a = all; a != NULL && status != 0; a = a->ifa_next)
			if (a->ifa_addr != NULL &&
			    a->ifa_addr->sa_family == families[i] &&
			    network_fits(q, a) && network_read(a, n))
				status = 0;
	if (status != 0) {
		list = network_list(all);
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "this host has no network %s; its networks are %s", text,
		    list);
		free(list);
	}
	freeifaddrs(all);
	return status;
}

/* Find the address that this host would send from: that of a connected datagram
   socket. */
static int
network_source(const struct sockaddr *towards, struct sockaddr_storage *own)
{
	struct sockaddr_storage there = { .ss_family = towards->sa_family };
	struct sockaddr *any = (struct sockaddr *)&there;
	const bool four = towards->sa_family == AF_INET;
	socklen_t size = four ? sizeof(struct sockaddr_in) :
				sizeof(struct sockaddr_in6);
	int fd, status;

	memcpy(&there, towards, size);
	((struct sockaddr_in *)(void *)&there)->sin_port = htons(PORT);
	fd = socket(towards->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return -1;
	status = connect(fd, any, size);
	size = sizeof(*own);
	if (status == 0)
		status = getsockname(fd, (struct sockaddr *)own, &size);
	(void)close(fd);
	return status;
}

int
network_towards(const struct sockaddr *there, struct network *n,
    struct error *e)
{
	/* 192.0.2.1 is reserved for documentation (RFC 5737). */
	const struct sockaddr_in world = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0xc0000201) };
	struct sockaddr_storage own;
	const struct sockaddr *source = (struct sockaddr *)&own;
	struct network_query q = { .interface = NULL };

	if (network_source(there != NULL ? there :
					   (const struct sockaddr *)&world,
		&own) != 0)
		return there == NULL ?
		    network_search(&q, "at all", n, e) :
		    error_set_errno(e, "this host has no route to it");
	q.bytes = address_bytes(source, &q.count);
	q.bits = q.count * CHAR_BIT;
	return network_search(&q, "that leads there", n, e);
}

int
network_find(const char *text, struct network *n, struct error *e)
{
	const size_t length = strcspn(text, "/");
	unsigned char bytes[BYTES_6];
	char address[INET6_ADDRSTRLEN];
	struct network_query q = { .bytes = bytes };
	long long bits;

	if (text[length] == '\0') {
		q = (struct network_query){ .interface = text };
		return network_search(&q, text, n, e);
	}
	if (length < sizeof(address)) {
		(void)snprintf(address, sizeof(address), "%.*s", (int)length,
		    text);
		q.count = inet_pton(AF_INET, address, bytes) == 1 ? BYTES_4 :
		    inet_pton(AF_INET6, address, bytes) == 1	  ? BYTES_6 :
								    0;
	}
	if (q.count == 0 ||
	    parse_number("bits", text + length + 1, 0, q.count * CHAR_BIT,
		&bits, NULL) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "\"%s\" is neither an interface nor a subnet such as "
		    "10.3.7.0/24",
		    text);
	q.bits = (int)bits;
	return network_search(&q, text, n, e);
}

bool
network_holds(const struct network *n, const struct sockaddr *address)
{
	const char *slash = strchr(n->subnet, '/');
	unsigned char base[BYTES_6];
	char text[INET6_ADDRSTRLEN];
	const unsigned char *bytes;
	long long bits;
	int count = 0;

	bytes = address_bytes(address, &count);
	if (bytes == NULL || slash == NULL ||
	    parse_number("bits", slash + 1, 0, count * CHAR_BIT, &bits, NULL) !=
		0)
		return false;
	(void)snprintf(text, sizeof(text), "%.*s", (int)(slash - n->subnet),
	    n->subnet);
	return inet_pton(address->sa_family, text, base) == 1 &&
	    same_bits(bytes, base, (int)bits);
}
