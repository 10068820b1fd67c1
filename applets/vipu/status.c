/*
 * vipu status: what is used and free, by which owners, what waits, and where
 * the next partition would go.
 *
 * All forms come from the lines of the CSV: JSON has an array of objects for
 * each section, and a table shows the columns of one section.
 */
#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/json.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/pod/placement.h"

const struct option_row status_options[] = {
	{ KEY_SIZE, "size", "N",
	    "also show where a partition of N IPUs would go now; nothing is "
	    "created" },
	{ KEY_FORMAT, "format", "FORM",
	    "print a table, json or csv (default: table)" },
	{ KEY_SHOWJSON, "showjson", NULL, "the same as --format json" },
	{ KEY_WIDE, "wide", NULL,
	    "show all columns, even on a narrow terminal" },
	{ 0 },
};

/* The columns of all sections; a line leaves those of others empty. */
enum status_column {
	COLUMN_SECTION,
	COLUMN_ID,
	COLUMN_CLUSTER,
	COLUMN_ALLOCATION,
	COLUMN_IPUS, /* numbers from here ... */
	COLUMN_USED,
	COLUMN_FREE,
	COLUMN_DOWN,
	COLUMN_LARGEST,
	COLUMN_ATTACHED,
	COLUMN_PARTITIONS,
	COLUMN_ILDS, /* ... to here */
	COLUMN_OWNER,
	COLUMN_PLACES,
	COLUMN_REASON,
	STATUS_COLUMNS
};

static const char *const names[STATUS_COLUMNS + 1] = { "section", "id",
	"cluster_id", "allocation_id", "ipus", "used", "free", "down",
	"largest_free", "attached", "partitions", "num_ipulink_segments",
	"owner", "places", "reason", NULL };

/* Columns without a rule stay as they are. */
static const struct fit_rule rules[STATUS_COLUMNS] = {
	[COLUMN_ID] = { 4, 16, 0, FIT_KEEP_END },
	[COLUMN_CLUSTER] = { 1, 7, 0, FIT_KEEP_END },
	[COLUMN_ALLOCATION] = { 2, 10, 0, FIT_KEEP_END },
	[COLUMN_OWNER] = { 3, 6, 0, FIT_KEEP_END },
	[COLUMN_PLACES] = { 3, 20, 0, FIT_WRAP },
};

struct status_section {
	const char *name;
	const char *without; /* begins the sentence with the reason */
	int columns[8];	     /* widths in the table; ends with 0 */
	const char *heads[8];
};

static const struct status_section sections[] = {
	{ "capacity", "What is free is not known",
	    { COLUMN_CLUSTER, COLUMN_ALLOCATION, COLUMN_IPUS, COLUMN_USED,
		COLUMN_FREE, COLUMN_DOWN, COLUMN_LARGEST },
	    { "Cluster", "Allocation", "IPUs", "Used", "Free", "Down",
		"Largest Free" } },
	{ "state", "", { COLUMN_ID, COLUMN_PARTITIONS },
	    { "State", "Partitions" } },
	{ "owner", "",
	    { COLUMN_OWNER, COLUMN_PARTITIONS, COLUMN_IPUS, COLUMN_ATTACHED },
	    { "Owner", "Partitions", "IPUs", "Attached" } },
	{ "waiting", "What waits for IPUs is not known",
	    { COLUMN_ID, COLUMN_IPUS, COLUMN_CLUSTER, COLUMN_ALLOCATION,
		COLUMN_OWNER },
	    { "Waiting", "IPUs", "Cluster", "Allocation", "User" } },
	{ "next", "No place",
	    { COLUMN_IPUS, COLUMN_CLUSTER, COLUMN_ALLOCATION, COLUMN_ILDS,
		COLUMN_PLACES },
	    { "Next Of", "Cluster", "Allocation", "ILDs", "Places" } },
};

/* ---- the lines ---- */

/* Leave cells empty up to that column, for COLUMN_SECTION up to the next
   line. */
static void
skip_to(struct table *t, size_t column)
{
	while (t->count % STATUS_COLUMNS != column)
		table_add(t, "%s", "");
}

/* Add the next cell of a line; the columns of a line ascend. */
#define PUT(t, column, ...) (skip_to(t, column), table_add(t, __VA_ARGS__))

/* Add a line that only says why the section has no lines. */
static void
add_reason(struct table *t, const char *section, const char *reason)
{
	PUT(t, COLUMN_SECTION, "%s", section);
	PUT(t, COLUMN_REASON, "%s", reason);
}

/* Add the names; an allocation of -1 has none. */
static void
add_group(struct table *t, const struct pod *pod, int cluster, int allocation)
{
	PUT(t, COLUMN_CLUSTER, "%s", pod->clusters[cluster].name);
	if (allocation != -1)
		PUT(t, COLUMN_ALLOCATION, "%s",
		    pod->allocations[allocation].name);
}

