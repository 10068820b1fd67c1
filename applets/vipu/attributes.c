/*
 * vipu list ipu-attrs: what each IPU is, machine by machine.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/control/controller.h"
#include "core/control/transaction.h"
#include "core/pod/agent_list.h"
#include "core/state/state.h"
#include "ipu/attributes.h"
#include "ipu/gcda.h"

enum { AGENT_WIDTH = 10 };	/* of the first column, as the original */

const struct option_row attributes_options[] = {
	{ KEY_AGENTS, "agents", "A,B", "only these machines; ag[01-04] are "
	    "four" },
	OUTPUT_OPTIONS,
	{ 0 }
};

/* What is read, and of which machines: the source of the four forms. */
struct attributes_view {
	struct registry	 registry;
	struct snapshot	 snapshot;
	int64_t		 now_ns;
	bool		*chosen;	/* of each machine */
	const struct versions	*versions;
};

/* Step to the next IPU of a chosen machine, from *ipu itself on. */
static bool
next_ipu(const struct attributes_view *q, int *ipu)
{
	while (*ipu < pod_ipu_count(&q->snapshot.pod)) {
		if (q->chosen[*ipu / IPUS_PER_MACHINE])
			return true;
		*ipu += IPUS_PER_MACHINE;
	}
	return false;
}

/*
 * Read when it is printed, and not kept: a large pod has 65,536 IPUs, and
 * millions of attributes.
 */
static void
attributes_read_one(const struct attributes_view *q, int ipu,
    struct attributes *a)
{
	attributes_read_ipu(a, &q->registry, &q->snapshot.pod, ipu, q->now_ns,
	    gcda_monitoring(), q->versions);
}

/* Each machine has IPUS_PER_MACHINE IPUs, one behind the other. */
static const char *
agent_name(const struct attributes_view *q, int ipu)
{
	return q->snapshot.pod.agents[ipu / IPUS_PER_MACHINE].name;
}

/* What is done with a row of cells, and for what. */
typedef void	attributes_row(void *context, const char *const *cells);

/* The machine and the IPU stand at the first line of each. */
static void
attributes_each_line(const struct attributes_view *q, attributes_row *row,
    void *context)
{
	struct attributes	 a;
	char			 number[16];
	int			 ipu, i, index;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		index = ipu % IPUS_PER_MACHINE;
		(void)snprintf(number, sizeof(number), "%d", index);
		attributes_read_one(q, ipu, &a);
		for (i = 0; i < a.count; i++)
			row(context, (const char *const []){
			    i == 0 && index == 0 ? agent_name(q, ipu) : "",
			    i == 0 ? number : "", a.rows[i].key,
			    a.rows[i].value });
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

/* Two passes, of which the first only measures: nothing is kept of a row. */
static void
attributes_table(const struct attributes_view *q)
{
	static const char *const headers[] = {
		"Agent", "IPU", "Attribute", "Value", NULL
	};
	struct table_form	 form;

	table_form_init(&form, headers, AGENT_WIDTH, TABLE_SPACE);
	attributes_each_line(q, attributes_measure, &form);
	table_form_begin(stdout, &form);
	attributes_each_line(q, attributes_print, &form);
	table_form_end(stdout, &form);
}

/* The attributes of an IPU under its number. */
static void
attributes_json_ipu(const struct attributes_view *q, int ipu,
    yyjson_mut_doc *doc, yyjson_mut_val *ipus)
{
	struct attributes	 a;
	yyjson_mut_val		*attributes = yyjson_mut_obj(doc);
	char			 key[16];
	int			 i;

	(void)snprintf(key, sizeof(key), "%d", ipu % IPUS_PER_MACHINE);
	yyjson_mut_obj_add(ipus, yyjson_mut_strcpy(doc, key), attributes);
	attributes = yyjson_mut_obj_add_obj(doc, attributes, "attributes");
	attributes_read_one(q, ipu, &a);
	for (i = 0; i < a.count; i++)
		yyjson_mut_obj_add_strcpy(doc, attributes, a.rows[i].key,
		    a.rows[i].value);
}

/*
 * An object for each machine, in it one for each IPU under its number, as the
 * original prints it; printed machine by machine.
 */
static void
attributes_json(const struct attributes_view *q)
{
	yyjson_mut_doc	*doc;
	yyjson_mut_val	*agent, *ipus;
	int		 ipu, i, count = 0;

	for (ipu = 0; next_ipu(q, &ipu); ipu += IPUS_PER_MACHINE) {
		doc = yyjson_mut_doc_new(NULL);
		agent = yyjson_mut_obj(doc);
		yyjson_mut_doc_set_root(doc, agent);
		yyjson_mut_obj_add_str(doc, agent, "agent",
		    agent_name(q, ipu));
		ipus = yyjson_mut_obj_add_obj(doc, agent, "ipu_attributes");
		for (i = ipu; i < ipu + IPUS_PER_MACHINE; i++)
			attributes_json_ipu(q, i, doc, ipus);
		json_array_next(stdout, &count, doc);
	}
	json_array_end(stdout, count);
}

/* Long form: a line for each attribute, so that a spreadsheet can filter. */
static void
attributes_csv(const struct attributes_view *q)
{
	static const char *const headers[] = {
		"id", "agent", "ipu", "attribute", "value"
	};
	struct attributes	 a;
	char			 name[NAME_SIZE + 16], number[16];
	int			 ipu, i;

	table_csv_row(stdout, ARRAY_SIZE(headers), headers);
	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		pod_ipu_name(&q->snapshot.pod, ipu, name, sizeof(name));
		(void)snprintf(number, sizeof(number), "%d",
		    ipu % IPUS_PER_MACHINE);
		attributes_read_one(q, ipu, &a);
		for (i = 0; i < a.count; i++)
			table_csv_row(stdout, ARRAY_SIZE(headers),
			    (const char *const []){ name, agent_name(q, ipu),
			    number, a.rows[i].key, a.rows[i].value });
	}
}

