/*
 * Converting a virmgrpc list of partitions to a snapshot.  First the named
 * clusters and allocations are collected, and the extent of their IPUs; then
 * each partition is placed in a pod that is just large enough.
 */
#include "core/server/remote_virm_list.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/pod.h"

enum {
	SMALLEST_ILD = 16, /* a rack of four machines */
	LOOK_AGAIN_MS = 100,
	ATTRIBUTE_SIZE = 512, /* limit of its name, and of its value */
	ILDS_MAX = POD_IPUS_MAX / ILD_IPUS_MAX
};

/* Extent of the IPUs of a cluster's partitions. */
struct reach {
	uint32_t ild, place; /* the highest of each */
};

static int
list_refuse(const char *id, const char *what, struct error *e)
{
	return error_set_code(e, ERROR_INVALID, "partition %.64s: %s",
	    id == NULL ? "" : id, what);
}

/* ---- clusters and allocations ---- */

/* Return a cluster's index, adding it if new.  -1: no room. */
static int
list_cluster(struct pod *pod, const char *name, struct error *e)
{
	int found = pod_find_cluster(pod, name);

	if (found != -1)
		return found;
	if (pod->cluster_count == POD_CLUSTERS_MAX)
		return error_set_code(e, ERROR_INVALID, "more than %d clusters",
		    (int)POD_CLUSTERS_MAX);
	if (name_parse("cluster", name, pod->clusters[pod->cluster_count].name,
		e) != 0)
		return -1;
	return pod->cluster_count++;
}

/* The same; *index is -1 without a name. */
static int
list_allocation(struct pod *pod, const char *name, int cluster, int *index,
    struct error *e)
{
	struct allocation *a;

	*index = -1;
	if (name == NULL || name[0] == '\0')
		return 0;
	*index = pod_find_allocation(pod, name);
	if (*index != -1)
		return 0;
	if (pod->allocation_count == POD_ALLOCATIONS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "more than %d allocations", (int)POD_ALLOCATIONS_MAX);
	a = &pod->allocations[pod->allocation_count];
	if (name_parse("allocation", name, a->name, e) != 0)
		return -1;
	a->cluster = cluster;
	*index = pod->allocation_count++;
	return 0;
}

/* ---- a partition ---- */

/* Find the place: equal positions in adjacent ILDs.  The first IPU is the
   start; the IPUs in its ILD are counted. */
static int
list_place(const virmgrpc_Partition *m, struct placement *p,
    struct reach *reach, struct error *e)
{
	const virmgrpc_PartitionIpu *ipus = m->spec.ipus;
	const pb_size_t count = m->spec.ipus_count;
	pb_size_t per = 0, i;

	if (count == 0 || count > POD_IPUS_MAX)
		return list_refuse(m->id, "its number of IPUs is not valid", e);
	while (per < count &&
	    ipus[per].ipulink_domain_topology_id ==
		ipus[0].ipulink_domain_topology_id)
		per++;
	for (i = 0; i < count; i++) {
		if (per > ILD_IPUS_MAX || count % per != 0 ||
		    ipus[i].topology_id >= ILD_IPUS_MAX ||
		    ipus[i].ipulink_domain_topology_id >= ILDS_MAX ||
		    ipus[i].ipulink_domain_topology_id !=
			ipus[0].ipulink_domain_topology_id + i / per ||
		    ipus[i].topology_id != ipus[0].topology_id + i % per)
			return list_refuse(m->id,
			    "its IPUs are not consecutive", e);
		if (ipus[i].ipulink_domain_topology_id > reach->ild)
			reach->ild = ipus[i].ipulink_domain_topology_id;
		if (ipus[i].topology_id > reach->place)
			reach->place = ipus[i].topology_id;
	}
	p->first_ild = (int32_t)ipus[0].ipulink_domain_topology_id;
	p->ild_count = (int32_t)(count / per);
	p->offset = (int32_t)ipus[0].topology_id;
	p->per_ild = (int32_t)per;
	return 0;
}

