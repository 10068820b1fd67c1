/*
 * A pod description, with partitions: refused with a place and a reason, or a
 * sound pod whose text is read back as the same.
 */
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/pod/document/document.h"
#include "tests/fuzz/fuzz.h"

static void
check_pod(const struct pod *pod)
{
	const struct cluster *c;
	int i, ipus = 0;

	require(pod->agent_count >= 0 && pod->agent_count <= POD_AGENTS_MAX);
	require(pod->cluster_count >= 0);
	require(pod->cluster_count <= POD_CLUSTERS_MAX);
	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		require(name_check("cluster", c->name, NULL) == 0);
		require(pod_find_cluster(pod, c->name) == i);
		require(c->first_agent >= 0 && c->agent_count > 0);
		require(c->first_agent + c->agent_count <= pod->agent_count);
		require(bits_is_power_of_two(
		    (unsigned long)pod_cluster_ild_ipus(c)));
		require(pod_cluster_ild_ipus(c) <= ILD_IPUS_MAX);
		require(pod_cluster_ild_ipus(c) * c->ild_count ==
		    pod_cluster_ipu_count(c));
		ipus += pod_cluster_ipu_count(c);
	}
	require(ipus <= pod_ipu_count(pod));
	require(pod_check(pod, NULL) == 0);
}

/* What is written is read, and written again the same. */
static void
check_text(const struct pod *pod)
{
	char *text = document_text(pod, NULL, 0), *again;
	struct document d;
	struct error e;

	require(document_parse(&d, "text", text, &e) == 0);
	again = document_text(&d.pod, NULL, 0);
	require(strcmp(text, again) == 0);
	document_release(&d);
	free(again);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error e = { .text = "" };
	struct document d;
	struct pod pod;
	char *text = fuzz_text(data, size);

	pod_init(&pod);
	if (pod_file_parse(&pod, "pod.ini", text, &e) == 0)
		check_pod(&pod);
	else
		require(strncmp(e.text, "pod.ini", 7) == 0);
	pod_release(&pod);
	if (document_parse(&d, "pod.ini", text, &e) == 0) {
		check_pod(&d.pod);
		check_text(&d.pod);
	} else {
		require(strncmp(e.text, "pod.ini", 7) == 0);
	}
	document_release(&d);
	free(text);
	return 0;
}
