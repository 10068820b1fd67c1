/*
 * vipu list ipu-attrs: the attributes of each IPU, machine by machine.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/formats/json.h"
#include "core/base/strvec.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"

enum { AGENT_WIDTH = 10 }; /* width of the first column in the original */

const struct option_row attributes_options[] = {
	{ KEY_AGENTS, "agents", "A,B",
	    "show only these machines; ag[01-04] names four" },
	OUTPUT_OPTIONS,
	{ 0 },
};

/*
 * The data and the chosen machines, for the four output formats.  A server by
 * another vendor lists attributes but describes no pod: then only `listing` is
 * filled.
 */
struct attributes_view {
	struct ipu_listing listing;
	bool listed; /* the data is in `listing`, not in the members below */
	struct registry registry;
	struct snapshot snapshot;
	int64_t now_ns;
	bool monitor; /* read the sensors */
	bool *chosen; /* for each machine */
	const struct versions *versions;
	struct table_screen screen;
};

/* An IPU of the view. */
struct attributes_of {
	const char *agent;
	uint32_t number; /* in its machine */
	bool first;	 /* first IPU of its machine */
	char name[NAME_SIZE + 16];
	const struct reported_ipu *listed; /* NULL: use `own` */
	struct attributes own;
};

/* Advance *ipu to the first chosen IPU from *ipu on.  Returns false if none is
   left. */
static bool
next_ipu(const struct attributes_view *q, int *ipu)
{
	if (q->listed)
		return (size_t)*ipu < q->listing.count;
	while (*ipu < pod_ipu_count(&q->snapshot.pod)) {
		if (q->chosen[*ipu / IPUS_PER_MACHINE])
			return true;
		*ipu += IPUS_PER_MACHINE;
	}
	return false;
}

/* Fill in all but the attributes.  In a pod, IPU numbers are in sequence:
   machine m has those from m * IPUS_PER_MACHINE. */
static void
attributes_name_one(const struct attributes_view *q, int ipu,
    struct attributes_of *a)
{
	const struct reported_ipu *l = q->listed ? &q->listing.ipus[ipu] : NULL;

	a->listed = l;
	if (l != NULL) {
		a->agent = l->agent;
		a->number = l->number;
		a->first = ipu == 0 || strcmp(l[-1].agent, l->agent) != 0;
	} else {
		a->agent = q->snapshot.pod.agents[ipu / IPUS_PER_MACHINE].name;
		a->number = (uint32_t)(ipu % IPUS_PER_MACHINE);
		a->first = a->number == 0;
	}
	(void)snprintf(a->name, sizeof(a->name), "%s:%u", a->agent, a->number);
}

/*
 * Read the attributes of one IPU, just before they are printed.  They are not
 * all kept, because a large pod has 65,536 IPUs and millions of attributes.
 */
static void
attributes_read_one(const struct attributes_view *q, int ipu,
    struct attributes_of *a)
{
	attributes_name_one(q, ipu, a);
	if (!q->listed)
		attributes_read_ipu(&a->own, &q->registry, &q->snapshot.pod,
		    ipu, q->now_ns, q->monitor, q->versions);
}

/* Get attribute `i` of the IPU.  Returns false after the last one. */
static bool
attributes_row_of(const struct attributes_of *a, size_t i,
    struct attribute *row)
{
	if (a->listed != NULL && i < a->listed->count)
		*row = (struct attribute){ a->listed->attributes[i].key,
			a->listed->attributes[i].value };
	else if (a->listed == NULL && i < (size_t)a->own.count)
		*row = a->own.rows[i];
	else
		return false;
	return true;
}

/* A function that handles a row of cells. */
typedef void attributes_row(void *context, const char *const *cells);

/* Call `print` for each attribute.  The cells of the machine and of the IPU are
   "" except in the first line of each. */
