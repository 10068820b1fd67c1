/*
 * Requests of users and administrators that the contract lacks.  waiters.c has
 * the calls that wait.
 */
#include "applets/vipu-server/vipu-server_internal.h"

#include <ipubox_v1.pb.h>

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu-server/waiters.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/control/control.h"
#include "core/pod/pod.h"
#include "core/server/rpc/rpc.h"
#include "core/server/wire.h"
#include "core/server/wire_field.h"
#include "core/state/state.h"

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

/* Handle ReplacePod. */
static int
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

/* Handle TestCluster and InjectFault. */
static int
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

static int
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

/* Handle ListUsers, CreateUser, UpdateUser and RemoveUser. */
static int
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

static int
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

static int
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

static int
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

/* ---- reading ---- */

/* Keep only the program's name of a command line that the caller may not read:
   on this host another user's; over TCP any, except for administrators. */
static void
hide_command(const struct asking *a, struct ipu_slot *slot)
{
	char name[SLOT_COMMAND_SIZE];

	if (holder_may_read(slot, a->id.caller.reader))
		return;
	holder_program(slot->command, name, sizeof(name));
	memset(slot->command, 0, sizeof(slot->command));
	(void)strlcpy(slot->command, name, sizeof(slot->command));
}

/* Whether the caller may see that IPU: it does not belong to another user. */
static bool
sees_ipu(const struct snapshot *s, int ipu)
{
	return s->owner[ipu] != OWNER_UNSEEN &&
	    (!s->limited ||
		s->pod.agents[ipu / IPUS_PER_MACHINE].allocation != -1);
}

/* Add programs, errors and counters; IPUs without any are skipped. */
static void
add_ipus(const struct asking *a, const struct registry *r,
    const struct snapshot *s, ipubox_v1_GetSnapshotReply *m)
{
	const int ipus = pod_ipu_count(&s->pod);
	struct registry_image_ipu i;
	pb_size_t room = 0;

	for (i.ipu = 0; i.ipu < ipus; i.ipu++) {
		if (!sees_ipu(s, i.ipu))
			continue;
		i.is_held = registry_holder(r, i.ipu, &i.slot);
		if (!i.is_held)
			registry_copy(r, i.ipu, &i.slot);
		if (!wire_snapshot_has_report(&i))
			continue;
		hide_command(a, &i.slot);
		if (m->ipus_count == room) {
			room = 2 * room + 16;
			m->ipus = xreallocarray(m->ipus, room,
			    sizeof(*m->ipus));
		}
		memset(&m->ipus[m->ipus_count], 0, sizeof(*m->ipus));
		wire_snapshot_put_ipu(&i, &m->ipus[m->ipus_count++]);
	}
}

static int
controller_snapshot(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_GetSnapshotRequest *m = request;
	ipubox_v1_GetSnapshotReply reply = ipubox_v1_GetSnapshotReply_init_zero;
	struct registry *r = NULL;
	struct snapshot s, sent;

	if (m->with_ipus && (r = daemon_registry(a->daemon, e)) == NULL)
		return -1;
	if (transaction_list(a->controller, &s, e) != 0)
		return -1;
	reply.has_snapshot = true;
	/* The number of agents replaces them. */
	sent = s;
	if (m->without_agents)
		sent.pod.agent_count = 0;
	wire_snapshot_put(&sent, clock_real_ms(), &reply.snapshot);
	if (m->without_agents)
		reply.snapshot.pod.agent_count = (uint32_t)s.pod.agent_count;
	if (r != NULL) {
		snapshot_freeze(&s, r, clock_real_ns());
		add_ipus(a, r, &s, &reply);
		registry_thaw(r);
	}
	snapshot_release(&s);
	rpc_message_reply(a->call, ipubox_v1_GetSnapshotReply_fields, &reply);
	rpc_message_release(ipubox_v1_GetSnapshotReply_fields, &reply);
	return 0;
}

