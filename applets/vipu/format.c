/*
 * Partitions in their four forms.  Tables have the columns of the original;
 * JSON has the names of the published contract, source: graphcore/vipu-protos.
 */
#include "applets/vipu/vipu_internal.h"

#include <pwd.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* Return the allocation's name, or "" for -1, a partition without one. */
static const char *
format_allocation_name(const struct pod *pod, int allocation)
{
	return allocation >= 0 ? pod->allocations[allocation].name : "";
}

static const char *
true_or_false(bool value)
{
	return value ? "true" : "false";
}

/* Count the IPUs from routing id `first` on that share one machine and one
   ILD. */
static int
neighbours(const struct pod *pod, const struct placement *p, int first)
{
	const int ipu = placement_ipu(pod, p, first);
	const int rest = p->per_ild - first % p->per_ild;
	int n = 1;

	while (n < rest && (ipu + n) % IPUS_PER_MACHINE != 0 &&
	    placement_ipu(pod, p, first + n) == ipu + n)
		n++;
	return n;
}

/* Write "0=ag06:0", "0-3=ag06:0-3"; with routing id -1 the names alone,
   "ag06:0-3". */
static void
put_neighbours(FILE *out, const struct pod *pod, int ipu, int routing_id, int n)
{
	char name[NAME_SIZE + 16];

	pod_ipu_name(pod, ipu, name, sizeof(name));
	if (routing_id >= 0 && n == 1)
		fprintf(out, "%d=", routing_id);
	else if (routing_id >= 0)
		fprintf(out, "%d-%d=", routing_id, routing_id + n - 1);
	fputs(name, out);
	if (n > 1)
		fprintf(out, "-%d", (ipu + n - 1) % IPUS_PER_MACHINE);
}

void
format_table_ipus(struct table *t, const struct pod *pod,
    const struct placement *p, enum ipu_numbers numbers, bool screen)
{
	int i, n, size = p->per_ild * p->ild_count;
	bool alone = !screen || size <= FORMAT_IPUS_ALONE;
	char *text;
	struct memstream m;

	(void)memstream_open(&m);
	for (i = 0; i < size; i += n) {
		n = alone ? 1 : neighbours(pod, p, i);
		fputs(i > 0 ? " " : "", m.file);
		if (numbers == NUMBERS_LONG ||
		    (numbers == NUMBERS_SHORT && p->ild_count > 1))
			fprintf(m.file, "%d.", i / p->per_ild);
		put_neighbours(m.file, pod, placement_ipu(pod, p, i),
		    numbers == NUMBERS_NONE ? -1 : i, n);
	}
	text = memstream_close(&m, NULL);
	table_add(t, "%s", text);
	free(text);
}

/* ---- tables ---- */

/*
 * Rules for narrow columns of list partitions: names shrink and keep their end,
 * where they differ; a partition's name, size and state stay whole.
 */
#define RULE_CLUSTER \
	{ \
		1, 7, 4, FIT_KEEP_END \
	}
#define RULE_ALLOCATION \
	{ \
		2, 10, 2, FIT_KEEP_END \
	}
#define RULE_PARTITION \
	{ \
		3, 16, 0, FIT_KEEP_END \
	}
#define RULE_ILDS \
	{ \
		0, 0, 3, FIT_KEEP_START \
	}
#define RULE_GATEWAY \
	{ \
		0, 0, 1, FIT_KEEP_START \
	}
#define RULE_STAYS \
	{ \
		0, 0, 0, FIT_KEEP_START \
	}

static enum terminal_tone
state_tone(const struct partition *p)
{
	switch (p->state) {
	case PS_ACTIVE:
		return TONE_GOOD;
	case PS_PENDING:
		return TONE_WARNING;
	default:
		return TONE_BAD;
	}
}

