/*
 * vipu create partition --options: list the possible placements.
 */
#include "applets/vipu/format.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/pod/pod.h"

/* A free placement as --options shows it. */
struct offer {
	const struct placement *place;
	int index; /* number in its cluster */
	int routing;
};

/* All offers, and the request for them. */
struct offers {
	const struct pod *pod;
	const struct partition_request *request;
	struct offer *rows;
	int count;
	bool screen; /* as that of struct partition_range */
};

/* Return the GW-Link routing of a partition in that place. */
static const char *
offer_gateway(const struct offers *all, const struct offer *o)
{
	return partition_gateway_routing_name(routing_gateway_used(all->pod,
	    o->place, all->request->gateway_routing));
}

static void
placements_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Index", "Cluster", "ILDs",
		"GW Routing", "ILD Routing", "Size", "IPUs", NULL };
	static const struct fit_rule rules[] = { { 1, 5, 0, FIT_KEEP_START },
		{ 3, 7, 4, FIT_KEEP_END }, { 0, 0, 2, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 3, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 2, 30, 0, FIT_WRAP } };
	const struct offers *all = source;
	const struct offer *o;

	table_init(t, headers);
	t->rules = rules;
	for (o = all->rows; o < all->rows + all->count; o++) {
		table_add(t, "%d", o->index);
		table_add(t, "%s", all->pod->clusters[o->place->cluster].name);
		table_add(t, "%d", o->place->ild_count);
		table_add(t, "%s", offer_gateway(all, o));
		table_add(t, "%s", partition_link_routing_name(o->routing));
		table_add(t, "%d", all->request->size);
		format_table_ipus(t, all->pod, o->place, NUMBERS_LONG,
		    all->screen);
	}
}

static void
placements_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct offers *all = source;
	const struct offer *o;
	yyjson_mut_val *v;

	for (o = all->rows; o < all->rows + all->count; o++) {
		v = yyjson_mut_arr_add_obj(doc, array);
		yyjson_mut_obj_add_int(doc, v, "index", o->index);
		yyjson_mut_obj_add_str(doc, v, "cluster_id",
		    all->pod->clusters[o->place->cluster].name);
		yyjson_mut_obj_add_int(doc, v, "size", all->request->size);
		yyjson_mut_obj_add_int(doc, v, "num_ipulink_segments",
		    o->place->ild_count);
		format_add_constant(doc, v, "gw_routing_type", "GRT_",
		    offer_gateway(all, o));
		format_add_constant(doc, v, "ipulink_routing_type", "IRT_",
		    partition_link_routing_name(o->routing));
		format_add_ipus(doc, v, o->place);
	}
}

static void
placements_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "index", "cluster_id", "size",
		"num_ipulink_segments", "gw_routing_type",
		"ipulink_routing_type", "ipus", NULL };
	const struct offers *all = source;
	const struct offer *o;

	table_init(t, headers);
	for (o = all->rows; o < all->rows + all->count; o++) {
		table_add(t, "%d", o->index);
		table_add(t, "%s", all->pod->clusters[o->place->cluster].name);
		table_add(t, "%d", all->request->size);
		table_add(t, "%d", o->place->ild_count);
		table_add(t, "GRT_%s", offer_gateway(all, o));
		table_add(t, "IRT_%s", partition_link_routing_name(o->routing));
		format_table_ipus(t, all->pod, o->place, NUMBERS_NONE, false);
	}
}

/* Number the placements within each cluster, as --index counts them. */
static void
make_placements(struct offers *all, const struct placement *places, int count)
{
	int i, gateway, index = 0, cluster = -1;

	all->rows = xcalloc((size_t)count + 1, sizeof(*all->rows));
	all->count = count;
	for (i = 0; i < count; i++) {
		index = places[i].cluster == cluster ? index + 1 : 0;
		cluster = places[i].cluster;
		all->rows[i].place = &places[i];
		all->rows[i].index = index;
		(void)routing_choose(all->pod, &places[i], all->request,
		    &all->rows[i].routing, &gateway, NULL);
	}
}

int
placements_print(const struct call *call, enum output_format format,
    struct controller *c, const struct partition_request *r)
{
	static const struct output_view l = { placements_table, TABLE_SPACE,
		placements_json, placements_csv };
	struct partition_request asked = *r;
	struct offers all = { .request = &asked };
	struct table_screen screen;
	struct snapshot s;
	struct placement *places;
	struct error error;
	int count;

	/* Without a requested routing it depends on the chosen place. */
	if (request_check(&asked, &error) != 0 ||
	    (count = create_placements(c, &asked, &s, &places, &error)) == -1)
		return call_failed(call, &error);
	all.pod = &s.pod;
	make_placements(&all, places, count);
	output_screen(call, &screen);
	all.screen = screen.columns > 0;
	output_list(call, format, &l, &all);
	free(all.rows);
	free(places);
	snapshot_release(&s);
	return EXIT_DONE;
}
