/*
 * The cables of a cluster as declared, and whether they carry traffic.  Pure.
 *
 * The IPUs of an ILD are a ladder: two columns, two rows per machine, the
 * machines one above the other.
 *
 *	  |     |	up to the next machine: one link per column, over two
 *	+-2-----3-+	cables each; in a torus from the top machine back to
 *	| ||   || |	the bottom one as well
 *	+-0-----1-+	inside: beside and above, two links per pair, so 8
 *	  |     |
 *
 *	an ILD of n machines		mesh		torus
 *	links inside the machines	8n		8n
 *	links from machine to machine	2(n-1)		2n
 *	cables of these			4(n-1)		4n
 *	Sync-Links			2(n-1)		2(n-1)
 *
 * Four machines as a mesh: 38 links, 12 cables and 6 Sync-Links, as in the
 * original's listing.  A gateway has two GW-Links: east, to the machine of the
 * same row in the next rack, and from the last rack to the first (looped); or
 * both to switches (switched).  So k ILDs of n machines have k*n looped ones,
 * or 2*k*n switched ones.
 *
 * Source: Pod64, Pod128, Pod256 data sheets; V-IPU administrator guide, cluster
 * tests.  The number of links per pair is our model.
 */
#ifndef CORE_POD_WIRING_H
#define CORE_POD_WIRING_H

#include "core/pod/hardware.h"

enum { WIRING_SWITCH = -1, WIRING_SUMMARY_SIZE = 256 };

enum wiring_link_kind {
	LINK_INSIDE,  /* IPU to IPU of one machine */
	LINK_BETWEEN, /* IPU to IPU of two machines, over two cables */
	LINK_CABLE,   /* machine to machine, like the next two */
	LINK_SYNC,
	LINK_GATEWAY
};

/* IPUs and machines have the pod's numbers; WIRING_SWITCH is a switch.  `to` is
   above, beside or east of `from`.  Above the top machine is the bottom one,
   and east of the last rack the first. */
struct wiring_link {
	enum wiring_link_kind kind;
	int from, to;
};

/* List the cluster's links.  Returns their number; the caller frees *out. */
int wiring_links(const struct pod *, int cluster, struct wiring_link **out);

/* Tests of `vipu-admin test cluster`, in the original's order. */
enum wiring_test {
	TEST_VERSION,  /* each machine answers; emulated ones do not differ */
	TEST_CABLING,  /* both ends of each cable answer */
	TEST_SYNC,     /* both ends of each Sync-Link answer */
	TEST_TRAINING, /* links of IPUs, inside and between machines */
	TEST_TRAFFIC,  /* a block from each IPU to each of its ILD: one test per
			  ILD, and one through the gateways for several ILDs */
	TEST_GATEWAY,  /* both ends of each GW-Link answer */
	WIRING_TESTS
};

struct wiring_result {
	int passed, total; /* links, machines or, for traffic, tests */
	char summary[WIRING_SUMMARY_SIZE]; /* "All Links Passed", or the
					      first failure and the number of
					      others */
};

/* Return "Version", "Link-Training", ... */
const char *wiring_test_name(enum wiring_test);

/*
 * Test the cluster with the machines' condition at that time.  A machine that
 * does not answer fails everything that ends in it; one that will fail to
 * configure (fail_config), the links of its IPUs.  Time and memory grow with
 * the number of IPUs.
 */
void wiring_test(const struct pod *, int cluster, enum wiring_test,
    int64_t now_ms, struct wiring_result *);

#endif
