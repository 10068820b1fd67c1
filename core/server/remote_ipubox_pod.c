/*
 * Operations on the pod, its faults and its users as calls of ipubox.v1.
 */
#include "core/server/remote.h"

#include <ipubox_v1.pb.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "core/server/wire_field.h"

#define PATH(method) "/" REMOTE_IPUBOX_SERVICE "/" method

/* Retries of a change when the pod changes meanwhile. */
enum { TRIES = 5 };

/* ---- the pod ---- */

/* 1: the pod changed meanwhile, as the error says. */
static int
pod_send(struct controller *c, const unsigned char *base,
    const struct inventory *wanted, struct error *e)
{
	ipubox_v1_ReplacePodRequest request =
	    ipubox_v1_ReplacePodRequest_init_zero;
	ipubox_v1_ReplacePodReply reply = ipubox_v1_ReplacePodReply_init_zero;
	struct error reason;
	int status;

	request.base = wire_field_bytes(base, SHA512_DIGEST_LENGTH);
	request.has_wanted = true;
	wire_inventory_put(wanted, &request.wanted);
	status = remote_ask(c, PATH("ReplacePod"),
	    ipubox_v1_ReplacePodRequest_fields, &request,
	    ipubox_v1_ReplacePodReply_fields, &reply, &reason);
	rpc_message_release(ipubox_v1_ReplacePodRequest_fields, &request);
	if (status == 0) {
		rpc_message_release(ipubox_v1_ReplacePodReply_fields, &reply);
		return 0;
	}
	(void)error_copy(e, &reason);
	return reason.code == ERROR_STALE ? 1 : -1;
}

/* Try once, on a copy of the present pod. */
static int
pod_try(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	unsigned char base[SHA512_DIGEST_LENGTH];
	struct inventory inventory;
	struct snapshot copy;
	int status;

	if (transaction_list(c, &copy, e) != 0)
		return -1;
	inventory = (struct inventory){ .pod = &copy.pod,
		.partitions = copy.partitions,
		.partition_count = copy.partition_count };
	wire_inventory_digest(&inventory, base);
	status = change(&inventory, context, e);
	if (status == 0)
		status = pod_send(c, base, &inventory, e);
	/* The array may have been reallocated. */
	copy.partitions = inventory.partitions;
	copy.partition_count = inventory.partition_count;
	snapshot_release(&copy);
	return status;
}

int
remote_ipubox_pod_change(struct controller *c,
    int (*change)(struct inventory *, void *, struct error *), void *context,
    struct error *e)
{
	int i, status = 1;

	for (i = 0; i < TRIES && status == 1; i++)
		status = pod_try(c, change, context, e);
	return status == 0 ? 0 : -1;
}

int
remote_ipubox_pod_test(struct controller *c, const char *cluster, bool force,
    struct cluster_test *results, struct error *e)
{
	ipubox_v1_TestClusterRequest request =
	    ipubox_v1_TestClusterRequest_init_zero;
	ipubox_v1_TestClusterReply reply = ipubox_v1_TestClusterReply_init_zero;
	int status;

	request.cluster = rpc_message_text(cluster);
	request.force = force;
	if (remote_ask(c, PATH("TestCluster"),
		ipubox_v1_TestClusterRequest_fields, &request,
		ipubox_v1_TestClusterReply_fields, &reply, e) != 0)
		return -1;
	status = wire_trial_get_results(&reply, results, e);
	rpc_message_release(ipubox_v1_TestClusterReply_fields, &reply);
	return status == 0 ? 0 : remote_refuse(c, e);
}

int
remote_ipubox_pod_inject(struct controller *c, const struct injection *in,
    struct error *e)
{
	ipubox_v1_InjectFaultRequest request =
	    ipubox_v1_InjectFaultRequest_init_zero;
	ipubox_v1_InjectFaultReply reply = ipubox_v1_InjectFaultReply_init_zero;
	int status;

