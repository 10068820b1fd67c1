/*
 * Partitions to messages, and requests to our structs.
 */
#include "applets/vipu-server/waiters.h"

#include <bsd/string.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/pod/pod.h"

/* ---- outgoing ---- */

/*
 * Fill in the place of each IPU and its ids in the partition.  An example of a
 * group over two ILDs, starting at IPU 4 of ILD 1:
 *
 *	routing_id			0 1 2 3
 *	topology_id			4 5 4 5
 *	ipulink_domain_routing_id	0 0 1 1
 *	ipulink_domain_topology_id	1 1 2 2
 */
static void
messages_ipus(virmgrpc_PartitionSpec *spec, const struct placement *p)
{
	int i, count = p->per_ild * p->ild_count;

	spec->ipus = xcalloc((size_t)count, sizeof(*spec->ipus));
	spec->ipus_count = (pb_size_t)count;
	for (i = 0; i < count; i++)
		spec->ipus[i] = (virmgrpc_PartitionIpu){
			.ipulink_domain_topology_id =
			    (uint32_t)(p->first_ild + i / p->per_ild),
			.ipulink_domain_routing_id = (uint32_t)(i / p->per_ild),
			.topology_id = (uint32_t)(p->offset + i % p->per_ild),
			.routing_id = (uint32_t)i
		};
}

static void
messages_partition(virmgrpc_Partition *m, const struct pod *pod,
    const struct partition *p, const struct versions *v)
{
	virmgrpc_PartitionSpec *spec = &m->spec;

	m->id = xstrdup(p->name);
	m->ready_state = (virmgrpc_PartitionReadyState)p->state;
	m->ipuof_server_version = xstrdup(v->ipuof_server);
	m->has_spec = true;
	spec->cluster_id = xstrdup(pod->clusters[p->placement.cluster].name);
	if (p->allocation != -1)
		spec->allocation_id =
		    xstrdup(pod->allocations[p->allocation].name);
	messages_ipus(spec, &p->placement);
	spec->ipulink_routing_type = (virmgrpc_IpuLinkRoutingType)p->routing;
	spec->gw_routing_type =
	    (virmgrpc_GatewayRoutingType)routing_gateway_used(pod,
		&p->placement, p->gateway_routing);
	spec->sync_type = (virmgrpc_SyncType)p->sync_type;
	spec->num_gcds = (uint32_t)p->num_gcds;
	spec->num_ipulink_segments = (uint32_t)p->placement.ild_count;
	spec->num_replicas = (uint32_t)p->num_replicas;
	spec->reconfigurable = p->reconfigurable != 0;
}

void
user_messages_list(virmgrpc_ListPartitionsReply *m, const struct snapshot *s,
    int allocation, const struct versions *v)
{
	int i;

	m->partitions = xcalloc((size_t)s->partition_count + 1,
	    sizeof(*m->partitions));
	for (i = 0; i < s->partition_count; i++)
		if (allocation == -1 ||
		    s->partitions[i].allocation == allocation)
			messages_partition(
			    &m->partitions[m->partitions_count++], &s->pod,
			    &s->partitions[i], v);
}

/* A partition without automatic resets has no retries. */
void
user_messages_status(virmgrpc_PartitionStatus *m, const struct partition *p)
{
	m->partition_id = xstrdup(p->name);
	m->ready_state = (virmgrpc_PartitionReadyState)p->state;
	m->operation_state = (virmgrpc_PartitionOperationState)p->operation;
	if (p->last_error[0] != '\0') {
		m->errors = xcalloc(1, sizeof(*m->errors));
		m->errors[m->errors_count++] = xstrdup(p->last_error);
	}
	m->max_auto_reset_retries = p->no_auto_reset ? 0 : LIFECYCLE_PERIODICS;
	m->auto_reset_retry_count = (uint32_t)p->resets;
	m->has_last_auto_reset_time = p->resets > 0;
	if (m->has_last_auto_reset_time) {
		m->last_auto_reset_time.seconds = p->reset_ms / 1000;
		m->last_auto_reset_time.nanos = (int32_t)(p->reset_ms % 1000) *
		    1000000;
	}
}

/* ---- incoming ---- */

/* Check a number against the largest kind of pod; request_check() and the
   placements check it against this pod. */
static int
messages_number(const char *what, uint32_t value, uint32_t max, int *number,
    struct error *e)
{
	if (value > max)
		return error_set_code(e, ERROR_INVALID,
		    "%s %" PRIu32 ": too large, the limit is %" PRIu32, what,
		    value, max);
	*number = (int)value;
	return 0;
}

/* Check a constant of the contract; a newer contract may have more. */
static int
messages_constant(const char *what, int value, int max, int *number,
    struct error *e)
{
	if (value < 0 || value > max)
		return error_set_code(e, ERROR_INVALID,
		    "%s %d: this server does not know this value", what, value);
	*number = value;
	return 0;
}

