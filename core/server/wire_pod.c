/*
 * Pods on the wire.
 */
#include "core/server/wire_pod.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/server/wire_field.h"


static const struct wire_field agent_fields[] = {
	WIRE_NAME(struct agent, ipubox_v1_Agent, name),
	WIRE_TEXT(struct agent, ipubox_v1_Agent, host),
	WIRE_TEXT(struct agent, ipubox_v1_Agent, address),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, port, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, serial, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, lot, 0, UINT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, model, 0,
	    MACHINE_BOW2000),
	WIRE_PLACE(struct agent, ipubox_v1_Agent, cluster,
	    POD_CLUSTERS_MAX - 1),
	WIRE_PLACE(struct agent, ipubox_v1_Agent, allocation,
	    POD_ALLOCATIONS_MAX - 1),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, state, 0,
	    MACHINE_REBOOTING),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, fail_config, 0, INT32_MAX),
	WIRE_NUMBER(struct agent, ipubox_v1_Agent, slow_ms, 0, INT32_MAX),
	WIRE_TIME(struct agent, ipubox_v1_Agent, changed_ms),
	WIRE_TIME(struct agent, ipubox_v1_Agent, up_ms),
	WIRE_END
};

static const struct wire_field cluster_fields[] = {
	WIRE_NAME(struct cluster, ipubox_v1_Cluster, name),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, first_agent, 0,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, agent_count, 0,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, ild_count, 1,
	    POD_AGENTS_MAX),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, topology, 0,
	    TOPOLOGY_TORUS),
	WIRE_NUMBER(struct cluster, ipubox_v1_Cluster, gateway, 0,
	    GATEWAY_SWITCHED),
	WIRE_END
};

static const struct wire_field allocation_fields[] = {
	WIRE_NAME(struct allocation, ipubox_v1_Allocation, name),
	WIRE_PLACE(struct allocation, ipubox_v1_Allocation, cluster,
	    POD_CLUSTERS_MAX - 1),
	WIRE_END
};

void
wire_pod_put(const struct pod *pod, ipubox_v1_Pod *m)
{
	int	i;

	m->name = wire_field_text(pod->name);
	m->agents_count = (pb_size_t)pod->agent_count;
	m->agents = xcalloc(m->agents_count + 1, sizeof(*m->agents));
	for (i = 0; i < pod->agent_count; i++)
		wire_field_put(agent_fields, &pod->agents[i], &m->agents[i]);
	m->clusters_count = (pb_size_t)pod->cluster_count;
	m->clusters = xcalloc(m->clusters_count + 1, sizeof(*m->clusters));
	for (i = 0; i < pod->cluster_count; i++)
		wire_field_put(cluster_fields, &pod->clusters[i],
		    &m->clusters[i]);
	m->allocations_count = (pb_size_t)pod->allocation_count;
	m->allocations = xcalloc(m->allocations_count + 1,
	    sizeof(*m->allocations));
	for (i = 0; i < pod->allocation_count; i++)
		wire_field_put(allocation_fields, &pod->allocations[i],
		    &m->allocations[i]);
}

static int
pod_check_count(const char *what, pb_size_t count, int max, struct error *e)
{
	if (count <= (pb_size_t)max)
		return 0;
	return error_set_code(e, ERROR_INVALID, "%u %s, the limit is %d",
	    (unsigned)count, what, max);
}

/* Make the arrays, of numbers that are allowed. */
static int
pod_make(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	if (wire_field_copy("name", m->name, pod->name, sizeof(pod->name),
	    e) != 0 ||
	    pod_check_count("agents", m->agents_count, POD_AGENTS_MAX,
	    e) != 0 ||
	    pod_check_count("clusters", m->clusters_count, POD_CLUSTERS_MAX,
	    e) != 0 ||
	    pod_check_count("allocations", m->allocations_count,
	    POD_ALLOCATIONS_MAX, e) != 0)
		return -1;
	pod->agent_count = (int)m->agents_count;
	pod->cluster_count = (int)m->clusters_count;
	pod->allocation_count = (int)m->allocations_count;
	pod->agents = xcalloc((size_t)pod->agent_count + 1,
	    sizeof(*pod->agents));
	pod->clusters = xcalloc((size_t)pod->cluster_count + 1,
	    sizeof(*pod->clusters));
	pod->allocations = xcalloc((size_t)pod->allocation_count + 1,
	    sizeof(*pod->allocations));
	return 0;
}

static int
pod_fill(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	int	i;

	for (i = 0; i < pod->agent_count; i++)
		if (wire_field_get(agent_fields, "agent", &m->agents[i],
		    &pod->agents[i], e) != 0)
			return -1;
	for (i = 0; i < pod->cluster_count; i++)
		if (wire_field_get(cluster_fields, "cluster", &m->clusters[i],
		    &pod->clusters[i], e) != 0)
			return -1;
	for (i = 0; i < pod->allocation_count; i++)
		if (wire_field_get(allocation_fields, "allocation",
		    &m->allocations[i], &pod->allocations[i], e) != 0)
			return -1;
	return 0;
}

/* No two of a name: whoever looks one up finds the first. */
static int
pod_check_names(const struct pod *pod, struct error *e)
{
	int	i;

	for (i = 0; i < pod->cluster_count; i++)
		if (pod_find_cluster(pod, pod->clusters[i].name) != i)
			return error_set_code(e, ERROR_INVALID,
			    "two clusters are %s", pod->clusters[i].name);
	for (i = 0; i < pod->allocation_count; i++)
		if (pod_find_allocation(pod, pod->allocations[i].name) != i)
			return error_set_code(e, ERROR_INVALID,
			    "two allocations are %s",
			    pod->allocations[i].name);
	return 0;
}

/* Every index leads to where it says. */
static int
pod_check_indices(const struct pod *pod, struct error *e)
{
	const struct allocation	*a = pod->allocations;
	int			 i;

	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].cluster >= pod->cluster_count ||
		    pod->agents[i].allocation >= pod->allocation_count)
			return error_set_code(e, ERROR_INVALID, "agent %s is "
			    "in a cluster or an allocation that is not there",
			    pod->agents[i].name);
	for (; a < pod->allocations + pod->allocation_count; a++)
		if (a->cluster < 0 || a->cluster >= pod->cluster_count)
			return error_set_code(e, ERROR_INVALID, "allocation "
			    "%s is in a cluster that is not there", a->name);
	return 0;
}

int
wire_pod_get(const ipubox_v1_Pod *m, struct pod *pod, struct error *e)
{
	pod_init(pod);
	if (pod_make(m, pod, e) == 0 && pod_fill(m, pod, e) == 0 &&
	    pod_check_names(pod, e) == 0 && pod_check_indices(pod, e) == 0 &&
	    pod_check(pod, e) == 0)
		return 0;
	pod_release(pod);
	pod_init(pod);
	return error_prefix(e, "the message's pod");
}
