/*
 * vipu-admin inject: faults on demand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/output.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/pod/pod.h"

enum {
	SECONDS_DEFAULT = 10,
	SECONDS_MAX = 86400,
	CONFIGURATIONS_MAX = 1000000,
	SLOW_MS_MAX = 3600000
};

const struct option_row inject_options[] = {
	{ KEY_SECONDS, "seconds", "S",
	    "with reboot: return after S seconds (default: 10)" },
	OUTPUT_OPTIONS,
	{ 0 },
};

/* Arguments of the faults, indexed by enum fault as inject_words[] is. */
static const struct {
	const char *argument; /* name of the argument, or NULL: none */
	int max;	      /* a number from 1 to this; 0: not a number */
} faults[] = {
	[FAULT_DOWN] = { NULL, 0 },
	[FAULT_UP] = { NULL, 0 },
	[FAULT_REBOOT] = { NULL, 0 },
	[FAULT_FAIL_CONFIG] = { "N", CONFIGURATIONS_MAX },
	[FAULT_SLOW] = { "MS", SLOW_MS_MAX },
	[FAULT_SOC_ERROR] = { "NAME", 0 },
};

enum { FAULTS = ARRAY_SIZE(faults) };

/* ---- one fault ---- */

/* Return the fault that the word names, or -1. */
static int
find_fault(const char *word)
{
	int i;

	for (i = 0; i < FAULTS; i++)
		if (strcmp(inject_words[i], word) == 0)
			return i;
	return -1;
}

static int
refuse_fault(const struct call *call, const char *word)
{
	struct suggestion nearest;
	struct error e;
	int i;

	suggest_begin(&nearest, word);
	for (i = 0; i < FAULTS; i++)
		suggest_offer(&nearest, inject_words[i]);
	(void)error_set(&e,
	    "unknown fault '%s': must be down, up, reboot, fail-config N, slow "
	    "MS or soc-error NAME",
	    word);
	(void)suggest_append(&nearest, "", &e);
	return call_misuse(call, "%s", e.text);
}

/* Parse the word after the fault.  Returns 0, or the exit status of misuse. */
static int
take_argument(const struct call *call, struct injection *in)
{
	const char *argument = call->operands[2];
	struct error error;
	long long number;

	if (in->fault == FAULT_SOC_ERROR) {
		in->soc_errors = 0;
		if (strcmp(argument, "clear") == 0)
			return 0;
		return soc_error_parse(argument, &in->soc_errors, &error) == 0 ?
		    0 :
		    call_misuse(call, "soc-error: %s, or clear", error.text);
	}
	if (parse_number(inject_words[in->fault], argument, 1,
		faults[in->fault].max, &number, &error) != 0)
		return call_misuse(call, "%s", error.text);
	in->value = (int)number;
	return 0;
}

/* Fill in the injection from the command line.  Returns 0, or the exit status
   of misuse. */
static int
take_injection(const struct call *call, struct injection *in)
{
	int fault;

	if (call->operand_count < 2)
		return call_misuse(call,
		    "%s: the fault is missing: down, up, reboot, fail-config "
		    "N, slow MS or soc-error NAME",
		    call->name);
	if ((fault = find_fault(call->operands[1])) == -1)
		return refuse_fault(call, call->operands[1]);
	if (call->values[KEY_SECONDS] != NULL && fault != FAULT_REBOOT)
		return call_misuse(call, "%s takes no --seconds",
		    inject_words[fault]);
	if (call->values[KEY_FORMAT] != NULL ||
	    call->values[KEY_SHOWJSON] != NULL || call->values['q'] != NULL)
		return call_misuse(call,
		    "--format, --showjson and --quiet are for the list only");
	if (call->operand_count < 3 && faults[fault].argument != NULL)
		return call_misuse(call, "%s: %s is missing",
		    inject_words[fault], faults[fault].argument);
	if (call->operand_count > 2 && faults[fault].argument == NULL)
		return call_misuse(call, "%s: unexpected argument '%s'",
		    inject_words[fault], call->operands[2]);
	*in = (struct injection){ .target = call->name,
		.fault = (enum fault)fault,
		.value = SECONDS_DEFAULT };
	return faults[fault].argument != NULL ?
	    take_argument(call, in) :
	    call_number(call, KEY_SECONDS, 0, SECONDS_MAX, &in->value) == 0 ?
	    0 :
	    EXIT_USAGE;
}