/* Add the IPUs of a cluster that belong to the allocation, if there are any. */
static void
add_capacity(struct table *t, const struct snapshot *s, int cluster,
    int allocation)
{
	struct capacity c;

	placement_count(&s->pod, s->owner, cluster, allocation, &c);
	if (c.ipus == 0)
		return;
	PUT(t, COLUMN_SECTION, "capacity");
	add_group(t, &s->pod, cluster, allocation);
	PUT(t, COLUMN_IPUS, "%d", c.ipus);
	PUT(t, COLUMN_USED, "%d", c.used);
	PUT(t, COLUMN_FREE, "%d", c.free);
	PUT(t, COLUMN_DOWN, "%d", c.down);
	PUT(t, COLUMN_LARGEST, "%d", c.largest);
}

/* Add all clusters.  In a limited user's view, only other users' machines have
   no allocation. */
static void
add_pod(struct table *t, const struct snapshot *s)
{
	int cluster, i;

	for (cluster = 0; cluster < s->pod.cluster_count; cluster++) {
		for (i = 0; i < s->pod.allocation_count; i++)
			add_capacity(t, s, cluster, i);
		if (!s->limited)
			add_capacity(t, s, cluster, -1);
	}
}

static void
add_states(struct table *t, const struct snapshot *s)
{
	static const int states[] = { PS_ACTIVE, PS_PENDING, PS_ERROR,
		PS_REMOVED };
	size_t k;
	int i, count;

	for (k = 0; k < ARRAY_SIZE(states); k++) {
		for (i = count = 0; i < s->partition_count; i++)
			count += s->partitions[i].state == states[k];
		if (count == 0)
			continue;
		PUT(t, COLUMN_SECTION, "state");
		PUT(t, COLUMN_ID, "PS_%s", partition_state_name(states[k]));
		PUT(t, COLUMN_PARTITIONS, "%d", count);
	}
}

int
status_attached(const struct pod *pod, const struct registry *r,
    const struct partition *p)
{
	struct ipu_slot slot;
	int i, count = 0;

	for (i = 0; i < partition_size(p); i++)
		count += registry_holder(r,
		    placement_ipu(pod, &p->placement, i), &slot);
	return count;
}

/* Add the owner of that partition, which is its first one.  Without a registry,
   no holders are known. */
static void
add_owner(struct table *t, const struct snapshot *s, const struct partition *p,
    const struct registry *r, bool is_named)
{
	const struct partition *q = p;
	const struct partition *end = s->partitions + s->partition_count;
	char name[64];
	int partitions = 0, ipus = 0, attached = 0;

	for (; q < end; q++) {
		if (!partition_same_owner(p, q))
			continue;
		partitions++;
		ipus += partition_size(q);
		attached += r != NULL ? status_attached(&s->pod, r, q) : 0;
	}
	PUT(t, COLUMN_SECTION, "owner");
	PUT(t, COLUMN_IPUS, "%d", ipus);
	if (r != NULL)
		PUT(t, COLUMN_ATTACHED, "%d", attached);
	PUT(t, COLUMN_PARTITIONS, "%d", partitions);
	holder_user_name(p->owner, name, sizeof(name));
	PUT(t, COLUMN_OWNER, "%s",
	    !is_named		   ? "?" :
		p->user[0] != '\0' ? p->user :
				     name);
}

/* Add owners by the names of their first partitions.  A server that reports
   only partitions does not name owners. */
static void
add_owners(struct table *t, struct controller *c, const struct snapshot *s,
    bool has_pod)
{
	struct registry r;
	const bool has_holders = has_pod && reader_open_of(c, &r, NULL) == 0;
	const struct partition *p = s->partitions;
	int i, first;

	if (has_holders)
		snapshot_freeze(s, &r, clock_real_ns());
	for (i = 0; i < s->partition_count; i++) {
		for (first = 0; !partition_same_owner(&p[first], &p[i]);)
			first++;
		if (first == i)
			add_owner(t, s, &p[i], has_holders ? &r : NULL,
			    has_pod);
	}
	if (has_holders)
		registry_close(&r);
}

static void
add_queue(struct table *t, struct controller *c)
{
	struct ticket *all;
	const struct ticket *w;
	struct error e;
	long i, count = queue_list(c, &all, &e);

	if (count == -1)
		add_reason(t, "waiting", e.text);
	for (i = 0; i < count; i++) {
		w = &all[i];
		PUT(t, COLUMN_SECTION, "waiting");
		PUT(t, COLUMN_ID, "%s", w->partition);
		PUT(t, COLUMN_CLUSTER, "%s", w->cluster);
		PUT(t, COLUMN_ALLOCATION, "%s", w->allocation);
		PUT(t, COLUMN_IPUS, "%d", w->size);
		PUT(t, COLUMN_OWNER, "%s", w->user);
	}
	free(all);
}

static void
add_place(struct table *t, const struct snapshot *s, const char *user,
    const struct partition_request *asked)
{
	const struct pod *pod = &s->pod;
	struct placement p;
	struct error e;

	if (access_choose(s, user, asked, &p, &e) != 0) {
		add_reason(t, "next", e.text);
		return;
	}
	PUT(t, COLUMN_SECTION, "next");
	add_group(t, pod, p.cluster, placement_allocation(pod, &p));
	PUT(t, COLUMN_IPUS, "%d", asked->size);
	PUT(t, COLUMN_ILDS, "%d", p.ild_count);
	skip_to(t, COLUMN_PLACES);
	format_table_ipus(t, pod, &p, NUMBERS_NONE, true);
}

