/*
 * Reading and writing lists of numbered names, and counting addresses.  A list
 * is expanded name by name, never in memory: a pod has up to 16,384 machines.
 */
#include "core/pod/request.h"

#include <arpa/inet.h>

#include <bsd/string.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { DIGITS_MAX = 9 }; /* digits of a range's numbers */

/* Names of a range such as "ag[01-16]", or a single name; see next_name(). */
struct name_range {
	char prefix[NAME_SIZE];
	char suffix[NAME_SIZE];
	int width; /* digits, 0: not padded */
	long long next, last;
	bool single;
};

/* Parse "01-16" between the brackets.  If the first number begins with 0, all
   have its width. */
static int
parse_bounds(struct name_range *r, const char *text, size_t len,
    struct error *e)
{
	char *first = xcalloc(len + 1, 1), *last;
	int status = -1;

	memcpy(first, text, len);
	last = strchr(first, '-');
	if (last == NULL)
		last = first; /* [7] is [7-7] */
	else
		*last++ = '\0';
	if (parse_number("agents: first", first, 0, 999999999, &r->next, e) !=
		0 ||
	    parse_number("agents: last", last, 0, 999999999, &r->last, e) != 0)
		goto out;
	if (r->last < r->next) {
		(void)error_set_code(e, ERROR_INVALID,
		    "agents: [%s-%s] counts down; write the lower number first",
		    first, last);
		goto out;
	}
	r->width = first[0] == '0' ? (int)strlen(first) : 0;
	status = 0;
out:
	free(first);
	return status;
}

/* Parse an item of `len` bytes: PREFIX, or PREFIX[FIRST-LAST]SUFFIX. */
static int
parse_range(struct name_range *r, const char *item, size_t len, struct error *e)
{
	const char *open = memchr(item, '[', len), *end = item + len;
	const char *shut = memchr(item, ']', len);
	size_t before = open == NULL ? len : (size_t)(open - item);
	size_t behind = shut == NULL ? 0 : (size_t)(end - shut) - 1;

	memset(r, 0, sizeof(*r));
	r->single = open == NULL;
	if ((open == NULL) != (shut == NULL) || (open != NULL && shut < open))
		return error_set_code(e, ERROR_INVALID,
		    "agents: '%.*s': '[' and ']' do not match", (int)len, item);
	if (before >= NAME_SIZE || behind >= NAME_SIZE)
		return error_set_code(e, ERROR_INVALID,
		    "agents: '%.20s...': a name has at most %d characters",
		    item, NAME_LENGTH_MAX);
	memcpy(r->prefix, item, before);
	if (open == NULL)
		return 0;
	memcpy(r->suffix, shut + 1, behind);
	return parse_bounds(r, open + 1, (size_t)(shut - open) - 1, e);
}

/* Get the next name of the range; 0: no more, -1: refused. */
static int
next_name(struct name_range *r, char *name, struct error *e)
{
	char text[2 * NAME_SIZE + 16];

	if (r->next > r->last)
		return 0;
	if (r->single)
		(void)strlcpy(text, r->prefix, sizeof(text));
	else
		(void)snprintf(text, sizeof(text), "%s%0*lld%s", r->prefix,
		    r->width, r->next, r->suffix);
	r->next++;
	if (name_check("agent", text, e) != 0)
		return -1;
	(void)strlcpy(name, text, NAME_SIZE);
	return 1;
}

int
agent_list_each(const char *list,
    int (*each)(void *, const char *, struct error *), void *context,
    struct error *e)
{
	struct name_range r;
	char name[NAME_SIZE];
	size_t len;
	int got;

	for (;;) {
		list += strspn(list, " \t");
		len = strcspn(list, ", \t");
		if (len == 0)
			return error_set_code(e, ERROR_INVALID,
			    "agents: a name is missing");
		if (parse_range(&r, list, len, e) != 0)
			return -1;
		while ((got = next_name(&r, name, e)) == 1)
			if (each(context, name, e) != 0)
				return -1;
		if (got != 0)
			return -1;
		list += len + strspn(list + len, " \t");
		if (*list == '\0')
			return 0;
		if (*list++ != ',')
			return error_set_code(e, ERROR_INVALID,
			    "agents: names must be separated by commas");
	}
}

int
agent_list_address(const char *first, int n, char *out, struct error *e)
{
	struct in_addr v4;
	struct in6_addr v6;
	uint32_t number, last;
	int i;

	if (inet_pton(AF_INET, first, &v4) == 1) {
		number = ntohl(v4.s_addr);
		last = number & 0xff;
		if (last == 0 || last == 255)
			return error_set_code(e, ERROR_INVALID,
			    "address '%s': the last number must be 1 to 254",
			    first);
		last += (uint32_t)n - 1;
		number = (number & ~(uint32_t)0xff) + last / 254 * 256 +
		    last % 254 + 1;
		if (number < ntohl(v4.s_addr))
			return error_set(e,
			    "address '%s': not enough addresses follow it for "
			    "all agents",
			    first);
		v4.s_addr = htonl(number);
		(void)inet_ntop(AF_INET, &v4, out, ADDRESS_SIZE);
		return 0;
	}
	if (inet_pton(AF_INET6, first, &v6) != 1)
		return error_set_code(e, ERROR_INVALID,
		    "address '%s': must be an IPv4 or IPv6 address", first);
	for (i = 15; n > 0 && i >= 0; i--) {
		n += v6.s6_addr[i];
		v6.s6_addr[i] = (uint8_t)n;
		n >>= 8;
	}
	if (n > 0)
		return error_set(e,
		    "address '%s': not enough addresses follow it for all "
		    "agents",
		    first);
	(void)inet_ntop(AF_INET6, &v6, out, ADDRESS_SIZE);
	return 0;
}

/* A name that ends in a number: "ag", 2 digits, 7. */
struct numbered {
	size_t prefix; /* bytes */
	int width;     /* digits, 0: no number */
	long number;
};

static struct numbered
split(const char *name)
{
	struct numbered n = { .prefix = strlen(name) };
	long unit = 1;

	while (n.prefix > 0 && n.width < DIGITS_MAX &&
	    isdigit((unsigned char)name[n.prefix - 1])) {
		n.number += (name[--n.prefix] - '0') * unit;
		unit *= 10;
		n.width++;
	}
	return n;
}

/* Whether `name` is the n-th of a range that begins with `first`.  A first
   number that begins with 0 sets the width. */
static bool
continues(const char *first, const char *name, int n)
{
	struct numbered f = split(first);
	char expected[NAME_SIZE + 32];
	bool padded = first[f.prefix] == '0';

	if (f.width == 0)
		return false;
	(void)snprintf(expected, sizeof(expected), "%.*s%0*ld", (int)f.prefix,
	    first, padded ? f.width : 1, f.number + n);
	return strcmp(expected, name) == 0;
}

int
agent_list_item(const char *const *names, int count, char item[AGENT_ITEM_SIZE])
{
	const char *last;
	size_t prefix = split(names[0]).prefix;
	int n = 1;

	while (n < count && continues(names[0], names[n], n))
		n++;
	last = names[n - 1];
	if (n == 1)
		(void)snprintf(item, AGENT_ITEM_SIZE, "%s", names[0]);
	else
		(void)snprintf(item, AGENT_ITEM_SIZE, "%.*s[%s-%s]",
		    (int)prefix, names[0], names[0] + prefix,
		    last + split(last).prefix);
	return n;
}