/* Add a row of list partitions, with the name in column 1, 2 or 3. */
static void
format_add_line(struct table *t, const struct pod *pod,
    const struct partition *p, enum versions_layout layout)
{
	if (layout == VERSIONS_OLD)
		table_add(t, "%s", p->name);
	table_add(t, "%s", pod->clusters[p->placement.cluster].name);
	if (layout == VERSIONS_NEW)
		table_add(t, "%s", format_allocation_name(pod, p->allocation));
	if (layout != VERSIONS_OLD)
		table_add(t, "%s", p->name);
	table_add(t, "%d", p->placement.ild_count);
	table_add(t, "%s", partition_gateway_routing_name(p->gateway_routing));
	table_add(t, "%s", partition_link_routing_name(p->routing));
	table_add(t, "%d", partition_size(p));
	table_add(t, "%d", p->num_gcds);
	table_add(t, "%s", partition_state_name(p->state));
	table_tone(t, state_tone(p));
}

static void
add_lines(struct table *t, const struct partition_range *r,
    enum versions_layout layout)
{
	const struct snapshot *s = r->snapshot;
	int i;

	for (i = r->first; i < r->first + r->count; i++) {
		format_add_line(t, &s->pod, &s->partitions[i], layout);
		if (r->users)
			table_add(t, "%s", s->partitions[i].user);
	}
}

/* Return the last header, if the lines have the user. */
static const char *
user_header(const struct partition_range *r)
{
	return r->users ? "User" : NULL;
}

/* Fill the columns of V-IPU after 1.16, source: the PopRun guide 2.10.1. */
static void
new_lines(const void *source, struct table *t)
{
	static const char *headers[] = { "Cluster", "Allocation", "Partition",
		"ILDs", "GW Routing", "ILD Routing", "Size", "GCDs", "State",
		NULL, NULL };
	static const struct fit_rule rules[] = { RULE_CLUSTER, RULE_ALLOCATION,
		RULE_PARTITION, RULE_ILDS, RULE_GATEWAY, RULE_STAYS, RULE_STAYS,
		RULE_STAYS, RULE_STAYS, RULE_STAYS };

	headers[ARRAY_SIZE(headers) - 2] = user_header(source);
	table_init(t, headers);
	t->rules = rules;
	add_lines(t, source, VERSIONS_NEW);
}

/*
 * Fill the columns without the allocation.  No output of this version is
 * published; the scripts of the SDK 2.x take the name from the second column.
 */
static void
mid_lines(const void *source, struct table *t)
{
	static const char *headers[] = { "Cluster", "Partition", "ILDs",
		"GW Routing", "ILD Routing", "Size", "GCDs", "State", NULL,
		NULL };
	static const struct fit_rule rules[] = { RULE_CLUSTER, RULE_PARTITION,
		RULE_ILDS, RULE_GATEWAY, RULE_STAYS, RULE_STAYS, RULE_STAYS,
		RULE_STAYS, RULE_STAYS };

	headers[ARRAY_SIZE(headers) - 2] = user_header(source);
	table_init(t, headers);
	t->rules = rules;
	add_lines(t, source, VERSIONS_MID);
}

/* Fill the columns of V-IPU up to 1.16, source: output of a user's V-IPU. */
static void
old_lines(const void *source, struct table *t)
{
	static const char *headers[] = { "Partition", "Cluster", "ILDs",
		"GW Routing", "ILD Routing", "Size", "GCDs", "State", NULL,
		NULL };
	static const struct fit_rule rules[] = { RULE_PARTITION, RULE_CLUSTER,
		RULE_ILDS, RULE_GATEWAY, RULE_STAYS, RULE_STAYS, RULE_STAYS,
		RULE_STAYS, RULE_STAYS };

	headers[ARRAY_SIZE(headers) - 2] = user_header(source);
	table_init(t, headers);
	t->rules = rules;
	add_lines(t, source, VERSIONS_OLD);
}

#define ROW(key, format, value) \
	table_add(t, "%s", (key)), table_add(t, format, (value))

/*
 * Fill the page about one partition, with a key and a value in each row, in the
 * words of the original.
 */
