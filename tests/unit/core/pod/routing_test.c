/*
 * Routing: the default of each place and what may be asked for there.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

/* 64 IPUs in an ILD, two of them, as cabled by the words. */
static void
make_pod(struct pod *pod, struct cluster *cluster, int topology, int ilds,
    int gateway)
{
	memset(pod, 0, sizeof(*pod));
	memset(cluster, 0, sizeof(*cluster));
	(void)snprintf(cluster->name, sizeof(cluster->name), "cl0");
	cluster->topology = topology;
	cluster->gateway = gateway;
	cluster->ild_count = ilds;
	cluster->agent_count = 16 * ilds;
	pod->clusters = cluster;
	pod->cluster_count = 1;
}

static const struct {
	int topology, pod_ilds;
	int per_ild, ilds, replicas;
	int asked;
	int wanted; /* -1: refused */
} rows[] = {
	{ TOPOLOGY_TORUS, 1, 1, 1, 1, 0, IRT_DNC },
	{ TOPOLOGY_TORUS, 1, 16, 1, 1, 0, IRT_DNC },
	{ TOPOLOGY_TORUS, 1, 32, 1, 1, 0, IRT_SWNC },
	{ TOPOLOGY_TORUS, 1, 64, 1, 1, 0, IRT_RINGSWNC },
	{ TOPOLOGY_MESH, 1, 64, 1, 1, 0, IRT_SWNC },
	/* A whole ILD, not the whole cluster. */
	{ TOPOLOGY_TORUS, 2, 64, 1, 1, 0, IRT_SWNC },
	{ TOPOLOGY_TORUS, 2, 64, 2, 2, 0, IRT_RINGSWNC },
	/* The guide lists 32 IPUs in 2 ILDs as DNC: an ILD's IPUs count. */
	{ TOPOLOGY_TORUS, 2, 16, 2, 2, 0, IRT_DNC },
	{ TOPOLOGY_TORUS, 1, 4, 1, 1, IRT_DNC, IRT_DNC },
	{ TOPOLOGY_TORUS, 1, 32, 1, 1, IRT_DNC, -1 },
	{ TOPOLOGY_TORUS, 1, 16, 1, 1, IRT_SWNC, -1 },
	{ TOPOLOGY_TORUS, 1, 32, 1, 1, IRT_SWNC, IRT_SWNC },
	{ TOPOLOGY_TORUS, 1, 64, 1, 1, IRT_SWNC, IRT_SWNC },
	{ TOPOLOGY_TORUS, 1, 64, 1, 1, IRT_RINGSWNC, IRT_RINGSWNC },
	{ TOPOLOGY_TORUS, 2, 64, 1, 1, IRT_RINGSWNC, IRT_RINGSWNC },
	{ TOPOLOGY_MESH, 1, 64, 1, 1, IRT_RINGSWNC, -1 },
	{ TOPOLOGY_TORUS, 1, 32, 1, 1, IRT_RINGSWNC, -1 },
	{ TOPOLOGY_TORUS, 1, 64, 1, 64, IRT_BTNC, IRT_BTNC },
	{ TOPOLOGY_TORUS, 1, 64, 1, 32, IRT_BTNC, -1 },
	{ TOPOLOGY_MESH, 1, 64, 1, 64, IRT_BTNC, -1 },
	{ TOPOLOGY_TORUS, 1, 32, 1, 32, IRT_BTNC, -1 },
};

static void
test_links(void)
{
	struct pod pod;
	struct cluster cluster;
	struct placement p;
	struct partition_request r;
	struct error e;
	size_t i;
	int routing, gateway;
	char name[96];

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		make_pod(&pod, &cluster, rows[i].topology, rows[i].pod_ilds,
		    rows[i].pod_ilds > 1 ? GATEWAY_LOOPED : GATEWAY_NONE);
		memset(&p, 0, sizeof(p));
		p.ild_count = rows[i].ilds;
		p.per_ild = rows[i].per_ild;
		request_init(&r);
		r.size = p.per_ild * p.ild_count;
		r.num_replicas = rows[i].replicas;
		r.routing = rows[i].asked;
		routing = -1;
		(void)routing_choose(&pod, &p, &r, &routing, &gateway, &e);
		(void)snprintf(name, sizeof(name),
		    "%s, %d x %d of %d ILDs, asked %s",
		    rows[i].topology == TOPOLOGY_TORUS ? "torus" : "mesh",
		    p.ild_count, p.per_ild, rows[i].pod_ilds,
		    partition_link_routing_name(rows[i].asked));
		is_int(routing, rows[i].wanted, name);
	}
}

/*
 * All routings asked for in turn, with one IPU a replica and with fewer
 * replicas, which forbids B; and none, for the default.
 */
