/*
 * The wiring: counts of the known pods and of every shape against a count of
 * its own, the links as a graph, and machines that fail.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

static struct pod pod;

static void
take_pod(const char *text)
{
	struct error e;

	pod_release(&pod);
	if (pod_file_parse(&pod, "test", text, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
}

static void
take_shape(int ilds, int machines, int topology, int gateway)
{
	char *text = xasprintf(
	    "[pod]\nname = p\n[cluster c]\n"
	    "agents = a[1-%d]\nilds = %d\ntopology = %s\ngateway = %s\n",
	    ilds * machines, ilds, pod_topology_words[topology],
	    pod_gateway_words[gateway]);

	take_pod(text);
	free(text);
}

/* "4/4 text" */
static const char *
test(enum wiring_test t, int cluster)
{
	static char text[WIRING_SUMMARY_SIZE + 64];
	struct wiring_result r;

	wiring_test(&pod, cluster, t, 1000, &r);
	(void)snprintf(text, sizeof(text), "%d/%d %s", r.passed, r.total,
	    r.summary);
	return text;
}

static int
total(enum wiring_test t, int cluster)
{
	struct wiring_result r;

	wiring_test(&pod, cluster, t, 1000, &r);
	return r.passed == r.total ? r.total : -1;
}

/* ---- counts ---- */

static const struct {
	const char *pod;
	int totals[WIRING_TESTS];
} known[] = {
	/*	     Version Cabling Sync Training Traffic GW-Link */
	{ "pod4", { 1, 0, 0, 8, 1, 0 } },
	{ "pod16", { 4, 12, 6, 38, 1, 0 } },
	{ "pod64", { 16, 64, 30, 160, 1, 0 } },
	{ "bow-pod64", { 16, 64, 30, 160, 1, 0 } },
	{ "pod128", { 32, 128, 60, 320, 3, 32 } },
	{ "pod256", { 64, 256, 120, 640, 5, 128 } },
};

static void
test_known(void)
{
	char name[64];
	size_t i;
	int t;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		take_pod(pod_embedded(known[i].pod));
		for (t = 0; t < WIRING_TESTS; t++) {
			(void)snprintf(name, sizeof(name), "%s: %s",
			    known[i].pod, wiring_test_name(t));
			is_int(total(t, 0), known[i].totals[t], name);
		}
	}
	take_pod(pod_embedded("pod16"));
	is_str(test(TEST_VERSION, 0),
	    "4/4 All component versions are consistent",
	    "the original's listing");
	is_str(test(TEST_CABLING, 0), "12/12 All cables connected as expected",
	    "its cables");
	is_str(test(TEST_SYNC, 0), "6/6 Sync Link test passed", "its sync");
	is_str(test(TEST_TRAINING, 0), "38/38 All Links Passed", "its links");
	is_str(test(TEST_TRAFFIC, 0), "1/1 Traffic test passed", "its traffic");
	is_str(test(TEST_GATEWAY, 0), "0/0 GW Link test skipped",
	    "no gateways");
}

/*
 * A count that knows nothing of the code's: each pair of IPUs of the cluster
 * by where the two stand.
 */
static int
count_pairs(int ilds, int machines, bool torus)
{
	int ipus = ilds * machines * 4, a, b, links = 0;
	int rows = machines * 2, row_a, row_b;

	for (a = 0; a < ipus; a++) {
		for (b = 0; b < ipus; b++) {
			if (a / (machines * 4) != b / (machines * 4))
				continue;
			row_a = a % (machines * 4) / 2;
			row_b = b % (machines * 4) / 2;
			if (row_a == row_b)
				links += a % 2 == 0 && b == a + 1 ? 2 : 0;
			else if (a % 2 != b % 2)
				continue;
			else if (row_b == row_a + 1)
				links += a / 4 == b / 4 ? 2 : 1;
			/* Bottom and top, the same machine or not. */
			if (torus && row_a == rows - 1 && row_b == 0 &&
			    a % 2 == b % 2)
				links++;
		}
	}
	return links;
}

