/*
 * Placement: vectors, and the largest pod there may be.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

/* Two racks of 16 IPUs and one alone; half of c2 is in no allocation. */
static const char small_text[] =
    "[pod]\nname = small\n"
    "[cluster c1]\nagents = a[1-8]\nilds = 2\ntopology = torus\n"
    "gateway = looped\n"
    "[cluster c2]\nagents = b[1-4]\ntopology = mesh\n";

static struct pod pod;
static int32_t owner[POD_IPUS_MAX];

static void
take_pod(const char *text)
{
	struct error e;
	int i;

	pod_release(&pod);
	if (pod_file_parse(&pod, "test", text, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	for (i = 0; i < POD_IPUS_MAX; i++)
		owner[i] = -1;
}

static struct partition_request
request(int size, const char *cluster)
{
	struct partition_request r;

	request_init(&r);
	(void)strlcpy(r.name, "p", sizeof(r.name));
	(void)strlcpy(r.cluster, cluster, sizeof(r.cluster));
	r.size = size;
	r.num_gcds = 1;
	r.num_replicas = 1;
	return r;
}

/* Give the placement to partition `who`, -1 gives it back. */
static void
mark(const struct placement *p, int who)
{
	int i;

	for (i = 0; i < p->per_ild * p->ild_count; i++)
		owner[placement_ipu(&pod, p, i)] = who;
}

/* The first IPU a request gets, or -1. */
static int
first_ipu(const struct partition_request *r)
{
	struct placement p;

	return placement_choose(&pod, owner, r, &p, NULL) == 0 ?
	    placement_ipu(&pod, &p, 0) :
	    -1;
}

/* ---- vectors ---- */

static void
test_lowest(void)
{
	static const struct {
		int size;
		const char *cluster;
		int busy;   /* this IPU is taken */
		int wanted; /* the first IPU */
	} rows[] = {
		{ 1, "", -1, 0 },
		{ 4, "", -1, 0 },
		{ 1, "", 0, 1 },
		{ 2, "", 0, 2 },
		{ 4, "", 3, 4 },
		{ 8, "", 7, 8 },
		{ 16, "", 0, 16 },
		{ 16, "", 31, 0 },
		{ 4, "c2", -1, 32 },
		{ 16, "c2", -1, 32 },
		{ 16, "c2", 47, -1 },
		{ 8, "c2", 47, 32 },
	};
	struct partition_request r;
	char name[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		take_pod(small_text);
		if (rows[i].busy != -1)
			owner[rows[i].busy] = 0;
		r = request(rows[i].size, rows[i].cluster);
		(void)snprintf(name, sizeof(name), "size %d, IPU %d busy",
		    rows[i].size, rows[i].busy);
		is_int(first_ipu(&r), rows[i].wanted, name);
	}
}

static void
test_ilds(void)
{
	struct partition_request r = request(8, "c1");
	struct placement p;
	struct error e;

	take_pod(small_text);
	r.num_ilds = 2;
	r.num_gcds = 2;
	owner[16] = 0; /* the first IPU of the second ILD */
	is_int(placement_choose(&pod, owner, &r, &p, &e), 0, "2 ILDs");
	is_int(p.per_ild, 4, "4 in each");
	is_int(placement_ipu(&pod, &p, 0), 4, "past the busy machine");
	is_int(placement_ipu(&pod, &p, 4), 20, "at the same place in ILD 1");

	/* As few as hold it: 32 IPUs need both. */
	take_pod(small_text);
	r = request(32, "");
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "one GCD");
	is_str(e.text,
	    "size 32 needs 2 IPU-Link domains of cluster c1, and a GCD must "
	    "fit in one: use --num-gcds 2 or more",
	    "cannot");
	r.reconfigurable = true;
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "nor one device");
	is_str(e.text,
	    "size 32 needs 2 IPU-Link domains of cluster c1, and a "
	    "reconfigurable partition must fit in one: leave out "
	    "--reconfigurable",
	    "cannot either");
	r.reconfigurable = false;
	r.num_gcds = 2;
	is_int(placement_choose(&pod, owner, &r, &p, &e), 0, "two can");
	is_int(p.ild_count, 2, "by themselves");
	r = request(16, "c1");
	is_int(placement_choose(&pod, owner, &r, &p, &e), 0, "16");
	is_int(p.ild_count, 1, "stay in one");
}

