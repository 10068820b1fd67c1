/*
 * Prints what vipu status gathered: as tables, as JSON and as CSV.
 */
#include <stdio.h>
#include <stdlib.h>

#include "applets/vipu/status.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/placement.h"

static const int states[] = { PS_ACTIVE, PS_PENDING, PS_ERROR, PS_REMOVED };

static const char *
status_cluster(const struct status *s, int cluster)
{
	return s->snapshot.pod.clusters[cluster].name;
}

/* Return the allocation's name, "" for -1. */
static const char *
status_allocation(const struct status *s, int allocation)
{
	return allocation != -1 ? s->snapshot.pod.allocations[allocation].name :
				  "";
}

static int
count_state(const struct status *s, int state)
{
	return capacity_count_state(s->snapshot.partitions,
	    s->snapshot.partition_count, state);
}

/* Return the partitions of an owner as one text, which the caller frees. */
static char *
names_of(const struct status *s, const struct status_owner *o)
{
	const struct partition *p = s->snapshot.partitions;
	const struct partition *end = p + s->snapshot.partition_count;
	struct memstream m;
	const char *between = "";

	(void)memstream_open(&m);
	for (; p < end; p++)
		if (capacity_same_owner(o->like, p)) {
			fprintf(m.file, "%s%s", between, p->name);
			between = " ";
		}
	return memstream_close(&m, NULL);
}

/* ---- tables ---- */

static void
show(struct table *t, const struct table_screen *screen)
{
	table_show(stdout, t, 0, screen);
	table_release(t);
}

static void
print_capacity(const struct status *s, const struct table_screen *screen)
{
	static const char *const headers[] = { "Cluster", "Allocation", "IPUs",
		"Used", "Free", "Down", "Largest Free", NULL };
	static const struct fit_rule rules[] = { { 1, 7, 0, FIT_KEEP_END },
		{ 2, 10, 0, FIT_KEEP_END }, { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 1, FIT_KEEP_START }, { 0, 0, 0, FIT_KEEP_START } };
	const struct capacity *c = s->capacity;
	struct table t;

	if (!s->has_pod) {
		printf("This server reports only partitions: what is free is "
		       "not known.\n");
		return;
	}
	table_init(&t, headers);
	t.rules = rules;
	for (; c < s->capacity + s->capacity_count; c++) {
		table_add(&t, "%s", status_cluster(s, c->cluster));
		table_add(&t, "%s", status_allocation(s, c->allocation));
		table_add(&t, "%d", c->ipus);
		table_add(&t, "%d", c->used);
		table_add(&t, "%d", c->free);
		table_add(&t, "%d", c->down);
		table_tone(&t, c->down > 0 ? TONE_BAD : TONE_PLAIN);
		table_add(&t, "%d", c->largest);
	}
	show(&t, screen);
}

static void
print_states(const struct status *s)
{
	const char *between = " (";
	size_t i;
	int n;

	printf("%d partition%s", s->snapshot.partition_count,
	    s->snapshot.partition_count == 1 ? "" : "s");
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		if ((n = count_state(s, states[i])) == 0)
			continue;
		printf("%s%d %s", between, n, partition_state_name(states[i]));
		between = ", ";
	}
	printf("%s\n", s->snapshot.partition_count > 0 ? ")" : "");
}

static void
print_owners(const struct status *s, const struct table_screen *screen)
{
	static const char *const headers[] = { "Owner", "IPUs", "Attached",
		"Partitions", NULL };
	static const struct fit_rule rules[] = { { 1, 10, 0, FIT_KEEP_END },
		{ 0, 0, 0, FIT_KEEP_START }, { 0, 0, 1, FIT_KEEP_START },
		{ 2, 20, 0, FIT_WRAP } };
	const struct status_owner *o = s->owners;
	struct table t;
	char *names;

	if (s->owner_count == 0)
		return;
	table_init(&t, headers);
	t.rules = rules;
	for (; o < s->owners + s->owner_count; o++) {
		names = names_of(s, o);
		table_add(&t, "%s", o->name);
		table_add(&t, "%d", o->ipus);
		if (s->has_holders)
			table_add(&t, "%d", o->attached);
		else
			table_add(&t, "?");
		table_add(&t, "%s", names);
		free(names);
	}
	show(&t, screen);
}

