/*
 * Operations as calls of virmgrpc.  remote_virm_list.c converts a list to a
 * snapshot.
 */
#include "core/server/remote.h"

#include <bsd/string.h>
#include <virmgrpc.pb.h>

#include <stdbool.h>
#include <string.h>

#include "core/server/remote_virm_list.h"
#include "core/server/rpc/rpc.h"
#include "core/server/server.h"

#define SERVICE "/virmgrpc.UserService/"

/* Refuse an operation that only a vipu-server supports. */
static int
lacks(const struct controller *c, const char *what, struct error *e)
{
	return server_address_lacks(c->where, what, e);
}

/* ---- supported operations ---- */

/* Get the state of a partition that is not simply active. */
static int
virm_status(struct controller *c, struct partition *p, struct error *e)
{
	virmgrpc_GetPartitionStatusRequest request = {
		.partition_id = p->name
	};
	virmgrpc_GetPartitionStatusReply reply =
	    virmgrpc_GetPartitionStatusReply_init_zero;
	int status;

	if (remote_ask(c, SERVICE "GetPartitionStatus",
		virmgrpc_GetPartitionStatusRequest_fields, &request,
		virmgrpc_GetPartitionStatusReply_fields, &reply, e) != 0)
		return -1;
	status = remote_virm_list_status(&reply, p, e);
	rpc_message_release(virmgrpc_GetPartitionStatusReply_fields, &reply);
	return status == 0 ? 0 : remote_refuse(c, e);
}

/* A partition that vanishes meanwhile stays as listed. */
static int
virm_statuses(struct controller *c, struct snapshot *s, struct error *e)
{
	struct error reason;
	struct partition *p = s->partitions;

	for (; p < s->partitions + s->partition_count; p++) {
		if (p->state == PS_ACTIVE || virm_status(c, p, &reason) == 0 ||
		    reason.code == ERROR_NOT_FOUND)
			continue;
		return error_copy(e, &reason);
	}
	return 0;
}

/* The agents are derived from the partitions in any case. */
static int
virm_partitions(struct controller *c, bool agents, struct snapshot *s,
    struct error *e)
{
	virmgrpc_ListPartitionsRequest request =
	    virmgrpc_ListPartitionsRequest_init_zero;
	virmgrpc_ListPartitionsReply reply =
	    virmgrpc_ListPartitionsReply_init_zero;
	int status;

	(void)agents;
	if (remote_ask(c, SERVICE "ListPartitions",
		virmgrpc_ListPartitionsRequest_fields, &request,
		virmgrpc_ListPartitionsReply_fields, &reply, e) != 0)
		return -1;
	status = remote_virm_list_read(&reply, c->now_ms(), s, e);
	rpc_message_release(virmgrpc_ListPartitionsReply_fields, &reply);
	if (status != 0)
		return remote_refuse(c, e);
	if (virm_statuses(c, s, e) == 0)
		return 0;
	snapshot_release(s);
	return -1;
}

static int
virm_list_ipus(struct controller *c, char **agents, size_t agent_count,
    struct ipu_listing *listing, struct error *e)
{
	virmgrpc_ListIPUAttributesRequest request = { .agents = agents,
		.agents_count = (pb_size_t)agent_count };
	virmgrpc_ListIPUAttributesReply reply =
	    virmgrpc_ListIPUAttributesReply_init_zero;
	int status;

	if (remote_ask(c, SERVICE "ListIPUAttributes",
		virmgrpc_ListIPUAttributesRequest_fields, &request,
		virmgrpc_ListIPUAttributesReply_fields, &reply, e) != 0)
		return -1;
	status = remote_virm_list_ipus(&reply, listing, e);
	rpc_message_release(virmgrpc_ListIPUAttributesReply_fields, &reply);
	return status == 0 ? 0 : remote_refuse(c, e);
}

static int
virm_list_files(struct controller *c, bool agents, struct snapshot *s,
    struct error *e)
{
	return remote_files_list(c, virm_partitions, agents, s, e);
}

/* Find the partition by name, and its pod in the snapshot. */
static int
virm_find(struct controller *c, const char *name, struct snapshot *s,
    struct partition *p, struct error *e)
{
	int found;

