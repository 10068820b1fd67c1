/*
 * Requests of users in the contract's service.  Read asking_take() first.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <virmgrpc.pb.h>

#include <stdlib.h>
#include <string.h>

#include "applets/vipu-server/daemon.h"
#include "applets/vipu-server/waiters.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "ipu/device/device.h"

/* ---- reading ---- */

/* Send the cached answer if nothing has happened since and nothing is due. */
static bool
user_list_kept(struct daemon *d, struct rpc_call *call)
{
	int64_t due_ms;

	if (d->list.bytes == NULL ||
	    registry_revision(&d->registry, &due_ms) != d->list.revision)
		return false;
	if (due_ms != 0 && due_ms <= clock_real_ms())
		return false;
	rpc_call_reply_shared(call, d->list.bytes);
	return true;
}

/* Send the answer, and cache it for callers that see and request everything. */
static int
user_list_reply(struct daemon *d, struct rpc_call *call,
    const struct snapshot *s, int allocation, bool keep, struct error *e)
{
	virmgrpc_ListPartitionsReply reply =
	    virmgrpc_ListPartitionsReply_init_zero;
	struct list_reply l = { .revision = s->sequence };
	unsigned char *bytes;
	size_t size;

	user_messages_list(&reply, s, allocation, &d->versions);
	bytes = rpc_message_encode(virmgrpc_ListPartitionsReply_fields, &reply,
	    &size, e);
	rpc_message_release(virmgrpc_ListPartitionsReply_fields, &reply);
	if (bytes == NULL)
		return -1;
	l.bytes = rpc_shared_new(bytes, size);
	free(bytes);
	rpc_call_reply_shared(call, l.bytes);
	if (keep) {
		daemon_forget_list(d);
		d->list = l;
	} else {
		rpc_shared_drop(l.bytes);
	}
	return 0;
}

static int
user_partitions(const struct asking *a, const void *request, struct error *e)
{
	const virmgrpc_ListPartitionsRequest *m = request;
	const char *name = asking_text(m->allocation_id);
	const bool sees_all = a->id.caller.admin ||
	    a->id.caller.user[0] == '\0';
	struct snapshot s;
	int allocation = -1, status;

	if (sees_all && name[0] == '\0' && user_list_kept(a->daemon, a->call))
		return 0;
	if (transaction_list(a->controller, &s, e) != 0)
		return -1;
	if (name[0] != '\0')
		allocation = pod_find_allocation(&s.pod, name);
	status = name[0] != '\0' && allocation == -1 ?
	    error_set_code(e, ERROR_NOT_FOUND, "allocation '%s' does not exist",
		name) :
	    user_list_reply(a->daemon, a->call, &s, allocation,
		sees_all && name[0] == '\0', e);
	snapshot_release(&s);
	return status;
}

/*
 * Find the partition of that name if the caller may see it.  Returns its index
 * in the snapshot, which the caller releases; or -1.
 */
static int
user_look_up(const struct asking *a, const char *name, struct snapshot *s,
    struct error *e)
{
	int found;

	if (transaction_list(a->controller, s, e) != 0)
		return -1;
	found = snapshot_look_up(s, name, e);
	if (found == -1)
		snapshot_release(s);
	return found;
}

static int
user_status(const struct asking *a, const void *request, struct error *e)
{
	const virmgrpc_GetPartitionStatusRequest *m = request;
	virmgrpc_GetPartitionStatusReply reply =
	    virmgrpc_GetPartitionStatusReply_init_zero;
	struct snapshot s;
	const int found = user_look_up(a, asking_text(m->partition_id), &s, e);

	if (found == -1)
		return -1;
	reply.has_status = true;
	user_messages_status(&reply.status, &s.partitions[found]);
	snapshot_release(&s);
	rpc_message_reply(a->call, virmgrpc_GetPartitionStatusReply_fields,
	    &reply);
	rpc_message_release(virmgrpc_GetPartitionStatusReply_fields, &reply);
	return 0;
}

