/*
 * The partition of a job: named, the only one that exists, or created for the
 * job.
 *
 * Source: PopRun user guide 2.8; names of the target options from published
 * logs.
 */
#include <bsd/string.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/control/control.h"
#include "core/job/job.h"
#include "core/launch/plan/job_partition.h"
#include "core/launch/plan/partition_choice.h"
#include "core/launch/plan/plan.h"
#include "core/pod/pod.h"
#include "core/state/state.h"

/* An instance can attach to the IPUs of one IPU-Link domain. */
enum { INSTANCE_IPUS_MAX = ILD_IPUS_MAX };

/* Record what the rest of poprun needs to know about the partition. */
static void
partition_describe(const struct launch_settings *s, const struct pod *pod,
    const struct partition *p, struct job_partition *job)
{
	struct target_options options = {
		.link_domain_ipus = p->placement.per_ild,
		.instance_ipus = layout_instance_ipus(&s->layout),
	};
	int ipus = (int)layout_ipus(&s->layout), size;

	(void)strlcpy(job->name, p->name, sizeof(job->name));
	job->known = *p;
	job->device_id = 0;
	job->reconfigurable = p->reconfigurable;
	job->num_ilds = p->placement.ild_count;
	target_options_set_routing(&options, p->routing);
	job->options = target_options_text(&options);
	if (!p->reconfigurable)
		return;
	/* A reconfigurable partition gets a device for the job. */
	options.link_domain_ipus =
	    pod_cluster_ild_ipus(&pod->clusters[p->placement.cluster]);
	job->device_options = target_options_text(&options);
	job->device_text = target_options_device_text(&options);
	job->device_count = partition_size(p) / ipus;
	/* A reconfigurable partition has a device for each IPU, then for each
	   pair, each four and so on. */
	for (size = 1; size < ipus; size *= 2)
		job->device_id += partition_size(p) / size;
}

/* With emulated hosts the names are those of another pod: if this pod has only
   one such place, use it. */
static bool
is_foreign_cluster(const struct plan *plan, const struct pod *pod)
{
	const char *name = plan->settings->cluster;

	return name != NULL && plan->emulated && pod->cluster_count == 1 &&
	    pod_find_cluster(pod, name) == -1;
}

static bool
is_foreign_allocation(const struct plan *plan, const struct pod *pod)
{
	const char *name = plan->settings->allocation;

	return name != NULL && plan->emulated && pod->allocation_count <= 1 &&
	    pod_find_allocation(pod, name) == -1;
}

/* Request a partition that fits the job exactly: one GCD per instance. */
static void
make_request(const struct plan *plan, const struct pod *pod, const char *name,
    struct partition_request *r)
{
	const struct launch_settings *s = plan->settings;

	request_init(r);
	(void)strlcpy(r->name, name, sizeof(r->name));
	if (s->cluster != NULL && !is_foreign_cluster(plan, pod))
		(void)strlcpy(r->cluster, s->cluster, sizeof(r->cluster));
	if (s->allocation != NULL && !is_foreign_allocation(plan, pod))
		(void)strlcpy(r->allocation, s->allocation,
		    sizeof(r->allocation));
	r->num_ilds = s->layout.num_ilds;
	r->sync_type = s->sync_type;
	r->size = (int)layout_ipus(&s->layout);
	r->num_gcds = s->layout.num_instances;
	/* one per GCD, as in the guide's example */
	r->num_replicas = s->layout.num_instances;
}

/* Check that the partition has the job's shape. */
static int
check_fit(const struct launch_settings *s, const struct partition *p,
    struct error *e)
{
	const struct layout *l = &s->layout;
	long ipus = layout_ipus(l);