/* Copy a name, which may be missing. */
static int
messages_name(const char *what, const char *text, char name[NAME_SIZE],
    struct error *e)
{
	return text == NULL || text[0] == '\0' ?
	    0 :
	    name_parse(what, text, name, e);
}

static int
messages_numbers(const virmgrpc_PartitionRequirements *m,
    struct partition_request *r, struct error *e)
{
	if (messages_number("size", m->size, POD_IPUS_MAX, &r->size, e) != 0 ||
	    messages_number("num_gcds", m->num_gcds, POD_IPUS_MAX, &r->num_gcds,
		e) != 0 ||
	    messages_number("num_replicas", m->num_replicas, POD_IPUS_MAX,
		&r->num_replicas, e) != 0 ||
	    messages_number("num_ipulink_segments", m->num_ipulink_segments,
		POD_IPUS_MAX, &r->num_ilds, e) != 0 ||
	    messages_constant("ipulink_routing_type",
		(int)m->ipulink_routing_type, IRT_RINGSWNC, &r->routing,
		e) != 0 ||
	    messages_constant("gw_routing_type", (int)m->gw_routing_type,
		GRT_SWRING, &r->gateway_routing, e) != 0)
		return -1;
	return messages_constant("sync_type", (int)m->sync_type,
	    ST_POD_NATIVE_REPLICATED_PIPELINE, &r->sync_type, e);
}

/* ---- requests for single IPUs ---- */

/* Return the requested cluster, or -1. */
static int
messages_cluster(const struct pod *pod, const struct partition_request *r,
    struct error *e)
{
	int found = r->allocation[0] != '\0' ?
	    pod_find_allocation(pod, r->allocation) :
	    -1;

	if (r->cluster[0] != '\0')
		found = pod_find_cluster(pod, r->cluster);
	else if (found != -1)
		found = pod->allocations[found].cluster;
	else if (pod->cluster_count == 1)
		found = 0;
	return found != -1 ?
	    found :
	    error_set_code(e, ERROR_INVALID,
		"ipus: the cluster is not clear; name an existing "
		"allocation_id or cluster_id");
}

/* Whether the list matches a partition that starts at its first IPU. */
static bool
messages_is_place(const virmgrpc_PartitionRequirements *m, int per_ild)
{
	const virmgrpc_PartitionIpu *first = &m->ipus[0], *ipu;
	uint32_t i, per = (uint32_t)per_ild;

	for (i = 0; i < m->ipus_count; i++) {
		ipu = &m->ipus[i];
		if (ipu->ipulink_domain_topology_id -
			    first->ipulink_domain_topology_id !=
			i / per ||
		    ipu->topology_id - first->topology_id != i % per ||
		    (ipu->routing_id != 0 && ipu->routing_id != i) ||
		    (ipu->ipulink_domain_routing_id != 0 &&
			ipu->ipulink_domain_routing_id != i / per))
			return false;
	}
	return true;
}

/*
 * Read IPUs in the order of their routing ids; only the first one's name is
 * kept, because it determines the place.
 */
static int
messages_place(const virmgrpc_PartitionRequirements *m, const struct pod *pod,
    struct partition_request *r, struct error *e)
{
	const virmgrpc_PartitionIpu *first = m->ipus;
	const struct cluster *c;
	int at, ilds, ild_ipus;

	if (m->ipus_count == 0)
		return 0;
	if (r->size == 0)
		r->size = (int)m->ipus_count;
	ilds = r->num_ilds == 0 ? 1 : r->num_ilds;
	if (r->size != (int)m->ipus_count || r->size % ilds != 0 ||
	    !messages_is_place(m, r->size / ilds))
		return error_set_code(e, ERROR_INVALID,
		    "ipus: must be a group of %d neighbouring IPUs in each of "
		    "%d IPU-Link domains, in the order of their routing ids",
		    r->size / ilds, ilds);
	if ((at = messages_cluster(pod, r, e)) == -1)
		return -1;
	c = &pod->clusters[at];
	ild_ipus = pod_cluster_ild_ipus(c);
	if (first->ipulink_domain_topology_id >= (uint32_t)c->ild_count ||
	    first->topology_id >= (uint32_t)ild_ipus)
		return error_set_code(e, ERROR_INVALID,
		    "ipus: IPU %" PRIu32 " of IPU-Link domain %" PRIu32
		    " is not in cluster %s",
		    first->topology_id, first->ipulink_domain_topology_id,
		    c->name);
	at = c->first_agent * IPUS_PER_MACHINE +
	    ild_ipus * (int)first->ipulink_domain_topology_id +
	    (int)first->topology_id;
	(void)strlcpy(r->cluster, c->name, sizeof(r->cluster));
	r->num_ilds = ilds;
	pod_ipu_name(pod, at, r->first_ipu, sizeof(r->first_ipu));
	return 0;
}