static int
controller_placements(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_ListPlacementsRequest *m = request;
	ipubox_v1_ListPlacementsReply reply =
	    ipubox_v1_ListPlacementsReply_init_zero;
	struct partition_request r;
	struct placement *all;
	struct snapshot s;
	int i, count;

	if (wire_partition_get_request(&m->request, &r, e) != 0 ||
	    (count = create_placements(a->controller, &r, &s, &all, e)) == -1)
		return -1;
	reply.has_snapshot = true;
	wire_snapshot_put(&s, clock_real_ms(), &reply.snapshot);
	reply.placements_count = (pb_size_t)count;
	reply.placements = xcalloc((size_t)count + 1,
	    sizeof(*reply.placements));
	for (i = 0; i < count; i++)
		wire_partition_put_placement(&all[i], &reply.placements[i]);
	free(all);
	snapshot_release(&s);
	rpc_message_reply(a->call, ipubox_v1_ListPlacementsReply_fields,
	    &reply);
	rpc_message_release(ipubox_v1_ListPlacementsReply_fields, &reply);
	return 0;
}

static int
controller_waiting(const struct asking *a, const void *request, struct error *e)
{
	ipubox_v1_ListWaitingReply reply = ipubox_v1_ListWaitingReply_init_zero;
	struct ticket *all;
	long i, count = queue_list(a->controller, &all, e);

	(void)request;
	if (count == -1)
		return -1;
	reply.waiting_count = (pb_size_t)count;
	reply.waiting = xcalloc((size_t)count + 1, sizeof(*reply.waiting));
	for (i = 0; i < count; i++)
		wire_partition_put_ticket(&all[i], &reply.waiting[i]);
	free(all);
	rpc_message_reply(a->call, ipubox_v1_ListWaitingReply_fields, &reply);
	rpc_message_release(ipubox_v1_ListWaitingReply_fields, &reply);
	return 0;
}

static int
controller_shortage(const struct asking *a, const void *request,
    struct error *e)
{
	char text[RPC_SERVER_SHORTAGE_SIZE];
	ipubox_v1_GetShortageReply reply = { .shortage = text };

	(void)request;
	(void)e;
	rpc_server_shortage(a->daemon->rpc, text);
	rpc_message_reply(a->call, ipubox_v1_GetShortageReply_fields, &reply);
	return 0;
}

/* ---- creating ---- */

/* The caller writes the files itself: the server writes nothing but its
   state. */
static int
check_directory(const struct partition_request *r, struct error *e)
{
	return r->ipuof_directory[0] == '\0' ?
	    0 :
	    error_set_code(e, ERROR_DENIED,
		"ipuof_directory: the server writes no IPUoF files; leave out "
		"this field, and write the files on the host that reads them");
}

/*
 * Take the owner of a partition that ends with its caller, or with a job of
 * Slurm; Slurm's epilog removes the latter.  The server could not observe the
 * life of any other owner.
 */
static int
controller_owner(const ipubox_v1_Owner *m, int *kind,
    char text[OWNER_TEXT_SIZE], struct error *e)
{
	if (wire_partition_get_owner(m, kind, text, e) != 0)
		return -1;
	return *kind == PO_LEASE || *kind == PO_SLURM ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"owner: must be a lease if a server creates the partition, not "
		"'%s'",
		owner_kind_name(*kind));
}