	if (p->reconfigurable && partition_size(p) < ipus)
		return error_set(e,
		    "partition %s has %d IPUs, but %d replicas of %d IPUs need "
		    "%ld",
		    p->name, partition_size(p), l->num_replicas,
		    l->ipus_per_replica, ipus);
	if (!p->reconfigurable && partition_size(p) != ipus)
		return error_set(e,
		    "partition %s has %d IPUs, but %d replicas of %d IPUs need "
		    "a partition of %ld",
		    p->name, partition_size(p), l->num_replicas,
		    l->ipus_per_replica, ipus);
	if (!p->reconfigurable && p->num_gcds != l->num_instances)
		return error_set(e,
		    "partition %s has %d GCDs, but %d instances need one each",
		    p->name, p->num_gcds, l->num_instances);
	if (l->num_ilds != 0 && p->placement.ild_count != l->num_ilds)
		return error_set(e,
		    "partition %s lies in %d IPU-Link domain%s, but --num-ilds "
		    "asks for %d",
		    p->name, p->placement.ild_count,
		    p->placement.ild_count == 1 ? "" : "s", l->num_ilds);
	return 0;
}

/* Return the user's choice, or PopRun's default. */
static bool
wants_reset(const struct launch_settings *s, const struct partition *p)
{
	return s->reset_partition == ANSWER_YES ||
	    (s->reset_partition == ANSWER_DEFAULT && !p->reconfigurable);
}

/* Check that programs can use it now. */
static int
check_state(const struct partition *p, struct error *e)
{
	if (p->state == PS_ACTIVE)
		return 0;
	(void)error_set(e, "partition %s is in state PS_%s, not PS_ACTIVE",
	    p->name, partition_state_name(p->state));
	if (p->last_error[0] != '\0')
		(void)error_append(e, " (%s)", p->last_error);
	return -1;
}

/* Wait until it is configured.  If it does not become active, reset it, up to
   --vipu-partition-attempts times. */
static int
await_active(struct controller *c, const struct launch_settings *s,
    struct partition *p, struct error *e)
{
	int attempt;

	for (attempt = 1;; attempt++) {
		if (wait_configured(c, -1, p, e) != 0)
			return -1;
		if (p->state == PS_ACTIVE || attempt >= s->partition_attempts)
			return check_state(p, e);
		job_log_line(LOG_INFO,
		    "Partition %s is in state PS_%s after attempt %d of %d, "
		    "resetting it",
		    p->name, partition_state_name(p->state), attempt,
		    s->partition_attempts);
		if (reset_partition(c, p->name, false, false, p, e) != 0)
			return -1;
	}
}

/* Reset it if wanted, and wait until it is configured. */
static int
make_ready(struct controller *c, const struct launch_settings *s,
    struct partition *p, struct error *e)
{
	const bool is_asked = s->reset_partition == ANSWER_YES;
	const bool resets = wants_reset(s, p);

	if (s->dry_run)
		return resets || p->state == PS_PENDING ? 0 : check_state(p, e);
	/* The published log of a default reset does not have the line. */
	if (resets)
		job_log_line(is_asked ? LOG_DEBUG : LOG_TRACE,
		    "Resetting partition %s", p->name);
	/* Another user's partition may be used as it is. */
	if (resets && reset_partition(c, p->name, false, false, p, e) != 0 &&
	    (is_asked || e->code != ERROR_DENIED))
		return -1;
	return await_active(c, s, p, e);
}

int
job_partition_check_layout(const struct layout *l, struct error *e)
{
	if (!bits_is_power_of_two((unsigned long)layout_ipus(l)))
		return error_set(e,
		    "%d replicas of %d IPUs need %ld IPUs: the size of a "
		    "partition must be a power of two",
		    l->num_replicas, l->ipus_per_replica, layout_ipus(l));
	if (layout_ipus(l) > POD_IPUS_MAX)
		return error_set(e,
		    "%d replicas of %d IPUs need %ld IPUs: the largest pod has "
		    "%d",
		    l->num_replicas, l->ipus_per_replica, layout_ipus(l),
		    (int)POD_IPUS_MAX);
	if (layout_instance_ipus(l) > INSTANCE_IPUS_MAX)
		return error_set(e,
		    "each instance would use %ld IPUs, but may use at most %d: "
		    "use more instances",
		    layout_instance_ipus(l), (int)INSTANCE_IPUS_MAX);
	return 0;
}

