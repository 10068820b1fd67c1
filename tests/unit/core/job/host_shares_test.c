/*
 * How instances are shared out among hosts: a table, and what holds for every
 * combination of small numbers.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "tests/unit/tap.h"

enum { HOSTS_MAX = 4 };

static const struct row {
	int instances, hosts;
	int slots[HOSTS_MAX];
	bool oversubscribe;
	const char *shares; /* NULL: refused */
	const char *why;
} rows[] = {
	{ 4, 2, { 0, 0 }, false, "2 2", NULL },
	{ 1, 1, { 0 }, false, "1", NULL },
	{ 6, 2, { 4, 2 }, false, "4 2", NULL },
	{ 4, 2, { 4, 2 }, false, "2 2", NULL },
	{ 5, 2, { 4, 4 }, false, "3 2", NULL },
	{ 7, 3, { 2, 0, 2 }, false, "2 3 2", NULL },
	{ 3, 2, { 1, 0 }, false, "1 2", NULL },
	{ 3, 2, { 0, 0 }, false, NULL,
	    "3 instances cannot be divided evenly among 2 hosts" },
	{ 3, 2, { 0, 0 }, true, "2 1", NULL },
	{ 4, 2, { 2, 1 }, false, NULL,
	    "4 instances are more than the 3 slots of 2 hosts: give them more "
	    "slots, name more hosts, or use --allow-oversubscribe yes" },
	{ 2, 1, { 1 }, false, NULL,
	    "2 instances are more than the 1 slot of 1 host: give them more "
	    "slots, name more hosts, or use --allow-oversubscribe yes" },
	{ 4, 2, { 2, 1 }, true, "2 2", NULL },
	{ 8, 2, { 4, 2 }, true, "4 4", NULL },
};

static void
test_row(const struct row *row)
{
	struct error e = { .text = "" };
	int shares[HOSTS_MAX], status, i;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	status = host_shares_choose(row->instances, row->slots, row->hosts,
	    row->oversubscribe, shares, &e);
	for (i = 0; status == 0 && i < row->hosts; i++)
		fprintf(f, "%s%d", i > 0 ? " " : "", shares[i]);
	fclose(f);
	is_int(status, row->shares != NULL ? 0 : -1, "shares");
	is_str(text, row->shares != NULL ? row->shares : "", "which");
	is_str(e.text, row->why != NULL ? row->why : "", "why not");
	free(text);
}

/* All instances are somewhere; no host has more than its slots, or two more
   than one with a slot free. */
static bool
is_sound(int instances, const int *slots, int hosts, const int *shares)
{
	int sum = 0, i, j;

	for (i = 0; i < hosts; i++) {
		sum += shares[i];
		if (slots[i] != 0 && shares[i] > slots[i])
			return false;
		for (j = 0; j < hosts; j++)
			if (shares[i] > shares[j] + 1 &&
			    (slots[j] == 0 || shares[j] < slots[j]))
				return false;
	}
	return sum == instances;
}

static void
test_all(void)
{
	int slots[3], shares[3], instances, tried = 0, wrong = 0;

	for (instances = 1; instances <= 9; instances++)
		for (slots[0] = 0; slots[0] <= 4; slots[0]++)
			for (slots[1] = 0; slots[1] <= 4; slots[1]++) {
				slots[2] = 3;
				if (host_shares_choose(instances, slots, 3,
					false, shares, NULL) != 0)
					continue;
				tried++;
				wrong += !is_sound(instances, slots, 3, shares);
			}
	ok(tried > 150, "many combinations fit");
	is_int(wrong, 0, "all of them are sound");
}

int
main(void)
{
	static const int equal[] = { 2, 2, 2 }, unequal[] = { 2, 2, 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		test_row(&rows[i]);
	test_all();
	ok(host_shares_are_equal(equal, 3), "equal");
	ok(!host_shares_are_equal(unequal, 3), "not equal");
	ok(host_shares_are_equal(unequal, 1), "one alone");
	return tap_done();
}