static void
attributes_each_line(const struct attributes_view *q, attributes_row *print,
    void *context)
{
	struct attributes_of a;
	struct attribute row;
	char number[16];
	size_t i;
	int ipu;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		attributes_read_one(q, ipu, &a);
		(void)snprintf(number, sizeof(number), "%u", a.number);
		for (i = 0; attributes_row_of(&a, i, &row); i++)
			print(context,
			    (const char *const[]){
				i == 0 && a.first ? a.agent : "",
				i == 0 ? number : "", row.key, row.value });
	}
}

static void
attributes_measure(void *context, const char *const *cells)
{
	table_form_measure(context, cells);
}

static void
attributes_print(void *context, const char *const *cells)
{
	table_form_row(stdout, context, cells);
}

/* Print the table in two passes: the first measures the columns, the second
   prints.  So no row is stored. */
static void
attributes_table(const struct attributes_view *q)
{
	static const char *const headers[] = { "Agent", "IPU", "Attribute",
		"Value", NULL };
	static const struct fit_rule rules[] = { { 2, 8, 0, FIT_KEEP_END },
		{ 0, 0, 0, FIT_KEEP_START }, { 3, 16, 0, FIT_KEEP_START },
		{ 1, 20, 0, FIT_WRAP } };
	struct table_form form;

	table_form_init(&form, headers, AGENT_WIDTH, TABLE_SPACE);
	attributes_each_line(q, attributes_measure, &form);
	table_form_fit(&form, rules, &q->screen);
	table_form_begin(stdout, &form);
	attributes_each_line(q, attributes_print, &form);
	table_form_end(stdout, &form);
}

/* Add the attributes of an IPU under its number. */
static void
attributes_json_ipu(const struct attributes_of *a, yyjson_mut_doc *doc,
    yyjson_mut_val *ipus)
{
	struct attribute row;
	yyjson_mut_val *object = yyjson_mut_obj(doc);
	char number[16];
	size_t i;

	(void)snprintf(number, sizeof(number), "%u", a->number);
	yyjson_mut_obj_add(ipus, yyjson_mut_strcpy(doc, number), object);
	object = yyjson_mut_obj_add_obj(doc, object, "attributes");
	for (i = 0; attributes_row_of(a, i, &row); i++)
		yyjson_mut_obj_add(object, yyjson_mut_strcpy(doc, row.key),
		    yyjson_mut_strcpy(doc, row.value));
}

/* Print an object for each machine, which has one for each IPU under its
   number, as in the original.  Only one machine is in memory at a time. */
static void
attributes_json(const struct attributes_view *q)
{
	struct attributes_of a;
	yyjson_mut_doc *doc = NULL;
	yyjson_mut_val *agent, *ipus = NULL;
	int ipu, count = 0;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		attributes_read_one(q, ipu, &a);
		if (a.first && doc != NULL)
			json_array_next(stdout, &count, doc);
		if (a.first) {
			doc = yyjson_mut_doc_new(NULL);
			agent = yyjson_mut_obj(doc);
			yyjson_mut_doc_set_root(doc, agent);
			yyjson_mut_obj_add_strcpy(doc, agent, "agent", a.agent);
			ipus = yyjson_mut_obj_add_obj(doc, agent,
			    "ipu_attributes");
		}
		attributes_json_ipu(&a, doc, ipus);
	}
	if (doc != NULL)
		json_array_next(stdout, &count, doc);
	json_array_end(stdout, count);
}

/* Print a line for each attribute with all cells filled, so that a spreadsheet
   can filter. */
static void
attributes_csv(const struct attributes_view *q)
{
	static const char *const headers[] = { "id", "agent", "ipu",
		"attribute", "value" };
	struct attributes_of a;
	struct attribute row;
	char number[16];
	size_t i;
	int ipu;

	table_csv_row(stdout, ARRAY_SIZE(headers), headers);
	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		attributes_read_one(q, ipu, &a);
		(void)snprintf(number, sizeof(number), "%u", a.number);
		for (i = 0; attributes_row_of(&a, i, &row); i++)
			table_csv_row(stdout, ARRAY_SIZE(headers),
			    (const char *const[]){ a.name, a.agent, number,
				row.key, row.value });
	}
}

static void
attributes_names(const struct attributes_view *q)
{
	struct attributes_of a;
	int ipu;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		attributes_name_one(q, ipu, &a);
		puts(a.name);
	}
}