static void
check_valid(int ipus, int ild_ipus, int topology, const char *wanted,
    const char *wanted_default)
{
	static const char letters[] = "?DSBR";
	struct pod pod;
	struct cluster cluster;
	struct placement p;
	struct partition_request r;
	char got[8] = "", name[64];
	int routing, gateway, asked, n = 0;

	if (wanted == NULL)
		return;
	make_pod(&pod, &cluster, topology, 1, GATEWAY_NONE);
	cluster.agent_count = ild_ipus / IPUS_PER_MACHINE;
	memset(&p, 0, sizeof(p));
	p.ild_count = 1;
	p.per_ild = ipus;
	request_init(&r);
	r.size = ipus;
	(void)snprintf(name, sizeof(name), "%d of %d IPUs, %s", ipus, ild_ipus,
	    pod_topology_words[topology]);
	for (asked = IRT_DNC; asked <= IRT_RINGSWNC; asked++) {
		r.routing = asked;
		r.num_replicas = ipus;
		if (routing_choose(&pod, &p, &r, &routing, &gateway, NULL) == 0)
			got[n++] = letters[routing];
		r.num_replicas = 1;
		if (asked == IRT_BTNC && ipus > 1)
			is_int(routing_choose(&pod, &p, &r, &routing, &gateway,
				   NULL),
			    -1, "BTNC: one IPU a replica");
	}
	is_str(got, wanted, name);
	r.routing = IRT_UNDEFINED;
	is_int(routing_choose(&pod, &p, &r, &routing, &gateway, NULL), 0,
	    "there is a default");
	got[0] = letters[routing];
	got[1] = '\0';
	is_str(got, wanted_default, "the default");
}

/*
 * Table 5.3 of the guide with its footnotes, in full: what may be asked for in
 * an ILD of which the partition has all or a part.  A letter each: D(NC),
 * S(WNC), B(TNC), R(INGSWNC).
 */
static void
test_table(void)
{
	static const struct {
		int ipus;			 /* of the ILD */
		const char *part, *mesh, *torus; /* all of it, cabled so */
		const char *mesh_default, *torus_default;
	} table[] = {
		{ 1, "D", NULL, NULL, NULL, NULL },
		{ 2, "D", NULL, NULL, NULL, NULL },
		{ 4, "D", "D", "DB", "D", "D" },
		{ 8, "D", "D", "DB", "D", "D" },
		{ 16, "D", "D", "DBR", "D", "D" },
		{ 32, "S", "S", "SBR", "S", "R" },
		{ 64, NULL, "S", "SBR", "S", "R" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		check_valid(table[i].ipus, ILD_IPUS_MAX, TOPOLOGY_TORUS,
		    table[i].part, table[i].part);
		check_valid(table[i].ipus, ILD_IPUS_MAX, TOPOLOGY_MESH,
		    table[i].ipus == ILD_IPUS_MAX ? NULL : table[i].part,
		    table[i].part);
		check_valid(table[i].ipus, table[i].ipus, TOPOLOGY_MESH,
		    table[i].mesh, table[i].mesh_default);
		check_valid(table[i].ipus, table[i].ipus, TOPOLOGY_TORUS,
		    table[i].torus, table[i].torus_default);
	}
}

static void
test_gateways(void)
{
	static const struct {
		int cabling, ilds, asked;
		int shown; /* -1: refused */
		int used;
		const char *error;
	} gateways[] = {
		{ GATEWAY_LOOPED, 1, 0, GRT_DEFAULT, GRT_UNDEFINED, NULL },
		{ GATEWAY_LOOPED, 2, 0, GRT_DEFAULT, GRT_RING, NULL },
		{ GATEWAY_SWITCHED, 2, 0, GRT_DEFAULT, GRT_SWRING, NULL },
		{ GATEWAY_LOOPED, 2, GRT_RING, GRT_RING, GRT_RING, NULL },
		{ GATEWAY_SWITCHED, 2, GRT_SWRING, GRT_SWRING, GRT_SWRING,
		    NULL },
		{ GATEWAY_SWITCHED, 2, GRT_RING, -1, 0,
		    "gateway routing RING: needs gateway links cabled as a "
		    "loop, which cluster cl0 does not have" },
		{ GATEWAY_LOOPED, 2, GRT_SWRING, -1, 0,
		    "gateway routing SWRING: needs switched gateway links, "
		    "which cluster cl0 does not have" },
		{ GATEWAY_LOOPED, 1, GRT_RING, -1, 0,
		    "gateway routing RING: the partition is in one IPU-Link "
		    "domain and uses no gateway links" },
	};
	struct pod pod;
	struct cluster cluster;
	struct placement p;
	struct partition_request r;
	struct error e;
	size_t i;
	int routing, gateway;

	for (i = 0; i < ARRAY_SIZE(gateways); i++) {
		make_pod(&pod, &cluster, TOPOLOGY_TORUS, 2,
		    gateways[i].cabling);
		memset(&p, 0, sizeof(p));
		p.ild_count = gateways[i].ilds;
		p.per_ild = 16;
		request_init(&r);
		r.size = p.per_ild * p.ild_count;
		r.num_replicas = p.ild_count;
		r.gateway_routing = gateways[i].asked;
		gateway = -1;
		e.text[0] = '\0';
		(void)routing_choose(&pod, &p, &r, &routing, &gateway, &e);
		is_int(gateway, gateways[i].shown, "gateway routing");
		if (gateways[i].error != NULL)
			is_str(e.text, gateways[i].error, "its reason");
		else
			is_int(routing_gateway_used(&pod, &p, gateway),
			    gateways[i].used, "what it uses");
	}
}

int
main(void)
{
	test_links();
	test_table();
	test_gateways();
	return tap_done();
}