static void
test_shapes(void)
{
	int ilds, n, torus, gateway, wrong = 0, shapes = 0, gaps;

	for (ilds = 1; ilds <= 5; ilds++) {
		for (n = 1; n <= 16; n *= 2) {
			for (torus = 0; torus < 2; torus++) {
				gateway = ilds == 1 ? GATEWAY_NONE :
				    torus	    ? GATEWAY_SWITCHED :
						      GATEWAY_LOOPED;
				gaps = torus ? n : n - 1;
				take_shape(ilds, n, torus, gateway);
				shapes++;
				wrong += total(TEST_TRAINING, 0) !=
				    count_pairs(ilds, n, torus);
				wrong += total(TEST_TRAINING, 0) !=
				    ilds * (8 * n + 2 * gaps);
				wrong += total(TEST_CABLING, 0) !=
				    ilds * 4 * gaps;
				wrong += total(TEST_SYNC, 0) !=
				    ilds * 2 * (n - 1);
				wrong += total(TEST_GATEWAY, 0) !=
				    (ilds == 1	  ? 0 :
					    torus ? 2 * ilds * n :
						    ilds * n);
				wrong += total(TEST_TRAFFIC, 0) !=
				    (ilds == 1 ? 1 : ilds + 1);
			}
		}
	}
	is_int(shapes, 50, "shapes were counted");
	is_int(wrong, 0, "and all counts are those of the drawing");
}

/* ---- the links as a graph ---- */

static uint8_t distance[ILD_IPUS_MAX][ILD_IPUS_MAX];

/* All shortest ways of the first ILD, by Floyd and Warshall. */
static void
measure(int size)
{
	struct wiring_link *links;
	int n = wiring_links(&pod, 0, &links), i, j, k;

	memset(distance, 100, sizeof(distance));
	for (i = 0; i < n; i++)
		if (links[i].kind <= LINK_BETWEEN && links[i].from < size)
			distance[links[i].from][links[i].to] =
			    distance[links[i].to][links[i].from] = 1;
	for (i = 0; i < size; i++)
		distance[i][i] = 0;
	for (k = 0; k < size; k++)
		for (i = 0; i < size; i++)
			for (j = 0; j < size; j++)
				if (distance[i][k] + distance[k][j] <
				    distance[i][j])
					distance[i][j] =
					    (uint8_t)(distance[i][k] +
						distance[k][j]);
	free(links);
}

static void
test_hops(void)
{
	int n, torus, i, j, size, far;
	char name[64];

	for (n = 1; n <= 16; n *= 2) {
		for (torus = 0; torus < 2; torus++) {
			take_shape(2, n, torus, GATEWAY_LOOPED);
			size = 4 * n;
			measure(size);
			far = 0;
			for (i = 0; i < size; i++)
				for (j = 0; j < size; j++)
					far = distance[i][j] > far ?
					    distance[i][j] :
					    far;
			(void)snprintf(name, sizeof(name), "%d machines, %s", n,
			    pod_topology_words[torus]);
			/* 2n rows: over all, or half the way round. */
			is_int(far, (torus ? n : 2 * n - 1) + 1, name);
		}
	}
}

/* Links stay inside an ILD, cables go to neighbours, gateways to a row. */
static void
test_ends(void)
{
	int degree[256] = { 0 }, n, i, wrong = 0, east = 0;
	struct wiring_link *links, *l;

	take_pod(pod_embedded("pod128"));
	n = wiring_links(&pod, 0, &links);
	for (l = links; l < links + n; l++) {
		if (l->kind == LINK_INSIDE)
			wrong += l->from / 4 != l->to / 4;
		if (l->kind == LINK_BETWEEN)
			wrong += l->from / 64 != l->to / 64 ||
			    l->from / 4 == l->to / 4;
		if (l->kind == LINK_CABLE || l->kind == LINK_SYNC)
			wrong += l->from / 16 != l->to / 16;
		if (l->kind == LINK_GATEWAY) {
			wrong += (l->from + 16) % 32 != l->to;
			east++;
		}
		if (l->kind <= LINK_BETWEEN) {
			degree[l->from]++;
			degree[l->to]++;
		}
	}
	is_int(wrong, 0, "each link joins what it should");
	is_int(east, 32, "a cable east from each machine");
	for (i = 0; i < 128; i++)
		wrong += degree[i] != 5;
	is_int(wrong, 0, "in a torus all IPUs have as many links");
	free(links);
	take_pod(pod_embedded("pod256"));
	n = wiring_links(&pod, 0, &links);
	for (l = links; l < links + n; l++)
		wrong += l->kind == LINK_GATEWAY && l->to != WIRING_SWITCH;
	is_int(wrong, 0, "switched gateways go to a switch");
	free(links);
}

/* ---- failures ---- */

