/*
 * The links of a cluster, from its counts, and tests that send over them.  Read
 * wiring.h for the ladder of an ILD, then wiring_links().
 */
#include "core/pod/wiring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "core/base/alloc.h"

enum {
	COLUMNS = 2,	   /* columns of the ladder, and rows of a machine */
	LINKS_OF_PAIR = 2, /* inside a machine */
	CABLES_OF_LINK = 2,
	SYNCS = 2 /* from machine to machine */
};

/* A growing list of links. */
struct links {
	struct wiring_link *list;
	int count, room;
};

/* Add `times` links of the kind between two ends. */
static void
wiring_add(struct links *l, enum wiring_link_kind kind, int from, int to,
    int times)
{
	for (; times > 0; times--) {
		if (l->count == l->room) {
			l->room = l->room == 0 ? 64 : 2 * l->room;
			l->list = xreallocarray(l->list, (size_t)l->room,
			    sizeof(*l->list));
		}
		l->list[l->count++] = (struct wiring_link){ kind, from, to };
	}
}

/*
 * Add the four pairs of a machine with IPUs 0 to 3:
 *
 *	2-3	0-1 and 2-3 beside each other,
 *	| |	0-2 and 1-3 above each other
 *	0-1
 */
static void
add_inside(struct links *l, int machine)
{
	int ipu = machine * IPUS_PER_MACHINE;

	wiring_add(l, LINK_INSIDE, ipu, ipu + 1, LINKS_OF_PAIR);
	wiring_add(l, LINK_INSIDE, ipu + 2, ipu + 3, LINKS_OF_PAIR);
	wiring_add(l, LINK_INSIDE, ipu, ipu + 2, LINKS_OF_PAIR);
	wiring_add(l, LINK_INSIDE, ipu + 1, ipu + 3, LINKS_OF_PAIR);
}

/* Add links from a machine to the one above it, or from top to bottom. */
static void
add_between(struct links *l, int lower, int upper)
{
	int column;

	for (column = 0; column < COLUMNS; column++)
		wiring_add(l, LINK_BETWEEN,
		    lower * IPUS_PER_MACHINE + COLUMNS + column,
		    upper * IPUS_PER_MACHINE + column, 1);
	wiring_add(l, LINK_CABLE, lower, upper, CABLES_OF_LINK * COLUMNS);
}

/* A mesh ends at the top; a torus goes on from there to the bottom. */
static void
add_ild(struct links *l, const struct cluster *c, int first, int machines)
{
	int m;

	for (m = first; m < first + machines; m++) {
		add_inside(l, m);
		if (m + 1 == first + machines)
			break;
		add_between(l, m, m + 1);
		wiring_add(l, LINK_SYNC, m, m + 1, SYNCS);
	}
	if (c->topology == TOPOLOGY_TORUS)
		add_between(l, first + machines - 1, first);
}

/* East is the machine of the same row in the next ILD, `machines` further on,
   and from the last ILD the first. */
static void
add_gateways(struct links *l, const struct cluster *c, int machines)
{
	int m, east;

	for (m = 0; m < c->agent_count; m++) {
		east = (m + machines) % c->agent_count;
		if (c->gateway == GATEWAY_LOOPED)
			wiring_add(l, LINK_GATEWAY, c->first_agent + m,
			    c->first_agent + east, 1);
		else if (c->gateway == GATEWAY_SWITCHED)
			wiring_add(l, LINK_GATEWAY, c->first_agent + m,
			    WIRING_SWITCH, 2);
	}
}

/* test_traffic() needs this order: ILD by ILD, gateway links last. */
int
wiring_links(const struct pod *pod, int cluster, struct wiring_link **out)
{
	const struct cluster *c = &pod->clusters[cluster];
	struct links l = { .list = NULL };
	int ild, machines;

	machines = c->agent_count / c->ild_count;
	for (ild = 0; ild < c->ild_count; ild++)
		add_ild(&l, c, c->first_agent + ild * machines, machines);
	add_gateways(&l, c, machines);
	*out = l.list;
	return l.count;
}

/* ---- results of a test ---- */

/* A result while the test runs. */
struct report {
	struct wiring_result *result;
	int failed;
};