/* Print "inject agent (ag01): ", before the result. */
static void
inject_print_subject(FILE *out, const struct injection *in)
{
	char name[2 * NAME_SIZE];

	text_printable(in->target, name, sizeof(name));
	fprintf(out,
	    "inject %s (%s): ", in->fault == FAULT_SOC_ERROR ? "IPU" : "agent",
	    name);
}

/* Inject one fault.  Print "success" on stdout or "failed" on stderr, like the
   other commands. */
static int
inject_one(const struct call *call)
{
	struct injection in;
	struct controller *c;
	struct error error;
	int status = take_injection(call, &in);

	if (status != 0)
		return status;
	c = call_open(call, &error);
	status = c == NULL ? -1 : inject_fault(c, &in, &error);
	call_close(call, c);
	inject_print_subject(status == 0 ? stdout : stderr, &in);
	if (status == 0)
		printf("success.\n");
	else
		fprintf(stderr, "failed: %s.\n", error.text);
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* ---- the list ---- */

/* An injected fault.  Times are 0 if the fault has none. */
struct fault_row {
	const struct agent *agent;
	const char *cluster;
	int ipu; /* -1: the whole machine */
	enum fault fault;
	int number;
	uint32_t soc_errors;
	int64_t since_ms, until_ms;
};

/* All faults, machine by machine, for the table, the CSV and the JSON. */
struct fault_rows {
	struct fault_row *rows;
	int count;
};

static struct fault_row *
inject_add_row(struct fault_rows *r, const struct pod *pod,
    const struct agent *a, enum fault fault)
{
	struct fault_row *row;

	r->rows = xreallocarray(r->rows, (size_t)r->count + 1,
	    sizeof(*r->rows));
	row = &r->rows[r->count++];
	*row = (struct fault_row){ .agent = a,
		.ipu = -1,
		.fault = fault,
		.cluster = a->cluster == -1 ? "" :
					      pod->clusters[a->cluster].name };
	return row;
}

/*
 * Collect a machine's faults; it may have several.  Faults of IPUs are in the
 * registry's slots, the others in the pod.
 */
static void
collect_machine(struct fault_rows *r, const struct registry *registry,
    const struct pod *pod, int machine)
{
	const struct agent *a = &pod->agents[machine];
	struct fault_row *row;
	uint32_t set;
	int i;

	if (a->state != MACHINE_UP) {
		row = inject_add_row(r, pod, a,
		    a->state == MACHINE_DOWN ? FAULT_DOWN : FAULT_REBOOT);
		row->since_ms = a->changed_ms;
		row->until_ms = a->up_ms;
	}
	if (a->fail_config > 0)
		inject_add_row(r, pod, a, FAULT_FAIL_CONFIG)->number =
		    a->fail_config;
	if (a->slow_ms > 0)
		inject_add_row(r, pod, a, FAULT_SLOW)->number = a->slow_ms;
	for (i = 0; i < IPUS_PER_MACHINE; i++) {
		set = registry_faults(registry, machine * IPUS_PER_MACHINE + i);
		if (set == 0)
			continue;
		row = inject_add_row(r, pod, a, FAULT_SOC_ERROR);
		row->ipu = i;
		row->soc_errors = set;
	}
}

/* Return the fault's number or the names of its errors; "" if it has
   neither. */
static const char *
value_text(const struct fault_row *row, char text[SOC_TEXT_SIZE])
{
	text[0] = '\0';
	if (row->fault == FAULT_SOC_ERROR)
		soc_error_text(row->soc_errors, "", text, SOC_TEXT_SIZE);
	else if (row->number != 0)
		(void)snprintf(text, SOC_TEXT_SIZE, "%d", row->number);
	return text;
}

/* Add "ag01", or "ag01:2" for an IPU. */
static void
inject_add_name(struct table *t, const struct fault_row *row)
{
	if (row->ipu == -1)
		table_add(t, "%s", row->agent->name);
	else
		table_add(t, "%s:%d", row->agent->name, row->ipu);
}

/* Add a row for each fault, for the table and the CSV. */
static void
inject_fill(const struct fault_rows *r, struct table *t)
{
	const struct fault_row *row;
	char value[SOC_TEXT_SIZE];
	char since[OUTPUT_TIME_SIZE];
	char until[OUTPUT_TIME_SIZE];

	for (row = r->rows; row < r->rows + r->count; row++) {
		inject_add_name(t, row);
		table_add(t, "%s", row->cluster);
		table_add(t, "%s", inject_words[row->fault]);
		table_add(t, "%s", value_text(row, value));
		table_add(t, "%s", output_time(row->since_ms, since));
		table_add(t, "%s", output_time(row->until_ms, until));
	}
}

static void
faults_table(const void *source, struct table *t)
{
	static const char *const headers[] = { "Agent", "Cluster", "Fault",
		"Value", "Since", "Until", NULL };
	static const struct fit_rule rules[] = { { 1, 8, 0, FIT_KEEP_END },
		{ 2, 7, 3, FIT_KEEP_END }, { 0, 0, 0, FIT_KEEP_START },
		{ 3, 12, 0, FIT_WRAP }, { 0, 0, 1, FIT_KEEP_START },
		{ 0, 0, 2, FIT_KEEP_START } };

	table_init(t, headers);
	t->rules = rules;
	inject_fill(source, t);
}

static void
faults_csv(const void *source, struct table *t)
{
	static const char *const headers[] = { "agent_id", "cluster_id",
		"fault", "value", "since", "until", NULL };

	table_init(t, headers);
	inject_fill(source, t);
}

static void
faults_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *list)
{
	const struct fault_rows *r = source;
	const struct fault_row *row;
	yyjson_mut_val *o;
	char text[SOC_TEXT_SIZE];
	char time[OUTPUT_TIME_SIZE];

	for (row = r->rows; row < r->rows + r->count; row++) {
		o = yyjson_mut_arr_add_obj(doc, list);
		yyjson_mut_obj_add_str(doc, o, "agent_id", row->agent->name);
		yyjson_mut_obj_add_str(doc, o, "cluster_id", row->cluster);
		if (row->ipu != -1)
			yyjson_mut_obj_add_int(doc, o, "ipu", row->ipu);
		yyjson_mut_obj_add_str(doc, o, "fault",
		    inject_words[row->fault]);
		if (row->number != 0)
			yyjson_mut_obj_add_int(doc, o, "value", row->number);
		else if (row->soc_errors != 0)
			yyjson_mut_obj_add_strcpy(doc, o, "value",
			    value_text(row, text));
		if (row->since_ms != 0)
			yyjson_mut_obj_add_strcpy(doc, o, "since",
			    output_time(row->since_ms, time));
		if (row->until_ms != 0)
			yyjson_mut_obj_add_strcpy(doc, o, "until",
			    output_time(row->until_ms, time));
	}
}

/* Print the list of faults, from a read-only registry. */
static int
list_faults(const struct call *call)
{
	static const struct output_view listing = { faults_table, TABLE_SPACE,
		faults_json, faults_csv };
	struct fault_rows rows = { NULL, 0 };
	enum output_format format;
	struct registry registry;
	struct snapshot s;
	struct error error;
	int i, status;

	if (call->values[KEY_SECONDS] != NULL)
		return call_misuse(call, "the list takes no --seconds");
	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if ((status = call_read_registry(call, &registry)) != EXIT_DONE)
		return status;
	status = snapshot_take(&registry, &s, &error);
	if (status == 0) {
		for (i = 0; i < s.pod.agent_count; i++)
			collect_machine(&rows, &registry, &s.pod, i);
		output_list(call, format, &listing, &rows);
		snapshot_release(&s);
		free(rows.rows);
	}
	registry_close(&registry);
	return status == 0 ? EXIT_DONE : applet_failed(call->applet, &error);
}

int
inject_command(const struct call *call)
{
	if (call->operand_count == 0 ||
	    (call->operand_count == 1 && strcmp(call->name, "list") == 0))
		return list_faults(call);
	return inject_one(call);
}
