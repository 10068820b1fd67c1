/*
 * vipu-admin list: what the pod is made of.
 */
#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

#include "applets/applet.h"
#include "applets/vipu-admin/vipu-admin.h"
#include "core/base/json.h"
#include "core/base/table.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

const struct option_row show_options[] = {
	{ KEY_SHOWJSON, "showjson", NULL, "print JSON, not a table" },
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
agents_table(const struct pod *pod, struct table *t)
{
	static const char *const headers[] = { "Agent", "Cluster",
	    "Allocation", "Host", "Port", "IPUoF Address", "Type", "Serial",
	    NULL };
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
clusters_table(const struct pod *pod, struct table *t)
{
	static const char *const headers[] = { "Cluster", "Agents", "IPUs",
	    "ILDs", "Topology", "GW Topology", NULL };
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
allocations_table(const struct pod *pod, struct table *t)
{
	static const char *const headers[] = { "Allocation ID", "Agents",
	    NULL };
	FILE	*out;
	char	*names;
	size_t	 size;
	int	 i, k;

	table_init(t, headers);
	for (i = 0; i < pod->allocation_count; i++) {
		out = open_memstream(&names, &size);
		if (out == NULL)
			continue;
		for (k = 0; k < pod->agent_count; k++)
			if (pod->agents[k].allocation == i)
				fprintf(out, "%s%s", ftell(out) > 0 ? " " :
				    "", pod->agents[k].name);
		(void)fclose(out);
		table_add(t, "%s", pod->allocations[i].name);
		table_add(t, "%s", names);
		free(names);
	}
}

static void
agents_json(const struct pod *pod, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
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

/* An array of the ids of the agents that are in a group of some kind. */
static void
add_agent_ids(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct pod *pod,
    int group, bool by_allocation)
{
	const struct agent	*a;
	yyjson_mut_val		*ids;

	ids = yyjson_mut_obj_add_arr(doc, o, "agent_ids");
	for (a = pod->agents; a < pod->agents + pod->agent_count; a++)
		if ((by_allocation ? a->allocation : a->cluster) == group)
			yyjson_mut_arr_add_str(doc, ids, a->name);
}

static void
clusters_json(const struct pod *pod, yyjson_mut_doc *doc,
    yyjson_mut_val *list)
{
	const struct cluster	*c;
	yyjson_mut_val		*o;
	int			 i;

	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
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
		add_agent_ids(doc, o, pod, i, false);
	}
}

static void
allocations_json(const struct pod *pod, yyjson_mut_doc *doc,
    yyjson_mut_val *list)
{
	yyjson_mut_val	*o;
	int		 i;

	for (i = 0; i < pod->allocation_count; i++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "id",
		    pod->allocations[i].name);
		yyjson_mut_obj_add_str(doc, o, "cluster_id",
		    cluster_name(pod, pod->allocations[i].cluster));
		add_agent_ids(doc, o, pod, i, true);
	}
}

struct listing {
	void	(*table)(const struct pod *, struct table *);
	void	(*json)(const struct pod *, yyjson_mut_doc *,
		    yyjson_mut_val *);
	unsigned flags;		/* of table_print() */
};

static void
print_json(const struct listing *l, const struct pod *pod)
{
	yyjson_mut_doc	*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val	*list = yyjson_mut_arr(doc);

	yyjson_mut_doc_set_root(doc, list);
	l->json(pod, doc, list);
	json_print(stdout, doc);
}

static int
list(const struct call *call, const struct listing *l)
{
	struct registry	registry;
	struct snapshot	snapshot;
	struct error	error;
	struct table	table;
	int		status;

	if (state_open_reader(&registry, &error) != 0)
		return vipu_admin_failed(&error);
	status = registry_snapshot(&registry, &snapshot, &error);
	registry_close(&registry);
	if (status != 0)
		return vipu_admin_failed(&error);
	if (call->values[KEY_SHOWJSON] != NULL) {
		print_json(l, &snapshot.pod);
	} else {
		l->table(&snapshot.pod, &table);
		table_print(stdout, &table, l->flags);
		table_release(&table);
	}
	snapshot_release(&snapshot);
	return EXIT_DONE;
}

int
list_agents(const struct call *call)
{
	static const struct listing	l = { agents_table, agents_json,
	    TABLE_BLANK };

	return list(call, &l);
}

int
list_clusters(const struct call *call)
{
	static const struct listing	l = { clusters_table, clusters_json,
	    TABLE_BLANK };

	return list(call, &l);
}

int
list_allocations(const struct call *call)
{
	static const struct listing	l = { allocations_table,
	    allocations_json, TABLE_BLANK | TABLE_TOP_RULE };

	return list(call, &l);
}
