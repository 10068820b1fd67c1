/*
 * vipu-admin list: what the pod is made of.
 */
#include <stdio.h>

#include "applets/vipu-admin/vipu-admin.h"
#include "applets/vipu/output.h"
#include "core/control/controller.h"
#include "core/pod/pod.h"

const struct option_row show_options[] = {
	OUTPUT_OPTIONS,
	{ 0 }
};

static const char *
cluster_name(const struct pod *pod, int cluster)
{
	return cluster == -1 ? "" : pod->clusters[cluster].name;
}

static const char *
allocation_name(const struct pod *pod, int allocation)
{
	return allocation == -1 ? "" : pod->allocations[allocation].name;
}

/* Both boards of a machine; the middle field is the board's. */
static void
serial_text(const struct agent *a, char *text, size_t size)
{
	(void)snprintf(text, size, "%04u.xxxx.%07u", a->lot, a->serial);
}

static void
agents_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Agent", "Cluster",
	    "Allocation", "Host", "Port", "IPUoF Address", "Type", "Serial",
	    NULL };
	const struct pod	*pod = source;
	const struct agent	*a;
	char			 serial[32];

	table_init(t, headers);
	for (a = pod->agents; a < pod->agents + pod->agent_count; a++) {
		serial_text(a, serial, sizeof(serial));
		table_add(t, "%s", a->name);
		table_add(t, "%s", cluster_name(pod, a->cluster));
		table_add(t, "%s", allocation_name(pod, a->allocation));
		table_add(t, "%s", a->host);
		table_add(t, "%u", a->port);
		table_add(t, "%s", a->address);
		table_add(t, "%s", machine_words[a->model]);
		table_add(t, "%s", serial);
	}
}

static void
clusters_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Cluster", "Agents", "IPUs",
	    "ILDs", "Topology", "GW Topology", NULL };
	const struct pod	*pod = source;
	const struct cluster	*c;

	table_init(t, headers);
	for (c = pod->clusters; c < pod->clusters + pod->cluster_count; c++) {
		table_add(t, "%s", c->name);
		table_add(t, "%d", c->agent_count);
		table_add(t, "%d", cluster_ipu_count(c));
		table_add(t, "%d", c->ild_count);
		table_add(t, "%s", topology_words[c->topology]);
		table_add(t, "%s", gateway_words[c->gateway]);
	}
}

static void
agents_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct pod	*pod = source;
	const struct agent	*a;
	yyjson_mut_val		*o;
	char			 serial[32];

	for (a = pod->agents; a < pod->agents + pod->agent_count; a++) {
		serial_text(a, serial, sizeof(serial));
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "id", a->name);
		yyjson_mut_obj_add_str(doc, o, "cluster_id",
		    cluster_name(pod, a->cluster));
		yyjson_mut_obj_add_str(doc, o, "allocation_id",
		    allocation_name(pod, a->allocation));
		yyjson_mut_obj_add_str(doc, o, "host", a->host);
		yyjson_mut_obj_add_uint(doc, o, "port", a->port);
		yyjson_mut_obj_add_str(doc, o, "ipuof_address", a->address);
		yyjson_mut_obj_add_str(doc, o, "type",
		    machine_words[a->model]);
		yyjson_mut_obj_add_strcpy(doc, o, "serial", serial);
	}
}

/* The names of a cluster's agents, in rack order. */
static void
add_agent_ids(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct pod *pod,
    const struct cluster *c)
{
	yyjson_mut_val	*ids = yyjson_mut_obj_add_arr(doc, o, "agent_ids");
	int		 i;

	for (i = 0; i < c->agent_count; i++)
		yyjson_mut_arr_add_str(doc, ids,
		    pod->agents[c->first_agent + i].name);
}

static void
clusters_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct pod	*pod = source;
	const struct cluster	*c;
	yyjson_mut_val		*o;

	for (c = pod->clusters; c < pod->clusters + pod->cluster_count; c++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "id", c->name);
		yyjson_mut_obj_add_int(doc, o, "num_ipus",
		    cluster_ipu_count(c));
		yyjson_mut_obj_add_int(doc, o, "num_ipulink_domains",
		    c->ild_count);
		yyjson_mut_obj_add_str(doc, o, "topology",
		    topology_words[c->topology]);
		yyjson_mut_obj_add_str(doc, o, "cluster_topology",
		    gateway_words[c->gateway]);
		add_agent_ids(doc, o, pod, c);
	}
}

static void
agents_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "cluster_id",
	    "allocation_id", "host", "port", "ipuof_address", "type",
	    "serial", NULL };

	agents_table(source, t);
	t->headers = headers;
}

static void
clusters_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "num_agents",
	    "num_ipus", "num_ipulink_domains", "topology",
	    "cluster_topology", NULL };

	clusters_table(source, t);
	t->headers = headers;
}

static int
list(const struct call *call, const struct listing *l)
{
	enum output_format	format;
	struct registry		registry;
	struct snapshot		snapshot;
	struct error		error;
	int			status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (controller_open_reader(&registry, &error) != 0)
		return vipu_admin_failed(&error);
	status = registry_snapshot(&registry, &snapshot, &error);
	registry_close(&registry);
	if (status != 0)
		return vipu_admin_failed(&error);
	output_list(format, l, &snapshot.pod);
	snapshot_release(&snapshot);
	return EXIT_DONE;
}

int
list_agents(const struct call *call)
{
	static const struct listing	l = { agents_table, TABLE_BLANK,
	    agents_json, agents_csv };

	return list(call, &l);
}

int
list_clusters(const struct call *call)
{
	static const struct listing	l = { clusters_table, TABLE_BLANK,
	    clusters_json, clusters_csv };

	return list(call, &l);
}
