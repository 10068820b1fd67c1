/*
 * The rows of `get`, by type.
 */
#include "applets/ipubox-job/kube_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/runtime/runtime.h"

static const char none[] = "<none>";

/* Write a text, or `otherwise` if it is missing. */
static void
get_rows_put_text(FILE *f, const char *text, const char *otherwise)
{
	kube_table_put_cell(f, text != NULL ? text : otherwise);
}

/* Write the text of a field, and end its cell. */
static void
put_column(FILE *f, const struct yaml_node *o, const char *path,
    const char *otherwise)
{
	get_rows_put_text(f, yaml_get_text(o, path), otherwise);
	fputc('\v', f);
}

static void
put_seconds(FILE *f, int64_t then_s, int64_t now_s)
{
	char age[POD_TIME_SIZE] = "0s";

	if (now_s != 0)
		pod_object_age(now_s - then_s, age);
	fputs(age, f);
}

/* Write the age of a time: "95s", or "<unknown>". */
static void
put_age(FILE *f, const char *time, int64_t now_s)
{
	const int64_t then_s = pod_object_read_time(time);

	if (then_s == 0)
		fputs("<unknown>", f);
	else
		put_seconds(f, then_s, now_s);
}

void
get_rows_put_event_age(FILE *f, const struct yaml_node *event, int64_t now_s)
{
	const int64_t count = yaml_get_integer(event, "count", 1);
	const char *first = yaml_get_text(event, "firstTimestamp");

	if (count < 2) {
		put_age(f, first, now_s);
		return;
	}
	put_age(f, yaml_get_text(event, "lastTimestamp"), now_s);
	fprintf(f, " (x%" PRId64 " over ", count);
	put_age(f, first, now_s);
	fputc(')', f);
}

/* Write "a=b,c=d", or "<none>". */
static void
put_labels(FILE *f, const struct yaml_node *labels)
{
	size_t i;

	if (labels == NULL || labels->kind != YAML_MAP || labels->count == 0) {
		fputs(none, f);
		return;
	}
	for (i = 0; i < labels->count; i++) {
		if (i > 0)
			fputc(',', f);
		kube_table_put_cell(f, labels->items[i].key);
		fputc('=', f);
		get_rows_put_text(f, labels->items[i].node->text, "");
	}
}

/* Write accessModes as abbreviations: "RWO,ROX". */
static void
put_modes(FILE *f, const struct yaml_node *modes)
{
	static const char *const words[][2] = { { "ReadWriteOnce", "RWO" },
		{ "ReadOnlyMany", "ROX" }, { "ReadWriteMany", "RWX" },
		{ "ReadWriteOncePod", "RWOP" } };
	const char *text;
	size_t i, k;

	for (i = 0; modes != NULL && i < modes->count; i++) {
		text = modes->items[i].node->text;
		for (k = 0; text != NULL && k < ARRAY_SIZE(words); k++)
			if (strcmp(text, words[k][0]) == 0)
				fprintf(f, "%s%s", i > 0 ? "," : "",
				    words[k][1]);
	}
}

static void
put_created(FILE *f, const struct yaml_node *object, int64_t now_s)
{
	put_age(f, yaml_get_text(object, "metadata/creationTimestamp"), now_s);
}