static void
test_refusals(void)
{
	static const struct {
		int size, num_ilds;
		const char *cluster, *allocation;
		int index;
		enum error_code code;
		const char *text;
	} rows[] = {
		{ 4, 0, "nowhere", "", -1, ERROR_NOT_FOUND,
		    "cluster nowhere: does not exist" },
		{ 4, 0, "", "nothing", -1, ERROR_NOT_FOUND,
		    "allocation nothing: does not exist" },
		{ 64, 0, "", "", -1, ERROR_INVALID,
		    "size 64: cluster c1 has 32 IPUs" },
		{ 64, 4, "", "", -1, ERROR_INVALID,
		    "size 64: cluster c1 has 32 IPUs" },
		{ 32, 0, "c2", "", -1, ERROR_INVALID,
		    "size 32: cluster c2 has 16 IPUs" },
		{ 32, 1, "c1", "", -1, ERROR_INVALID,
		    "size 32: an IPU-Link domain of cluster c1 has 16 IPUs, so "
		    "this needs at least --num-ilds 2" },
		{ 8, 2, "c2", "", -1, ERROR_INVALID,
		    "num-ilds 2: cluster c2 has 1 IPU-Link domain" },
		{ 16, 0, "c2", "", -1, ERROR_NO_ROOM,
		    "size 16: no aligned group of that size is free; 12 IPUs "
		    "are free, and the largest size that would fit now is 8; "
		    "cluster c1, allocation c1, has room for it" },
		{ 8, 0, "c2", "", 1, ERROR_INVALID,
		    "index 1: cluster c2 has 1 free placement of size 8 "
		    "(--options lists them)" },
	};
	struct partition_request r;
	struct placement p;
	struct error e;
	size_t i;
	int k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		take_pod(small_text);
		for (k = 32; k < 36; k++) /* b1 is taken */
			owner[k] = 0;
		r = request(rows[i].size, rows[i].cluster);
		r.num_gcds = 2;
		r.num_ilds = rows[i].num_ilds;
		r.index = rows[i].index;
		(void)strlcpy(r.allocation, rows[i].allocation,
		    sizeof(r.allocation));
		is_int(placement_choose(&pod, owner, &r, &p, &e), -1,
		    "refused");
		is_int(e.code, rows[i].code, "code");
		is_str(e.text, rows[i].text, "reason");
	}
	for (k = 0; k < 48; k++)
		owner[k] = 0;
	r = request(1, "");
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "full");
	is_str(e.text,
	    "size 1: no aligned group of that size is free; 0 IPUs are free",
	    "and nothing smaller to offer");
}

/* What could not fit into an empty pod is a rule, not a matter of time. */
static void
test_never(void)
{
	static const char text[] =
	    "[pod]\nname = odd\n"
	    "[cluster c]\nagents = m[1-4]\n"
	    "[allocation one]\ncluster = c\nagents = m1,m4\n"
	    "[allocation two]\ncluster = c\nagents = m2,m3\n";
	struct partition_request r = request(8, "");
	struct placement p;
	struct error e;
	int i;

	take_pod(text);
	for (i = 0; i < 16; i++)
		owner[i] = 0;
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "no pair");
	is_int(e.code, ERROR_INVALID, "against a rule");
	is_str(e.text,
	    "size 8: no allocation of cluster c has an aligned group of that "
	    "size, free or taken",
	    "of the cluster");
	(void)strlcpy(r.allocation, "one", sizeof(r.allocation));
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "nor in one");
	is_str(e.text,
	    "size 8: allocation one has no aligned group of that size, free or "
	    "taken",
	    "of the allocation");
	r.size = 16;
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "too large");
	is_str(e.text, "size 16: allocation one has 8 IPUs", "for all of it");
	r.size = 4;
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "one machine");
	is_int(e.code, ERROR_NO_ROOM, "is a matter of time");
	owner[4] = owner[5] = owner[6] = owner[7] = -1;
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "not in one");
	is_str(e.text,
	    "size 4: no aligned group of that size is free; 0 IPUs are free; "
	    "cluster c, allocation two, has room for it",
	    "but in the other");
}

/* More GCDs do not help where the size is too large for the allocation. */
static void
test_size_first(void)
{
	static const char text[] =
	    "[pod]\nname = two\n"
	    "[cluster c]\nagents = m[1-4]\nilds = 2\ngateway = looped\n"
	    "[allocation one]\ncluster = c\nagents = m1\n";
	struct partition_request r = request(16, "");
	struct placement p;
	struct error e;

	take_pod(text);
	(void)strlcpy(r.allocation, "one", sizeof(r.allocation));
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "too large");
	is_str(e.text, "size 16: allocation one has 4 IPUs", "comes first");
}