/* Check the counts; the contract gives 0 a meaning for each. */
static int
list_numbers(const virmgrpc_Partition *m, struct partition *p, struct error *e)
{
	const virmgrpc_PartitionSpec *s = &m->spec;
	const uint32_t size = s->ipus_count;
	const uint32_t gcds = s->num_gcds == 0 ? 1 : s->num_gcds;
	const uint32_t replicas = s->num_replicas == 0 ? gcds : s->num_replicas;

	if (gcds > size || size % gcds != 0 || replicas > size ||
	    replicas % gcds != 0 ||
	    s->ipulink_routing_type > _virmgrpc_IpuLinkRoutingType_MAX ||
	    s->gw_routing_type > _virmgrpc_GatewayRoutingType_MAX ||
	    s->sync_type > _virmgrpc_SyncType_MAX ||
	    m->ready_state > _virmgrpc_PartitionReadyState_MAX)
		return list_refuse(m->id, "one of its numbers is not valid", e);
	p->num_gcds = (int32_t)gcds;
	p->num_replicas = (int32_t)replicas;
	p->routing = (int32_t)s->ipulink_routing_type;
	p->gateway_routing = (int32_t)s->gw_routing_type;
	p->sync_type = (int32_t)s->sync_type;
	p->state = (int32_t)m->ready_state;
	p->operation = p->state == PS_ACTIVE ? POS_IDLE : POS_UNDEFINED;
	p->reconfigurable = s->reconfigurable;
	return 0;
}

static int
list_partition(const virmgrpc_Partition *m, int64_t now_ms, struct pod *pod,
    struct reach *reach, struct partition *p, struct error *e)
{
	int cluster, allocation;

	if (name_parse("partition", m->id == NULL ? "" : m->id, p->name, e) !=
	    0)
		return -1;
	if (!m->has_spec)
		return list_refuse(m->id, "it has no spec", e);
	cluster = list_cluster(pod,
	    m->spec.cluster_id == NULL ? "" : m->spec.cluster_id, e);
	if (cluster == -1 ||
	    list_allocation(pod, m->spec.allocation_id, cluster, &allocation,
		e) != 0)
		return -1;
	p->placement.cluster = cluster;
	p->allocation = allocation;
	if (list_place(m, &p->placement, &reach[cluster], e) != 0 ||
	    list_numbers(m, p, e) != 0)
		return -1;
	if (p->state == PS_PENDING || p->state == PS_REMOVED)
		p->due_ms = now_ms + LOOK_AGAIN_MS;
	return 0;
}

/* ---- the pod of the partitions ---- */

/* Return the IPUs of an ILD; several ILDs are whole racks. */
static uint32_t
list_ild_ipus(const struct reach *r)
{
	uint32_t ipus = SMALLEST_ILD;

	while (ipus <= r->place || (r->ild > 0 && ipus < ILD_IPUS_MAX))
		ipus *= 2;
	return ipus;
}

/* Make machines for the extent of the partitions. */
static int
list_machines(struct pod *pod, const struct reach *reach, struct error *e)
{
	struct cluster *c;
	int i, k, count = 0;

	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		c->first_agent = count;
		c->ild_count = (int32_t)reach[i].ild + 1;
		c->agent_count = c->ild_count *
		    (int32_t)list_ild_ipus(&reach[i]) / IPUS_PER_MACHINE;
		c->topology = TOPOLOGY_TORUS;
		c->gateway = c->ild_count > 1 ? GATEWAY_LOOPED : GATEWAY_NONE;
		count += c->agent_count;
	}
	if (count > POD_AGENTS_MAX)
		return error_set_code(e, ERROR_INVALID, "more than %d IPUs",
		    (int)POD_IPUS_MAX);
	pod->agents = xcalloc((size_t)count + 1, sizeof(*pod->agents));
	pod->agent_count = count;
	for (i = 0; i < pod->cluster_count; i++)
		for (k = 0; k < pod->clusters[i].agent_count; k++) {
			struct agent *a =
			    &pod->agents[pod->clusters[i].first_agent + k];

			/* The machine's identity is unknown. */
			(void)snprintf(a->name, sizeof(a->name), "unknown%d",
			    k + 1);
			a->cluster = i;
			a->allocation = -1;
		}
	return 0;
}

static int
list_by_name(const void *a, const void *b)
{
	const struct partition *p = a, *q = b;

	return strcmp(p->name, q->name);
}

/* Set each IPU's partition; two cannot share an IPU. */
static int
list_owners(struct snapshot *s, struct error *e)
{
	const int count = pod_ipu_count(&s->pod);
	struct partition *p;
	int i, k, ipu;

	s->owner = xcalloc((size_t)count + 1, sizeof(*s->owner));
	for (i = 0; i < count; i++)
		s->owner[i] = OWNER_FREE;
	for (i = 0; i < s->partition_count; i++) {
		p = &s->partitions[i];
		if (placement_check(&s->pod, &p->placement, e) != 0)
			return error_prefix(e, "partition %s", p->name);
		if (i > 0 && strcmp(p[-1].name, p->name) == 0)
			return list_refuse(p->name, "its name appears twice",
			    e);
		for (k = 0; k < partition_size(p); k++) {
			ipu = placement_ipu(&s->pod, &p->placement, k);
			if (s->owner[ipu] != OWNER_FREE)
				return list_refuse(p->name,
				    "its IPUs belong to another partition", e);
			s->owner[ipu] = i;
		}
	}
	return 0;
}

