/*
 * The IPUoF configuration as a message: what stands in an IPUoF file
 * (core/control/ipuof.h) under the names of the contract, so it is made of that
 * text, and both say the same.
 */
#include "applets/vipu-server/config_messages.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/pod/routing.h"

static char *
config_text(yyjson_val *object, const char *key)
{
	const char	*text = yyjson_get_str(yyjson_obj_get(object, key));

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

/* One GCD: its devices and what programs are told of it. */
static void
config_gcd(virmgrpc_PartitionConfig_Gcd *m, yyjson_val *object)
{
	yyjson_val	*devices = yyjson_obj_get(object, "devices");
	yyjson_val	*attributes = yyjson_obj_get(object, "attributes");
	yyjson_val	*key, *value, *d;
	size_t		 i, max;

	m->devices = xcalloc(yyjson_arr_size(devices) + 1,
	    sizeof(*m->devices));
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

/* The file's text has an object, or an array of several GCDs. */
static void
config_gcds(virmgrpc_PartitionConfig *m, const char *text)
{
	yyjson_doc	*doc = yyjson_read(text, strlen(text),
	    YYJSON_READ_NOFLAG);
	yyjson_val	*root = yyjson_doc_get_root(doc), *gcd;
	size_t		 i, max;

	m->gcd_configs = xcalloc(yyjson_is_arr(root) ? yyjson_arr_size(root) +
	    1 : 1, sizeof(*m->gcd_configs));
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
	char	*text;

	if (gcd >= p->num_gcds)
		return error_set_code(e, ERROR_INVALID, "gcd_id %lld: "
		    "partition %s has GCDs 0 to %d", (long long)gcd, p->name,
		    p->num_gcds - 1);
	m->ipulink_routing_type = (virmgrpc_IpuLinkRoutingType)p->routing;
	m->sync_type = (virmgrpc_SyncType)p->sync_type;
	m->reconfigurable = p->reconfigurable != 0;
	m->gw_routing_type = (virmgrpc_GatewayRoutingType)
	    routing_gateway_used(pod, &p->placement, p->gateway_routing);
	m->num_ipulink_segments = (uint32_t)p->placement.ild_count;
	m->ipuof_server_version = xstrdup(v->ipuof_server);
	text = ipuof_text(pod, p, (int)gcd, v);
	config_gcds(m, text);
	free(text);
	return 0;
}
