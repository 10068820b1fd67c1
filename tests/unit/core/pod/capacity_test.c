/*
 * Used, free and down IPUs of a pod, by cluster and allocation.
 */
#include <stdio.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/placement.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

/* c1 has two ILDs and two allocations; a8 and c2 are in none. */
static const char text[] =
    "[pod]\nname = small\n"
    "[cluster c1]\nagents = a[1-8]\nilds = 2\ntopology = torus\n"
    "gateway = looped\n"
    "[cluster c2]\nagents = b[1-2]\ntopology = mesh\n"
    "[allocation x]\ncluster = c1\nagents = a1,a2,a3,a4\n"
    "[allocation y]\ncluster = c1\nagents = a5,a6,a7\n";

static struct pod pod;
static int32_t owner[POD_IPUS_MAX];

static void
test_count(void)
{
	/* IPU 0 is used, a3 is down with one more used on it. */
	static const struct {
		const char *cluster, *allocation;
		int ipus, used, free, down, largest;
	} rows[] = {
		{ "c1", "x", 16, 2, 11, 3, 4 },
		{ "c1", "y", 12, 0, 12, 0, 8 },
		{ "c1", "", 4, 0, 4, 0, 4 },
		{ "c2", "", 8, 8, 0, 0, 0 },
		{ "c2", "x", 0, 0, 0, 0, 0 },
	};
	struct capacity c;
	int i;

	for (i = 0; i < POD_IPUS_MAX; i++)
		owner[i] = -1;
	owner[0] = owner[9] = 3;
	for (i = 32; i < 40; i++)
		owner[i] = 4;
	pod.agents[2].state = MACHINE_DOWN;
	for (i = 0; i < (int)ARRAY_SIZE(rows); i++) {
		placement_count(&pod, owner,
		    pod_find_cluster(&pod, rows[i].cluster),
		    pod_find_allocation(&pod, rows[i].allocation), &c);
		is_int(c.ipus, rows[i].ipus, "IPUs");
		is_int(c.used, rows[i].used, "used ones");
		is_int(c.free, rows[i].free, "free ones");
		is_int(c.down, rows[i].down, "ones of a machine that is down");
		is_int(c.largest, rows[i].largest, "the largest size");
		is_int(c.used + c.free + c.down, c.ipus, "all of them");
	}
	pod.agents[2].state = MACHINE_UP;
}

/* The largest size is what a request gets, and twice that is refused. */
static void
test_largest(void)
{
	struct partition_request r;
	struct placement p;
	struct capacity c;
	int i;

	for (i = 0; i < POD_IPUS_MAX; i++)
		owner[i] = -1;
	placement_count(&pod, owner, 0, 0, &c);
	is_int(c.largest, 16, "a whole allocation of one ILD");
	request_init(&r);
	(void)strlcpy(r.name, "p", sizeof(r.name));
	(void)strlcpy(r.allocation, "x", sizeof(r.allocation));
	r.num_gcds = r.num_replicas = 1;
	r.size = c.largest;
	is_int(placement_choose(&pod, owner, &r, &p, NULL), 0, "it fits");
	r.size = 2 * c.largest;
	is_int(placement_choose(&pod, owner, &r, &p, NULL), -1,
	    "twice as many do not");
	for (i = 0; i < pod.agent_count; i++)
		pod.agents[i].allocation = pod.agents[i].cluster == 0 ? 0 : -1;
	placement_count(&pod, owner, 0, 0, &c);
	is_int(c.largest, 32, "two ILDs, with a GCD in each");
	placement_count(&pod, owner, 0, -1, &c);
	is_int(c.largest, 0, "and none outside of it");
}

static void
test_owners(void)
{
	struct partition p[3];

	memset(p, 0, sizeof(p));
	p[1].owner = 5;
	ok(!partition_same_owner(&p[0], &p[1]), "two users of the host");
	(void)strlcpy(p[0].user, "ann", sizeof(p[0].user));
	(void)strlcpy(p[1].user, "ann", sizeof(p[1].user));
	ok(partition_same_owner(&p[0], &p[1]), "a user of the pod is the same");
	ok(!partition_same_owner(&p[0], &p[2]), "another than an unnamed one");
}

int
main(void)
{
	struct error e;

	if (pod_file_parse(&pod, "test", text, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	test_count();
	test_largest();
	test_owners();
	pod_release(&pod);
	return tap_done();
}