	if (virm_partitions(c, true, s, e) != 0)
		return -1;
	found = snapshot_look_up(s, name, e);
	if (found == -1) {
		snapshot_release(s);
		return -1;
	}
	*p = s->partitions[found];
	return 0;
}

/* Refuse what the contract cannot express. */
static int
virm_check_request(const struct controller *c,
    const struct partition_request *r, const struct partition_owner *owner,
    struct error *e)
{
	if (owner != NULL)
		return lacks(c, "removing a partition with its job", e);
	if (r->ttl_ms != 0)
		return lacks(c, "--ttl", e);
	if (r->index != -1)
		return lacks(c, "--index", e);
	if (r->first_ipu[0] != '\0')
		return lacks(c, "a partition at a given place", e);
	if (r->gateway_routing == GRT_DEFAULT)
		return lacks(c, "--gateway-routing default", e);
	return 0;
}

static int
virm_create(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, struct partition *created,
    struct error *e)
{
	struct snapshot s;
	struct partition p;
	virmgrpc_CreatePartitionReply reply =
	    virmgrpc_CreatePartitionReply_init_zero;
	virmgrpc_CreatePartitionRequest request = { .has_requirements = true,
		.requirements = { .id = rpc_message_text(r->name),
		    .size = (uint32_t)r->size,
		    .cluster_id = rpc_message_text(r->cluster),
		    .ipulink_routing_type =
			(virmgrpc_IpuLinkRoutingType)r->routing,
		    .num_ipulink_segments = (uint32_t)r->num_ilds,
		    .gw_routing_type =
			(virmgrpc_GatewayRoutingType)r->gateway_routing,
		    .sync_type = (virmgrpc_SyncType)r->sync_type,
		    .num_gcds = (uint32_t)r->num_gcds,
		    .reconfigurable = r->reconfigurable,
		    .num_replicas = (uint32_t)r->num_replicas,
		    .allocation_id = rpc_message_text(r->allocation) },
		.disable_auto_reset = r->no_auto_reset,
		.relocatable = r->relocatable };
	int status;

	if (virm_check_request(c, r, owner, e) != 0 ||
	    remote_ask(c, SERVICE "CreatePartition",
		virmgrpc_CreatePartitionRequest_fields, &request,
		virmgrpc_CreatePartitionReply_fields, &reply, e) != 0)
		return -1;
	rpc_message_release(virmgrpc_CreatePartitionReply_fields, &reply);
	if (virm_find(c, r->name, &s, &p, e) != 0)
		return -1;
	p.relocatable = r->relocatable;
	status = remote_files_write(c, &s.pod, &p, r->ipuof_directory, e);
	snapshot_release(&s);
	if (status == 0 && created != NULL)
		*created = p;
	return status;
}

static int
virm_remove(struct controller *c, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *e)
{
	virmgrpc_RemovePartitionRequest request = {
		.partition_id = rpc_message_text(name),
		.force = force
	};
	virmgrpc_RemovePartitionReply reply =
	    virmgrpc_RemovePartitionReply_init_zero;
	struct snapshot s;
	struct partition p;

	/* Its files are removed afterwards: find out how many it has. */
	if (expected != NULL) {
		p = *expected;
	} else {
		if (virm_find(c, name, &s, &p, e) != 0)
			return -1;
		snapshot_release(&s);
	}
	if (remote_ask(c, SERVICE "RemovePartition",
		virmgrpc_RemovePartitionRequest_fields, &request,
		virmgrpc_RemovePartitionReply_fields, &reply, e) != 0)
		return -1;
	rpc_message_release(virmgrpc_RemovePartitionReply_fields, &reply);
	remote_files_remove(c, &p);
	if (removed != NULL)
		*removed = p;
	return 0;
}

static int
virm_reset(struct controller *c, const char *name, bool relocatable, bool force,
    struct partition *after, struct error *e)
{
	virmgrpc_ResetPartitionRequest request = {
		.partition_id = rpc_message_text(name),
		.relocatable = relocatable
	};
	virmgrpc_ResetPartitionReply reply =
	    virmgrpc_ResetPartitionReply_init_zero;
	struct snapshot s;
	struct partition p;