static void
test_options(void)
{
	struct partition_request r = request(8, "");
	struct placement *all, p;
	struct error e;
	int count, i;

	take_pod(small_text);
	owner[9] = 3;
	count = placement_options(&pod, owner, &r, &all, &e);
	is_int(count, 5, "4 groups of 8 in c1, one less; 2 in c2");
	is_int(placement_ipu(&pod, &all[0], 0), 0, "lowest first");
	is_int(placement_ipu(&pod, &all[1], 0), 16, "then the next ILD");
	is_int(all[3].cluster, 1, "then the next cluster");
	/* An index means the same to placement_choose(). */
	(void)strlcpy(r.cluster, "c1", sizeof(r.cluster));
	for (i = 0; i < 3; i++) {
		r.index = i;
		is_int(placement_choose(&pod, owner, &r, &p, &e), 0, "index");
		is_int(placement_ipu(&pod, &p, 0),
		    placement_ipu(&pod, &all[i], 0), "is the listed one");
	}
	free(all);
	(void)strlcpy(r.cluster, "nowhere", sizeof(r.cluster));
	is_int(placement_options(&pod, owner, &r, &all, &e), -1, "cluster");
}

/* IPUs that are not where a GCD and an ILD want them. */
static int
misplaced(const struct placement *p, int gcd_size)
{
	int i, ipu, first, count = 0;

	for (i = 0; i < p->per_ild * p->ild_count; i++) {
		ipu = placement_ipu(&pod, p, i);
		first = placement_ipu(&pod, p, i - i % gcd_size);
		count += ipu / 64 != first / 64 ||
		    ipu - first != i % gcd_size ||
		    ipu % 64 != p->offset + i % p->per_ild;
	}
	return count;
}

/*
 * Whatever is asked for: no GCD is in two ILDs, and each ILD gives the same
 * rows.
 */
static void
test_slices(void)
{
	struct partition_request r;
	struct placement p;
	int size, gcds, n, wrong = 0, count = 0;

	take_pod(pod_embedded("pod256"));
	for (size = 1; size <= 256; size *= 2)
		for (gcds = 1; gcds <= size; gcds *= 2)
			for (n = 0; n < 4; n++) {
				r = request(size, "");
				r.num_gcds = r.num_replicas = gcds;
				r.num_ilds = n == 0 ? 0 : 1 << (n - 1);
				if (request_check(&r, NULL) != 0 ||
				    placement_choose(&pod, owner, &r, &p,
					NULL) != 0)
					continue;
				count++;
				wrong += misplaced(&p, size / gcds);
			}
	is_int(wrong, 0, "no GCD over two ILDs, the same rows in each");
	ok(count > 100, "many of them were placed");
}

/* Machines 1-3 of c1 are in allocation 0, 4 in 1, the others in none. */
static void
test_allocations(void)
{
	static const struct {
		int size;
		const char *allocation;
		int wanted;
	} rows[] = {
		{ 4, "left", 0 }, { 8, "left", 0 }, { 16, "left", -1 },
		{ 4, "right", 12 }, { 8, "right", -1 }, { 8, "", 0 },
		{ 16, "", 16 }, /* 0-15 would be in two */
	};
	static struct allocation two[2] = { { .name = "left" },
		{ .name = "right" } };
	struct allocation *old;
	struct partition_request r;
	size_t i;
	int k, old_count;

	take_pod(small_text);
	old = pod.allocations;
	old_count = pod.allocation_count;
	pod.allocations = two;
	pod.allocation_count = 2;
	for (k = 0; k < pod.agent_count; k++)
		pod.agents[k].allocation = k < 3 ? 0 : k == 3 ? 1 : -1;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		r = request(rows[i].size, "");
		(void)strlcpy(r.allocation, rows[i].allocation,
		    sizeof(r.allocation));
		is_int(first_ipu(&r), rows[i].wanted,
		    "never over two allocations");
	}
	pod.allocations = old;
	pod.allocation_count = old_count;
}

/*
 * The first cluster whose cables can do what is asked for, not the first
 * one: m is a mesh, t a torus, l and s two ILDs, looped and switched.
 */