/* Return true if the caller may see the machine. */
static bool
is_seen(const struct attributes_view *q, int agent)
{
	return !q->snapshot.limited ||
	    q->snapshot.pod.agents[agent].allocation != -1;
}

/* Add one name of --agents. */
static int
collect_agent(void *context, const char *name, struct error *e)
{
	(void)e;
	strvec_add(context, name);
	return 0;
}

/* Ask the server if it is another vendor's.  Returns what
   controller_list_ipus() returns: 1 means that q->listing is filled. */
static int
attributes_ask(struct controller *c, const char *list,
    struct attributes_view *q, struct error *e)
{
	struct strvec agents;
	int status;

	strvec_init(&agents);
	status = list == NULL ?
	    0 :
	    agent_list_each(list, collect_agent, &agents, e);
	if (status == 0)
		status = controller_list_ipus(c, agents.items, agents.count,
		    &q->listing, e);
	strvec_release(&agents);
	q->listed = status == 1;
	return status;
}

/* Choose the machines of that name in --agents.  Several clusters may have a
   machine of the name. */
static int
choose_agent(void *context, const char *name, struct error *e)
{
	struct attributes_view *q = context;
	const struct pod *pod = &q->snapshot.pod;
	bool found = false;
	int i;

	for (i = 0; i < pod->agent_count; i++)
		if (strcmp(pod->agents[i].name, name) == 0 && is_seen(q, i))
			q->chosen[i] = found = true;
	return found ? 0 : error_set(e, "agent %s: does not exist", name);
}

/* Choose the machines in the list, or all that the caller may see. */
static int
choose_agents(struct attributes_view *q, const char *list, struct error *e)
{
	size_t i, count = (size_t)q->snapshot.pod.agent_count;

	q->chosen = xcalloc(count + 1, sizeof(*q->chosen));
	if (list != NULL)
		return agent_list_each(list, choose_agent, q, e);
	for (i = 0; i < count; i++)
		q->chosen[i] = is_seen(q, (int)i);
	return 0;
}

/* Read the state that the caller may see and the registry's slots, and choose
   the machines. */
static int
attributes_read_view(struct controller *c, const char *list,
    struct attributes_view *q, struct error *e)
{
	if (transaction_list(c, &q->snapshot, e) != 0)
		return -1;
	if (reader_open_of(c, &q->registry, e) != 0) {
		snapshot_release(&q->snapshot);
		return -1;
	}
	q->now_ns = clock_real_ns();
	q->monitor = gcda_monitoring();
	snapshot_freeze(&q->snapshot, &q->registry, q->now_ns);
	if (choose_agents(q, list, e) == 0)
		return 0;
	snapshot_release(&q->snapshot);
	registry_close(&q->registry);
	return -1;
}

static int
attributes_begin(const struct call *call, struct attributes_view *q,
    struct error *e)
{
	const char *list = call->values[KEY_AGENTS];
	struct controller *c = call_open(call, e);
	int status;

	if (c == NULL)
		return -1;
	status = attributes_ask(c, list, q, e);
	if (status == 0)
		status = attributes_read_view(c, list, q, e);
	controller_close(c);
	return status == -1 ? -1 : 0;
}

static void
attributes_end(struct attributes_view *q)
{
	controller_free_ipus(&q->listing);
	if (q->listed)
		return;
	snapshot_release(&q->snapshot);
	registry_close(&q->registry);
}

int
attributes_list(const struct call *call)
{
	static void (*const print[])(const struct attributes_view *) = {
		[FORMAT_TABLE] = attributes_table,
		[FORMAT_JSON] = attributes_json,
		[FORMAT_CSV] = attributes_csv,
		[FORMAT_NAMES] = attributes_names,
	};
	struct attributes_view q = { .versions = &call->versions };
	enum output_format format;
	struct error error;
	int status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	status = attributes_begin(call, &q, &error);
	if (status == 0) {
		output_screen(call, &q.screen);
		print[format](&q);
		attributes_end(&q);
	}
	free(q.chosen);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}
