/*
 * Operations on partitions as calls of ipubox.v1.  Those on the pod and its
 * users are in remote_ipubox_pod.c.
 */
#include "core/server/remote.h"

#include <bsd/string.h>
#include <ipubox_v1.pb.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "core/server/wire_field.h"
#include "core/state/state.h"

#define PATH(method) "/" REMOTE_IPUBOX_SERVICE "/" method

/* Get a partition that came without its pod. */
static int
ipubox_partition(const struct controller *c, bool has,
    const ipubox_v1_Partition *m, struct partition *p, struct error *e)
{
	if (!has)
		(void)error_set(e, "it has no partition");
	else if (wire_partition_get(m, NULL, p, e) == 0)
		return 0;
	return remote_refuse(c, e);
}

/* ---- reading ---- */

/* The caller releases the reply. */
static int
ipubox_look(struct controller *c, const ipubox_v1_GetSnapshotRequest *request,
    struct snapshot *s, ipubox_v1_GetSnapshotReply *reply, struct error *e)
{
	int status = -1;

	*reply =
	    (ipubox_v1_GetSnapshotReply)ipubox_v1_GetSnapshotReply_init_zero;
	if (remote_ask(c, PATH("GetSnapshot"),
		ipubox_v1_GetSnapshotRequest_fields, request,
		ipubox_v1_GetSnapshotReply_fields, reply, e) != 0)
		return -1;
	if (!reply->has_snapshot)
		(void)error_set(e, "it has no snapshot");
	else
		status = request->without_agents ?
		    wire_snapshot_get_partitions(&reply->snapshot, s, e) :
		    wire_snapshot_get(&reply->snapshot, s, e);
	if (status == 0)
		return 0;
	rpc_message_release(ipubox_v1_GetSnapshotReply_fields, reply);
	return remote_refuse(c, e);
}

static int
ipubox_list(struct controller *c, bool agents, struct snapshot *s,
    struct error *e)
{
	const ipubox_v1_GetSnapshotRequest request = {
		.without_agents = !agents
	};
	ipubox_v1_GetSnapshotReply reply;

	if (ipubox_look(c, &request, s, &reply, e) != 0)
		return -1;
	rpc_message_release(ipubox_v1_GetSnapshotReply_fields, &reply);
	return 0;
}

static int
ipubox_list_partitions(struct controller *c, bool agents, struct snapshot *s,
    struct error *e)
{
	return remote_files_list(c, ipubox_list, agents, s, e);
}

static int
ipubox_list_all(struct controller *c, struct snapshot *s, struct error *e)
{
	return ipubox_list_partitions(c, true, s, e);
}

/* Get the reported IPUs, for a copy; to be freed.  -1: not valid. */
static int
ipubox_ipus(const ipubox_v1_GetSnapshotReply *m, const struct pod *pod,
    struct registry_image_ipu **out, struct error *e)
{
	struct registry_image_ipu *ipus;
	pb_size_t i;

	ipus = xcalloc((size_t)m->ipus_count + 1, sizeof(*ipus));
	for (i = 0; i < m->ipus_count; i++)
		if (wire_snapshot_get_ipu(&m->ipus[i], pod, &ipus[i], e) != 0) {
			free(ipus);
			return -1;
		}
	*out = ipus;
	return (int)m->ipus_count;
}

static int
ipubox_registry(struct controller *c, struct registry *r, struct error *e)
{
	const ipubox_v1_GetSnapshotRequest request = { .with_ipus = true };
	ipubox_v1_GetSnapshotReply reply;
	struct snapshot s;
	struct registry_image_ipu *ipus = NULL;
	int count, status = -1;

	if (ipubox_look(c, &request, &s, &reply, e) != 0)
		return -1;
	count = ipubox_ipus(&reply, &s.pod, &ipus, e);
	if (count == -1)
		(void)remote_refuse(c, e);
	else
		status = registry_image_open(r, c->where, &s, ipus, count, e);
	free(ipus);
	snapshot_release(&s);
	rpc_message_release(ipubox_v1_GetSnapshotReply_fields, &reply);
	return status;
}

/* ---- creating ---- */