static int
controller_create(const struct asking *a, const void *request, struct error *e)
{
	const ipubox_v1_CreatePartitionRequest *m = request;
	struct partition_request r;
	struct partition created;
	char text[OWNER_TEXT_SIZE];
	struct partition_owner owner = { .text = text };
	int64_t wait_ms;

	if (wire_partition_get_request(&m->request, &r, e) != 0 ||
	    check_directory(&r, e) != 0 ||
	    (m->has_owner &&
		controller_owner(&m->owner, &owner.kind, text, e) != 0))
		return -1;
	if (m->has_wait && owner.kind == PO_SLURM)
		return error_set_code(e, ERROR_INVALID,
		    "wait: the partition of a job of Slurm is created at once; "
		    "leave out this field, and try again later");
	if (m->has_wait)
		return wire_partition_get_wait(&m->wait, &wait_ms, e) != 0 ?
		    -1 :
		    waiters_create(a->call, &a->id, &r,
			m->has_owner ? text : NULL, wait_ms, e);
	if (owner.kind == PO_LEASE)
		return waiters_lease(a->call, &a->id, &r, text, e);
	if (create_owned_partition(a->controller, &r,
		m->has_owner ? &owner : NULL, &created, e) != 0)
		return -1;
	daemon_changed(a->call, &a->id, "create partition %s (%d IPUs)",
	    created.name, partition_size(&created));
	waiters_reply_created(a->call, &created);
	return 0;
}

/* ---- removing and resetting ---- */

/* With an identity, remove only the partition that has it. */
static int
controller_remove(const struct asking *a, const void *request, struct error *e)
{
	const ipubox_v1_RemovePartitionRequest *m = request;
	struct partition wanted = { .name = "" };
	struct partition removed;
	const char *left;
	int status;

	if (wire_field_copy("name", m->name, wanted.name, sizeof(wanted.name),
		e) != 0 ||
	    wire_field_copy_bytes("id", m->id, wanted.id, sizeof(wanted.id),
		e) != 0)
		return -1;
	status = m->id != NULL && m->id->size > 0 ?
	    remove_begin_same(a->controller, &wanted, m->force, &removed, e) :
	    remove_begin(a->controller, wanted.name, m->force, &removed, e);
	if (status == -1)
		return -1;
	left = controller_leftover(a->controller);
	daemon_changed(a->call, &a->id, "remove partition %s%s", removed.name,
	    m->force ? " by force" : "");
	if (status == 1)
		waiters_gone(a->call, &a->id, &removed, left);
	else
		waiters_reply_removed(a->call, &removed, left);
	return 0;
}

static int
controller_check_removal(const struct asking *a, const void *request,
    struct error *e)
{
	const ipubox_v1_CheckRemovalRequest *m = request;
	ipubox_v1_CheckRemovalReply reply =
	    ipubox_v1_CheckRemovalReply_init_zero;
	struct error busy = { .text = "" };
	struct snapshot s;
	int found;

	if (transaction_list(a->controller, &s, e) != 0)
		return -1;
	found = snapshot_look_up(&s, asking_text(m->name), e);
	if (found != -1 &&
	    remove_check(a->controller, &s, &s.partitions[found], &busy) != 0)
		reply.busy = xstrdup(busy.text);
	snapshot_release(&s);
	if (found == -1)
		return -1;
	rpc_message_reply(a->call, ipubox_v1_CheckRemovalReply_fields, &reply);
	rpc_message_release(ipubox_v1_CheckRemovalReply_fields, &reply);
	return 0;
}

/* Check for a pending reset.  1: nothing to do, and *p is the partition. */
static int
reset_look(const struct asking *a, const char *name, struct partition *p,
    struct error *e)
{
	struct snapshot s;
	int found, status = -1;

	if (transaction_list(a->controller, &s, e) != 0)
		return -1;
	found = snapshot_look_up(&s, name, e);
	if (found != -1) {
		*p = s.partitions[found];
		status = !reset_is_needed(a->controller, &s, p);
	}
	snapshot_release(&s);
	return status;
}