/* Plan the partition's place; `old` is removed first, -1: none. */
static int
partition_plan_creation(const struct plan *plan, struct snapshot *snapshot,
    const char *name, int old, struct partition *p, struct error *e)
{
	struct partition_request request;
	struct error reason;
	int i, gateway;

	make_request(plan, &snapshot->pod, name, &request);
	memset(p, 0, sizeof(*p));
	snapshot_own_partitions(snapshot);
	for (i = 0; i < pod_ipu_count(&snapshot->pod); i++)
		if (old != -1 && snapshot->owner[i] == old)
			snapshot->owner[i] = -1;
	if (request_check(&request, &reason) != 0)
		return error_copy(e, &reason);
	if (placement_choose(&snapshot->pod, snapshot->owner, &request,
		&p->placement, &reason) != 0) {
		(void)error_copy(e, &reason);
		/* Never possible here, not only now. */
		return reason.code == ERROR_INVALID ?
		    pod_hint_append(&request, e) :
		    -1;
	}
	if (routing_choose(&snapshot->pod, &p->placement, &request, &p->routing,
		&gateway, e) != 0)
		return -1;
	(void)strlcpy(p->name, name, sizeof(p->name));
	p->num_gcds = request.num_gcds;
	return 0;
}

/* Remove it without force: a partition in use stays, and the job is refused for
   that reason. */
static int
remove_unfit(struct controller *c, const struct partition *p, struct error *e)
{
	if (remove_same(c, p, e) != 0)
		return -1;
	job_log_line(LOG_INFO, "Removed partition %s, which does not fit",
	    p->name);
	return 0;
}

static void
describe_owner(char text[OWNER_TEXT_SIZE])
{
	const struct passwd *user = getpwuid(getuid());
	struct holder_place place;

	holder_place_init(&place);
	holder_owner_record(text, "poprun", &place, getpid(),
	    user != NULL ? user->pw_name : "unknown");
}

/* Create a partition that ends with a connection, which the guard takes
   over. */
static int
create_leased(const struct partition_request *request,
    struct partition *created, struct job_partition *job, struct error *e)
{
	struct controller *lease = job_server_open(job->server, e);
	char text[OWNER_TEXT_SIZE];
	struct partition_owner owner = { .kind = PO_LEASE, .text = text };

	if (lease == NULL)
		return -1;
	describe_owner(text);
	if (create_owned_partition(lease, request, &owner, created, e) == 0 &&
	    guard_start(&job->guard, &(struct guard_task){ .lease = lease },
		lease, e) == 0) {
		controller_leave(lease);
		return 0;
	}
	controller_close(lease);
	return -1;
}

/* A server cannot see locks of this host.  If it only has the published
   contract, the guard asks it for the removal. */
static int
create_guarded(struct controller *c, const struct partition_request *request,
    struct partition *created, struct job_partition *job, struct error *e)
{
	struct error reason;

	if (create_leased(request, created, job, &reason) == 0)
		return 0;
	if (reason.code != ERROR_UNSUPPORTED)
		return error_copy(e, &reason);
	if (create_partition(c, request, created, e) != 0)
		return -1;
	if (guard_start(&job->guard,
		&(struct guard_task){ .server = job->server,
		    .partition = created },
		c, e) == 0)
		return 0;
	(void)remove_same(c, created, NULL);
	return -1;
}

/* Lock the owner and start the guard before the partition exists. */
static int
create_temporary(struct controller *c, const struct partition_request *request,
    struct partition *created, struct job_partition *job, struct error *e)
{
	char text[OWNER_TEXT_SIZE];
	struct partition_owner owner = { .kind = PO_PROCESS,
		.lock = &job->owner,
		.text = text };

	if (controller_where(c) != NULL)
		return create_guarded(c, request, created, job, e);
	describe_owner(text);
	if (owner_lock_open(&job->owner, e) != 0)
		return -1;
	if (guard_start(&job->guard,
		&(struct guard_task){ .owner = &job->owner }, c, e) == 0) {
		if (create_owned_partition(c, request, &owner, created, e) == 0)
			return 0;
		guard_stop(&job->guard);
	}
	owner_lock_close(&job->owner);
	return -1;
}