static int
list_fill(const virmgrpc_ListPartitionsReply *m, int64_t now_ms,
    struct snapshot *s, struct reach *reach, struct error *e)
{
	pb_size_t i;

	for (i = 0; i < m->partitions_count; i++)
		if (list_partition(&m->partitions[i], now_ms, &s->pod, reach,
			&s->partitions[i], e) != 0)
			return -1;
	s->partition_count = (int)m->partitions_count;
	qsort(s->partitions, m->partitions_count, sizeof(*s->partitions),
	    list_by_name);
	return list_machines(&s->pod, reach, e) == 0 ? list_owners(s, e) : -1;
}

int
remote_virm_list_read(const virmgrpc_ListPartitionsReply *m, int64_t now_ms,
    struct snapshot *s, struct error *e)
{
	struct reach reach[POD_CLUSTERS_MAX];

	memset(s, 0, sizeof(*s));
	memset(reach, 0, sizeof(reach));
	if (m->partitions_count > PARTITIONS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "more than %d partitions", (int)PARTITIONS_MAX);
	pod_init(&s->pod);
	s->pod.clusters = xcalloc(POD_CLUSTERS_MAX, sizeof(*s->pod.clusters));
	s->pod.allocations = xcalloc(POD_ALLOCATIONS_MAX,
	    sizeof(*s->pod.allocations));
	s->partitions = xcalloc((size_t)m->partitions_count + 1,
	    sizeof(*s->partitions));
	if (list_fill(m, now_ms, s, reach, e) == 0)
		return 0;
	snapshot_release(s);
	return -1;
}

/* ---- state of a partition ---- */

int
remote_virm_list_status(const virmgrpc_GetPartitionStatusReply *m,
    struct partition *p, struct error *e)
{
	const virmgrpc_PartitionStatus *s = &m->status;

	if (!m->has_status ||
	    s->ready_state > _virmgrpc_PartitionReadyState_MAX ||
	    s->operation_state > _virmgrpc_PartitionOperationState_MAX)
		return list_refuse(p->name, "its status is not valid", e);
	p->state = (int32_t)s->ready_state;
	p->operation = (int32_t)s->operation_state;
	p->no_auto_reset = s->max_auto_reset_retries == 0;
	p->resets = s->auto_reset_retry_count > INT32_MAX ?
	    INT32_MAX :
	    (int32_t)s->auto_reset_retry_count;
	if (s->errors_count > 0 && s->errors[0] != NULL)
		text_printable(s->errors[s->errors_count - 1], p->last_error,
		    sizeof(p->last_error));
	return 0;
}

/* ---- IPUs ---- */

typedef virmgrpc_ListIPUAttributesReply_Entry_IpuAttributesEntry ipu_entry;
typedef virmgrpc_ListIPUAttributesReply_Entry_Attributes_AttributesEntry
    attribute_entry;

static int
list_attribute_by_name(const void *a, const void *b)
{
	const struct reported_attribute *p = a, *q = b;

	return strcmp(p->key, q->key);
}

static int
list_ipu_by_number(const void *a, const void *b)
{
	const struct reported_ipu *p = a, *q = b;

	return (p->number > q->number) - (p->number < q->number);
}

/* Copy a text so that it can be printed. */
static char *
list_text(const char *text)
{
	char printable[ATTRIBUTE_SIZE];

	text_printable(text == NULL ? "" : text, printable, sizeof(printable));
	return xstrdup(printable);
}

static void
list_ipu(const ipu_entry *m, struct reported_ipu *u)
{
	const attribute_entry *row = m->value.attributes;

	u->number = m->key;
	u->attributes = xcalloc((size_t)m->value.attributes_count + 1,
	    sizeof(*u->attributes));
	for (; u->count < m->value.attributes_count; u->count++, row++) {
		u->attributes[u->count].key = list_text(row->key);
		u->attributes[u->count].value = list_text(row->value);
	}
	qsort(u->attributes, u->count, sizeof(*u->attributes),
	    list_attribute_by_name);
}

static int
list_ipus_of(const virmgrpc_ListIPUAttributesReply_Entry *m,
    struct ipu_listing *listing, struct error *e)
{
	struct reported_ipu *first = listing->ipus + listing->count;
	pb_size_t i;

