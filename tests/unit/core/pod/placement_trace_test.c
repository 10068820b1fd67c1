/*
 * Placement over long random traces: 100,000 creates and removes on pods of
 * several shapes, each step compared with a plain model that tries one place
 * after the other.  So nothing overlaps, everything is aligned and on the
 * same machine rows of its ILDs, and a request fails only where the model
 * finds no place.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/tap.h"

enum { STEPS = 100000, LIVE_MAX = 512, INDEX_MAX = 6 };

/* Two racks of 16 IPUs and one alone. */
static const char small_text[] =
    "[pod]\nname = small\n"
    "[cluster c1]\nagents = a[1-8]\nilds = 2\ntopology = torus\n"
    "gateway = looped\n"
    "[cluster c2]\nagents = b[1-4]\ntopology = mesh\n";

/*
 * Four racks of 16 machines.  The allocation wide has the lower half of each,
 * tall the rest of the first two, ragged some odd machines of the third; what
 * is left is in none.
 */
static const char shared_text[] =
    "[pod]\nname = shared\n"
    "[cluster big]\nagents = a[01-64]\nilds = 4\ntopology = torus\n"
    "gateway = switched\n"
    "[cluster lone]\nagents = b[1-8]\n"
    "[allocation wide]\ncluster = big\n"
    "agents = a[01-08],a[17-24],a[33-40],a[49-56]\n"
    "[allocation tall]\ncluster = big\nagents = a[09-16],a[25-32]\n"
    "[allocation ragged]\ncluster = big\nagents = a41,a43,a[44-46]\n"
    "[allocation alone]\ncluster = lone\nagents = b[1-8]\n";

static struct pod pod;
static int32_t owner[POD_IPUS_MAX];
static uint32_t seed;

static int
draw(int below)
{
	seed = seed * 1664525 + 1013904223;
	return (int)((seed >> 16) % (uint32_t)below);
}

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

/* ---- the model ---- */

/* The same `per_ild` IPUs of `ilds` ILDs, one behind the other. */
struct place {
	int base, per_ild, ilds, ild_ipus;
};

static int
place_ipu(const struct place *p, int i)
{
	return p->base + i / p->per_ild * p->ild_ipus + i % p->per_ild;
}

/* Every IPU free, all in one allocation, in the one asked for. */
static bool
place_good(const struct place *p, int allocation)
{
	int i, ipu, first = pod.agents[p->base / 4].allocation;

	if (allocation != -1 && first != allocation)
		return false;
	for (i = 0; i < p->per_ild * p->ilds; i++) {
		ipu = place_ipu(p, i);
		if (owner[ipu] != -1 || pod.agents[ipu / 4].allocation != first)
			return false;
	}
	return true;
}

/* The n-th good place of the cluster, counted on in *n; or none. */
static bool
model_cluster(const struct cluster *c, const struct partition_request *r,
    int allocation, int *n, struct place *p)
{
	int ild, offset;

	p->ild_ipus = c->agent_count * 4 / c->ild_count;
	p->ilds = r->num_ilds;
	if (p->ilds == 0)
		p->ilds = r->size > p->ild_ipus ? r->size / p->ild_ipus : 1;
	p->per_ild = r->size / p->ilds;
	if (p->ilds > c->ild_count || p->per_ild > p->ild_ipus ||
	    p->ilds > r->num_gcds)
		return false;
	for (ild = 0; ild + p->ilds <= c->ild_count; ild += p->ilds)
		for (offset = 0; offset < p->ild_ipus; offset += p->per_ild) {
			p->base = c->first_agent * 4 + ild * p->ild_ipus +
			    offset;
			if (place_good(p, allocation) && (*n)-- == 0)
				return true;
		}
	return false;
}

static bool
model(const struct partition_request *r, struct place *p)
{
	int allocation = pod_find_allocation(&pod, r->allocation);
	int n = r->index < 0 ? 0 : r->index, i;

	for (i = 0; i < pod.cluster_count; i++)
		if ((r->cluster[0] == '\0' ||
			strcmp(r->cluster, pod.clusters[i].name) == 0) &&
		    model_cluster(&pod.clusters[i], r, allocation, &n, p))
			return true;
	return false;
}

/* ---- the traces ---- */

