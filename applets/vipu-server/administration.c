/*
 * Requests of administrators about a pod.
 */
#include "applets/vipu-server/asking.h"

#include <ipubox_v1.pb.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"

/* ---- the pod ---- */

/* Replace the pod, under the lock, if it is still the one that was changed. */
static int
replace_change(struct inventory *now, void *context, struct error *e)
{
	const ipubox_v1_ReplacePodRequest *m = context;
	unsigned char digest[SHA512_DIGEST_LENGTH];

	wire_inventory_digest(now, digest);
	if (m->base == NULL || m->base->size != sizeof(digest) ||
	    memcmp(m->base->bytes, digest, sizeof(digest)) != 0)
		return error_set_code(e, ERROR_STALE,
		    "the pod has changed meanwhile; try again");
	return wire_inventory_get(&m->wanted, now, e);
}

int
administration_replace(const struct asking *a, const void *request,
    struct error *e)
{
	ipubox_v1_ReplacePodRequest m;

	memcpy(&m, request, sizeof(m));
	if (pod_change_run(a->controller, replace_change, &m, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "change pod %s",
	    asking_text(m.wanted.pod.name));
	rpc_call_reply(a->call, "", 0);
	return 0;
}

/* ---- tests and faults ---- */

int
administration_test(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_TestClusterRequest *m = request;
	ipubox_v1_TestClusterReply reply = ipubox_v1_TestClusterReply_init_zero;
	struct cluster_test results[WIRING_TESTS];

	if (cluster_test_run(a->controller, asking_text(m->cluster), m->force,
		results, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "test cluster %s%s",
	    asking_text(m->cluster), m->force ? " by force" : "");
	wire_trial_put_results(results, &reply);
	rpc_message_reply(a->call, ipubox_v1_TestClusterReply_fields, &reply);
	rpc_message_release(ipubox_v1_TestClusterReply_fields, &reply);
	return 0;
}

int
administration_inject(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_InjectFaultRequest *m = request;
	struct injection in;

	if (wire_trial_get_injection(m, &in, e) != 0 ||
	    inject_fault(a->controller, &in, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "inject fault %s into %s",
	    inject_words[in.fault], in.target);
	rpc_call_reply(a->call, "", 0);
	return 0;
}

/* ---- users ---- */

/* Find one user by name, or all of them. */
static int
users_find(struct controller *c, const char *name, struct user **out,
    struct error *e)
{
	if (name[0] == '\0')
		return users_list(c, out, e);
	*out = xcalloc(1, sizeof(**out));
	if (users_get(c, name, *out, e) == 0)
		return 1;
	free(*out);
	*out = NULL;
	return -1;
}

int
administration_list_users(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_ListUsersRequest *m = request;
	ipubox_v1_ListUsersReply reply = ipubox_v1_ListUsersReply_init_zero;
	struct user *users = NULL;
	int i, count;

	count = users_find(a->controller, asking_text(m->name), &users, e);
	if (count == -1)
		return -1;
	reply.users_count = (pb_size_t)count;
	reply.users = xcalloc((size_t)count + 1, sizeof(*reply.users));
	for (i = 0; i < count; i++)
		wire_user_put(&users[i], &reply.users[i]);
	rpc_message_reply(a->call, ipubox_v1_ListUsersReply_fields, &reply);
	rpc_message_release(ipubox_v1_ListUsersReply_fields, &reply);
	free(users);
	return 0;
}

int
administration_create_user(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_CreateUserRequest *m = request;
	struct user_change change;

	wire_user_get_change(&m->change, &change);
	if (change.key == NULL || change.key[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "a new user needs an access key");
	if (users_create(a->controller, asking_text(m->name), &change, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "create user %s", m->name);
	rpc_call_reply(a->call, "", 0);
	return 0;
}

int
administration_update_user(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_UpdateUserRequest *m = request;
	struct user_change change;

	wire_user_get_change(&m->change, &change);
	if (change.key != NULL && change.key[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "the access key is empty; give a key, or none to keep the "
		    "old one");
	if (users_update(a->controller, asking_text(m->name), &change, e) != 0)
		return -1;
	a->daemon->users_changed = true;
	daemon_changed(a->call, &a->id, "update user %s%s", m->name,
	    change.key != NULL ? ", with a new key" : "");
	rpc_call_reply(a->call, "", 0);
	return 0;
}

int
administration_remove_user(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_RemoveUserRequest *m = request;

	if (users_remove(a->controller, asking_text(m->name), e) != 0)
		return -1;
	a->daemon->users_changed = true;
	daemon_changed(a->call, &a->id, "remove user %s", m->name);
	rpc_call_reply(a->call, "", 0);
	return 0;
}
