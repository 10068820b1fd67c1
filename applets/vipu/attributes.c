/*
 * vipu list ipu-attrs: what each IPU is, machine by machine.
 */
#include <stdlib.h>
#include <string.h>

#include "applets/vipu/output.h"
#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
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

/* What is read, and of which machines: the source of the three forms. */
struct attributes_view {
	struct registry	 registry;
	struct snapshot	 snapshot;
	int64_t		 now_ns;
	bool		*chosen;	/* of each machine */
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
 * Read again for each form: sensors move, and a table of all IPUs of a large
 * pod would be large.
 */
static void
attributes_read_one(const struct attributes_view *q, int ipu,
    struct attributes *a)
{
	attributes_read_ipu(a, &q->registry, &q->snapshot.pod, ipu, q->now_ns,
	    gcda_monitoring());
}

/* Each machine has IPUS_PER_MACHINE IPUs, one behind the other. */
static const char *
agent_name(const struct attributes_view *q, int ipu)
{
	return q->snapshot.pod.agents[ipu / IPUS_PER_MACHINE].name;
}

/* The machine and the IPU stand at the first line of each. */
static void
attributes_lines(const void *source, struct table *t)
{
	static const char *const headers[] = {
		"Agent", "IPU", "Attribute", "Value", NULL
	};
	const struct attributes_view	*q = source;
	struct attributes	 a;
	int			 ipu, i, index;

	table_init(t, headers);
	t->first_width = AGENT_WIDTH;
	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		index = ipu % IPUS_PER_MACHINE;
		attributes_read_one(q, ipu, &a);
		for (i = 0; i < a.count; i++) {
			table_add(t, "%s", i == 0 && index == 0 ?
			    agent_name(q, ipu) : "");
			if (i == 0)
				table_add(t, "%d", index);
			else
				table_add(t, "%s", "");
			table_add(t, "%s", a.rows[i].key);
			table_add(t, "%s", a.rows[i].value);
		}
	}
}

/*
 * An object for each machine, in it one for each IPU under its number, as the
 * original prints it.
 */
static void
attributes_json(const void *source, yyjson_mut_doc *doc, yyjson_mut_val *array)
{
	const struct attributes_view	*q = source;
	struct attributes	 a;
	yyjson_mut_val		*agent, *ipus = NULL, *attributes;
	char			 key[16];
	int			 ipu, i;

	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		if (ipu % IPUS_PER_MACHINE == 0) {
			agent = yyjson_mut_arr_add_obj(doc, array);
			yyjson_mut_obj_add_str(doc, agent, "agent",
			    agent_name(q, ipu));
			ipus = yyjson_mut_obj_add_obj(doc, agent,
			    "ipu_attributes");
		}
		(void)snprintf(key, sizeof(key), "%d",
		    ipu % IPUS_PER_MACHINE);
		attributes = yyjson_mut_obj(doc);
		yyjson_mut_obj_add(ipus, yyjson_mut_strcpy(doc, key),
		    attributes);
		attributes = yyjson_mut_obj_add_obj(doc, attributes,
		    "attributes");
		attributes_read_one(q, ipu, &a);
		for (i = 0; i < a.count; i++)
			yyjson_mut_obj_add_strcpy(doc, attributes,
			    a.rows[i].key, a.rows[i].value);
	}
}

/* Long form: a line for each attribute, so that a spreadsheet can filter. */
static void
attributes_csv(const void *source, struct table *t)
{
	static const char *const headers[] = {
		"id", "agent", "ipu", "attribute", "value", NULL
	};
	const struct attributes_view	*q = source;
	struct attributes	 a;
	char			 name[NAME_SIZE + 16];
	int			 ipu, i;

	table_init(t, headers);
	for (ipu = 0; next_ipu(q, &ipu); ipu++) {
		pod_ipu_name(&q->snapshot.pod, ipu, name, sizeof(name));
		attributes_read_one(q, ipu, &a);
		for (i = 0; i < a.count; i++) {
			table_add(t, "%s", name);
			table_add(t, "%s", agent_name(q, ipu));
			table_add(t, "%d", ipu % IPUS_PER_MACHINE);
			table_add(t, "%s", a.rows[i].key);
			table_add(t, "%s", a.rows[i].value);
		}
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
	static const struct output_view	l = { attributes_lines, TABLE_SPACE,
	    attributes_json, attributes_csv };
	struct attributes_view			q = { .chosen = NULL };
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
		output_list(format, &l, &q);
	snapshot_release(&q.snapshot);
	registry_close(&q.registry);
	free(q.chosen);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}