/* Count another test, passed or not. */
static void
wiring_count(struct report *r, bool passed)
{
	r->result->total++;
	r->result->passed += passed;
}

/* Record the first failure; the text follows its ends. */
static void
fault(struct report *r, const char *from, const char *joint, const char *to,
    const char *what)
{
	if (r->failed++ == 0)
		(void)snprintf(r->result->summary, sizeof(r->result->summary),
		    "%s%s%s%s", from, joint, to, what);
}

/* Write the summary: success, or the first failure and the number of others. */
static void
conclude(struct report *r, const char *good)
{
	struct wiring_result *out = r->result;
	size_t used = strlen(out->summary);

	if (r->failed == 0)
		(void)snprintf(out->summary, sizeof(out->summary), "%s", good);
	else if (r->failed > 1)
		(void)snprintf(out->summary + used, sizeof(out->summary) - used,
		    ", and %d more", r->failed - 1);
}

/* ---- machines and links ---- */

/* Whether the ends are IPUs; else they are machines or a switch. */
static bool
is_between_ipus(const struct wiring_link *l)
{
	return l->kind == LINK_INSIDE || l->kind == LINK_BETWEEN;
}

/* Whether this end of the link works at that time.  If a machine's next
   configuration fails, its links do not train. */
static bool
end_works(const struct pod *pod, const struct wiring_link *l, int end,
    int64_t now_ms)
{
	const struct agent *a;

	if (end == WIRING_SWITCH)
		return true;
	if (!is_between_ipus(l))
		return pod_machine_is_up(&pod->agents[end], now_ms);
	a = &pod->agents[end / IPUS_PER_MACHINE];
	return pod_machine_is_up(a, now_ms) && a->fail_config == 0;
}

static bool
link_works(const struct pod *pod, const struct wiring_link *l, int64_t now_ms)
{
	return end_works(pod, l, l->from, now_ms) &&
	    end_works(pod, l, l->to, now_ms);
}

/* Write "ag01:3", "ag01" or "switch", by the kind of the link. */
static void
end_name(const struct pod *pod, const struct wiring_link *l, int end,
    char *name, size_t size)
{
	if (end == WIRING_SWITCH)
		(void)snprintf(name, size, "switch");
	else if (is_between_ipus(l))
		pod_ipu_name(pod, end, name, size);
	else
		(void)snprintf(name, size, "%s", pod->agents[end].name);
}

/* Test the links of these kinds; `what` describes a failed one. */
static void
test_links(struct report *r, const struct pod *pod, int cluster, unsigned kinds,
    const char *what, int64_t now_ms)
{
	struct wiring_link *links, *l;
	char from[NAME_SIZE + 16], to[NAME_SIZE + 16];
	int n = wiring_links(pod, cluster, &links);
	bool works;

	for (l = links; l < links + n; l++) {
		if ((kinds >> l->kind & 1) == 0)
			continue;
		works = link_works(pod, l, now_ms);
		wiring_count(r, works);
		if (works)
			continue;
		end_name(pod, l, l->from, from, sizeof(from));
		end_name(pod, l, l->to, to, sizeof(to));
		fault(r, from, " - ", to, what);
	}
	free(links);
}

/* All machines that answer have the versions of core/pod/pod.h. */
static void
test_version(struct report *r, const struct pod *pod, int cluster,
    int64_t now_ms)
{
	const struct cluster *c = &pod->clusters[cluster];
	const struct agent *a = &pod->agents[c->first_agent];
	const struct agent *end = a + c->agent_count;

	for (; a < end; a++) {
		wiring_count(r, pod_machine_is_up(a, now_ms));
		if (!pod_machine_is_up(a, now_ms))
			fault(r, a->name, "", "", " does not answer");
	}
}

/* ---- traffic ---- */

/* Working links of an IPU: to the next row, the previous one, beside. */
enum { WAY_UP = 1, WAY_DOWN = 2, WAY_SIDE = 4 };

/* A block sent from each IPU to each other one, over the IPUs between. */
struct wiring_block {
	int32_t from, to;
	uint32_t pattern[13];
	uint32_t sum;
};

/* An ILD: COLUMNS IPUs per row, numbered row by row, 0 1 / 2 3 / 4 5 ... */
struct ladder {
	int rows;
	bool torus;
	uint8_t ways[ILD_IPUS_MAX];
	struct wiring_block memory[ILD_IPUS_MAX]; /* a buffer in each IPU */
};