static void
format_fill_page(const void *source, struct table *t)
{
	const struct partition_range *r = source;
	const struct pod *pod = &r->snapshot->pod;
	const struct partition *p;

	p = &r->snapshot->partitions[r->first];
	table_init(t, NULL);
	ROW("Partition ID", "%s", p->name);
	ROW("Cluster", "%s", pod->clusters[p->placement.cluster].name);
	ROW("GW-Link Routing", "%s",
	    partition_gateway_routing_name(p->gateway_routing));
	ROW("IPU-Link Routing", "%s", partition_link_routing_name(p->routing));
	ROW("Number of ILDs", "%d", p->placement.ild_count);
	ROW("Number of IPUs", "%d", partition_size(p));
	ROW("Number of GCDs", "%d", p->num_gcds);
	ROW("Reconfigurable", "%s", true_or_false(p->reconfigurable));
	ROW("State", "%s", partition_state_name(p->state));
	table_tone(t, state_tone(p));
	ROW("Provisioning State", "%s", partition_operation_name(p->operation));
	ROW("Intra-GCD Sync (GS1)", "Replicas=%d", sync_gs1_groups(p));
	ROW("Inter-GCD Sync (GS2)", "%s", sync_gs2_text(p));
	ROW("Last Error", "%s", p->last_error);
	table_tone(t, TONE_BAD);
	table_add(t, "IPUs");
	format_table_ipus(t, pod, &p->placement, NUMBERS_SHORT, r->screen);
}

/* Add a word for each group, "0-3 4-7": table 5.4 of the guide. */
static void
add_gs1_groups(struct table *t, const struct partition *p)
{
	struct memstream m;
	char *text;
	int group, first, count;

	(void)memstream_open(&m);
	for (group = 0; group < p->num_replicas; group++) {
		sync_gs1_range(p, group, &first, &count);
		fprintf(m.file, "%s%d", group > 0 ? " " : "", first);
		if (count > 1)
			fprintf(m.file, "-%d", first + count - 1);
	}
	text = memstream_close(&m, NULL);
	table_add(t, "GS1 Groups");
	table_add(t, "%s", text);
	free(text);
}

/* Write the identity, or "" for a partition without one. */
static void
format_identity(const struct partition *p,
    char text[HEX_SIZE(PARTITION_ID_SIZE)])
{
	if (identity_is_set(p->id))
		hex_text(p->id, sizeof(p->id), text);
	else
		text[0] = '\0';
}

/* Write the owner's record, as far as this process may see it. */
static void
owner_text(const struct partition *p, char text[OWNER_TEXT_SIZE])
{
	struct holder_place place;

	holder_place_init(&place);
	holder_owner_text(&place, p->owner_text, text);
}

/* Fill the page, with the life of the partition after the original's rows. */
static void
verbose_page(const void *source, struct table *t)
{
	const struct partition_range *r = source;
	const struct pod *pod = &r->snapshot->pod;
	const struct partition *p;
	const struct passwd *user;
	char text[OUTPUT_TIME_SIZE];
	char id[HEX_SIZE(PARTITION_ID_SIZE)];
	char record[OWNER_TEXT_SIZE];

	format_fill_page(source, t);
	p = &r->snapshot->partitions[r->first];
	user = getpwuid(p->owner);
	format_identity(p, id);
	add_gs1_groups(t, p);
	ROW("Allocation", "%s", format_allocation_name(pod, p->allocation));
	ROW("Sync Type", "%s", partition_sync_type_name(p->sync_type));
	ROW("Relocatable", "%s", true_or_false(p->relocatable));
	ROW("Auto Reset", "%s", true_or_false(!p->no_auto_reset));
	if (user != NULL)
		ROW("Owner", "%s", user->pw_name);
	else
		ROW("Owner", "%lu", (unsigned long)p->owner);
	ROW("User", "%s", p->user);
	ROW("Created", "%s", output_time(p->created * 1000, text));
	ROW("Changed", "%s", output_time(p->changed_ms, text));
	ROW("Failed Attempts", "%d", p->attempts);
	ROW("Automatic Resets", "%d", p->resets);
	ROW("Last Reset", "%s", output_time(p->reset_ms, text));
	ROW("Last Error Time", "%s", output_time(p->error_ms, text));
	ROW("Expires", "%s", output_time(p->expires_ms, text));
	ROW("Identity", "%s", id);
	ROW("Owner Kind", "%s", owner_kind_name(p->owner_kind));
	owner_text(p, record);
	ROW("Owner Record", "%s", record);
}
#undef ROW