static void
print_queue(const struct status *s, const struct table_screen *screen)
{
	static const char *const headers[] = { "Waits", "Size", "Partition",
		"Cluster", "Allocation", "User", NULL };
	static const struct fit_rule rules[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 3, 16, 0, FIT_KEEP_END },
		{ 1, 7, 2, FIT_KEEP_END }, { 2, 10, 1, FIT_KEEP_END },
		{ 4, 6, 0, FIT_KEEP_END } };
	const struct ticket *w = s->queue;
	struct table t;
	int place = 0;

	if (s->queue_count == -1)
		printf("What waits for IPUs is not known: %s.\n",
		    s->queue_error.text);
	else if (s->queue_count == 0)
		printf("Nothing waits for IPUs.\n");
	if (s->queue_count <= 0)
		return;
	table_init(&t, headers);
	t.rules = rules;
	for (; w < s->queue + s->queue_count; w++) {
		table_add(&t, "%d", ++place);
		table_add(&t, "%d", w->size);
		table_add(&t, "%s", w->partition);
		table_add(&t, "%s", w->cluster);
		table_add(&t, "%s", w->allocation);
		table_add(&t, "%s", w->user);
	}
	show(&t, screen);
}

static void
print_place(const struct status *s, const struct table_screen *screen)
{
	static const char *const headers[] = { "Next Of", "Cluster",
		"Allocation", "ILDs", "IPUs", NULL };
	static const struct fit_rule rules[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 1, 7, 2, FIT_KEEP_END }, { 2, 10, 1, FIT_KEEP_END },
		{ 0, 0, 3, FIT_KEEP_START }, { 3, 30, 0, FIT_WRAP } };
	const struct pod *pod = &s->snapshot.pod;
	struct table t;

	if (s->size == 0)
		return;
	if (!s->has_place) {
		printf("No place: %s.\n", s->no_place.text);
		return;
	}
	table_init(&t, headers);
	t.rules = rules;
	table_add(&t, "%d", s->size);
	table_add(&t, "%s", status_cluster(s, s->place.cluster));
	table_add(&t, "%s",
	    status_allocation(s, placement_allocation(pod, &s->place)));
	table_add(&t, "%d", s->place.ild_count);
	format_table_ipus(&t, pod, &s->place, NUMBERS_SHORT, true);
	show(&t, screen);
}

void
status_print(const struct status *s, const struct table_screen *screen)
{
	print_capacity(s, screen);
	print_states(s);
	print_owners(s, screen);
	print_queue(s, screen);
	print_place(s, screen);
}

/* ---- JSON ---- */

static void
json_capacity(const struct status *s, yyjson_mut_doc *doc, yyjson_mut_val *o)
{
	const struct capacity *c = s->capacity;
	yyjson_mut_val *all, *one;

	if (!s->has_pod) {
		yyjson_mut_obj_add_null(doc, o, "capacity");
		return;
	}
	all = yyjson_mut_obj_add_arr(doc, o, "capacity");
	for (; c < s->capacity + s->capacity_count; c++) {
		one = yyjson_mut_arr_add_obj(doc, all);
		yyjson_mut_obj_add_str(doc, one, "cluster_id",
		    status_cluster(s, c->cluster));
		yyjson_mut_obj_add_str(doc, one, "allocation_id",
		    status_allocation(s, c->allocation));
		yyjson_mut_obj_add_int(doc, one, "ipus", c->ipus);
		yyjson_mut_obj_add_int(doc, one, "used", c->used);
		yyjson_mut_obj_add_int(doc, one, "free", c->free);
		yyjson_mut_obj_add_int(doc, one, "down", c->down);
		yyjson_mut_obj_add_int(doc, one, "largest_free", c->largest);
	}
}

