/*
 * This host's names and addresses.  Read own_host_is().
 */
#include "core/base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <ifaddrs.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* An address without its port; IPv4 within IPv6 is IPv4. */
struct bare_address {
	int family; /* AF_UNSPEC: another family */
	unsigned char bytes[16];
};

static struct bare_address
bare(const struct sockaddr *a)
{
	struct bare_address b = { .family = AF_UNSPEC };
	const struct sockaddr_in *four;
	const struct sockaddr_in6 *six;

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

/* Return true for 127.0.0.0/8, ::1, and "any", which this host treats as
   itself. */
static bool
bare_is_loopback(const struct bare_address *b)
{
	static const unsigned char any[16], one[16] = { [15] = 1 };

	if (b->family == AF_INET)
		return b->bytes[0] == 127 || memcmp(b->bytes, any, 4) == 0;
	return b->family == AF_INET6 &&
	    (memcmp(b->bytes, any, 16) == 0 || memcmp(b->bytes, one, 16) == 0);
}

bool
own_host_is_loopback(const struct sockaddr *address)
{
	const struct bare_address b = bare(address);

	return bare_is_loopback(&b);
}

/* Look for the address among this host's interfaces. */
bool
own_host_has_address(const struct sockaddr *address)
{
	struct bare_address wanted = bare(address), has;
	struct ifaddrs *all, *one;
	bool found = bare_is_loopback(&wanted);

	if (found || wanted.family == AF_UNSPEC || getifaddrs(&all) != 0)
		return found;
	for (one = all; one != NULL && !found; one = one->ifa_next) {
		has = bare(one->ifa_addr);
		found = has.family == wanted.family &&
		    memcmp(has.bytes, wanted.bytes, sizeof(has.bytes)) == 0;
	}
	freeifaddrs(all);
	return found;
}

bool
own_host_has_name(const char *host)
{
	char name[HOST_NAME_MAX + 1] = "";
	size_t len;

	if (strcasecmp(host, "localhost") == 0)
		return true;
	if (gethostname(name, sizeof(name)) != 0 || name[0] == '\0')
		return false;
	name[sizeof(name) - 1] = '\0';
	len = strcspn(name, ".");
	return strcasecmp(host, name) == 0 ||
	    (strlen(host) == len && strncasecmp(host, name, len) == 0);
}

bool
own_host_is(const char *host)
{
	struct sockaddr_in four = { .sin_family = AF_INET };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, host, &four.sin_addr) == 1)
		return own_host_has_address((const struct sockaddr *)&four);
	if (inet_pton(AF_INET6, host, &six.sin6_addr) == 1)
		return own_host_has_address((const struct sockaddr *)&six);
	return own_host_has_name(host);
}