/* ---- JSON ---- */

void
format_add_constant(yyjson_mut_doc *doc, yyjson_mut_val *o, const char *key,
    const char *prefix, const char *name)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%s%s", prefix, name);
	yyjson_mut_obj_add_strcpy(doc, o, key, text);
}

/* Add a time; 0, which is never, as null. */
static void
add_time(yyjson_mut_doc *doc, yyjson_mut_val *o, const char *key,
    int64_t time_ms)
{
	char text[OUTPUT_TIME_SIZE];

	if (time_ms == 0)
		yyjson_mut_obj_add_null(doc, o, key);
	else
		yyjson_mut_obj_add_strcpy(doc, o, key,
		    output_time(time_ms, text));
}

/*
 * An IPU has two ids: its place in the cluster's IPU-Link domain ("topology")
 * and its place in the partition ("routing").  Its domain has two ids as well.
 */
void
format_add_ipus(yyjson_mut_doc *doc, yyjson_mut_val *o,
    const struct placement *p)
{
	yyjson_mut_val *ipus = yyjson_mut_obj_add_arr(doc, o, "ipus"), *ipu;
	int i;

	for (i = 0; i < p->per_ild * p->ild_count; i++) {
		ipu = yyjson_mut_arr_add_obj(doc, ipus);
		yyjson_mut_obj_add_int(doc, ipu, "ipulink_domain_topology_id",
		    p->first_ild + i / p->per_ild);
		yyjson_mut_obj_add_int(doc, ipu, "ipulink_domain_routing_id",
		    i / p->per_ild);
		yyjson_mut_obj_add_int(doc, ipu, "topology_id",
		    p->offset + i % p->per_ild);
		yyjson_mut_obj_add_int(doc, ipu, "routing_id", i);
	}
}

/* Add the request and the resulting place. */
static void
add_spec(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct pod *pod,
    const struct partition *p)
{
	yyjson_mut_val *spec = yyjson_mut_obj_add_obj(doc, o, "spec");

	yyjson_mut_obj_add_str(doc, spec, "cluster_id",
	    pod->clusters[p->placement.cluster].name);
	yyjson_mut_obj_add_str(doc, spec, "allocation_id",
	    format_allocation_name(pod, p->allocation));
	format_add_ipus(doc, spec, &p->placement);
	format_add_constant(doc, spec, "ipulink_routing_type", "IRT_",
	    partition_link_routing_name(p->routing));
	format_add_constant(doc, spec, "gw_routing_type", "GRT_",
	    partition_gateway_routing_name(routing_gateway_used(pod,
		&p->placement, p->gateway_routing)));
	yyjson_mut_obj_add_str(doc, spec, "sync_type",
	    partition_sync_type_constant(p->sync_type));
	yyjson_mut_obj_add_int(doc, spec, "num_gcds", p->num_gcds);
	yyjson_mut_obj_add_int(doc, spec, "num_ipulink_segments",
	    p->placement.ild_count);
	yyjson_mut_obj_add_int(doc, spec, "num_replicas", p->num_replicas);
	yyjson_mut_obj_add_bool(doc, spec, "reconfigurable", p->reconfigurable);
}

/* Add the present state; a partition without automatic resets has no
   retries. */