	wire_trial_put_injection(in, &request);
	status = remote_ask(c, PATH("InjectFault"),
	    ipubox_v1_InjectFaultRequest_fields, &request,
	    ipubox_v1_InjectFaultReply_fields, &reply, e);
	rpc_message_release(ipubox_v1_InjectFaultRequest_fields, &request);
	if (status == 0)
		rpc_message_release(ipubox_v1_InjectFaultReply_fields, &reply);
	return status;
}

/* ---- users ---- */

/* List users by name, "" for all; to be freed.  Returns their number or -1. */
static int
pod_list_users(struct controller *c, const char *name, struct user **out,
    struct error *e)
{
	ipubox_v1_ListUsersRequest request =
	    ipubox_v1_ListUsersRequest_init_zero;
	ipubox_v1_ListUsersReply reply = ipubox_v1_ListUsersReply_init_zero;
	struct user *users;
	pb_size_t i;
	int count = 0;

	request.name = rpc_message_text(name);
	if (remote_ask(c, PATH("ListUsers"), ipubox_v1_ListUsersRequest_fields,
		&request, ipubox_v1_ListUsersReply_fields, &reply, e) != 0)
		return -1;
	users = xcalloc((size_t)reply.users_count + 1, sizeof(*users));
	for (i = 0; i < reply.users_count && count != -1; i++)
		count = wire_user_get(&reply.users[i], &users[i], e) == 0 ?
		    count + 1 :
		    -1;
	rpc_message_release(ipubox_v1_ListUsersReply_fields, &reply);
	if (count == -1) {
		free(users);
		return remote_refuse(c, e);
	}
	*out = users;
	return count;
}

int
remote_ipubox_pod_user(struct controller *c, const char *name, struct user *u,
    struct error *e)
{
	struct user *users;
	int count = pod_list_users(c, name, &users, e);

	if (count == -1)
		return -1;
	if (count > 0)
		*u = users[0];
	free(users);
	if (count == 1 && strcmp(u->name, name) == 0)
		return 0;
	(void)error_set(e, "it describes other users");
	return remote_refuse(c, e);
}

int
remote_ipubox_pod_users(struct controller *c, struct user **out,
    struct error *e)
{
	return pod_list_users(c, "", out, e);
}

int
remote_ipubox_pod_create_user(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	ipubox_v1_CreateUserRequest request =
	    ipubox_v1_CreateUserRequest_init_zero;
	ipubox_v1_CreateUserReply reply = ipubox_v1_CreateUserReply_init_zero;
	int status;

	request.name = xstrdup(name);
	request.has_change = true;
	wire_user_put_change(change, &request.change);
	status = remote_ask(c, PATH("CreateUser"),
	    ipubox_v1_CreateUserRequest_fields, &request,
	    ipubox_v1_CreateUserReply_fields, &reply, e);
	rpc_message_release(ipubox_v1_CreateUserRequest_fields, &request);
	return status;
}

int
remote_ipubox_pod_update_user(struct controller *c, const char *name,
    const struct user_change *change, struct error *e)
{
	ipubox_v1_UpdateUserRequest request =
	    ipubox_v1_UpdateUserRequest_init_zero;
	ipubox_v1_UpdateUserReply reply = ipubox_v1_UpdateUserReply_init_zero;
	int status;

	request.name = xstrdup(name);
	request.has_change = true;
	wire_user_put_change(change, &request.change);
	status = remote_ask(c, PATH("UpdateUser"),
	    ipubox_v1_UpdateUserRequest_fields, &request,
	    ipubox_v1_UpdateUserReply_fields, &reply, e);
	rpc_message_release(ipubox_v1_UpdateUserRequest_fields, &request);
	return status;
}

int
remote_ipubox_pod_remove_user(struct controller *c, const char *name,
    struct error *e)
{
	ipubox_v1_RemoveUserRequest request =
	    ipubox_v1_RemoveUserRequest_init_zero;
	ipubox_v1_RemoveUserReply reply = ipubox_v1_RemoveUserReply_init_zero;

	request.name = rpc_message_text(name);
	return remote_ask(c, PATH("RemoveUser"),
	    ipubox_v1_RemoveUserRequest_fields, &request,
	    ipubox_v1_RemoveUserReply_fields, &reply, e);
}