/* Read everything.  A server may report no more than its partitions. */
static int
read_lines(const struct call *call, struct controller *c,
    const struct partition_request *r, struct table *t, struct error *e)
{
	static const char unknown[] =
	    "the server does not say which IPUs are free";
	struct snapshot s;
	struct error reason;
	const bool has_pod = transaction_list(c, &s, &reason) == 0;

	if (!has_pod &&
	    (reason.code != ERROR_UNSUPPORTED ?
		    error_copy(e, &reason) :
		    transaction_list_partitions(c, true, &s, e)) != 0)
		return -1;
	call_warn_damage(call, &s);
	table_init(t, names);
	if (has_pod)
		add_pod(t, &s);
	else
		add_reason(t, "capacity", unknown);
	add_states(t, &s);
	add_owners(t, c, &s, has_pod);
	add_queue(t, c);
	if (r->size != 0 && has_pod)
		add_place(t, &s, call->config.values[CONFIG_USER_ID], r);
	else if (r->size != 0)
		add_reason(t, "next", unknown);
	skip_to(t, COLUMN_SECTION);
	snapshot_release(&s);
	return 0;
}

/* ---- JSON ---- */

/* Add the cells of a line that are not empty, as numbers or texts. */
static void
add_object(yyjson_mut_doc *doc, yyjson_mut_val *array, char *const *line)
{
	yyjson_mut_val *o = yyjson_mut_arr_add_obj(doc, array);
	int i;

	for (i = COLUMN_ID; i < STATUS_COLUMNS; i++)
		if (line[i][0] != '\0')
			(void)yyjson_mut_obj_add_val(doc, o, names[i],
			    i >= COLUMN_IPUS && i <= COLUMN_ILDS ?
				yyjson_mut_rawcpy(doc, line[i]) :
				yyjson_mut_strcpy(doc, line[i]));
}

static void
print_json(const struct table *lines)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *array;
	size_t i, k;

	yyjson_mut_doc_set_root(doc, root);
	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		array = yyjson_mut_obj_add_arr(doc, root, sections[i].name);
		for (k = 0; k < lines->count; k += STATUS_COLUMNS)
			if (strcmp(lines->cells[k], sections[i].name) == 0)
				add_object(doc, array, lines->cells + k);
	}
	json_print(stdout, doc);
}

/* ---- tables ---- */

/* Add a row, without the prefix that constants of the contract have. */
static void
add_row(struct table *t, const struct status_section *section,
    char *const *line)
{
	const bool is_state = strcmp(section->name, "state") == 0;
	int i;

	for (i = 0; section->columns[i] != 0; i++)
		table_add(t, "%s",
		    line[section->columns[i]] +
			(is_state && i == 0 ? strlen("PS_") : 0));
}

/* Print the lines of the section, or its reason; nothing without lines. */
static void
print_section(const struct table *lines, const struct status_section *section,
    const struct table_screen *screen)
{
	struct fit_rule fit[ARRAY_SIZE(section->columns)];
	struct table t;
	char **line, *text;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(fit); i++)
		fit[i] = rules[section->columns[i]];
	table_init(&t, section->heads);
	t.rules = fit;
	for (k = 0; k < lines->count; k += STATUS_COLUMNS) {
		line = lines->cells + k;
		if (strcmp(line[COLUMN_SECTION], section->name) != 0)
			continue;
		if (line[COLUMN_REASON][0] == '\0') {
			add_row(&t, section, line);
			continue;
		}
		text = xasprintf("%s: %s.\n", section->without,
		    line[COLUMN_REASON]);
		text_wrap_to(stdout, screen->columns, text, 0, 0);
		free(text);
	}
	if (t.count > 0)
		table_show(stdout, &t, 0, screen);
	table_release(&t);
}

int
status_command(const struct call *call)
{
	struct partition_request r;
	struct table_screen screen;
	enum output_format format;
	struct controller *c;
	struct table lines;
	struct error error;
	size_t i;
	int status;

	request_init(&r);
	(void)strlcpy(r.name, "new", sizeof(r.name));
	if (output_format(call, &format) != 0 ||
	    call_number(call, KEY_SIZE, 1, POD_IPUS_MAX, &r.size) != 0)
		return EXIT_USAGE;
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = r.size != 0 ? request_check(&r, &error) : 0;
	if (status == 0)
		status = read_lines(call, c, &r, &lines, &error);
	call_close(call, c);
	if (status != 0)
		return call_failed(call, &error);
	output_screen(call, &screen);
	if (format == FORMAT_TABLE)
		for (i = 0; i < ARRAY_SIZE(sections); i++)
			print_section(&lines, &sections[i], &screen);
	else if (format == FORMAT_JSON)
		print_json(&lines);
	else
		table_print_csv(stdout, &lines);
	table_release(&lines);
	return EXIT_DONE;
}