static void
add_status(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct partition *p)
{
	yyjson_mut_val *status = yyjson_mut_obj_add_obj(doc, o, "status");
	yyjson_mut_val *errors;

	yyjson_mut_obj_add_str(doc, status, "partition_id", p->name);
	format_add_constant(doc, status, "ready_state", "PS_",
	    partition_state_name(p->state));
	format_add_constant(doc, status, "operation_state", "POS_",
	    partition_operation_name(p->operation));
	errors = yyjson_mut_obj_add_arr(doc, status, "errors");
	if (p->last_error[0] != '\0')
		yyjson_mut_arr_add_str(doc, errors, p->last_error);
	yyjson_mut_obj_add_int(doc, status, "max_auto_reset_retries",
	    p->no_auto_reset ? 0 : LIFECYCLE_PERIODICS);
	yyjson_mut_obj_add_int(doc, status, "auto_reset_retry_count",
	    p->resets);
	add_time(doc, status, "last_auto_reset_time",
	    p->resets > 0 ? p->reset_ms : 0);
}

/* Add the routing ids of each group: [[0, 1], [2, 3]]. */
static void
json_gs1_groups(yyjson_mut_doc *doc, yyjson_mut_val *o,
    const struct partition *p)
{
	yyjson_mut_val *groups, *ids;
	int group, first, count, i;

	groups = yyjson_mut_obj_add_arr(doc, o, "gs1_groups");
	for (group = 0; group < p->num_replicas; group++) {
		sync_gs1_range(p, group, &first, &count);
		ids = yyjson_mut_arr_add_arr(doc, groups);
		for (i = first; i < first + count; i++)
			yyjson_mut_arr_add_int(doc, ids, i);
	}
}

/* Add the fields that the contract lacks. */
static void
add_extensions(yyjson_mut_doc *doc, yyjson_mut_val *o, const struct pod *pod,
    const struct partition *p)
{
	yyjson_mut_val *own, *ipus;
	const struct passwd *user = getpwuid(p->owner);
	char name[NAME_SIZE + 16];
	char id[HEX_SIZE(PARTITION_ID_SIZE)];
	char record[OWNER_TEXT_SIZE];
	int i;

	own = yyjson_mut_obj_add_obj(doc, o, "ipubox");
	yyjson_mut_obj_add_int(doc, own, "size", partition_size(p));
	ipus = yyjson_mut_obj_add_arr(doc, own, "ipus");
	for (i = 0; i < partition_size(p); i++) {
		pod_ipu_name(pod, placement_ipu(pod, &p->placement, i), name,
		    sizeof(name));
		yyjson_mut_arr_add_strcpy(doc, ipus, name);
	}
	yyjson_mut_obj_add_int(doc, own, "gs1_replicas", sync_gs1_groups(p));
	json_gs1_groups(doc, own, p);
	yyjson_mut_obj_add_str(doc, own, "gs2", sync_gs2_text(p));
	yyjson_mut_obj_add_uint(doc, own, "owner_uid", p->owner);
	yyjson_mut_obj_add_strcpy(doc, own, "owner",
	    user != NULL ? user->pw_name : "");
	yyjson_mut_obj_add_str(doc, own, "user", p->user);
	yyjson_mut_obj_add_bool(doc, own, "relocatable", p->relocatable);
	yyjson_mut_obj_add_bool(doc, own, "disable_auto_reset",
	    p->no_auto_reset);
	yyjson_mut_obj_add_str(doc, own, "ipuof_config_location",
	    p->ipuof_directory);
	yyjson_mut_obj_add_int(doc, own, "failed_attempts", p->attempts);
	add_time(doc, own, "created_time", p->created * 1000);
	add_time(doc, own, "changed_time", p->changed_ms);
	add_time(doc, own, "last_reset_time", p->reset_ms);
	add_time(doc, own, "error_time", p->error_ms);
	add_time(doc, own, "expires_time", p->expires_ms);
	format_identity(p, id);
	yyjson_mut_obj_add_strcpy(doc, own, "identity", id);
	yyjson_mut_obj_add_str(doc, own, "owner_kind",
	    owner_kind_name(p->owner_kind));
	owner_text(p, record);
	yyjson_mut_obj_add_strcpy(doc, own, "owner_record", record);
}