/* Create it; a partition that is to stay has no owner. */
static int
partition_create(struct controller *c, const struct plan *plan,
    const struct pod *pod, const char *name, struct partition *created,
    struct job_partition *job, struct error *e)
{
	const struct launch_settings *s = plan->settings;
	struct partition_request request;

	make_request(plan, pod, name, &request);
	if ((s->remove_partition ?
		    create_temporary(c, &request, created, job, e) :
		    create_partition(c, &request, created, e)) != 0)
		return -1;
	job->created = true;
	job->known = *created;
	(void)strlcpy(job->name, name, sizeof(job->name));
	if (await_active(c, s, created, e) != 0)
		return -1;
	job_log_line(LOG_INFO, "Created partition %s of %d IPUs in %d GCD%s",
	    name, partition_size(created), created->num_gcds,
	    created->num_gcds == 1 ? "" : "s");
	return 0;
}

/* Obtain the partition `name`, as it is or newly made. */
static int
obtain(struct controller *c, const struct plan *plan, struct snapshot *snapshot,
    const char *name, struct job_partition *job, struct partition *p,
    struct error *e)
{
	const struct launch_settings *s = plan->settings;
	struct error busy;
	int found = snapshot_find(snapshot, name);

	if (found != -1) {
		*p = snapshot->partitions[found];
		job_log_line(LOG_DEBUG, "Status for partition %s: OK (error 0)",
		    name);
		job_log_line(LOG_INFO,
		    "Partition %s already exists and is in state: PS_%s", name,
		    partition_state_name(p->state));
		if (check_fit(s, p, e) == 0 && make_ready(c, s, p, e) == 0)
			return 0;
		/* It belongs to another user of the pod. */
		if (e->code == ERROR_DENIED)
			return -1;
		/* --update-partition does not remove a partition that a program
		   uses either. */
		if (!s->update_partition)
			return remove_check(c, snapshot, p, &busy) == 0 ?
			    error_append(e,
				"; --update-partition=yes lets poprun replace "
				"it") :
			    error_append(e, "; %s", busy.text);
	} else if (!s->update_partition) {
		(void)error_set(e,
		    "partition %s does not exist: --update-partition=yes lets "
		    "poprun create it (vipu list partitions shows the existing "
		    "ones)",
		    name);
		(void)snapshot_suggest(snapshot, name, e);
		return controller_append_place(c, e);
	}
	if (found != -1 &&
	    partition_choice_check_owner(&snapshot->partitions[found], e) != 0)
		return -1;
	job->without_cluster = is_foreign_cluster(plan, &snapshot->pod);
	job->without_allocation = is_foreign_allocation(plan, &snapshot->pod);
	/* Check before a removal too: do not give up a partition that cannot be
	   replaced. */
	if (job->unplanned.code != ERROR_NONE) {
		if (s->dry_run)
			return error_copy(e, &job->unplanned);
	} else if (partition_plan_creation(plan, snapshot, name, found, p, e) !=
	    0) {
		return -1;
	}
	if (s->dry_run) {
		job->planned = true;
		return 0;
	}
	if (found != -1 &&
	    remove_unfit(c, &snapshot->partitions[found], e) != 0)
		return -1;
	return partition_create(c, plan, &snapshot->pod, name, p, job, e);
}

/* List the partitions, and get the pod for a plan if the server reports it. */
static int
partition_list(struct controller *c, struct snapshot *snapshot,
    struct job_partition *job, struct error *e)
{
	if (transaction_list(c, snapshot, &job->unplanned) == 0) {
		job->unplanned.code = ERROR_NONE;
		return 0;
	}
	return job->unplanned.code != ERROR_UNSUPPORTED ?
	    error_copy(e, &job->unplanned) :
	    transaction_list_partitions(c, true, snapshot, e);
}

int
job_partition_ensure(const struct plan *plan, struct job_partition *job,
    struct error *e)
{
	const struct launch_settings *s = plan->settings;
	char name[NAME_SIZE];
	struct controller *c;
	struct snapshot snapshot;
	struct partition p;
	int status = -1;