static int
controller_reset(const struct asking *a, const void *request, struct error *e)
{
	const ipubox_v1_ResetPartitionRequest *m = request;
	ipubox_v1_ResetPartitionReply reply =
	    ipubox_v1_ResetPartitionReply_init_zero;
	const char *name = asking_text(m->name);
	struct partition p;
	int skips = 0;

	if (m->only_needed && (skips = reset_look(a, name, &p, e)) == -1)
		return -1;
	if (!skips) {
		if (reset_partition(a->controller, name, m->relocatable,
			m->force, &p, e) != 0)
			return -1;
		daemon_changed(a->call, &a->id, "reset partition %s%s%s",
		    p.name, m->relocatable ? ", relocatable from now on" : "",
		    m->force ? ", by force" : "");
	}
	reply.skipped = skips;
	reply.has_partition = true;
	wire_partition_put(&p, &reply.partition);
	rpc_message_reply(a->call, ipubox_v1_ResetPartitionReply_fields,
	    &reply);
	rpc_message_release(ipubox_v1_ResetPartitionReply_fields, &reply);
	return 0;
}

static int
controller_wait(const struct asking *a, const void *request, struct error *e)
{
	const ipubox_v1_WaitPartitionRequest *m = request;
	const ipubox_v1_Wait wait = { .for_ever = m->for_ever,
		.wait_ms = m->wait_ms };
	struct partition p = { .name = "" };
	int64_t wait_ms;

	if (wire_field_copy("name", m->name, p.name, sizeof(p.name), e) != 0 ||
	    wire_field_copy_bytes("id", m->id, p.id, sizeof(p.id), e) != 0 ||
	    wire_partition_get_wait(&wait, &wait_ms, e) != 0)
		return -1;
	return waiters_configured(a->call, &a->id, &p, wait_ms, e);
}

/* ---- the table ---- */

#define CONTROLLER_ROW(method, admin, function) \
	ASKING_ROW("ipubox.v1.ControllerService", ipubox_v1, method, admin, \
	    function)

static const struct asking_row controller_rows[] = {
	CONTROLLER_ROW(GetSnapshot, false, controller_snapshot),
	CONTROLLER_ROW(CreatePartition, false, controller_create),
	CONTROLLER_ROW(ListPlacements, false, controller_placements),
	CONTROLLER_ROW(ListWaiting, false, controller_waiting),
	CONTROLLER_ROW(RemovePartition, false, controller_remove),
	CONTROLLER_ROW(CheckRemoval, false, controller_check_removal),
	CONTROLLER_ROW(ResetPartition, false, controller_reset),
	CONTROLLER_ROW(WaitPartition, false, controller_wait),
	CONTROLLER_ROW(GetShortage, true, controller_shortage),
	CONTROLLER_ROW(ReplacePod, true, administration_replace),
	CONTROLLER_ROW(TestCluster, true, administration_test),
	CONTROLLER_ROW(InjectFault, true, administration_inject),
	CONTROLLER_ROW(ListUsers, true, administration_list_users),
	CONTROLLER_ROW(CreateUser, true, administration_create_user),
	CONTROLLER_ROW(UpdateUser, true, administration_update_user),
	CONTROLLER_ROW(RemoveUser, true, administration_remove_user),
};
_Static_assert(ARRAY_SIZE(controller_rows) == CONTROLLER_SERVICE_METHODS,
    "each method has a row");

static void
controller_take(struct rpc_call *call, const void *bytes, size_t size)
{
	asking_take(controller_rows, call, bytes, size);
}

/* One message creates a partition; a second one is a mistake. */
static void
controller_take_create(struct rpc_call *call, const void *bytes, size_t size)
{
	if (rpc_call_data(call) == NULL) {
		controller_take(call, bytes, size);
		return;
	}
	waiters_end(call, RPC_END_CANCELLED);
	rpc_call_finish(call, RPC_INVALID_ARGUMENT,
	    "a second request was sent; a call makes one partition");
}

void
controller_service_methods(struct daemon *d,
    struct rpc_method rows[CONTROLLER_SERVICE_METHODS])
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(controller_rows); i++) {
		rows[i] = (struct rpc_method){ .path = controller_rows[i].path,
			.take = controller_take,
			.end = waiters_end,
			.context = d };
		if (controller_rows[i].act != controller_create)
			continue;
		rows[i].is_stream = true;
		rows[i].take = controller_take_create;
		rows[i].half_close = waiters_half_close;
	}
}
