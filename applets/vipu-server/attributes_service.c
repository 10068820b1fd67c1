/*
 * What each IPU is, machine by machine, as `vipu list ipu-attrs` prints it.
 */
#include "applets/vipu-server/attributes_service.h"

#include <virmgrpc.pb.h>

#include <stdlib.h>
#include <string.h>

#include "applets/vipu-server/daemon.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/attributes.h"

/* In one answer: a client takes 4 MiB, where it does not say other. */
enum { ATTRIBUTES_AGENTS_MAX = 256 };

/* What is looked at, and the answer. */
struct attributes_look {
	const struct daemon		*daemon;
	const struct registry		*registry;
	const struct snapshot		*snapshot;
	int64_t				 now_ns;
	virmgrpc_ListIPUAttributesReply	 reply;
};

typedef virmgrpc_ListIPUAttributesReply_Entry_IpuAttributesEntry attributes_row;

static void
attributes_fill_ipu(const struct attributes_look *l, int ipu,
    attributes_row *row)
{
	virmgrpc_ListIPUAttributesReply_Entry_Attributes	*m =
	    &row->value;
	struct attributes	a;
	int			i;

	attributes_read_ipu(&a, l->registry, &l->snapshot->pod, ipu,
	    l->now_ns, false, &l->daemon->versions);
	row->key = (uint32_t)(ipu % IPUS_PER_MACHINE);
	row->has_value = true;
	m->attributes = xcalloc((size_t)a.count + 1, sizeof(*m->attributes));
	m->attributes_count = (pb_size_t)a.count;
	for (i = 0; i < a.count; i++) {
		m->attributes[i].key = xstrdup(a.rows[i].key);
		m->attributes[i].value = xstrdup(a.rows[i].value);
	}
}

static void
attributes_fill_agent(struct attributes_look *l, int agent)
{
	virmgrpc_ListIPUAttributesReply_Entry	*m =
	    &l->reply.entries[l->reply.entries_count++];
	int					 i;

	m->agent = xstrdup(l->snapshot->pod.agents[agent].name);
	m->ipu_attributes = xcalloc(IPUS_PER_MACHINE,
	    sizeof(*m->ipu_attributes));
	m->ipu_attributes_count = IPUS_PER_MACHINE;
	for (i = 0; i < IPUS_PER_MACHINE; i++)
		attributes_fill_ipu(l, agent * IPUS_PER_MACHINE + i,
		    &m->ipu_attributes[i]);
}

/* Whether the caller may see the machine. */
static bool
attributes_is_seen(const struct snapshot *s, int agent)
{
	return !s->limited || s->pod.agents[agent].allocation != -1;
}

/* Mark the machines of that name: it may stand in several clusters. */
static int
attributes_choose(const struct snapshot *s, const char *name, bool *chosen,
    struct error *e)
{
	bool	found = false;
	int	i;

	for (i = 0; i < s->pod.agent_count; i++)
		if (strcmp(s->pod.agents[i].name, name) == 0 &&
		    attributes_is_seen(s, i))
			chosen[i] = found = true;
	return found ? 0 : error_set_code(e, ERROR_NOT_FOUND, "agent %s: "
	    "there is none of that name", name);
}

/* Those that are named, or all that the caller may see. */
static int
attributes_choose_all(const struct snapshot *s,
    const virmgrpc_ListIPUAttributesRequest *m, bool *chosen, struct error *e)
{
	int	i, count = 0;

	for (i = 0; i < (int)m->agents_count; i++)
		if (attributes_choose(s, m->agents[i], chosen, e) != 0)
			return -1;
	for (i = 0; i < s->pod.agent_count; i++) {
		if (m->agents_count == 0)
			chosen[i] = attributes_is_seen(s, i);
		count += chosen[i];
	}
	return count <= ATTRIBUTES_AGENTS_MAX ? count : error_set_code(e,
	    ERROR_NO_ROOM, "the attributes of %d agents are too many for one "
	    "answer: ask for %d at a time", count, ATTRIBUTES_AGENTS_MAX);
}

static int
attributes_reply(struct attributes_look *l, struct rpc_call *call,
    const virmgrpc_ListIPUAttributesRequest *m, struct error *e)
{
	const struct snapshot	*s = l->snapshot;
	bool			*chosen = xcalloc(
	    (size_t)s->pod.agent_count + 1, sizeof(*chosen));
	int			 i, count;

	count = attributes_choose_all(s, m, chosen, e);
	if (count != -1) {
		l->reply.entries = xcalloc((size_t)count + 1,
		    sizeof(*l->reply.entries));
		for (i = 0; i < s->pod.agent_count; i++)
			if (chosen[i])
				attributes_fill_agent(l, i);
		rpc_message_reply(call,
		    virmgrpc_ListIPUAttributesReply_fields, &l->reply);
		rpc_message_release(virmgrpc_ListIPUAttributesReply_fields,
		    &l->reply);
	}
	free(chosen);
	return count == -1 ? -1 : 0;
}

/* The snapshot is of the caller, the slots are as they are now. */
int
attributes_service_list(const struct asking *a, const void *request,
    struct error *e)
{
	struct attributes_look	 l = { .daemon = a->daemon,
	    .now_ns = clock_real_ns() };
	struct registry		*r;
	struct snapshot		 s;
	int			 status = -1;

	if (transaction_list(a->controller, &s, e) != 0)
		return -1;
	if ((r = daemon_registry(a->daemon, e)) != NULL) {
		snapshot_freeze(&s, r, l.now_ns);
		l.registry = r;
		l.snapshot = &s;
		status = attributes_reply(&l, a->call, request, e);
		registry_thaw(r);
	}
	snapshot_release(&s);
	return status;
}