static void
json_partitions(const struct status *s, yyjson_mut_doc *doc, yyjson_mut_val *o)
{
	const struct status_owner *of = s->owners;
	const struct partition *p;
	yyjson_mut_val *counts, *all, *one, *names;
	char state[32];
	size_t i;

	counts = yyjson_mut_obj_add_obj(doc, o, "ready_states");
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		(void)snprintf(state, sizeof(state), "PS_%s",
		    partition_state_name(states[i]));
		yyjson_mut_obj_add(counts, yyjson_mut_strcpy(doc, state),
		    yyjson_mut_int(doc, count_state(s, states[i])));
	}
	all = yyjson_mut_obj_add_arr(doc, o, "owners");
	for (; of < s->owners + s->owner_count; of++) {
		one = yyjson_mut_arr_add_obj(doc, all);
		yyjson_mut_obj_add_str(doc, one, "owner", of->name);
		yyjson_mut_obj_add_int(doc, one, "ipus", of->ipus);
		if (s->has_holders)
			yyjson_mut_obj_add_int(doc, one, "attached",
			    of->attached);
		else
			yyjson_mut_obj_add_null(doc, one, "attached");
		names = yyjson_mut_obj_add_arr(doc, one, "partition_ids");
		for (p = s->snapshot.partitions;
		     p < s->snapshot.partitions + s->snapshot.partition_count;
		     p++)
			if (capacity_same_owner(of->like, p))
				yyjson_mut_arr_add_str(doc, names, p->name);
	}
}

static void
json_queue(const struct status *s, yyjson_mut_doc *doc, yyjson_mut_val *o)
{
	const struct ticket *w = s->queue;
	yyjson_mut_val *all, *one;

	if (s->queue_count == -1) {
		yyjson_mut_obj_add_null(doc, o, "waiting");
		return;
	}
	all = yyjson_mut_obj_add_arr(doc, o, "waiting");
	for (; w < s->queue + s->queue_count; w++) {
		one = yyjson_mut_arr_add_obj(doc, all);
		yyjson_mut_obj_add_str(doc, one, "partition_id", w->partition);
		yyjson_mut_obj_add_int(doc, one, "size", w->size);
		yyjson_mut_obj_add_str(doc, one, "cluster_id", w->cluster);
		yyjson_mut_obj_add_str(doc, one, "allocation_id",
		    w->allocation);
		yyjson_mut_obj_add_str(doc, one, "user", w->user);
	}
}

static void
json_place(const struct status *s, yyjson_mut_doc *doc, yyjson_mut_val *o)
{
	const struct pod *pod = &s->snapshot.pod;
	yyjson_mut_val *one;

	if (s->size == 0) {
		yyjson_mut_obj_add_null(doc, o, "next");
		return;
	}
	one = yyjson_mut_obj_add_obj(doc, o, "next");
	yyjson_mut_obj_add_int(doc, one, "size", s->size);
	yyjson_mut_obj_add_bool(doc, one, "fits", s->has_place);
	if (!s->has_place) {
		yyjson_mut_obj_add_str(doc, one, "reason", s->no_place.text);
		return;
	}
	yyjson_mut_obj_add_str(doc, one, "cluster_id",
	    status_cluster(s, s->place.cluster));
	yyjson_mut_obj_add_str(doc, one, "allocation_id",
	    status_allocation(s, placement_allocation(pod, &s->place)));
	yyjson_mut_obj_add_int(doc, one, "num_ipulink_segments",
	    s->place.ild_count);
	format_add_ipus(doc, one, &s->place);
}

static void
status_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct status *s = source;
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, array);

	yyjson_mut_obj_add_str(doc, o, "pod", s->snapshot.pod.name);
	json_capacity(s, doc, o);
	json_partitions(s, doc, o);
	json_queue(s, doc, o);
	json_place(s, doc, o);
}

/* ---- CSV ---- */

/* The columns of all sections; a line leaves those of the others empty. */
enum status_column {
	CSV_SECTION,
	CSV_ID,
	CSV_CLUSTER,
	CSV_ALLOCATION,
	CSV_IPUS,
	CSV_USED,
	CSV_FREE,
	CSV_DOWN,
	CSV_LARGEST,
	CSV_ATTACHED,
	CSV_PARTITIONS,
	CSV_OWNER,
	CSV_REASON,
	CSV_PLACES,
	STATUS_CSV_COLUMNS
};

static char *
number(int n)
{
	return xasprintf("%d", n);
}

/* Add a line of the cells that are not NULL, and free them. */
static void
csv_line(struct table *t, const char *section, char **cells)
{
	int i;

	table_add(t, "%s", section);
	for (i = CSV_SECTION + 1; i < STATUS_CSV_COLUMNS; i++) {
		table_add(t, "%s", cells[i] != NULL ? cells[i] : "");
		free(cells[i]);
	}
}

