/*
 * Shares of hosts: each instance goes to the host that has a free slot and the
 * fewest instances.
 */
#include "core/job/layout.h"

#include <string.h>

bool
host_shares_are_equal(const int *shares, int hosts)
{
	int i;

	for (i = 1; i < hosts; i++)
		if (shares[i] != shares[0])
			return false;
	return true;
}

/* Return the first host with the fewest instances; -1: all slots are taken. */
static int
host_shares_find(const int *shares, const int *slots, int hosts)
{
	int found = -1, i;

	for (i = 0; i < hosts; i++)
		if ((slots == NULL || slots[i] == 0 || shares[i] < slots[i]) &&
		    (found == -1 || shares[i] < shares[found]))
			found = i;
	return found;
}

/* Return the sum of slots; 0: unlimited. */
static int
host_shares_sum(const int *slots, int hosts)
{
	int sum = 0, i;

	for (i = 0; i < hosts; i++) {
		if (slots[i] == 0)
			return 0;
		sum += slots[i];
	}
	return sum;
}

static bool
host_shares_are_named(const int *slots, int hosts)
{
	int i;

	for (i = 0; i < hosts; i++)
		if (slots[i] != 0)
			return true;
	return false;
}

int
host_shares_choose(int instances, const int *slots, int hosts,
    bool oversubscribe, int *shares, struct error *e)
{
	const int sum = host_shares_sum(slots, hosts);
	const char *s = hosts == 1 ? "" : "s";
	int i, host;

	if (!oversubscribe && sum != 0 && sum < instances)
		return error_set(e,
		    "%d instances are more than the %d slot%s of %d host%s: "
		    "give them more slots, name more hosts, or use "
		    "--allow-oversubscribe yes",
		    instances, sum, sum == 1 ? "" : "s", hosts, s);
	if (!oversubscribe && instances % hosts != 0 &&
	    !host_shares_are_named(slots, hosts))
		return error_set(e,
		    "%d instances cannot be divided evenly among %d host%s",
		    instances, hosts, s);
	memset(shares, 0, (size_t)hosts * sizeof(*shares));
	for (i = 0; i < instances; i++) {
		host = host_shares_find(shares, slots, hosts);
		if (host == -1)
			host = host_shares_find(shares, NULL, hosts);
		shares[host]++;
	}
	return 0;
}