/* Sum everything before the sum itself. */
static uint32_t
checksum(const struct wiring_block *b)
{
	return (uint32_t)crc32_z(0, (const void *)b,
	    offsetof(struct wiring_block, sum));
}

/* Fill in a pattern that differs for each pair of IPUs (a linear congruential
   generator), so that blocks cannot be confused. */
static void
wiring_fill(struct wiring_block *b, int from, int to)
{
	uint32_t i, seed = (uint32_t)from * 2654435761U ^ (uint32_t)to;

	b->from = from;
	b->to = to;
	for (i = 0; i < ARRAY_SIZE(b->pattern); i++)
		b->pattern[i] = seed = seed * 1664525 + 1013904223;
	b->sum = checksum(b);
}

/* Whether it is the block from there to here, undamaged. */
static bool
arrived(const struct wiring_block *b, int from, int to)
{
	return b->from == from && b->to == to && b->sum == checksum(b);
}

/* Return the rows to climb, negative to descend.  In a torus of 16 rows from
   row 1 to row 15 it is -2: down over the edge is shorter. */
static int
climb(int rows, bool torus, int from, int to)
{
	int up = to - from;

	if (!torus)
		return up;
	up = (up + rows) % rows;
	return up <= rows - up ? up : up - rows;
}

/* Carry the block in from's memory that many rows, and across at the end.
   Returns the IPU reached, or -1 if a link on the way does not work. */
static int
carry(struct ladder *l, int from, int rows, bool across)
{
	int at = from, next, row;
	int way = rows < 0 ? WAY_DOWN : WAY_UP, step = rows < 0 ? -1 : 1;

	for (; rows != 0; rows -= step, at = next) {
		row = (at / COLUMNS + step + l->rows) % l->rows;
		next = row * COLUMNS + at % COLUMNS;
		if ((l->ways[at] & way) == 0)
			return -1;
		l->memory[next] = l->memory[at];
	}
	if (!across)
		return at;
	if ((l->ways[at] & WAY_SIDE) == 0)
		return -1;
	l->memory[at ^ 1] = l->memory[at];
	return at ^ 1;
}

/* Send a block from IPU to IPU; in a torus by the other way if needed. */
static bool
wiring_send(struct ladder *l, int from, int to)
{
	bool across = from % COLUMNS != to % COLUMNS;
	int rows = climb(l->rows, l->torus, from / COLUMNS, to / COLUMNS);
	int at;

	wiring_fill(&l->memory[from], from, to);
	at = carry(l, from, rows, across);
	if (at == -1 && l->torus && rows != 0)
		at = carry(l, from, rows > 0 ? rows - l->rows : rows + l->rows,
		    across);
	return at == to && arrived(&l->memory[at], from, to);
}

/* Record the link of two IPUs, counted from the ILD's first. */
static void
open_way(struct ladder *l, int from, int to)
{
	bool side = from / COLUMNS == to / COLUMNS;

	l->ways[from] |= side ? WAY_SIDE : WAY_UP;
	l->ways[to] |= side ? WAY_SIDE : WAY_DOWN;
}

/* Send a block from each IPU of the ILD to each other one. */
static bool
test_ild(struct report *r, const struct pod *pod, struct ladder *l, int first)
{
	char from_name[NAME_SIZE + 16], to_name[NAME_SIZE + 16];
	int from, to, size = l->rows * COLUMNS;
	bool passed = true;

	for (from = 0; from < size; from++) {
		for (to = 0; to < size; to++) {
			if (from == to || wiring_send(l, from, to))
				continue;
			pod_ipu_name(pod, first + from, from_name,
			    sizeof(from_name));
			pod_ipu_name(pod, first + to, to_name, sizeof(to_name));
			fault(r, from_name, " -> ", to_name, ": no route");
			passed = false;
		}
	}
	return passed;
}

/*
 * Test the gateways: a block of each row goes from rack to rack until it is
 * back.  With the racks' IPU-Links, tested before, each IPU then reaches each
 * other one.
 */
