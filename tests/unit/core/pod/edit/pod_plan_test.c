/*
 * Documents and plans: the lines of known changes; then random pairs of pods:
 * what was written is read back the same, and a plan that is done, or is
 * stopped after any step and made again, ends where it should.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/pod/document/document_text.h"
#include "core/pod/edit/pod_plan.h"
#include "core/pod/placement.h"
#include "core/pod/routing.h"
#include "tests/unit/tap.h"

enum { NAMES = 6, IPUS = 256 };

/* ---- a pod in memory ---- */

static struct pod	pod;
static struct inventory	now = { .pod = &pod };

static void
clear(void)
{
	pod_release(&pod);
	free(now.partitions);
	now.partitions = NULL;
	now.partition_count = 0;
}

static void
remove_partition(const char *name)
{
	int	i;

	for (i = 0; strcmp(now.partitions[i].name, name) != 0; i++)
		;
	memmove(&now.partitions[i], &now.partitions[i + 1],
	    (size_t)(--now.partition_count - i) * sizeof(*now.partitions));
}

/* As the controller does it; the list stays sorted by name. */
static bool
create_partition(const struct partition_request *r)
{
	static int32_t		owner[IPUS];
	struct partition	p = { .num_gcds = r->num_gcds,
	    .num_replicas = r->num_replicas, .sync_type = r->sync_type,
	    .reconfigurable = r->reconfigurable,
	    .relocatable = r->relocatable,
	    .no_auto_reset = r->no_auto_reset };
	int			i, k;

	memset(owner, -1, sizeof(owner));
	for (i = 0; i < now.partition_count; i++)
		for (k = 0; k < partition_size(&now.partitions[i]); k++)
			owner[placement_ipu(&pod, &now.partitions[i].placement,
			    k)] = i;
	(void)strlcpy(p.name, r->name, sizeof(p.name));
	if (placement_choose(&pod, owner, r, &p.placement, NULL) != 0 ||
	    routing_choose(&pod, &p.placement, r, &p.routing,
	    &p.gateway_routing, NULL) != 0)
		return false;
	p.allocation = placement_allocation(&pod, &p.placement);
	now.partitions = xreallocarray(now.partitions,
	    (size_t)now.partition_count + 1, sizeof(p));
	for (i = now.partition_count++; i > 0 && strcmp(p.name,
	    now.partitions[i - 1].name) < 0; i--)
		now.partitions[i] = now.partitions[i - 1];
	now.partitions[i] = p;
	return true;
}

/* Whether one more step is to be done; -1: all are. */
static bool
take(int *steps)
{
	if (*steps == 0)
		return false;
	*steps -= *steps > 0;
	return true;
}

/* The first `steps` steps of the plan; -1: all. */
static bool
execute(struct pod_plan *p, int steps)
{
	struct error	e;
	int		i;

	for (i = 0; i < p->removal_count && take(&steps); i++)
		remove_partition(p->removals[i]);
	if (p->pod_changes && take(&steps) &&
	    pod_plan_change_pod(&now, p, &e) != 0) {
		fprintf(stderr, "# %s\n", e.text);
		return false;
	}
	for (i = 0; i < p->creation_count && take(&steps); i++)
		if (!create_partition(&p->creations[i]))
			return false;
	return true;
}

static int
steps_of(const struct pod_plan *p)
{
	return p->removal_count + p->pod_changes + p->creation_count;
}

/* Plan the text: its lines, parted by '|', or the refusal. */
static const char *
plan_text(const char *text, bool then_do_it)
{
	static char	out[4096];
	struct document	d;
	struct pod_plan	p;
	struct error	e;
	size_t		i;

	out[0] = '\0';
	if (document_parse(&d, "d", text, &e) != 0 ||
	    pod_plan_make(&p, &d, &now, &e) != 0) {
		(void)strlcpy(out, e.text, sizeof(out));
		document_release(&d);
		return out;
	}
	for (i = 0; i < p.lines.count; i++) {
		(void)strlcat(out, i > 0 ? "|" : "", sizeof(out));
		(void)strlcat(out, p.lines.items[i], sizeof(out));
	}
	if (then_do_it && !execute(&p, -1))
		(void)strlcat(out, " (failed)", sizeof(out));
	pod_plan_release(&p);
	document_release(&d);
	return out;
}