static void
test_down(void)
{
	take_pod(pod_embedded("pod16"));
	pod.agents[1].state = MACHINE_DOWN;
	is_str(test(TEST_VERSION, 0), "3/4 ag02 does not answer", "version");
	is_str(test(TEST_CABLING, 0),
	    "4/12 ag01 - ag02: not connected, and 7 more", "its cables");
	is_str(test(TEST_SYNC, 0), "2/6 ag01 - ag02: no sync, and 3 more",
	    "its sync");
	is_str(test(TEST_TRAINING, 0),
	    "26/38 ag01:2 - ag02:0: not trained, and 11 more", "its links");
	/* 4 IPUs below, 8 above: all pairs but 12 + 56. */
	is_str(test(TEST_TRAFFIC, 0),
	    "0/1 ag01:0 -> ag02:0: no route, and 171 more", "no way through");
	pod.agents[1].state = MACHINE_REBOOTING;
	pod.agents[1].up_ms = 1001;
	is_str(test(TEST_VERSION, 0), "3/4 ag02 does not answer", "rebooting");
	pod.agents[1].up_ms = 1000;
	is_int(total(TEST_VERSION, 0), 4, "and back");
	is_int(total(TEST_TRAFFIC, 0), 1, "with its traffic");
}

static void
test_fail_config(void)
{
	take_pod(pod_embedded("pod16"));
	pod.agents[3].fail_config = 1;
	is_int(total(TEST_VERSION, 0), 4, "it answers");
	is_int(total(TEST_CABLING, 0), 12, "its cables are there");
	is_int(total(TEST_SYNC, 0), 6, "and its sync");
	is_str(test(TEST_TRAINING, 0),
	    "28/38 ag03:2 - ag04:0: not trained, and 9 more",
	    "its links do not train");
	is_str(test(TEST_TRAFFIC, 0),
	    "0/1 ag01:0 -> ag04:0: no route, and 107 more",
	    "and nothing comes to it");
}

/* Round the other way the rest of a torus is whole: 12 IPUs to and from 4. */
static void
test_torus(void)
{
	take_shape(1, 4, TOPOLOGY_TORUS, GATEWAY_NONE);
	is_int(total(TEST_TRAFFIC, 0), 1, "a torus");
	pod.agents[1].state = MACHINE_DOWN;
	is_str(test(TEST_TRAFFIC, 0),
	    "0/1 a1:0 -> a2:0: no route, and 107 more",
	    "the others reach each other");
}

static void
test_racks(void)
{
	take_pod(pod_embedded("pod128"));
	pod.agents[16].state = MACHINE_DOWN; /* ag17, below ag18 */
	is_str(test(TEST_GATEWAY, 0),
	    "30/32 ag01 - ag17: not connected, and 1 more", "east and west");
	/* 60 others to and from it, its own 12, and the row round. */
	is_str(test(TEST_TRAFFIC, 0),
	    "1/3 ag17:0 -> ag17:1: no route, and 493 more",
	    "one rack and the ring");
	pod.agents[16].state = MACHINE_UP;
	pod.agents[16].fail_config = 1;
	is_int(total(TEST_GATEWAY, 0), 32, "its gateway works");
	is_str(test(TEST_TRAFFIC, 0),
	    "2/3 ag17:0 -> ag17:1: no route, and 491 more", "its rack alone");
	take_pod(pod_embedded("pod256"));
	pod.agents[63].state = MACHINE_DOWN;
	is_str(test(TEST_GATEWAY, 0),
	    "126/128 ag64 - switch: not connected, and 1 more",
	    "both of its cables to switches");
}

/* A second cluster is tested by itself, and the largest pod in one go. */
static void
test_clusters(void)
{
	const int racks = tap_amount(64, 1024);

	take_pod("[pod]\nname = two\n[cluster c1]\nagents = a[1-4]\n"
		 "topology = mesh\n[cluster c2]\nagents = a[1-2]\n"
		 "topology = torus\n");
	pod.agents[0].state = MACHINE_DOWN;
	is_str(test(TEST_TRAINING, 1), "20/20 All Links Passed",
	    "another cluster's machine does not matter");
	pod.agents[5].state = MACHINE_DOWN;
	is_str(test(TEST_TRAINING, 1),
	    "8/20 a1:2 - a2:0: not trained, and 11 more", "its own does");
	is_str(test(TEST_CABLING, 1), "0/8 a1 - a2: not connected, and 7 more",
	    "up and round");
	take_shape(racks, 16, TOPOLOGY_TORUS, GATEWAY_SWITCHED);
	is_int(total(TEST_TRAFFIC, 0), racks + 1,
	    "as many racks as may be, or many");
	is_int(total(TEST_TRAINING, 0), racks * 160, "their links");
}

int
main(void)
{
	test_known();
	test_shapes();
	test_hops();
	test_ends();
	test_down();
	test_fail_config();
	test_torus();
	test_racks();
	test_clusters();
	pod_release(&pod);
	return tap_done();
}
