/*
 * Suggestions for mistyped names: the nearest existing name.
 */
#include "core/pod/request.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"

int
nearest_cluster(const struct pod *pod, const char *typed, struct error *e)
{
	return suggest_name(typed, pod->clusters, (size_t)pod->cluster_count,
	    sizeof(*pod->clusters), offsetof(struct cluster, name), e);
}

int
nearest_allocation(const struct pod *pod, const char *typed, struct error *e)
{
	return suggest_name(typed, pod->allocations,
	    (size_t)pod->allocation_count, sizeof(*pod->allocations),
	    offsetof(struct allocation, name), e);
}

/* A mistyped cluster is more likely, so it is checked first. */
int
nearest_agent(const struct pod *pod, const char *typed, struct error *e)
{
	const char *colon = strchr(typed, ':');
	const struct agent *a = pod->agents;
	char cluster[NAME_SIZE];
	struct suggestion nearest;
	int i, wanted = -1;

	if (colon != NULL) {
		(void)snprintf(cluster, sizeof(cluster), "%.*s",
		    (int)(colon - typed), typed);
		wanted = pod_find_cluster(pod, cluster);
		if (wanted == -1)
			return nearest_cluster(pod, cluster, e);
		typed = colon + 1;
	}
	suggest_begin(&nearest, typed);
	for (i = 0; i < pod->agent_count; i++)
		if (colon == NULL || a[i].cluster == wanted)
			suggest_offer(&nearest, a[i].name);
	return suggest_append(&nearest, "", e);
}

int
nearest_place(const struct pod *pod, const char *partition, struct error *e)
{
	const bool allocation = pod_find_allocation(pod, partition) != -1;

	if (!allocation && pod_find_cluster(pod, partition) == -1)
		return -1;
	(void)error_append(e,
	    "; %s is %s: vipu-admin list partitions shows the partition in "
	    "column 3 (in column 2 with IPUBOX_EMULATE_SDK=2.x)",
	    partition, allocation ? "an allocation" : "a cluster");
	return 0;
}