/* ---- known changes ---- */

#define POD	"[pod]\nname = p\n"
#define C4	"[cluster c]\nagents = a[1-4]\ntopology = mesh\n"
#define C8	"[cluster c]\nagents = a[1-8]\ntopology = mesh\n"

static const struct {
	const char	*name, *from, *to, *lines;
} changes[] = {
	{ "nothing", POD C4, POD C4, "" },
	{ "a name", POD C4, "[pod]\nname = q\n" C4,
	    "~ pod q: name p -> q" },
	{ "a partition comes", POD C4, POD C4 "[partition x]\nsize = 4\n",
	    "+ partition x: 4 IPUs of c from a1:0" },
	{ "and goes", POD C4 "[partition x]\nsize = 4\n", POD C4,
	    "- partition x" },
	{ "two change places", POD C4 "[partition x]\nsize = 1\n"
	    "[partition y]\nsize = 1\n", POD C4 "[partition x]\nsize = 1\n"
	    "first-ipu = a1:1\n[partition y]\nsize = 1\nfirst-ipu = a1:0\n",
	    "- partition x|- partition y|+ partition x: 1 IPU of c from "
	    "a1:1|+ partition y: 1 IPU of c from a1:0" },
	{ "written in another way", POD C4 "[partition x]\nsize = 2\n",
	    POD C4 "[partition x]\nsize = 2\ngcds = 1\nreplicas = 1\n"
	    "ilds = 1\ncluster = c\nallocation = default\n"
	    "first-ipu = a1:0\nrouting = DNC\ngateway-routing = default\n"
	    "sync-type = c2-compatible\nreconfigurable = no\n"
	    "relocatable = no\nauto-reset = yes\n", "" },
	{ "a flag", POD C4 "[partition x]\nsize = 2\n", POD C4
	    "[partition x]\nsize = 2\nauto-reset = no\n", "- partition x|"
	    "+ partition x: 2 IPUs of c from a1:0" },
	{ "more machines", POD C4 "[partition x]\nsize = 8\n", POD C8
	    "[partition x]\nsize = 8\nfirst-ipu = a1:0\n", "- partition x|"
	    "+ agent a[5-8]|~ cluster c: +a[5-8]|~ allocation default: "
	    "+a[5-8]|+ partition x: 8 IPUs of c from a1:0" },
	{ "more ILDs", POD C4 "[partition x]\nsize = 8\n", POD
	    "[cluster c]\nagents = a[1-8]\ntopology = mesh\nilds = 2\n"
	    "gateway = looped\n[partition x]\nsize = 8\n", "- partition x|"
	    "+ agent a[5-8]|~ cluster c: ilds 1 -> 2, gateway none -> "
	    "looped, +a[5-8]|~ allocation default: +a[5-8]|"
	    "+ partition x: 8 IPUs of c from a1:0" },
	{ "another order", POD C4, POD "[cluster c]\n"
	    "agents = a2, a1, a[3-4]\naddress = 10.1.5.2\nhost = 10.1.2.2\n"
	    "serial = 8203322\ntopology = mesh\n[agent a1]\n"
	    "address = 10.1.5.1\nhost = 10.1.2.1\nserial = 8203321\n"
	    "[agent a3]\naddress = 10.1.5.3\nhost = 10.1.2.3\n"
	    "serial = 8203323\n[agent a4]\naddress = 10.1.5.4\n"
	    "host = 10.1.2.4\nserial = 8203324\n",
	    "~ cluster c: machines in another order" },
	{ "a machine", POD C4, POD C4 "[agent a2]\nport = 1\n"
	    "model = BOW-2000\nlot = 7\n", "~ agent a2: model M2000 -> "
	    "BOW-2000, port 8080 -> 1, lot 24 -> 7" },
	{ "a cluster's machine taken out", POD C4
	    "[partition x]\nsize = 4\nfirst-ipu = a1:0\n", POD
	    "[cluster c]\nagents = a[1-2]\ntopology = mesh\n[spare]\n"
	    "agents = a[3-4]\n[partition x]\nsize = 4\n", "- partition x|"
	    "~ cluster c: -a[3-4]|~ allocation default: -a[3-4]|"
	    "+ partition x: 4 IPUs of c from a1:0" },
	{ "a cluster goes with its partition", POD C4
	    "[partition x]\nsize = 4\n", "[pod]\nname = p\n[spare]\n"
	    "agents = a[1-4]\n", "- partition x|- allocation default|"
	    "- cluster c" },
	{ "allocations", POD C4 "[allocation one]\nagents = a[1-2]\n"
	    "[allocation two]\nagents = a3\n[partition x]\nsize = 4\n"
	    "allocation = one\n", POD C4 "[allocation one]\n"
	    "agents = a[1-3]\n[allocation three]\nagents = a4\n"
	    "[partition x]\nsize = 4\nallocation = one\n",
	    "- allocation two|~ allocation one: +a3|+ allocation three" },
	{ "an allocation that loses a partition's machines", POD C4
	    "[allocation one]\nagents = a[1-4]\n[partition x]\nsize = 8\n",
	    POD C4 "[allocation one]\nagents = a1\n[allocation two]\n"
	    "agents = a[2-4]\n[partition x]\nsize = 8\n", "- partition x|"
	    "~ allocation one: -a[2-4]|+ allocation two|"
	    "+ partition x: 8 IPUs of c from a3:0" },
	{ "two machines of a name", POD C4 "[cluster d]\nagents = a1\n",
	    POD C4 "[cluster d]\nagents = a1\n[agent d:a1]\nport = 5\n",
	    "~ agent d:a1: port 8080 -> 5" },
	{ "an empty pod", POD C4, "[pod]\nname = p\nallocations = none\n",
	    "- allocation default|- cluster c|- agent a[1-4]" },
	{ "a routing that the place has not", POD C4, POD C4
	    "[partition x]\nsize = 4\n[partition y]\nsize = 4\n"
	    "first-ipu = a1:0\nrouting = swnc\n", "d:8: partition y: routing "
	    "SWNC: for more than 16 IPUs in an IPU-Link domain, here are 4; "
	    "use DNC" },
	{ "no room", POD C4, POD C4 "[partition x]\nsize = 16\n"
	    "[partition y]\nsize = 1\n", "d:8: partition y: size 1: no "
	    "aligned group of that size is free; 0 IPUs are free" },
	{ "a place in several clusters", POD C4, POD C4
	    "[cluster d]\nagents = a1\n[partition x]\nsize = 1\n"
	    "first-ipu = a1:0\n", "d:8: partition x: first-ipu a1:0: in "
	    "several clusters; name the one with 'cluster'" },
	{ "a place over two allocations", POD C4, POD C4
	    "[allocation one]\nagents = a1\n[allocation two]\n"
	    "agents = a[2-4]\n[partition x]\nsize = 8\nfirst-ipu = a1:0\n",
	    "d:10: partition x: first-ipu a1:0: not all of the 8 IPUs from "
	    "there on are in one allocation" }
};

