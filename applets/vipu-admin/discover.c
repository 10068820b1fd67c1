/*
 * vipu-admin discover agent: find machines that are not declared yet.
 */
#include <bsd/string.h>

#include <stdio.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/control/control.h"
#include "core/pod/edit/edit.h"

const struct option_row discover_options[] = {
	{ KEY_ADD, "add", NULL, "declare them under the proposed names" },
	OUTPUT_OPTIONS,
	{ 0 },
};

/* The emulated machines are on this host, and answer at once. */
static const char interface[] = "lo";

/* Fill the columns of the original. */
static void
found_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Host", "Port",
		"Network Interface", "Time Since Last Seen",
		"Agent Auto-Add ID", NULL };
	static const struct fit_rule rules[] = { { 3, 15, 0, FIT_KEEP_END },
		{ 0, 0, 0, FIT_KEEP_START }, { 2, 9, 2, FIT_KEEP_START },
		{ 1, 10, 1, FIT_KEEP_START }, { 4, 10, 0, FIT_KEEP_END } };
	const struct pod *found = source;
	const struct agent *a;

	table_init(t, headers);
	t->rules = rules;
	for (a = found->agents; a < found->agents + found->agent_count; a++) {
		table_add(t, "%s", a->host);
		table_add(t, "%u", a->port);
		table_add(t, "%s", interface);
		table_add(t, "0s");
		table_add(t, "%s", a->name);
	}
}

static void
found_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct pod *found = source;
	const struct agent *a;
	yyjson_mut_val *o;

	for (a = found->agents; a < found->agents + found->agent_count; a++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "id", a->name);
		yyjson_mut_obj_add_str(doc, o, "host", a->host);
		yyjson_mut_obj_add_uint(doc, o, "port", a->port);
		yyjson_mut_obj_add_str(doc, o, "network_interface", interface);
		yyjson_mut_obj_add_int(doc, o, "time_since_last_seen_s", 0);
	}
}

static void
found_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "id", "host", "port",
		"network_interface", "time_since_last_seen_s", NULL };
	const struct pod *found = source;
	const struct agent *a;

	table_init(t, headers);
	for (a = found->agents; a < found->agents + found->agent_count; a++) {
		table_add(t, "%s", a->name);
		table_add(t, "%s", a->host);
		table_add(t, "%u", a->port);
		table_add(t, "%s", interface);
		table_add(t, "0");
	}
}

static const struct output_view discover_listing = { found_table, TABLE_SPACE,
	found_json, found_csv };

/* Show machines that exist but are not declared as agents. */
static int
show_found(const struct call *call, enum output_format format)
{
	struct snapshot s;
	struct error error;
	struct pod found;
	int status = call_read_state(call, &s);

	if (status != EXIT_DONE)
		return status;
	status = discovery_find_agents(&s.pod, &found, &error);
	snapshot_release(&s);
	if (status != 0)
		return call_failed(call, &error);
	output_list(call, format, &discover_listing, &found);
	pod_release(&found);
	return EXIT_DONE;
}

/* Declare all found machines; they stay in *context to be shown. */
static int
add_found(struct inventory *in, void *context, struct error *e)
{
	struct agent_request r;
	const struct agent *a;
	struct pod *found = context;
	int status = 0;

	if (discovery_find_agents(in->pod, found, e) != 0)
		return -1;
	for (a = found->agents;
	     a < found->agents + found->agent_count && status == 0; a++) {
		r = (struct agent_request){ .port = (int)a->port,
			.model = a->model,
			.serial = (int)a->serial,
			.lot = (int)a->lot };
		(void)strlcpy(r.name, a->name, sizeof(r.name));
		(void)strlcpy(r.host, a->host, sizeof(r.host));
		(void)strlcpy(r.address, a->address, sizeof(r.address));
		status = edit_agent_add(in, &r, e);
	}
	return status;
}

/* Declare all of them in one change of the pod. */
static int
declare_found(const struct call *call)
{
	struct controller *c;
	struct error error;
	struct pod found;
	int i, status;

	pod_init(&found);
	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = pod_change_run(c, add_found, &found, &error);
	call_close(call, c);
	for (i = 0; i < found.agent_count && status == 0; i++)
		printf("create agent (%s): success.\n", found.agents[i].name);
	pod_release(&found);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}

int
discover_agent(const struct call *call)
{
	enum output_format format;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (call->values[KEY_ADD] == NULL)
		return show_found(call, format);
	if (format != FORMAT_TABLE)
		return call_misuse(call,
		    "--add prints no list: leave out --format, --showjson and "
		    "--quiet");
	return declare_found(call);
}