static void
csv_capacity(const struct status *s, struct table *t)
{
	const struct capacity *c = s->capacity;

	if (!s->has_pod) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_REASON] = xstrdup("not known"),
		};

		csv_line(t, "capacity", cells);
	}
	for (; c < s->capacity + s->capacity_count; c++) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_CLUSTER] = xstrdup(status_cluster(s, c->cluster)),
			[CSV_ALLOCATION] =
			    xstrdup(status_allocation(s, c->allocation)),
			[CSV_IPUS] = number(c->ipus),
			[CSV_USED] = number(c->used),
			[CSV_FREE] = number(c->free),
			[CSV_DOWN] = number(c->down),
			[CSV_LARGEST] = number(c->largest),
		};

		csv_line(t, "capacity", cells);
	}
}

static void
csv_partitions(const struct status *s, struct table *t)
{
	const struct status_owner *o = s->owners;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_ID] = xasprintf("PS_%s",
			    partition_state_name(states[i])),
			[CSV_PARTITIONS] = number(count_state(s, states[i])),
		};

		csv_line(t, "state", cells);
	}
	for (; o < s->owners + s->owner_count; o++) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_ID] = names_of(s, o),
			[CSV_IPUS] = number(o->ipus),
			[CSV_ATTACHED] =
			    s->has_holders ? number(o->attached) : NULL,
			[CSV_PARTITIONS] = number(o->partitions),
			[CSV_OWNER] = xstrdup(o->name),
		};

		csv_line(t, "owner", cells);
	}
}

static void
csv_queue(const struct status *s, struct table *t)
{
	const struct ticket *w = s->queue;

	if (s->queue_count == -1) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_REASON] = xstrdup(s->queue_error.text)
		};

		csv_line(t, "waiting", cells);
	}
	for (; w < s->queue + s->queue_count; w++) {
		char *cells[STATUS_CSV_COLUMNS] = {
			[CSV_ID] = xstrdup(w->partition),
			[CSV_CLUSTER] = xstrdup(w->cluster),
			[CSV_ALLOCATION] = xstrdup(w->allocation),
			[CSV_IPUS] = number(w->size),
			[CSV_OWNER] = xstrdup(w->user),
		};

		csv_line(t, "waiting", cells);
	}
}

/* Return the names of the place's IPUs, "ag01:0 ag01:1", to be freed. */
static char *
place_names(const struct status *s)
{
	const struct pod *pod = &s->snapshot.pod;
	const struct placement *p = &s->place;
	char name[NAME_SIZE + 16];
	struct memstream m;
	int i;

	(void)memstream_open(&m);
	for (i = 0; i < p->per_ild * p->ild_count; i++) {
		pod_ipu_name(pod, placement_ipu(pod, p, i), name, sizeof(name));
		fprintf(m.file, "%s%s", i > 0 ? " " : "", name);
	}
	return memstream_close(&m, NULL);
}

static void
csv_place(const struct status *s, struct table *t)
{
	const struct pod *pod = &s->snapshot.pod;
	char *cells[STATUS_CSV_COLUMNS] = { NULL };

	if (s->size == 0)
		return;
	cells[CSV_IPUS] = number(s->size);
	if (s->has_place) {
		cells[CSV_CLUSTER] =
		    xstrdup(status_cluster(s, s->place.cluster));
		cells[CSV_ALLOCATION] = xstrdup(status_allocation(s,
		    placement_allocation(pod, &s->place)));
		cells[CSV_PLACES] = place_names(s);
	} else
		cells[CSV_REASON] = xstrdup(s->no_place.text);
	csv_line(t, "next", cells);
}

static void
status_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "section", "id", "cluster_id",
		"allocation_id", "ipus", "used", "free", "down", "largest_free",
		"attached", "partitions", "owner", "reason", "places", NULL };
	const struct status *s = source;

	table_init(t, headers);
	csv_capacity(s, t);
	csv_partitions(s, t);
	csv_queue(s, t);
	csv_place(s, t);
}

const struct output_view status_view = { .json = status_json,
	.csv = status_csv };