static bool
test_racks(struct report *r, const struct pod *pod, int cluster, int64_t now_ms)
{
	const struct cluster *c = &pod->clusters[cluster];
	const struct agent *agents = &pod->agents[c->first_agent];
	int machines = c->agent_count / c->ild_count;
	int m, east, failed = r->failed;
	struct wiring_block *memory;

	memory = xcalloc((size_t)c->agent_count, sizeof(*memory));
	for (m = 0; m < machines; m++)
		wiring_fill(&memory[m], m, m);
	for (m = 0; m < c->agent_count; m++) {
		east = (m + machines) % c->agent_count;
		if (pod_machine_is_up(&agents[m], now_ms) &&
		    pod_machine_is_up(&agents[east], now_ms))
			memory[east] = memory[m];
		else
			fault(r, agents[m].name, " -> ", agents[east].name,
			    ": no route");
	}
	for (m = 0; m < machines && r->failed == failed; m++)
		if (!arrived(&memory[m], m, m))
			fault(r, agents[m].name, "", "",
			    ": a block came back damaged");
	free(memory);
	return r->failed == failed;
}

/* One test per ILD, and another through the gateways.  Links that do not work
   are left out, so a fault shows as a block without a route. */
static void
test_traffic(struct report *r, const struct pod *pod, int cluster,
    int64_t now_ms)
{
	const struct cluster *c = &pod->clusters[cluster];
	struct wiring_link *links, *l, *end;
	struct ladder *ladder = xcalloc(1, sizeof(*ladder));
	int size = pod_cluster_ild_ipus(c), n, ild, first;

	n = wiring_links(pod, cluster, &links);
	l = links;
	end = links + n;
	ladder->rows = size / COLUMNS;
	ladder->torus = c->topology == TOPOLOGY_TORUS;
	for (ild = 0; ild < c->ild_count; ild++) {
		first = c->first_agent * IPUS_PER_MACHINE + ild * size;
		memset(ladder->ways, 0, sizeof(ladder->ways));
		/* Links are ordered by ILD, with gateways last. */
		for (; l < end && l->kind != LINK_GATEWAY; l++) {
			if (!is_between_ipus(l))
				continue;
			if (l->from >= first + size)
				break;
			if (link_works(pod, l, now_ms))
				open_way(ladder, l->from - first,
				    l->to - first);
		}
		wiring_count(r, test_ild(r, pod, ladder, first));
	}
	if (c->ild_count > 1)
		wiring_count(r, test_racks(r, pod, cluster, now_ms));
	free(links);
	free(ladder);
}

/* ---- the tests ---- */

#define KIND(kind) (1U << (kind))

static const struct {
	const char *name;
	const char *good; /* the summary */
	unsigned kinds;	  /* kinds of links, 0: a separate test */
	const char *bad;  /* description of a failed link */
} tests[] = {
	[TEST_VERSION] = { .name = "Version",
	    .good = "All component versions are consistent" },
	[TEST_CABLING] = { "Cabling", "All cables connected as expected",
	    KIND(LINK_CABLE), ": not connected" },
	[TEST_SYNC] = { "Sync-Link", "Sync Link test passed", KIND(LINK_SYNC),
	    ": no sync" },
	[TEST_TRAINING] = { "Link-Training", "All Links Passed",
	    KIND(LINK_INSIDE) | KIND(LINK_BETWEEN), ": not trained" },
	[TEST_TRAFFIC] = { .name = "Traffic", .good = "Traffic test passed" },
	[TEST_GATEWAY] = { "GW-Link", "GW Link test passed", KIND(LINK_GATEWAY),
	    ": not connected" },
};

const char *
wiring_test_name(enum wiring_test test)
{
	return tests[test].name;
}

void
wiring_test(const struct pod *pod, int cluster, enum wiring_test test,
    int64_t now_ms, struct wiring_result *result)
{
	struct report r = { .result = result };

	memset(result, 0, sizeof(*result));
	if (test == TEST_VERSION)
		test_version(&r, pod, cluster, now_ms);
	else if (test == TEST_TRAFFIC)
		test_traffic(&r, pod, cluster, now_ms);
	else
		test_links(&r, pod, cluster, tests[test].kinds, tests[test].bad,
		    now_ms);
	conclude(&r,
	    test == TEST_GATEWAY && result->total == 0 ?
		"GW Link test skipped" :
		tests[test].good);
}
