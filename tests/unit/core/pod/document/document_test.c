/*
 * Documents: what is refused of their partitions; then random pods: the text of
 * a pod whose partitions were made as the document asks is read back the same.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

enum { NAMES = 6, IPUS = 256 };

/* ---- places ---- */

#define POD "[pod]\nname = p\n[cluster c]\nagents = a[1-4]\n"

/* The first IPU of each partition, or the refusal. */
static const struct {
	const char *text, *places;
} known[] = {
	{ POD, "" },
	{ POD "[partition p]\nsize = 4\n[partition q]\nsize = 2\n"
	      "first-ipu = a1:0\n[partition r]\nsize = 2\n",
	    "p a2:0 q a1:0 r a1:2" },
	{ POD "[partition p]\nsize = 4\n[partition q]\nsize = 16\n",
	    "d:7: partition q: size 16: no aligned group of that size is free; "
	    "12 IPUs are free, and the largest size that would fit now is 8" },
	{ POD "[partition p]\nsize = 8\nfirst-ipu = a1:0\n"
	      "[partition q]\nsize = 4\nfirst-ipu = a2:0\n",
	    "d:8: partition q: first-ipu a2:0: not all of the 4 IPUs from "
	    "there on are free; partition p uses them, see line 5" },
	{ POD "[partition p]\nsize = 16\nrouting = ringswnc\n"
	      "[partition q]\nsize = 3\n",
	    "d:8: partition q: size 3: must be a power of 2 (1, 2, 4, 8, "
	    "...)" },
};

static void
test_places(void)
{
	const struct partition_request *r;
	struct document d;
	struct error e;
	char got[512];
	int i;
	size_t k, used;

	for (k = 0; k < ARRAY_SIZE(known); k++) {
		used = 0;
		got[0] = '\0';
		if (document_parse(&d, "d", known[k].text, &e) != 0)
			(void)strlcpy(got, e.text, sizeof(got));
		else
			for (i = 0; i < d.partition_count; i++) {
				r = &d.partitions[i].request;
				used += (size_t)snprintf(got + used,
				    sizeof(got) - used, "%s%s %s",
				    i > 0 ? " " : "", r->name, r->first_ipu);
			}
		is_str(got, known[k].places, "the places");
		document_release(&d);
	}
}

/* ---- random pods ---- */

static uint32_t seed = 1;

static int
draw(int below)
{
	seed = seed * 1664525 + 1013904223;
	return (int)(seed >> 16) % below;
}

static void put(char *text, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
put(char *text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text + used, 4096 - used, fmt, ap);
	va_end(ap);
}

static void
put_partitions(char *text, int clusters, int agents)
{
	int i, size;

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
			put(text, "%sgcds = 2\n",
			    draw(2) == 0 ? "ilds = 2\n" : "");
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
	static uint32_t shape = 1;
	uint32_t saved;
	int clusters, i, next = 1, n, ilds, shift;

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
		put(text, "[cluster c%d]\nagents = a[%d-%d]\nilds = %d\n", i,
		    next + shift, next + shift + n - 1, ilds);
		if (ilds == 2)
			put(text, "gateway = %s\n",
			    draw(2) == 0 ? "looped" : "switched");
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

/* The partitions as the controller makes them of the requests, in a row. */
static bool
make(const struct document *d, struct partition *out)
{
	static int32_t owner[IPUS];
	const struct partition_request *r;
	struct partition *p;
	int i, k;

	memset(owner, -1, sizeof(owner));
	for (i = 0; i < d->partition_count; i++) {
		r = &d->partitions[i].request;
		p = &out[i];
		*p = (struct partition){ .num_gcds = r->num_gcds,
			.num_replicas = r->num_replicas,
			.sync_type = r->sync_type,
			.reconfigurable = r->reconfigurable,
			.relocatable = r->relocatable,
			.no_auto_reset = r->no_auto_reset };
		(void)strlcpy(p->name, r->name, sizeof(p->name));
		if (placement_choose(&d->pod, owner, r, &p->placement, NULL) !=
			0 ||
		    routing_choose(&d->pod, &p->placement, r, &p->routing,
			&p->gateway_routing, NULL) != 0)
			return false;
		p->allocation = placement_allocation(&d->pod, &p->placement);
		for (k = 0; k < partition_size(p); k++)
			owner[placement_ipu(&d->pod, &p->placement, k)] = i;
	}
	return true;
}

/* What export would write after init; NULL: a partition cannot be made. */
static char *
text_of(const struct document *d)
{
	struct partition made[NAMES];

	return make(d, made) ?
	    document_text(&d->pod, made, d->partition_count) :
	    NULL;
}

static void
test_random(void)
{
	static char text[4096];
	struct document d, again;
	struct error e;
	char *first, *second;
	int i, refused = 0, partitions = 0, failed = 0;
	int rounds = tap_amount(800, 4000);

	for (i = 0; i < rounds; i++) {
		draw_text(text);
		if (document_parse(&d, "d", text, &e) != 0) {
			refused++;
			document_release(&d);
			continue;
		}
		partitions += d.partition_count;
		first = text_of(&d);
		if (first == NULL ||
		    document_parse(&again, "d", first, &e) != 0) {
			failed++;
		} else {
			second = text_of(&again);
			failed += second == NULL || strcmp(first, second) != 0;
			free(second);
			document_release(&again);
		}
		free(first);
		document_release(&d);
	}
	is_int(failed, 0, "the text of each pod makes it again");
	ok(refused < rounds - rounds / 10, "many can be made");
	ok(partitions > rounds / 10, "with many partitions");
}

/* Many names, in several lines, and as long as they may be. */
static void
test_long_names(void)
{
	struct document d;
	struct pod pod;
	struct error e;
	char *text, *again;
	int i;

	is_int(pod_file_parse(&pod, "d",
		   "[pod]\nname = p\n[cluster c]\n"
		   "agents = a[1-1024]\nilds = 64\ngateway = switched\n",
		   &e),
	    0, "a large pod");
	for (i = 0; i < pod.agent_count; i++)
		(void)snprintf(pod.agents[i].name, NAME_SIZE, "%c%062d",
		    'a' + i % 7, i);
	(void)memset(pod.clusters[0].name, 'c', NAME_SIZE - 1);
	pod.agents[3].port = 5;
	text = document_text(&pod, NULL, 0);
	pod_release(&pod);
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
	test_places();
	test_random();
	test_long_names();
	return tap_done();
}