/* Receive the answers: reasons for waiting, then the partition. */
static int
ipubox_created(struct controller *c, struct rpc_stream *s,
    const struct wait_options *wait, struct partition *created, struct error *e)
{
	ipubox_v1_CreatePartitionReply reply;
	int status;

	for (;;) {
		reply = (ipubox_v1_CreatePartitionReply)
		    ipubox_v1_CreatePartitionReply_init_zero;
		status = remote_next(c, s,
		    ipubox_v1_CreatePartitionReply_fields, &reply, e);
		if (status == -1)
			return -1;
		if (status == 0) {
			(void)error_set(e, "it ends without a partition");
			return remote_refuse(c, e);
		}
		if (wait != NULL && wait->notify != NULL &&
		    reply.waiting != NULL && reply.waiting[0] != '\0')
			wait->notify(wait->context, reply.waiting);
		if (reply.has_partition)
			status = ipubox_partition(c, true, &reply.partition,
			    created, e);
		rpc_message_release(ipubox_v1_CreatePartitionReply_fields,
		    &reply);
		if (status != 1)
			return status;
	}
}

/* Send the request.  A partition with a lease lasts as long as the stream; a
   job of Slurm does not hold its partition. */
static int
ipubox_ask_create(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, const struct wait_options *wait,
    struct partition *created, struct error *e)
{
	ipubox_v1_CreatePartitionRequest request =
	    ipubox_v1_CreatePartitionRequest_init_zero;
	const bool is_lease = owner != NULL && owner->kind != PO_SLURM;
	struct partition_request asked = *r;
	struct rpc_stream *s;
	int status = -1;

	/* The files are written here, on this host. */
	asked.ipuof_directory[0] = '\0';
	request.has_request = true;
	wire_partition_put_request(&asked, &request.request);
	if (owner != NULL) {
		request.has_owner = true;
		wire_partition_put_owner(is_lease ? PO_LEASE : owner->kind,
		    owner->text, &request.owner);
	}
	if (wait != NULL) {
		request.has_wait = true;
		wire_partition_put_wait(wait->wait_ms, &request.wait);
	}
	s = remote_begin(c, PATH("CreatePartition"),
	    ipubox_v1_CreatePartitionRequest_fields, &request, e);
	if (s != NULL)
		status = ipubox_created(c, s, wait, created, e);
	if (status == 0 && is_lease)
		c->remote->lease = s;
	else
		rpc_stream_drop(s);
	rpc_message_release(ipubox_v1_CreatePartitionRequest_fields, &request);
	return status;
}

/* Create it and write its files, for which the machines must be known. */
static int
ipubox_make(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, const struct wait_options *wait,
    struct partition *created, struct error *e)
{
	struct partition p;
	struct snapshot s;
	int status;

	if (ipubox_ask_create(c, r, owner, wait, &p, e) != 0)
		return -1;
	if (r->ipuof_directory[0] != '\0' && !r->relocatable) {
		if (ipubox_list(c, true, &s, e) != 0)
			return -1;
		status = remote_files_write(c, &s.pod, &p, r->ipuof_directory,
		    e);
		snapshot_release(&s);
		if (status != 0)
			return -1;
	}
	if (created != NULL)
		*created = p;
	return 0;
}

static int
ipubox_create(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, struct partition *created,
    struct error *e)
{
	return ipubox_make(c, r, owner, NULL, created, e);
}

/* The limit counts from the start of the wait, on this host. */
static int
ipubox_queue(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, const struct wait_options *wait,
    struct partition *created, struct error *e)
{
	struct wait_options left = *wait;

	if (wait->wait_ms >= 0 && wait->since_ms != 0) {
		left.wait_ms -= c->monotonic_ms() - wait->since_ms;
		if (left.wait_ms < 0)
			left.wait_ms = 0;
	}
	return ipubox_make(c, r, owner, &left, created, e);
}

/* ---- removing ---- */

static int
ipubox_remove(struct controller *c, const char *name,
    const struct partition *expected, bool force, struct partition *removed,
    struct error *e)
{
	ipubox_v1_RemovePartitionRequest request =
	    ipubox_v1_RemovePartitionRequest_init_zero;
	ipubox_v1_RemovePartitionReply reply =
	    ipubox_v1_RemovePartitionReply_init_zero;
	struct partition p;
	int status;

	if (!force && remote_files_check_removal(c, name, e) != 0)
		return -1;
	request.name = rpc_message_text(name);
	request.force = force;
	if (expected != NULL)
		request.id = wire_field_bytes(expected->id,
		    sizeof(expected->id));
	status = remote_ask(c, PATH("RemovePartition"),
	    ipubox_v1_RemovePartitionRequest_fields, &request,
	    ipubox_v1_RemovePartitionReply_fields, &reply, e);
	free(request.id);
	if (status != 0)
		return -1;
	status = ipubox_partition(c, reply.has_partition, &reply.partition, &p,
	    e);
	if (status == 0) {
		if (reply.left != NULL && reply.left[0] != '\0')
			(void)error_set(&c->left, "%s", reply.left);
		remote_files_remove(c, &p);
		if (removed != NULL)
			*removed = p;
	}
	rpc_message_release(ipubox_v1_RemovePartitionReply_fields, &reply);
	return status;
}

