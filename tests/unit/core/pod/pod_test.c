/*
 * Pod descriptions: the ones in the program, and tests/golden/pods, where
 * NAME.ok is what NAME.ini makes and NAME.err how it is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/files/file.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

enum { TEXT_MAX = 1 << 20 };

/* Everything about a pod, a line each. */
static char *
dump(const struct pod *pod)
{
	const struct agent *a;
	const struct cluster *c;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	fprintf(f, "pod %s\n", pod->name);
	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		fprintf(f, "cluster %s %d+%d, %d ilds of %d, %s, %s\n", c->name,
		    c->first_agent, c->agent_count, c->ild_count,
		    pod_cluster_ild_ipus(c), pod_topology_words[c->topology],
		    pod_gateway_words[c->gateway]);
	}
	for (i = 0; i < pod->allocation_count; i++)
		fprintf(f, "allocation %s of %d\n", pod->allocations[i].name,
		    pod->allocations[i].cluster);
	for (i = 0; i < pod->agent_count; i++) {
		a = &pod->agents[i];
		fprintf(f, "agent %s in %d, %d: %s %u, %s, %s, %04u.%07u\n",
		    a->name, a->cluster, a->allocation, a->host, a->port,
		    a->address, pod_machine_words[a->model], a->lot, a->serial);
	}
	(void)fclose(f);
	return text;
}

static void
test_golden(const char *directory, const char *file)
{
	char path[512], wanted_path[512];
	char *text, *wanted, *got;
	size_t size;
	struct error e = { .text = "" };
	struct pod pod;
	bool good;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, file);
	text = file_read(path, TEXT_MAX, &size, &e);
	good = pod_file_parse(&pod, "FILE", text, &e) == 0;
	if (good) {
		got = dump(&pod);
		pod_release(&pod);
	} else {
		got = malloc(sizeof(e.text) + 2);
		(void)snprintf(got, sizeof(e.text) + 2, "%s\n", e.text);
	}
	(void)snprintf(wanted_path, sizeof(wanted_path), "%.*s.%s",
	    (int)strlen(path) - 4, path, good ? "ok" : "err");
	wanted = file_read(wanted_path, TEXT_MAX, &size, &e);
	is_str(got, wanted, file);
	free(wanted);
	free(got);
	free(text);
}

static void
test_all_golden(void)
{
	const char *tests = getenv("TESTDIR");
	char directory[256];
	char **names;
	long i, count;

	(void)snprintf(directory, sizeof(directory), "%s/golden/pods",
	    tests != NULL ? tests : "tests");
	count = directory_names(directory_at(directory), ".ini", &names, NULL);
	ok(count > 20, "golden files");
	for (i = 0; i < count; i++)
		test_golden(directory, names[i]);
	if (count != -1)
		directory_names_free(names, count);
}

struct known {
	const char *name;
	int ipus, ilds, ild_ipus;
	int topology, gateway, model;
};

static const struct known known[] = {
	{ "bow-pod64", 64, 1, 64, TOPOLOGY_TORUS, GATEWAY_NONE,
	    MACHINE_BOW2000 },
	{ "pod128", 128, 2, 64, TOPOLOGY_TORUS, GATEWAY_LOOPED, MACHINE_M2000 },
	{ "pod16", 16, 1, 16, TOPOLOGY_MESH, GATEWAY_NONE, MACHINE_M2000 },
	{ "pod256", 256, 4, 64, TOPOLOGY_TORUS, GATEWAY_SWITCHED,
	    MACHINE_M2000 },
	{ "pod4", 4, 1, 4, TOPOLOGY_MESH, GATEWAY_NONE, MACHINE_M2000 },
	{ "pod512", 512, 8, 64, TOPOLOGY_TORUS, GATEWAY_SWITCHED,
	    MACHINE_M2000 },
	{ "pod64", 64, 1, 64, TOPOLOGY_TORUS, GATEWAY_NONE, MACHINE_M2000 },
};

static void
test_embedded(void)
{
	const struct known *k;
	const struct cluster *c;
	struct error e;
	struct pod pod;
	size_t i, count = ARRAY_SIZE(known);

	for (i = 0; i < count; i++) {
		k = &known[i];
		is_str(embedded_pods[i].name, k->name, "a pod in the program");
		if (!ok(pod_file_parse(&pod, k->name, pod_embedded(k->name),
			    &e) == 0,
			"is sound"))
			continue;
		c = &pod.clusters[0];
		is_str(pod.name, k->name, "its name");
		is_int(pod_ipu_count(&pod), k->ipus, "IPUs");
		is_int(c->ild_count, k->ilds, "ILDs");
		is_int(pod_cluster_ild_ipus(c), k->ild_ipus, "IPUs of an ILD");
		is_int(c->topology, k->topology, "topology");
		is_int(c->gateway, k->gateway, "gateway");
		is_int(pod.agents[0].model, k->model, "model");
		is_int(pod_find_cluster(&pod, "cl0"), 0, "cluster cl0");
		is_int(pod_find_allocation(&pod, "default"), 0, "allocation");
		is_str(pod.agents[0].name, k->ipus > 4 * 99 ? "ag001" : "ag01",
		    "the first agent");
		pod_release(&pod);
	}
	ok(embedded_pods[count].name == NULL, "and no others");
	ok(pod_embedded("pod65") == NULL, "no pod of that name");
}

/* The largest pod: 1,024 racks. */
static void
test_largest(void)
{
	static const char text[] =
	    "[pod]\nname = largest\n"
	    "[cluster c]\nagents = m[00001-16384]\nilds = 1024\n"
	    "gateway = switched\n[allocation a]\nagents = m[00001-16384]\n";
	struct error e = { .text = "" };
	struct pod pod;

	is_int(pod_file_parse(&pod, "largest", text, &e), 0, "65,536 IPUs");
	is_str(e.text, "", "no message");
	is_int(pod_ipu_count(&pod), POD_IPUS_MAX, "all of them");
	is_int(pod_cluster_ild_ipus(&pod.clusters[0]), 64, "64 to an ILD");
	is_str(pod.agents[16383].name, "m16384", "the last machine");
	is_str(pod.agents[254].address, "10.1.6.1", "an octet further");
	is_str(pod.agents[16383].address, "10.1.69.128", "the last address");
	is_int(pod.agents[16383].allocation, 0, "is allocated");
	pod_release(&pod);
	is_int(pod_find_cluster(&pod, "c"), -1, "nothing after the release");
}

int
main(void)
{
	test_all_golden();
	test_embedded();
	test_largest();
	return tap_done();
}