	if (force)
		return lacks(c, "reset --force", e);
	if (remote_ask(c, SERVICE "ResetPartition",
		virmgrpc_ResetPartitionRequest_fields, &request,
		virmgrpc_ResetPartitionReply_fields, &reply, e) != 0)
		return -1;
	rpc_message_release(virmgrpc_ResetPartitionReply_fields, &reply);
	if (virm_find(c, name, &s, &p, e) != 0)
		return -1;
	snapshot_release(&s);
	if (relocatable)
		remote_files_remove(c, &p);
	if (after != NULL)
		*after = p;
	return 0;
}

/* The server does not report attached programs; the removal itself refuses. */
static int
virm_check_unused(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	(void)c;
	(void)s;
	(void)p;
	(void)e;
	return 0;
}

static char *
virm_ipuof(struct controller *c, const struct partition *p, int gcd,
    struct error *e)
{
	virmgrpc_GetPartitionIpuofConfigRequest request = {
		.partition_id = rpc_message_text(p->name),
		.has_gcd_id = gcd >= 0,
		.gcd_id = { .id = gcd < 0 ? 0 : (uint32_t)gcd }
	};
	virmgrpc_GetPartitionIpuofConfigReply reply =
	    virmgrpc_GetPartitionIpuofConfigReply_init_zero;
	char *text;

	if (remote_ask(c, SERVICE "GetPartitionIpuofConfig",
		virmgrpc_GetPartitionIpuofConfigRequest_fields, &request,
		virmgrpc_GetPartitionIpuofConfigReply_fields, &reply, e) != 0)
		return NULL;
	text = remote_virm_list_ipuof(&reply, gcd, p, e);
	rpc_message_release(virmgrpc_GetPartitionIpuofConfigReply_fields,
	    &reply);
	if (text == NULL)
		(void)remote_refuse(c, e);
	return text;
}

/* ---- unsupported operations ---- */

static int
virm_list(struct controller *c, struct snapshot *s, struct error *e)
{
	(void)s;
	return lacks(c, "reading the description of the pod", e);
}

static int
virm_registry(struct controller *c, struct registry *r, struct error *e)
{
	(void)r;
	return lacks(c, "reading the description of the pod", e);
}

static int
virm_queue(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, const struct wait_options *wait,
    struct partition *created, struct error *e)
{
	(void)r;
	(void)owner;
	(void)wait;
	(void)created;
	return lacks(c, "waiting for free IPUs", e);
}

static int
virm_change_pod(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	(void)change;
	(void)context;
	return lacks(c, "changing the pod", e);
}

static int
virm_test_cluster(struct controller *c, const char *cluster, bool force,
    struct cluster_test *results, struct error *e)
{
	(void)cluster;
	(void)force;
	(void)results;
	return lacks(c, "testing a cluster", e);
}

static int
virm_inject(struct controller *c, const struct injection *in, struct error *e)
{
	(void)in;
	return lacks(c, "injecting a fault", e);
}

static int
virm_user(struct controller *c, const char *name, struct user *u,
    struct error *e)
{
	(void)name;
	(void)u;
	return lacks(c, "reading users", e);
}

static int
virm_users(struct controller *c, struct user **out, struct error *e)
{
	(void)out;
	return lacks(c, "reading users", e);
}

static int
virm_change_user(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	(void)name;
	(void)change;
	return lacks(c, "changing users", e);
}

static int
virm_remove_user(struct controller *c, const char *name, struct error *e)
{
	return virm_change_user(c, name, NULL, e);
}

const struct controller_operations remote_virm_operations = {
	.close = remote_close,
	.list = virm_list,
	.list_partitions = virm_list_files,
	.open_registry = virm_registry,
	.list_ipus = virm_list_ipus,
	.create = virm_create,
	.queue = virm_queue,
	.remove = virm_remove,
	.check_unused = virm_check_unused,
	.reset = virm_reset,
	.ipuof = virm_ipuof,
	.change_pod = virm_change_pod,
	.test_cluster = virm_test_cluster,
	.inject = virm_inject,
	.get_user = virm_user,
	.list_users = virm_users,
	.create_user = virm_change_user,
	.update_user = virm_change_user,
	.remove_user = virm_remove_user,
	.version = remote_version,
	.hold = remote_hold,
	.leave = remote_leave,
};