int
user_messages_request(const virmgrpc_CreatePartitionRequest *m,
    const struct pod *pod, struct partition_request *r, struct error *e)
{
	const virmgrpc_PartitionRequirements *wanted = &m->requirements;

	request_init(r);
	if (!m->has_requirements)
		return error_set_code(e, ERROR_INVALID,
		    "requirements: missing");
	if (name_parse("partition", wanted->id == NULL ? "" : wanted->id,
		r->name, e) != 0 ||
	    messages_name("cluster", wanted->cluster_id, r->cluster, e) != 0 ||
	    messages_name("allocation", wanted->allocation_id, r->allocation,
		e) != 0)
		return error_recode(e, ERROR_INVALID);
	if (messages_numbers(wanted, r, e) != 0)
		return -1;
	r->reconfigurable = wanted->reconfigurable;
	r->relocatable = m->relocatable;
	r->no_auto_reset = m->disable_auto_reset;
	return messages_place(wanted, pod, r, e);
}

/* ---- configuration of a program ---- */

static char *
config_text(yyjson_val *object, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, key));

	return xstrdup(text != NULL ? text : "");
}

static uint32_t
config_number(yyjson_val *object, const char *key)
{
	return (uint32_t)yyjson_get_uint(yyjson_obj_get(object, key));
}

static void
config_device(virmgrpc_IpuofDevice *m, yyjson_val *d)
{
	m->ip = config_text(d, "ip");
	m->server_port = config_number(d, "server_port");
	m->rdma_port = config_number(d, "rdma_port");
	m->device_id = config_number(d, "device_id");
	m->ipulink_segment_id = config_number(d, "ipulink_segment_id");
	m->routing_id = config_number(d, "routing_id");
	m->ipu_arch_id = config_number(d, "ipu_arch_id");
	m->ipu_id = config_number(d, "ipu_id");
	m->chip_id = config_text(d, "chip_id");
	m->gwsw_version = config_text(d, "gwsw_version");
	m->ipum_sw_version = config_text(d, "ipum_sw_version");
}

/* Fill in one GCD: its devices and the settings of programs. */
static void
config_gcd(virmgrpc_PartitionConfig_Gcd *m, yyjson_val *object)
{
	yyjson_val *devices = yyjson_obj_get(object, "devices");
	yyjson_val *attributes = yyjson_obj_get(object, "attributes");
	yyjson_val *key, *value, *d;
	size_t i, max;

	m->devices = xcalloc(yyjson_arr_size(devices) + 1, sizeof(*m->devices));
	yyjson_arr_foreach(devices, i, max, d)
		config_device(&m->devices[m->devices_count++], d);
	m->attributes = xcalloc(yyjson_obj_size(attributes) + 1,
	    sizeof(*m->attributes));
	yyjson_obj_foreach(attributes, i, max, key, value) {
		m->attributes[m->attributes_count].key =
		    xstrdup(yyjson_get_str(key));
		m->attributes[m->attributes_count++].value =
		    xstrdup(yyjson_get_str(value));
	}
}

/* Read the file's text: an object, or an array of several GCDs. */
static void
config_gcds(virmgrpc_PartitionConfig *m, const char *text)
{
	yyjson_doc *doc = yyjson_read(text, strlen(text), YYJSON_READ_NOFLAG);
	yyjson_val *root = yyjson_doc_get_root(doc), *gcd;
	size_t i, max;

	m->gcd_configs =
	    xcalloc(yyjson_is_arr(root) ? yyjson_arr_size(root) + 1 : 1,
		sizeof(*m->gcd_configs));
	if (yyjson_is_obj(root))
		config_gcd(&m->gcd_configs[m->gcd_configs_count++], root);
	yyjson_arr_foreach(root, i, max, gcd)
		config_gcd(&m->gcd_configs[m->gcd_configs_count++], gcd);
	yyjson_doc_free(doc);
}

int
config_messages_fill(virmgrpc_PartitionConfig *m, const struct pod *pod,
    const struct partition *p, int64_t gcd, const struct versions *v,
    struct error *e)
{
	char *text;

	if (gcd >= p->num_gcds)
		return error_set_code(e, ERROR_INVALID,
		    "gcd_id %lld: partition %s has GCDs 0 to %d",
		    (long long)gcd, p->name, p->num_gcds - 1);
	m->ipulink_routing_type = (virmgrpc_IpuLinkRoutingType)p->routing;
	m->sync_type = (virmgrpc_SyncType)p->sync_type;
	m->reconfigurable = p->reconfigurable != 0;
	m->gw_routing_type =
	    (virmgrpc_GatewayRoutingType)routing_gateway_used(pod,
		&p->placement, p->gateway_routing);
	m->num_ipulink_segments = (uint32_t)p->placement.ild_count;
	m->ipuof_server_version = xstrdup(v->ipuof_server);
	text = ipuof_text(pod, p, (int)gcd, v);
	config_gcds(m, text);
	free(text);
	return 0;
}