static void
put_job(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	static const char *const fields[] = { "status/launcherStatus",
		"status/currentReplicas", "status/desiredReplicas",
		"status/lastMessage" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		put_column(f, o, fields[i], "");
	put_created(f, o, r->now_s);
}

/* Write the numbers of ready and of all containers. */
static void
put_ready(FILE *f, const struct yaml_node *pod)
{
	const struct yaml_node *all = yaml_path(pod, "spec/containers");
	const struct yaml_node *list = yaml_path(pod,
	    "status/containerStatuses");
	size_t i, ready = 0;

	for (i = 0; list != NULL && i < list->count; i++)
		ready += yaml_get_bool(list->items[i].node, "ready", false);
	fprintf(f, "%zu/%zu", ready, all != NULL ? all->count : 0);
}

static void
get_rows_put_pod(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	struct pod_state state;
	char word[POD_REASON_SIZE];

	pod_object_state(o, &state);
	pod_object_word(&state, word);
	put_ready(f, o);
	fputc('\v', f);
	kube_table_put_cell(f, word);
	fprintf(f, "\v%d", state.restarts);
	if (state.restarts > 0 && state.last_finished_s != 0) {
		fputs(" (", f);
		put_seconds(f, state.last_finished_s, r->now_s);
		fputs(" ago)", f);
	}
	fputc('\v', f);
	put_created(f, o, r->now_s);
	if (!r->is_wide)
		return;
	fputc('\v', f);
	put_column(f, o, "status/podIP", none);
	get_rows_put_text(f, yaml_get_text(o, "spec/nodeName"), none);
	fprintf(f, "\v%s\v%s", none, none);
}

static size_t
count_keys(const struct yaml_node *o, const char *field)
{
	const struct yaml_node *map = yaml_get(o, field);

	return map != NULL && map->kind == YAML_MAP ? map->count : 0;
}

static void
put_config_map(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	fprintf(f, "%zu\v",
	    count_keys(o, "data") + count_keys(o, "binaryData"));
	put_created(f, o, r->now_s);
}

static void
put_secret(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	get_rows_put_text(f, yaml_get_text(o, "type"), "Opaque");
	fprintf(f, "\v%zu\v", count_keys(o, "data"));
	put_created(f, o, r->now_s);
}

/* A claim is a directory here, so it is always bound. */
static void
put_claim(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	const char *volume = yaml_get_text(o, "spec/volumeName");

	put_column(f, o, "status/phase", "Bound");
	get_rows_put_text(f,
	    volume != NULL ? volume : yaml_get_text(o, "metadata/name"), "");
	fputc('\v', f);
	put_column(f, o, "spec/resources/requests/storage", "");
	put_modes(f, yaml_path(o, "spec/accessModes"));
	fputc('\v', f);
	put_column(f, o, "spec/storageClassName", "");
	put_created(f, o, r->now_s);
	if (r->is_wide)
		fputs("\vFilesystem", f);
}

/* "pod/NAME" */
static void
put_involved(FILE *f, const struct yaml_node *event)
{
	const char *kind = yaml_get_text(event, "involvedObject/kind");

	for (; kind != NULL && *kind != '\0'; kind++)
		fputc(tolower((unsigned char)*kind), f);
	fputc('/', f);
	get_rows_put_text(f, yaml_get_text(event, "involvedObject/name"), "");
}

static void
put_event(FILE *f, const struct get_rows *r, const struct yaml_node *o)
{
	put_age(f, yaml_get_text(o, "lastTimestamp"), r->now_s);
	fputc('\v', f);
	put_column(f, o, "type", "");
	put_column(f, o, "reason", "");
	put_involved(f, o);
	fputc('\v', f);
	if (r->is_wide) {
		fputc('\v', f); /* SUBOBJECT */
		put_column(f, o, "source/component", "");
	}
	get_rows_put_text(f, yaml_get_text(o, "message"), "");
	if (!r->is_wide)
		return;
	fputc('\v', f);
	put_age(f, yaml_get_text(o, "firstTimestamp"), r->now_s);
	fprintf(f, "\v%" PRId64 "\v", yaml_get_integer(o, "count", 1));
	get_rows_put_text(f, yaml_get_text(o, "metadata/name"), "");
}

/* The columns of each type after NAME, and those of -o wide. */
static const struct {
	const char *header;
	const char *wide;
	bool is_unnamed; /* events have no column NAME */
	void (*put)(FILE *, const struct get_rows *, const struct yaml_node *);
} tables[RESOURCE_TYPES] = {
	[RESOURCE_IPUJOB] = { "STATUS\vCURRENT\vDESIRED\vLASTMESSAGE\vAGE",
	    NULL, false, put_job },
	[RESOURCE_POD] = { "READY\vSTATUS\vRESTARTS\vAGE",
	    "READY\vSTATUS\vRESTARTS\vAGE\vIP\vNODE\vNOMINATED NODE\vREADINESS "
	    "GATES",
	    false, get_rows_put_pod },
	[RESOURCE_CONFIG_MAP] = { "DATA\vAGE", NULL, false, put_config_map },
	[RESOURCE_SECRET] = { "TYPE\vDATA\vAGE", NULL, false, put_secret },
	[RESOURCE_CLAIM] = { "STATUS\vVOLUME\vCAPACITY\vACCESS "
			     "MODES\vSTORAGECLASS\vAGE",
	    "STATUS\vVOLUME\vCAPACITY\vACCESS "
	    "MODES\vSTORAGECLASS\vAGE\vVOLUMEMODE",
	    false, put_claim },
	[RESOURCE_EVENT] = { "LAST SEEN\vTYPE\vREASON\vOBJECT\vMESSAGE",
	    "LAST "
	    "SEEN\vTYPE\vREASON\vOBJECT\vSUBOBJECT\vSOURCE\vMESSAGE\vFIRST "
	    "SEEN\vCOUNT\vNAME",
	    true, put_event },
};

void
get_rows_put_header(FILE *f, const struct get_rows *r, enum resource_type type)
{
	if (r->has_space)
		fputs("NAMESPACE\v", f);
	if (!tables[type].is_unnamed)
		fputs("NAME\v", f);
	fputs(r->is_wide && tables[type].wide != NULL ? tables[type].wide :
							tables[type].header,
	    f);
	if (r->has_labels)
		fputs("\vLABELS", f);
	fputc('\n', f);
}

void
get_rows_put(FILE *f, const struct get_rows *r,
    const struct resource_found *found)
{
	if (r->has_space) {
		get_rows_put_text(f, found->space, "");
		fputc('\v', f);
	}
	if (!tables[found->type].is_unnamed) {
		if (r->has_kind)
			fprintf(f, "%s/", resource_types[found->type].word);
		get_rows_put_text(f, found->name, "");
		fputc('\v', f);
	}
	tables[found->type].put(f, r, found->object);
	if (r->has_labels) {
		fputc('\v', f);
		put_labels(f, yaml_path(found->object, "metadata/labels"));
	}
	fputc('\n', f);
}