static void
test_changes(void)
{
	size_t	i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		clear();
		(void)plan_text(changes[i].from, true);
		is_str(plan_text(changes[i].from, false), "",
		    changes[i].name);
		is_str(plan_text(changes[i].to, true), changes[i].lines,
		    changes[i].name);
		if (strncmp(changes[i].lines, "d:", 2) != 0)
			is_str(plan_text(changes[i].to, false), "",
			    "it is done");
	}
}

/* A partition that was made while the plan was read. */
static void
test_meanwhile(void)
{
	struct partition_request	r;
	struct document			d;
	struct pod_plan			p;
	struct error			e;

	clear();
	(void)plan_text(POD C8, true);
	is_int(document_parse(&d, "d", POD C4, &e), 0, "a smaller pod");
	is_int(pod_plan_make(&p, &d, &now, &e), 0, "planned");
	request_init(&r);
	(void)strlcpy(r.name, "late", sizeof(r.name));
	(void)strlcpy(r.first_ipu, "a7:0", sizeof(r.first_ipu));
	r.size = r.num_gcds = r.num_replicas = 1;
	r.sync_type = ST_GS2_DEFAULT;
	ok(create_partition(&r), "a partition comes up");
	is_int(pod_plan_change_pod(&now, &p, &e), -1, "it stands in the way");
	is_str(e.text, "partition late was made meanwhile and has no place "
	    "in it; apply again", "by its name");
	is_int(pod.agent_count, 8, "nothing changed");
	pod_plan_release(&p);
	document_release(&d);
}