static int
user_config(const struct asking *a, const void *request, struct error *e)
{
	const virmgrpc_GetPartitionIpuofConfigRequest *m = request;
	virmgrpc_GetPartitionIpuofConfigReply reply =
	    virmgrpc_GetPartitionIpuofConfigReply_init_zero;
	struct snapshot s;
	int status;
	const int found = user_look_up(a, asking_text(m->partition_id), &s, e);

	if (found == -1)
		return -1;
	reply.has_ipuof_config = true;
	status = config_messages_fill(&reply.ipuof_config, &s.pod,
	    &s.partitions[found], m->has_gcd_id ? (int64_t)m->gcd_id.id : -1,
	    &a->daemon->versions, e);
	if (status == 0)
		rpc_message_reply(a->call,
		    virmgrpc_GetPartitionIpuofConfigReply_fields, &reply);
	rpc_message_release(virmgrpc_GetPartitionIpuofConfigReply_fields,
	    &reply);
	snapshot_release(&s);
	return status;
}

/* ---- attributes ---- */

/* Limit of one answer: clients accept 4 MiB by default. */
enum { ATTRIBUTES_AGENTS_MAX = 256, ATTRIBUTES_NAMES_MAX = 1024 };

/* A request for attributes, and the answer. */
struct attributes_look {
	const struct daemon *daemon;
	const struct registry *registry;
	const struct snapshot *snapshot;
	int64_t now_ns;
	virmgrpc_ListIPUAttributesReply reply;
};

typedef virmgrpc_ListIPUAttributesReply_Entry_IpuAttributesEntry attributes_row;

