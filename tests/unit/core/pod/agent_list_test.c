/* Addresses that are counted on from the first. */
#include "core/pod/pod.h"

#include "tests/unit/tap.h"

static const struct {
	const char *first;
	int n;
	const char *wanted; /* NULL: refused */
	const char *why;
} rows[] = {
	{ "10.1.5.1", 0, "10.1.5.1", "" },
	{ "10.1.5.1", 253, "10.1.5.254", "" },
	{ "10.1.5.1", 254, "10.1.6.1", "" },
	{ "10.1.255.254", 1, "10.2.0.1", "" },
	{ "255.255.255.253", 1, "255.255.255.254", "" },
	{ "255.255.255.254", 1, NULL,
	    "address '255.255.255.254': not enough addresses follow it for all "
	    "agents" },
	{ "10.1.5.255", 0, NULL,
	    "address '10.1.5.255': the last number must be 1 to 254" },
	{ "10.1.5.0", 0, NULL,
	    "address '10.1.5.0': the last number must be 1 to 254" },
	{ "fd00::1", 0, "fd00::1", "" },
	{ "fd00::fe", 1, "fd00::ff", "" },
	{ "fd00::ff", 1, "fd00::100", "" },
	{ "fd00::ffff", 2, "fd00::1:1", "" },
	{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe", 1,
	    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "" },
	{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1, NULL,
	    "address 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': not enough "
	    "addresses follow it for all agents" },
	{ "pod1", 0, NULL, "address 'pod1': must be an IPv4 or IPv6 address" },
};

int
main(void)
{
	char text[ADDRESS_SIZE];
	struct error e;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e.text[0] = '\0';
		is_int(agent_list_address(rows[i].first, rows[i].n, text, &e),
		    rows[i].wanted == NULL ? -1 : 0, rows[i].first);
		is_str(e.text, rows[i].why, "the reason");
		if (rows[i].wanted != NULL)
			is_str(text, rows[i].wanted, "the address");
	}
	return tap_done();
}
