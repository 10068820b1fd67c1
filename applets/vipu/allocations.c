/*
 * vipu list allocations, vipu get allocation: machines that are allotted
 * together to a set of users.
 */
#include <stdlib.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/text.h"
#include "core/pod/pod.h"

/* Add the names of its agents, separated by spaces. */
static void
add_agents(struct table *t, const struct pod *pod, int allocation)
{
	const char *separator = "";
	struct memstream m;
	char *names;
	int i;

	(void)memstream_open(&m);
	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].allocation == allocation) {
			fprintf(m.file, "%s%s", separator, pod->agents[i].name);
			separator = " ";
		}
	names = memstream_close(&m, NULL);
	table_add(t, "%s", names);
	free(names);
}

/* Count the agents: agents refer to their allocation, but not the reverse. */
static int
count_agents(const struct pod *pod, int allocation)
{
	int i, count = 0;

	for (i = 0; i < pod->agent_count; i++)
		count += pod->agents[i].allocation == allocation;
	return count;
}

/* Fill the columns of the original's list allocations. */
static void
allocations_lines(const void *source, struct table *t)
{
	static const char *const headers[] = { "Allocation ID", "Agents",
		NULL };
	static const struct fit_rule rules[] = { { 2, 13, 0, FIT_KEEP_END },
		{ 1, 24, 0, FIT_WRAP } };
	const struct output_range *r = source;
	int i;

	table_init(t, headers);
	t->rules = rules;
	for (i = r->first; i < r->first + r->count; i++) {
		table_add(t, "%s", r->pod->allocations[i].name);
		add_agents(t, r->pod, i);
	}
}

/* Fill the page of get allocation, with a key and a value in each row. */
static void
allocations_page(const void *source, struct table *t)
{
	const struct output_range *r = source;
	const struct pod *pod = r->pod;
	const struct allocation *a = &pod->allocations[r->first];
	int agents = count_agents(pod, r->first);

	table_init(t, NULL);
	table_add(t, "Allocation ID");
	table_add(t, "%s", a->name);
	table_add(t, "Cluster");
	table_add(t, "%s", pod->clusters[a->cluster].name);
	table_add(t, "Number of Agents");
	table_add(t, "%d", agents);
	table_add(t, "Number of IPUs");
	table_add(t, "%d", agents * IPUS_PER_MACHINE);
	table_add(t, "Agents");
	add_agents(t, pod, r->first);
}

/* Add the contract's Allocation, with its agents in "spec". */
static void
allocations_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct output_range *r = source;
	const struct pod *pod = r->pod;
	yyjson_mut_val *o, *spec, *ids;
	int i, k;

	for (i = r->first; i < r->first + r->count; i++) {
		o = yyjson_mut_arr_add_obj(doc, array);
		yyjson_mut_obj_add_str(doc, o, "id", pod->allocations[i].name);
		spec = yyjson_mut_obj_add_obj(doc, o, "spec");
		yyjson_mut_obj_add_str(doc, spec, "cluster_id",
		    pod->clusters[pod->allocations[i].cluster].name);
		ids = yyjson_mut_obj_add_arr(doc, spec, "agent_ids");
		for (k = 0; k < pod->agent_count; k++)
			if (pod->agents[k].allocation == i)
				yyjson_mut_arr_add_str(doc, ids,
				    pod->agents[k].name);
	}
}

static void
allocations_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "cluster_id", "num_agents",
		"agent_ids", NULL };
	const struct output_range *r = source;
	const struct allocation *a = r->pod->allocations;
	int i;

	table_init(t, headers);
	for (i = r->first; i < r->first + r->count; i++) {
		table_add(t, "%s", a[i].name);
		table_add(t, "%s", r->pod->clusters[a[i].cluster].name);
		table_add(t, "%d", count_agents(r->pod, i));
		add_agents(t, r->pod, i);
	}
}

int
allocations_command(const struct call *call)
{
	static const struct output_part allocations = {
		{ allocations_lines, TABLE_SPACE | TABLE_TOP_RULE,
		    allocations_json, allocations_csv },
		{ allocations_page, TABLE_SPACE | TABLE_TOP_RULE,
		    allocations_json, allocations_csv },
		offsetof(struct pod, allocation_count), pod_find_allocation,
		nearest_allocation
	};

	return output_of_pod(call, &allocations);
}