static void
test_routing(void)
{
	static const char text[] =
	    "[pod]\nname = mixed\n"
	    "[cluster m]\nagents = m[1-4]\ntopology = mesh\n"
	    "[cluster t]\nagents = t[1-4]\ntopology = torus\n"
	    "[cluster l]\nagents = l[1-8]\nilds = 2\ntopology = mesh\n"
	    "gateway = looped\n"
	    "[cluster s]\nagents = s[1-8]\nilds = 2\ntopology = torus\n"
	    "gateway = switched\n";
	static const struct {
		int size, gcds, replicas, ilds, routing, gateway;
		const char *cluster;
		int wanted, offers; /* -1: refused */
		const char *error;
	} rows[] = {
		{ 16, 1, 1, 0, 0, 0, "", 0, 6, NULL },
		{ 16, 1, 1, 0, IRT_DNC, 0, "", 0, 6, NULL },
		{ 16, 1, 1, 0, IRT_RINGSWNC, 0, "", 16, 3, NULL },
		{ 16, 1, 16, 0, IRT_BTNC, 0, "", 16, 3, NULL },
		{ 8, 2, 2, 2, 0, GRT_RING, "", 32, 4, NULL },
		{ 8, 2, 2, 2, 0, GRT_SWRING, "", 64, 4, NULL },
		{ 32, 2, 2, 0, IRT_RINGSWNC, 0, "", 64, 1, NULL },
		{ 16, 1, 1, 0, IRT_RINGSWNC, 0, "m", -1, -1,
		    "routing RINGSWNC: needs an entire IPU-Link domain of at "
		    "least 16 IPUs with torus topology" },
		{ 16, 1, 1, 0, IRT_SWNC, 0, "", -1, -1,
		    "routing SWNC: needs more than 16 IPUs in an IPU-Link "
		    "domain, not 16; use DNC" },
		{ 64, 4, 4, 0, 0, 0, "", -1, -1,
		    "size 64: cluster l has 32 IPUs" },
	};
	struct partition_request r;
	struct placement *all;
	struct error e;
	size_t i;

	take_pod(text);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		r = request(rows[i].size, rows[i].cluster);
		r.num_gcds = rows[i].gcds;
		r.num_replicas = rows[i].replicas;
		r.num_ilds = rows[i].ilds;
		r.routing = rows[i].routing;
		r.gateway_routing = rows[i].gateway;
		is_int(first_ipu(&r), rows[i].wanted, "where it can be done");
		e.text[0] = '\0';
		is_int(placement_options(&pod, owner, &r, &all, &e),
		    rows[i].offers, "all such places");
		is_str(e.text, rows[i].error != NULL ? rows[i].error : "",
		    "the rule");
		free(all);
	}
}

/* A place that is asked for by its first IPU is on a machine that is down. */
static void
test_down(void)
{
	struct partition_request r;
	struct placement p;
	struct error e;

	take_pod("[pod]\nname = p\n[cluster c]\nagents = a[1-4]\n");
	pod.agents[1].state = MACHINE_DOWN;
	r = request(4, "");
	(void)strlcpy(r.first_ipu, "a2:0", sizeof(r.first_ipu));
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "no place");
	is_str(e.text, "first-ipu a2:0: agent a2 is down", "and why");
}

/* The largest pod there may be, filled with as many partitions. */
static void
test_scale(void)
{
	struct partition_request r = request(16, "");
	struct placement p;
	struct error e;
	int i, wrong = 0;

	take_pod("[pod]\nname = huge\n[cluster big]\nilds = 1024\n"
		 "agents = m[00001-16384]\ntopology = torus\n"
		 "gateway = switched\n");
	is_int(pod_ipu_count(&pod), POD_IPUS_MAX, "65,536 IPUs");
	for (i = 0; i < PARTITIONS_MAX; i++) {
		wrong += placement_choose(&pod, owner, &r, &p, NULL) != 0 ||
		    placement_ipu(&pod, &p, 0) != 16 * i;
		mark(&p, i);
	}
	is_int(wrong, 0, "4,096 partitions of 16, side by side");
	is_int(placement_choose(&pod, owner, &r, &p, &e), -1, "it is full");
	for (i = 0; i < POD_IPUS_MAX; i++)
		owner[i] = -1;
	r = request(POD_IPUS_MAX, "");
	r.num_gcds = 1024;
	is_int(placement_choose(&pod, owner, &r, &p, &e), 0, "one of all");
	is_int(p.ild_count, 1024, "over every ILD");
}

int
main(void)
{
	pod_init(&pod);
	test_lowest();
	test_ilds();
	test_refusals();
	test_never();
	test_size_first();
	test_options();
	test_allocations();
	test_routing();
	test_down();
	test_slices();
	test_scale();
	pod_release(&pod);
	return tap_done();
}