static int
ipubox_check_unused(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	ipubox_v1_CheckRemovalRequest request =
	    ipubox_v1_CheckRemovalRequest_init_zero;
	ipubox_v1_CheckRemovalReply reply =
	    ipubox_v1_CheckRemovalReply_init_zero;
	int status = 0;

	(void)s;
	request.name = rpc_message_text(p->name);
	if (remote_ask(c, PATH("CheckRemoval"),
		ipubox_v1_CheckRemovalRequest_fields, &request,
		ipubox_v1_CheckRemovalReply_fields, &reply, e) != 0)
		return -1;
	if (reply.busy != NULL && reply.busy[0] != '\0')
		status = error_set_code(e, ERROR_BUSY, "%s", reply.busy);
	rpc_message_release(ipubox_v1_CheckRemovalReply_fields, &reply);
	return status;
}

/* ---- resetting ---- */

static int
ipubox_reset(struct controller *c, const char *name, bool relocatable,
    bool force, struct partition *after, struct error *e)
{
	ipubox_v1_ResetPartitionRequest request =
	    ipubox_v1_ResetPartitionRequest_init_zero;
	ipubox_v1_ResetPartitionReply reply =
	    ipubox_v1_ResetPartitionReply_init_zero;
	struct partition p;
	int status;

	request.name = rpc_message_text(name);
	request.relocatable = relocatable;
	request.force = force;
	if (remote_ask(c, PATH("ResetPartition"),
		ipubox_v1_ResetPartitionRequest_fields, &request,
		ipubox_v1_ResetPartitionReply_fields, &reply, e) != 0)
		return -1;
	status = ipubox_partition(c, reply.has_partition, &reply.partition, &p,
	    e);
	rpc_message_release(ipubox_v1_ResetPartitionReply_fields, &reply);
	if (status != 0)
		return -1;
	if (relocatable) {
		p.relocatable = false;
		remote_files_remove(c, &p);
		p.relocatable = true;
	}
	if (after != NULL)
		*after = p;
	return 0;
}

/* ---- waiting ---- */

static long
ipubox_list_waiting(struct controller *c, struct ticket **out, struct error *e)
{
	static const ipubox_v1_ListWaitingRequest request =
	    ipubox_v1_ListWaitingRequest_init_zero;
	ipubox_v1_ListWaitingReply reply = ipubox_v1_ListWaitingReply_init_zero;
	struct ticket *all;
	long i, count;

	if (remote_ask(c, PATH("ListWaiting"),
		ipubox_v1_ListWaitingRequest_fields, &request,
		ipubox_v1_ListWaitingReply_fields, &reply, e) != 0)
		return -1;
	count = (long)reply.waiting_count;
	all = xcalloc((size_t)count + 1, sizeof(*all));
	for (i = 0; i < count; i++)
		if (wire_partition_get_ticket(&reply.waiting[i], &all[i], e) !=
		    0)
			break;
	rpc_message_release(ipubox_v1_ListWaitingReply_fields, &reply);
	if (i == count) {
		*out = all;
		return count;
	}
	free(all);
	return remote_refuse(c, e);
}

const struct controller_operations remote_ipubox_operations = {
	.close = remote_close,
	.list = ipubox_list_all,
	.list_partitions = ipubox_list_partitions,
	.open_registry = ipubox_registry,
	.create = ipubox_create,
	.queue = ipubox_queue,
	.list_waiting = ipubox_list_waiting,
	.remove = ipubox_remove,
	.check_unused = ipubox_check_unused,
	.reset = ipubox_reset,
	.change_pod = remote_ipubox_pod_change,
	.test_cluster = remote_ipubox_pod_test,
	.inject = remote_ipubox_pod_inject,
	.get_user = remote_ipubox_pod_user,
	.list_users = remote_ipubox_pod_users,
	.create_user = remote_ipubox_pod_create_user,
	.update_user = remote_ipubox_pod_update_user,
	.remove_user = remote_ipubox_pod_remove_user,
	.version = remote_version,
	.hold = remote_hold,
	.leave = remote_leave,
};