	job->server = &plan->server;
	if ((c = job_server_open(job->server, e)) == NULL)
		return -1;
	if (partition_list(c, &snapshot, job, e) == 0) {
		status = partition_choice_name(s, c, &snapshot, name, e);
		if (status == 0) {
			job_log_line(LOG_DEBUG, "Connecting to %s:%d",
			    plan->server.host, plan->server.port);
			status = obtain(c, plan, &snapshot, name, job, &p, e);
		}
		if (status == 0)
			partition_describe(s, &snapshot.pod, &p, job);
		snapshot_release(&snapshot);
	}
	controller_close(c);
	if (status != 0 || job->planned)
		return status;
	if (job->reconfigurable)
		job_log_line(LOG_DEBUG, "The reconfigurable partition %s is OK",
		    name);
	else
		job_log_line(LOG_DEBUG,
		    "Done polling, final state of %s: PS_%s", name,
		    partition_state_name(p.state));
	return 0;
}

/* Return the job's partition in a snapshot, not another with the same name now;
   or NULL. */
static const struct partition *
find_own(const struct job_partition *job, const struct snapshot *s)
{
	const int found = snapshot_find(s, job->name);

	return found != -1 &&
		(!identity_is_set(job->known.id) ||
		    identity_is_same(&s->partitions[found], &job->known)) ?
	    &s->partitions[found] :
	    NULL;
}

/* A failed read may succeed a moment later. */
int
job_partition_look(const struct job_partition *job, struct error *e)
{
	struct registry registry;
	struct snapshot s;
	const struct partition *p;
	int status = 0;

	if (job->name[0] == '\0')
		return 1;
	if (job_server_open_reader(job->server, &registry, e) != 0)
		return 0;
	if (snapshot_take(&registry, &s, e) == 0) {
		if ((p = find_own(job, &s)) == NULL)
			status = error_set(e, "partition %s was removed",
			    job->name);
		else
			status = check_state(p, e) == 0;
		snapshot_release(&s);
	}
	registry_close(&registry);
	return status;
}

/* A partition that cannot be read counts as unused. */
int
job_partition_check_unused(const struct job_partition *job, struct error *e)
{
	struct controller *c = job_server_open(job->server, e);
	struct snapshot s;
	const struct partition *p;
	int status = 0;

	if (c != NULL && transaction_list_partitions(c, true, &s, e) == 0) {
		if ((p = find_own(job, &s)) != NULL)
			status = remove_check(c, &s, p, e);
		snapshot_release(&s);
	}
	controller_close(c);
	return status;
}

/* Only errors after the job's start count; earlier ones belong to other
   jobs. */
bool
job_partition_failed(const struct job_partition *job, int64_t since_ms,
    struct error *e)
{
	struct registry registry;
	struct snapshot s;
	const struct partition *p;
	bool failed = false;

	if (job->name[0] == '\0' ||
	    job_server_open_reader(job->server, &registry, NULL) != 0)
		return false;
	if (snapshot_take(&registry, &s, NULL) == 0) {
		p = find_own(job, &s);
		failed = p == NULL || p->error_ms >= since_ms;
		if (p == NULL)
			(void)error_set(e,
			    "partition %s was removed during the job",
			    job->name);
		else if (failed)
			(void)error_set(e,
			    "partition %s failed during the job: %s; it is in "
			    "state PS_%s now",
			    job->name, p->last_error,
			    partition_state_name(p->state));
		snapshot_release(&s);
	}
	registry_close(&registry);
	return failed;
}

/* The guard ends after the removal: until then it would remove the partition of
   a killed poprun. */
int
job_partition_release(const struct launch_settings *s,
    struct job_partition *job, struct error *e)
{
	struct controller *c;
	int status = -1;

	if (!job->created || !s->remove_partition)
		return 0;
	c = job_server_open(job->server, e);
	if (c != NULL)
		status = remove_same(c, &job->known, e);
	controller_close(c);
	guard_stop(&job->guard);
	owner_lock_close(&job->owner);
	if (status == 0)
		job_log_line(LOG_INFO, "Removed partition %s", job->name);
	return status;
}