/* Machines keep how they fare, and their places where gaps can be filled. */
static void
test_kept(void)
{
	clear();
	(void)plan_text(POD "[cluster b]\nagents = b[1-4]\ntopology = mesh\n"
	    C4, true);
	pod.agents[5].state = MACHINE_DOWN;
	pod.agents[5].fail_config = 3;
	(void)plan_text(POD "[cluster c]\nagents = a[1-4]\ntopology = mesh\n"
	    "address = 10.1.5.5\nhost = 10.1.2.5\nserial = 8203325\n"
	    "[spare]\nagents = b[1-4]\naddress = 10.1.5.1\n"
	    "host = 10.1.2.1\nserial = 8203321\n", true);
	is_str(pod.agents[0].name, "b1", "the machines of the cluster that "
	    "went");
	is_int(pod.agents[0].cluster, -1, "are in none");
	is_str(pod.agents[5].name, "a2", "the other's stay in their places");
	is_int(pod.agents[5].state, MACHINE_DOWN, "and are what they were");
	is_int(pod.agents[5].fail_config, 3, "in every way");
	is_int(pod.clusters[0].first_agent, 4, "with their cluster");
}

/* ---- random pods ---- */

static uint32_t	seed = 1;

static int
draw(int below)
{
	seed = seed * 1664525 + 1013904223;
	return (int)(seed >> 16) % below;
}