static void
attributes_names(const struct attributes_view *q)
{
	char	name[NAME_SIZE + 16];
	int	ipu;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		pod_ipu_name(&q->snapshot.pod, ipu, name, sizeof(name));
		puts(name);
	}
}

/* Whether the caller may see the machine. */
static bool
is_seen(const struct attributes_view *q, int agent)
{
	return !q->snapshot.limited ||
	    q->snapshot.pod.agents[agent].allocation != -1;
}

/* What is, as far as the caller may see it, and the registry's slots. */
static int
attributes_begin(const struct call *call, struct attributes_view *q,
    struct error *e)
{
	struct controller	*c = controller_open_local(&call->caller, e);
	int			 status;

	if (c == NULL)
		return -1;
	status = transaction_list(c, &q->snapshot, e);
	controller_close(c);
	if (status == 0 && state_open_reader(&q->registry, e) != 0) {
		snapshot_release(&q->snapshot);
		status = -1;
	}
	return status;
}

/* One name of --agents; a name may stand in several clusters. */
static int
choose_agent(void *context, const char *name, struct error *e)
{
	struct attributes_view		*q = context;
	const struct pod	*pod = &q->snapshot.pod;
	bool			 found = false;
	int			 i;

	for (i = 0; i < pod->agent_count; i++)
		if (strcmp(pod->agents[i].name, name) == 0 && is_seen(q, i))
			q->chosen[i] = found = true;
	return found ? 0 : error_set(e, "agent %s: there is none of that "
	    "name", name);
}

/* Without a list all machines that the caller may see. */
static int
choose_agents(struct attributes_view *q, const char *list, struct error *e)
{
	size_t	i, count = (size_t)q->snapshot.pod.agent_count;

	q->chosen = xcalloc(count + 1, sizeof(*q->chosen));
	if (list != NULL)
		return agent_list_each(list, choose_agent, q, e);
	for (i = 0; i < count; i++)
		q->chosen[i] = is_seen(q, (int)i);
	return 0;
}

int
attributes_list(const struct call *call)
{
	static void (*const print[])(const struct attributes_view *) = {
		[FORMAT_TABLE] = attributes_table,
		[FORMAT_JSON] = attributes_json,
		[FORMAT_CSV] = attributes_csv,
		[FORMAT_NAMES] = attributes_names
	};
	struct attributes_view			q = { .chosen = NULL,
	    .versions = &call->versions };
	enum output_format		format;
	struct error			error;
	int				status;

	if (output_format(call, &format) != 0)
		return EXIT_USAGE;
	if (attributes_begin(call, &q, &error) != 0)
		return call_failed(call, &error);
	q.now_ns = clock_real_ns();
	status = choose_agents(&q, call->values[KEY_AGENTS], &error);
	if (status == 0)
		print[format](&q);
	snapshot_release(&q.snapshot);
	registry_close(&q.registry);
	free(q.chosen);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}