/*
 * Add one entry of the contract's list: the partition with its specification,
 * its status, and the additional fields.
 */
static void
format_fill_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct partition_range *r = source;
	const struct pod *pod = &r->snapshot->pod;
	const struct partition *p = r->snapshot->partitions;
	yyjson_mut_val *o, *partition;
	int i;

	for (i = 0, p += r->first; i < r->count; i++, p++) {
		o = yyjson_mut_arr_add_obj(doc, array);
		partition = yyjson_mut_obj_add_obj(doc, o, "partition");
		yyjson_mut_obj_add_str(doc, partition, "id", p->name);
		add_spec(doc, partition, pod, p);
		format_add_constant(doc, partition, "ready_state", "PS_",
		    partition_state_name(p->state));
		yyjson_mut_obj_add_str(doc, partition, "ipuof_server_version",
		    r->versions->ipuof_server);
		add_status(doc, o, p);
		add_extensions(doc, o, pod, p);
	}
}

/* ---- CSV ---- */

/* Add a line per partition; constants are those of the contract. */
static void
format_fill_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "cluster_id",
		"allocation_id", "size", "num_ipulink_segments",
		"ipulink_routing_type", "gw_routing_type", "sync_type",
		"num_gcds", "num_replicas", "reconfigurable", "relocatable",
		"ready_state", "operation_state", "error", "error_time",
		"auto_reset_retry_count", "owner_uid", "created_time",
		"changed_time", "expires_time", "ipus", NULL };
	const struct partition_range *r = source;
	const struct pod *pod = &r->snapshot->pod;
	const struct partition *p = r->snapshot->partitions;
	char text[OUTPUT_TIME_SIZE];
	int i;

	table_init(t, headers);
	for (i = 0, p += r->first; i < r->count; i++, p++) {
		table_add(t, "%s", p->name);
		table_add(t, "%s", pod->clusters[p->placement.cluster].name);
		table_add(t, "%s", format_allocation_name(pod, p->allocation));
		table_add(t, "%d", partition_size(p));
		table_add(t, "%d", p->placement.ild_count);
		table_add(t, "IRT_%s", partition_link_routing_name(p->routing));
		table_add(t, "GRT_%s",
		    partition_gateway_routing_name(routing_gateway_used(pod,
			&p->placement, p->gateway_routing)));
		table_add(t, "%s", partition_sync_type_constant(p->sync_type));
		table_add(t, "%d", p->num_gcds);
		table_add(t, "%d", p->num_replicas);
		table_add(t, "%s", true_or_false(p->reconfigurable));
		table_add(t, "%s", true_or_false(p->relocatable));
		table_add(t, "PS_%s", partition_state_name(p->state));
		table_add(t, "POS_%s", partition_operation_name(p->operation));
		table_add(t, "%s", p->last_error);
		table_add(t, "%s", output_time(p->error_ms, text));
		table_add(t, "%d", p->resets);
		table_add(t, "%lu", (unsigned long)p->owner);
		table_add(t, "%s", output_time(p->created * 1000, text));
		table_add(t, "%s", output_time(p->changed_ms, text));
		table_add(t, "%s", output_time(p->expires_ms, text));
		format_table_ipus(t, pod, &p->placement, NUMBERS_NONE, false);
	}
}

const struct output_view format_lines[] = {
	[VERSIONS_OLD] = { old_lines, TABLE_SPACE, format_fill_json,
	    format_fill_csv },
	[VERSIONS_MID] = { mid_lines, TABLE_SPACE, format_fill_json,
	    format_fill_csv },
	[VERSIONS_NEW] = { new_lines, 0, format_fill_json, format_fill_csv },
};
const struct output_view format_page = { format_fill_page, TABLE_TOP_RULE,
	format_fill_json, format_fill_csv };
const struct output_view format_page_verbose = { verbose_page, TABLE_TOP_RULE,
	format_fill_json, format_fill_csv };