static void
put(char *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
put(char *text, const char *fmt, ...)
{
	size_t	used = strlen(text);
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(text + used, 4096 - used, fmt, ap);
	va_end(ap);
}

static void
put_partitions(char *text, int clusters, int agents)
{
	int	i, size;

	for (i = 0; i < NAMES; i++) {
		if (draw(3) == 0)
			continue;
		size = 1 << (draw(3) == 0 ? draw(5) : i % 3);
		put(text, "[partition p%d]\nsize = %d\n", i, size);
		if (draw(3) == 0)
			put(text, "first-ipu = a%d:0\n", 1 + draw(agents));
		if (draw(3) == 0)
			put(text, "cluster = c%d\n", draw(clusters));
		if (draw(4) == 0)
			put(text, "gcds = %d\n", draw(2) == 0 ? size : 2);
		if (draw(4) == 0)
			put(text, "%sgcds = 2\n", draw(2) == 0 ?
			    "ilds = 2\n" : "");
		if (draw(5) == 0)
			put(text, "auto-reset = no\n");
		if (draw(5) == 0)
			put(text, "relocatable = yes\n");
		if (draw(6) == 0)
			put(text, "reconfigurable = yes\n");
	}
}

/*
 * Clusters c0, c1 with machines from a1 on, one or two racks each; often the
 * same as the last time.
 */
static void
draw_text(char *text)
{
	static uint32_t	shape = 1;
	uint32_t	saved;
	int		clusters, i, next = 1, n, ilds, shift;

	if (draw(4) == 0)
		shape = seed;
	saved = seed;
	seed = shape;
	clusters = 1 + draw(2);
	shift = draw(3);
	text[0] = '\0';
	put(text, "[pod]\nname = p%d\n", draw(2));
	for (i = 0; i < clusters; i++) {
		ilds = 1 + draw(2);
		n = ilds * (1 << draw(3));
		put(text, "[cluster c%d]\nagents = a[%d-%d]\nilds = %d\n",
		    i, next + shift, next + shift + n - 1, ilds);
		if (ilds == 2)
			put(text, "gateway = %s\n", draw(2) == 0 ? "looped" :
			    "switched");
		if (draw(2) == 0)
			put(text, "topology = mesh\n");
		if (draw(3) == 0)
			put(text, "address = 10.%d.0.1\n", 2 + i);
		if (draw(4) == 0)
			put(text, "serial = 77\nmodel = BOW-2000\n");
		next += n;
	}
	if (draw(2) == 0) {
		put(text, "[spare]\nagents = a%d, s[1-%d]\n", next + shift,
		    1 + draw(3));
		next++;
	}
	if (draw(3) == 0)
		put(text, "[agent a%d]\nport = %d\n", 1 + draw(next),
		    1 + draw(3));
	seed = saved;
	put_partitions(text, clusters, next);
}

/* A document of a random text that has a plan, and that plan. */
static void
draw_plan(struct document *d, struct pod_plan *p)
{
	static char	text[4096];
	struct error	e;

	for (;;) {
		draw_text(text);
		if (document_parse(d, "d", text, &e) == 0 &&
		    pod_plan_make(p, d, &now, &e) == 0)
			return;
		document_release(d);
	}
}

/* Whether the text of what is now reads back as the same, and as no plan. */
static bool
is_stable(void)
{
	struct document	d;
	struct pod_plan	p;
	struct error	e;
	char		*text, *again;
	bool		 good;

	text = document_text(&pod, now.partitions, now.partition_count);
	good = document_parse(&d, "d", text, &e) == 0 &&
	    pod_plan_make(&p, &d, &now, &e) == 0;
	if (good) {
		good = p.lines.count == 0 && steps_of(&p) == 0;
		if (p.lines.count > 0)
			fprintf(stderr, "# %s\n", p.lines.items[0]);
		pod_plan_release(&p);
		again = document_text(&d.pod, NULL, 0);
		good = good && strncmp(text, again, strlen(again)) == 0;
		free(again);
	} else
		fprintf(stderr, "# %s\n%s\n", e.text, text);
	document_release(&d);
	free(text);
	return good;
}

static void
test_random(void)
{
	struct document	d;
	struct pod_plan	p, rest;
	struct error	e;
	int		i, steps, left = 0, failed = 0, unstable = 0;
	int		stopped = 0, kept = 0;
	int		rounds = tap_amount(400, 2000);

	clear();
	(void)plan_text(POD C4, true);
	for (i = 0; i < rounds; i++) {
		draw_plan(&d, &p);
		kept += d.partition_count - p.creation_count;
		steps = draw(steps_of(&p) + 1);
		stopped += steps < steps_of(&p);
		failed += !execute(&p, steps);
		unstable += !is_stable();
		/* The next apply does the rest. */
		if (pod_plan_make(&rest, &d, &now, &e) == 0) {
			failed += !execute(&rest, -1);
			pod_plan_release(&rest);
		} else
			failed++;
		if (pod_plan_make(&rest, &d, &now, &e) == 0) {
			left += (int)rest.lines.count + steps_of(&rest);
			pod_plan_release(&rest);
		} else
			failed++;
		unstable += !is_stable();
		pod_plan_release(&p);
		document_release(&d);
	}
	is_int(failed, 0, "every step can be done");
	is_int(left, 0, "then nothing is left to do");
	is_int(unstable, 0, "and the text of each pod makes it again");
	ok(stopped > rounds / 2, "many were stopped in between");
	ok(kept > rounds / 25, "many partitions stayed");
}

/* Many names, in several lines, and as long as they may be. */
static void
test_long_names(void)
{
	struct document	 d;
	struct error	 e;
	char		*text, *again;
	int		 i;

	clear();
	(void)plan_text("[pod]\nname = p\n[cluster c]\nagents = a[1-1024]\n"
	    "ilds = 64\ngateway = switched\n", true);
	for (i = 0; i < pod.agent_count; i++)
		(void)snprintf(pod.agents[i].name, NAME_SIZE, "%c%062d",
		    'a' + i % 7, i);
	(void)memset(pod.clusters[0].name, 'c', NAME_SIZE - 1);
	pod.agents[3].port = 5;
	text = document_text(&pod, NULL, 0);
	if (!ok(document_parse(&d, "d", text, &e) == 0, "names of 63 bytes"))
		fprintf(stderr, "# %s\n", e.text);
	again = document_text(&d.pod, NULL, 0);
	is_str(again, text, "are read back");
	free(again);
	free(text);
	document_release(&d);
}

int
main(void)
{
	test_changes();
	test_meanwhile();
	test_kept();
	test_random();
	test_long_names();
	clear();
	return tap_done();
}
