/* A pod description: refused with a place and a reason, or a sound pod. */
#include <string.h>

#include "core/pod/pod.h"
#include "tests/fuzz/fuzz.h"

static void
check_pod(const struct pod *pod)
{
	const struct cluster	*c;
	int			 i, ipus = 0;

	require(pod->agent_count > 0 && pod->agent_count <= POD_AGENTS_MAX);
	require(pod->cluster_count > 0);
	require(pod->cluster_count <= POD_CLUSTERS_MAX);
	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		require(check_name("cluster", c->name, NULL) == 0);
		require(pod_find_cluster(pod, c->name) == i);
		require(c->first_agent >= 0 && c->agent_count > 0);
		require(c->first_agent + c->agent_count <= pod->agent_count);
		require(is_power_of_two((unsigned long)cluster_ild_ipus(c)));
		require(cluster_ild_ipus(c) <= ILD_IPUS_MAX);
		require(cluster_ild_ipus(c) * c->ild_count ==
		    cluster_ipu_count(c));
		ipus += cluster_ipu_count(c);
	}
	require(ipus <= pod_ipu_count(pod));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error	e = { "" };
	struct pod	pod;
	char		*text = fuzz_text(data, size);

	pod_init(&pod);
	if (pod_parse(&pod, "pod.ini", text, &e) == 0)
		check_pod(&pod);
	else
		require(strncmp(e.text, "pod.ini", 7) == 0);
	pod_release(&pod);
	free(text);
	return 0;
}
