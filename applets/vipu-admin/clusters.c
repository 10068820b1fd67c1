/*
 * vipu-admin list clusters, vipu-admin get cluster: machines with common
 * wiring.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/base/text.h"
#include "core/pod/pod.h"

/* Add a row for each cluster, for the table and the CSV. */
static void
clusters_lines_under(const struct output_range *r, struct table *t,
    const char *const *headers)
{
	const struct cluster *c = r->pod->clusters + r->first;

	table_init(t, headers);
	for (; c < r->pod->clusters + r->first + r->count; c++) {
		table_add(t, "%s", c->name);
		table_add(t, "%d", c->agent_count);
		table_add(t, "%d", pod_cluster_ipu_count(c));
		table_add(t, "%d", c->ild_count);
		table_add(t, "%s", pod_topology_words[c->topology]);
		table_add(t, "%s", pod_gateway_words[c->gateway]);
	}
}

static void
clusters_lines(const void *source, struct table *t)
{
	static const char *const headers[] = { "Cluster", "Agents", "IPUs",
		"ILDs", "Topology", "GW Topology", NULL };
	static const struct fit_rule rules[] = { { 1, 16, 0, FIT_KEEP_END },
		{ 0, 0, 0, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 2, FIT_KEEP_START }, { 0, 0, 3, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START } };

	clusters_lines_under(source, t, headers);
	t->rules = rules;
}

static void
clusters_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "num_agents", "num_ipus",
		"num_ipulink_domains", "topology", "cluster_topology", NULL };

	clusters_lines_under(source, t, headers);
}

/* Add the names of a cluster's agents, in rack order. */
static void
add_agent_ids(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct pod *pod,
    const struct cluster *c)
{
	yyjson_mut_val *ids = yyjson_mut_obj_add_arr(doc, o, "agent_ids");
	int i;

	for (i = 0; i < c->agent_count; i++)
		yyjson_mut_arr_add_str(doc, ids,
		    pod->agents[c->first_agent + i].name);
}

static void
clusters_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct output_range *r = source;
	const struct cluster *c = r->pod->clusters + r->first;
	yyjson_mut_val *o;

	for (; c < r->pod->clusters + r->first + r->count; c++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "id", c->name);
		yyjson_mut_obj_add_int(doc, o, "num_ipus",
		    pod_cluster_ipu_count(c));
		yyjson_mut_obj_add_int(doc, o, "num_ipulink_domains",
		    c->ild_count);
		yyjson_mut_obj_add_str(doc, o, "topology",
		    pod_topology_words[c->topology]);
		yyjson_mut_obj_add_str(doc, o, "cluster_topology",
		    pod_gateway_words[c->gateway]);
		add_agent_ids(doc, o, r->pod, c);
	}
}

/* ---- one cluster ---- */

/* Words separated by spaces, for a cell. */
struct word_list {
	struct memstream text;
	int count;
};

static void
word_list_begin(struct word_list *w)
{
	(void)memstream_open(&w->text);
	w->count = 0;
}

static void
word_list_add(struct word_list *w, const char *word)
{
	fprintf(w->text.file, "%s%s", w->count++ > 0 ? " " : "", word);
}

/* Add the words as a row, and release them. */
static void
word_list_row(struct word_list *w, struct table *t, const char *key)
{
	char *text = memstream_close(&w->text, NULL);

	table_add(t, "%s", key);
	table_add(t, "%s", text);
	free(text);
}

/*
 * Fill the page of get cluster.  Machines, allocations and partitions refer to
 * their cluster; they are collected here.
 */
static void
clusters_page(const void *source, struct table *t)
{
	const struct output_range *r = source;
	const struct snapshot *s = r->snapshot;
	const struct cluster *c = &r->pod->clusters[r->first];
	struct word_list agents, allocations, partitions;
	int i;

	word_list_begin(&agents);
	word_list_begin(&allocations);
	word_list_begin(&partitions);
	for (i = 0; i < c->agent_count; i++)
		word_list_add(&agents, r->pod->agents[c->first_agent + i].name);
	for (i = 0; i < r->pod->allocation_count; i++)
		if (r->pod->allocations[i].cluster == r->first)
			word_list_add(&allocations,
			    r->pod->allocations[i].name);
	for (i = 0; i < s->partition_count; i++)
		if (s->partitions[i].placement.cluster == r->first)
			word_list_add(&partitions, s->partitions[i].name);

#define ROW(key, ...) (table_add(t, "%s", (key)), table_add(t, __VA_ARGS__))
	table_init(t, NULL);
	ROW("Cluster ID", "%s", c->name);
	ROW("Number of Agents", "%d", c->agent_count);
	ROW("Number of IPUs", "%d", pod_cluster_ipu_count(c));
	ROW("Number of ILDs", "%d", c->ild_count);
	ROW("IPU-Link Topology", "%s", pod_topology_words[c->topology]);
	ROW("GW-Link Topology", "%s", pod_gateway_words[c->gateway]);
#undef ROW
	word_list_row(&allocations, t, "Allocations");
	word_list_row(&partitions, t, "Partitions");
	word_list_row(&agents, t, "Agents");
}

int
clusters_command(const struct call *call)
{
	static const struct output_part clusters = {
		{ clusters_lines, TABLE_SPACE, clusters_json, clusters_csv },
		{ clusters_page, TABLE_SPACE | TABLE_TOP_RULE, clusters_json,
		    clusters_csv },
		offsetof(struct pod, cluster_count), pod_find_cluster,
		nearest_cluster
	};

	return output_of_pod(call, &clusters);
}