static void
attributes_fill_ipu(const struct attributes_look *l, int ipu,
    attributes_row *row)
{
	virmgrpc_ListIPUAttributesReply_Entry_Attributes *m = &row->value;
	struct attributes a;
	int i;

	attributes_read_ipu(&a, l->registry, &l->snapshot->pod, ipu, l->now_ns,
	    false, &l->daemon->versions);
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
	virmgrpc_ListIPUAttributesReply_Entry *m =
	    &l->reply.entries[l->reply.entries_count++];
	int i;

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

static int
attributes_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort names, and leave each once.  Returns their count. */
static size_t
attributes_sort(const char **names, size_t count)
{
	size_t i, kept = 0;

	qsort(names, count, sizeof(*names), attributes_compare);
	for (i = 0; i < count; i++)
		if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

/* Select the machines of these names, which several clusters may have. */
static int
attributes_choose(const struct snapshot *s, const char *const *names,
    size_t count, bool *chosen, struct error *e)
{
	bool *found = xcalloc(count + 1, sizeof(*found));
	const char *const *at, *name;
	size_t missing = 0;
	int i;

	for (i = 0; i < s->pod.agent_count; i++) {
		name = s->pod.agents[i].name;
		at = bsearch(&name, names, count, sizeof(*names),
		    attributes_compare);
		if (at != NULL && attributes_is_seen(s, i))
			chosen[i] = found[at - names] = true;
	}
	while (missing < count && found[missing])
		missing++;
	free(found);
	return missing == count ?
	    0 :
	    error_set_code(e, ERROR_NOT_FOUND, "agent %s: does not exist",
		names[missing]);
}

/* Select the named machines, or all that the caller may see. */
static int
attributes_choose_all(const struct snapshot *s,
    const virmgrpc_ListIPUAttributesRequest *m, bool *chosen, struct error *e)
{
	const char **names = xcalloc(m->agents_count + 1, sizeof(*names));
	int i, count = 0, status;

	for (i = 0; i < (int)m->agents_count; i++)
		names[i] = m->agents[i];
	status = attributes_choose(s, names,
	    attributes_sort(names, m->agents_count), chosen, e);
	free(names);
	if (status != 0)
		return -1;
	for (i = 0; i < s->pod.agent_count; i++) {
		if (m->agents_count == 0)
			chosen[i] = attributes_is_seen(s, i);
		count += chosen[i];
	}
	return count <= ATTRIBUTES_AGENTS_MAX ?
	    count :
	    error_set_code(e, ERROR_NO_ROOM,
		"the attributes of %d agents are too many for one answer; ask "
		"for at most %d agents at a time",
		count, ATTRIBUTES_AGENTS_MAX);
}

static int
attributes_reply(struct attributes_look *l, struct rpc_call *call,
    const virmgrpc_ListIPUAttributesRequest *m, struct error *e)
{
	const struct snapshot *s = l->snapshot;
	bool *chosen = xcalloc((size_t)s->pod.agent_count + 1, sizeof(*chosen));
	int i, count;

	count = attributes_choose_all(s, m, chosen, e);
	if (count != -1) {
		l->reply.entries = xcalloc((size_t)count + 1,
		    sizeof(*l->reply.entries));
		for (i = 0; i < s->pod.agent_count; i++)
			if (chosen[i])
				attributes_fill_agent(l, i);
		rpc_message_reply(call, virmgrpc_ListIPUAttributesReply_fields,
		    &l->reply);
		rpc_message_release(virmgrpc_ListIPUAttributesReply_fields,
		    &l->reply);
	}
	free(chosen);
	return count == -1 ? -1 : 0;
}

/* The snapshot is the caller's; the slots are current. */
static int
user_attributes(const struct asking *a, const void *request, struct error *e)
{
	struct attributes_look l = { .daemon = a->daemon,
		.now_ns = clock_real_ns() };
	struct registry *r;
	struct snapshot s;
	int status = -1;

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

/* ---- changing ---- */

/* Requested IPUs are looked up in the pod that the caller sees. */
static int
user_read_request(struct controller *c,
    const virmgrpc_CreatePartitionRequest *m, struct partition_request *r,
    struct error *e)
{
	struct snapshot s;
	int status;

	if (m->requirements.ipus_count == 0)
		return user_messages_request(m, NULL, r, e);
	if (transaction_list(c, &s, e) != 0)
		return -1;
	status = user_messages_request(m, &s.pod, r, e);
	snapshot_release(&s);
	return status;
}

static int
user_create(const struct asking *a, const void *request, struct error *e)
{
	virmgrpc_CreatePartitionReply reply =
	    virmgrpc_CreatePartitionReply_init_zero;
	struct partition_request r;
	struct partition created;

	if (user_read_request(a->controller, request, &r, e) != 0 ||
	    create_partition(a->controller, &r, &created, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "create partition %s (%d IPUs)",
	    created.name, partition_size(&created));
	reply.partition_id = created.name;
	rpc_message_reply(a->call, virmgrpc_CreatePartitionReply_fields,
	    &reply);
	return 0;
}

/* A removal that takes time is answered when the partition is gone. */
static int
user_remove(const struct asking *a, const void *request, struct error *e)
{
	const virmgrpc_RemovePartitionRequest *m = request;
	struct partition removed;
	const int status = remove_begin(a->controller,
	    asking_text(m->partition_id), m->force, &removed, e);

	if (status == -1)
		return -1;
	daemon_changed(a->call, &a->id, "remove partition %s%s", removed.name,
	    m->force ? " by force" : "");
	if (status == 1)
		waiters_gone_empty(a->call, &a->id, &removed);
	else
		rpc_call_reply(a->call, "", 0);
	return 0;
}

static int
user_reset(const struct asking *a, const void *request, struct error *e)
{
	const virmgrpc_ResetPartitionRequest *m = request;
	struct partition after;

	if (reset_partition(a->controller, asking_text(m->partition_id),
		m->relocatable, false, &after, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "reset partition %s%s", after.name,
	    m->relocatable ? ", relocatable from now on" : "");
	rpc_call_reply(a->call, "", 0);
	return 0;
}

/* ---- the table ---- */

#define USER_ROW(method, function) \
	ASKING_ROW("virmgrpc.UserService", virmgrpc, method, false, function)

static const struct asking_row user_rows[] = {
	USER_ROW(ListPartitions, user_partitions),
	USER_ROW(ListIPUAttributes, user_attributes),
	USER_ROW(CreatePartition, user_create),
	USER_ROW(RemovePartition, user_remove),
	USER_ROW(ResetPartition, user_reset),
	USER_ROW(GetPartitionIpuofConfig, user_config),
	USER_ROW(GetPartitionStatus, user_status),
};
_Static_assert(ARRAY_SIZE(user_rows) == USER_SERVICE_METHODS,
    "each method has a row");

static void
user_take(struct rpc_call *call, const void *bytes, size_t size)
{
	asking_take(user_rows, call, bytes, size);
}

void
user_service_methods(struct daemon *d,
    struct rpc_method rows[USER_SERVICE_METHODS])
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(user_rows); i++)
		rows[i] = (struct rpc_method){ .path = user_rows[i].path,
			.take = user_take,
			.end = user_rows[i].act == user_remove ? waiters_end :
								 NULL,
			.entries = user_rows[i].act == user_attributes ?
			    ATTRIBUTES_NAMES_MAX :
			    0,
			.context = d };
}