	for (i = 0; i < m->ipu_attributes_count; i++) {
		if (name_parse("agent", m->agent == NULL ? "" : m->agent,
			first[i].agent, e) != 0)
			return -1;
		list_ipu(&m->ipu_attributes[i], &first[i]);
		listing->count++;
	}
	qsort(first, m->ipu_attributes_count, sizeof(*first),
	    list_ipu_by_number);
	return 0;
}

int
remote_virm_list_ipus(const virmgrpc_ListIPUAttributesReply *m,
    struct ipu_listing *listing, struct error *e)
{
	size_t count = 0;
	pb_size_t i;

	for (i = 0; i < m->entries_count; i++)
		count += m->entries[i].ipu_attributes_count;
	*listing = (struct ipu_listing){
		.ipus = xcalloc(count + 1, sizeof(*listing->ipus))
	};
	for (i = 0; i < m->entries_count; i++)
		if (list_ipus_of(&m->entries[i], listing, e) != 0) {
			controller_free_ipus(listing);
			return -1;
		}
	return 0;
}

/* ---- IPUoF ---- */

static yyjson_mut_val *
list_device(yyjson_mut_doc *doc, const virmgrpc_IpuofDevice *m)
{
	yyjson_mut_val *d = yyjson_mut_obj(doc);

	yyjson_mut_obj_add_strcpy(doc, d, "ip", m->ip == NULL ? "" : m->ip);
	yyjson_mut_obj_add_uint(doc, d, "server_port", m->server_port);
	yyjson_mut_obj_add_uint(doc, d, "rdma_port", m->rdma_port);
	yyjson_mut_obj_add_uint(doc, d, "device_id", m->device_id);
	yyjson_mut_obj_add_uint(doc, d, "ipulink_segment_id",
	    m->ipulink_segment_id);
	yyjson_mut_obj_add_uint(doc, d, "routing_id", m->routing_id);
	yyjson_mut_obj_add_uint(doc, d, "ipu_arch_id", m->ipu_arch_id);
	yyjson_mut_obj_add_uint(doc, d, "ipu_id", m->ipu_id);
	yyjson_mut_obj_add_strcpy(doc, d, "chip_id",
	    m->chip_id == NULL ? "" : m->chip_id);
	yyjson_mut_obj_add_strcpy(doc, d, "gwsw_version",
	    m->gwsw_version == NULL ? "" : m->gwsw_version);
	yyjson_mut_obj_add_strcpy(doc, d, "ipum_sw_version",
	    m->ipum_sw_version == NULL ? "" : m->ipum_sw_version);
	return d;
}

static yyjson_mut_val *
list_gcd(yyjson_mut_doc *doc, const virmgrpc_PartitionConfig_Gcd *m)
{
	yyjson_mut_val *object = yyjson_mut_obj(doc), *part;
	pb_size_t i;

	part = yyjson_mut_obj_add_obj(doc, object, "attributes");
	for (i = 0; i < m->attributes_count; i++)
		yyjson_mut_obj_add(part,
		    yyjson_mut_strcpy(doc,
			m->attributes[i].key == NULL ? "" :
						       m->attributes[i].key),
		    yyjson_mut_strcpy(doc,
			m->attributes[i].value == NULL ?
			    "" :
			    m->attributes[i].value));
	part = yyjson_mut_obj_add_arr(doc, object, "devices");
	for (i = 0; i < m->devices_count; i++)
		yyjson_mut_arr_append(part, list_device(doc, &m->devices[i]));
	return object;
}

char *
remote_virm_list_ipuof(const virmgrpc_GetPartitionIpuofConfigReply *m, int gcd,
    const struct partition *p, struct error *e)
{
	const virmgrpc_PartitionConfig *config = &m->ipuof_config;
	yyjson_mut_doc *doc;
	yyjson_mut_val *root;
	pb_size_t i;

	if (!m->has_ipuof_config ||
	    config->gcd_configs_count !=
		(gcd >= 0 ? 1 : (pb_size_t)p->num_gcds)) {
		(void)list_refuse(p->name,
		    "its IPUoF configuration has another number of GCDs", e);
		return NULL;
	}
	doc = yyjson_mut_doc_new(NULL);
	if (config->gcd_configs_count == 1) {
		root = list_gcd(doc, config->gcd_configs);
	} else {
		root = yyjson_mut_arr(doc);
		for (i = 0; i < config->gcd_configs_count; i++)
			yyjson_mut_arr_append(root,
			    list_gcd(doc, &config->gcd_configs[i]));
	}
	yyjson_mut_doc_set_root(doc, root);
	return json_text(doc);
}
