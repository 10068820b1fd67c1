/*
 * A hint for a request larger than the pod: the partition is tried on each
 * embedded pod, empty, under the rules of core/pod.
 */
#include "core/launch/plan/job_partition.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/pod/document/document.h"
#include "core/pod/pod.h"

/* Return the pod's IPUs if the partition would fit, else 0. */
static int
pod_hint_try(const char *name, const char *text,
    const struct partition_request *r)
{
	struct placement placement;
	struct pod pod;
	int32_t *owner;
	int count = 0, routing, gateway;

	if (pod_file_parse(&pod, name, text, NULL) != 0)
		return 0;
	owner = xcalloc((size_t)pod_ipu_count(&pod) + 1, sizeof(*owner));
	memset(owner, -1, (size_t)pod_ipu_count(&pod) * sizeof(*owner));
	if (placement_choose(&pod, owner, r, &placement, NULL) == 0 &&
	    routing_choose(&pod, &placement, r, &routing, &gateway, NULL) == 0)
		count = pod_ipu_count(&pod);
	free(owner);
	pod_release(&pod);
	return count;
}

int
pod_hint_append(const struct partition_request *r, struct error *e)
{
	struct partition_request anywhere = *r;
	const struct embedded_file *pod;
	const char *best = NULL;
	int count, least = 0;

	/* Names of places only exist in this pod. */
	anywhere.cluster[0] = anywhere.allocation[0] = '\0';
	for (pod = embedded_pods; pod->name != NULL; pod++) {
		count = pod_hint_try(pod->name, pod->text, &anywhere);
		if (count != 0 && (best == NULL || count < least)) {
			best = pod->name;
			least = count;
		}
	}
	if (best == NULL)
		return -1;
	return error_append(e, "; %s has room for it: vipu-admin init --pod %s",
	    best, best);
}