static void
draw_request(struct partition_request *r, int largest)
{
	int any = draw(8);

	request_init(r);
	(void)strlcpy(r->name, "p", sizeof(r->name));
	r->size = 1 << draw(largest);
	r->num_ilds = draw(2) == 0 ? 0 : 1 << draw(3);
	if (r->num_ilds > r->size)
		r->num_ilds = 0;
	r->num_gcds = r->num_ilds != 0 ? r->num_ilds : 1 << draw(3);
	if (r->num_gcds > r->size)
		r->num_gcds = r->size;
	if (any < 3)
		(void)strlcpy(r->cluster,
		    pod.clusters[draw(pod.cluster_count)].name,
		    sizeof(r->cluster));
	if (any < 1)
		r->index = draw(INDEX_MAX);
	if (any > 4 && pod.allocation_count > 0)
		(void)strlcpy(r->allocation,
		    pod.allocations[draw(pod.allocation_count)].name,
		    sizeof(r->allocation));
}

/* Whether the placement is the model's, IPU by IPU. */
static bool
same(const struct placement *p, const struct place *wanted)
{
	int i, size = wanted->per_ild * wanted->ilds;

	if (p->per_ild * p->ild_count != size || p->offset % p->per_ild != 0 ||
	    p->first_ild % p->ild_count != 0)
		return false;
	for (i = 0; i < size; i++)
		if (placement_ipu(&pod, p, i) != place_ipu(wanted, i))
			return false;
	return true;
}

static void
mark(const struct place *p, int who)
{
	int i;

	for (i = 0; i < p->per_ild * p->ilds; i++)
		owner[place_ipu(p, i)] = who;
}

struct tally {
	int placed, refused, wrong;
};

static void
step(struct tally *t, struct place *live, int *count, int largest)
{
	struct partition_request r;
	struct placement p;
	struct place wanted;
	int who;
	bool good;

	if (*count > 0 && (*count == LIVE_MAX || draw(100) < 47)) {
		who = draw(*count);
		mark(&live[who], -1);
		live[who] = live[--*count];
		return;
	}
	draw_request(&r, largest);
	good = model(&r, &wanted);
	if (placement_choose(&pod, owner, &r, &p, NULL) != 0) {
		t->wrong += good;
		t->refused++;
		return;
	}
	if (!good || !same(&p, &wanted)) {
		t->wrong++;
		return;
	}
	mark(&wanted, *count);
	live[(*count)++] = wanted;
	t->placed++;
}

/* When all is given back every ILD of every cluster can be had whole. */
static int
fill_again(void)
{
	struct partition_request r;
	struct placement p;
	const struct cluster *c;
	int i, ild, missing = 0;

	for (i = 0; i < pod.agent_count; i++)
		pod.agents[i].allocation = -1;
	request_init(&r);
	r.num_gcds = 1;
	for (c = pod.clusters; c < pod.clusters + pod.cluster_count; c++) {
		(void)strlcpy(r.cluster, c->name, sizeof(r.cluster));
		r.size = pod_cluster_ild_ipus(c);
		for (ild = 0; ild < c->ild_count; ild++) {
			if (placement_choose(&pod, owner, &r, &p, NULL) != 0) {
				missing++;
				continue;
			}
			for (i = 0; i < r.size; i++)
				owner[placement_ipu(&pod, &p, i)] = 0;
		}
	}
	return missing;
}

static void
test_trace(const char *text, int largest, uint32_t first_seed, const char *name)
{
	static struct place live[LIVE_MAX];
	struct tally t = { 0, 0, 0 };
	int i, count = 0, kept = 0;

	seed = first_seed;
	take_pod(text);
	for (i = 0; i < STEPS; i++)
		step(&t, live, &count, largest);
	is_int(t.wrong, 0, name);
	ok(t.placed > STEPS / 10 && t.refused > STEPS / 100,
	    "many were placed, and now and then the pod was full");
	while (count > 0)
		mark(&live[--count], -1);
	for (i = 0; i < pod_ipu_count(&pod); i++)
		kept += owner[i] != -1;
	is_int(kept, 0, "all IPUs come back");
	is_int(fill_again(), 0, "and can be had again as whole ILDs");
}

int
main(void)
{
	pod_init(&pod);
	test_trace(pod_embedded("pod16"), 6, 1, "pod16: as the model");
	test_trace(pod_embedded("pod64"), 8, 2, "pod64: as the model");
	test_trace(pod_embedded("pod128"), 9, 3, "pod128: as the model");
	test_trace(pod_embedded("pod256"), 9, 4, "pod256: as the model");
	test_trace(small_text, 7, 5, "two clusters: as the model");
	test_trace(shared_text, 8, 6, "four allocations: as the model");
	test_trace(shared_text, 8, 7, "another seed: as the model");
	pod_release(&pod);
	return tap_done();
}
