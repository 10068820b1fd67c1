/*
 * Creating a partition: the rules of core/pod choose its place (create_plan()),
 * its life begins, the state stores it, and its IPUoF files are written.
 * Waiting for IPUs is in queue.c.
 */

#include <bsd/string.h>

#include <assert.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/control.h"
#include "core/control/controller_internal.h"
#include "core/control/ipuof_files.h"
#include "core/control/lifecycle.h"
#include "core/control/tick.h"
#include "core/pod/pod.h"

enum { HOLDERS_NAMED = 5 }; /* in a refusal */

/* Sort larger partitions first, then by name: the snapshot is sorted by name,
   so the lower address is the lower name. */
static int
create_larger_first(const void *a, const void *b)
{
	const struct partition *const *p = a, *const *q = b;
	int sizes = partition_size(*q) - partition_size(*p);

	return sizes != 0 ? sizes : *p < *q ? -1 : 1;
}

/* Append "NAME (SIZE)", and its creator if that is not the caller. */
static void
append_holder(const struct partition *p, struct error *e)
{
	const struct passwd *user;

	(void)error_append(e, "%s (%d", p->name, partition_size(p));
	if (p->owner != getuid()) {
		user = getpwuid(p->owner);
		if (user != NULL)
			(void)error_append(e, ", user %s", user->pw_name);
		else
			(void)error_append(e, ", uid %lu",
			    (unsigned long)p->owner);
	}
	(void)error_append(e, ")");
}

/* Append the holders of IPUs that the request needs, largest first; only those
   in its cluster and allocation. */
static void
append_holders(const struct snapshot *s, const struct partition_request *r,
    struct error *e)
{
	const struct partition **holders, *p;
	const struct pod *pod = &s->pod;
	int cluster, allocation, count = 0, i;

	cluster = pod_find_cluster(pod, r->cluster);
	allocation = pod_find_allocation(pod, r->allocation);
	holders = xcalloc((size_t)s->partition_count, sizeof(*holders));
	for (i = 0; i < s->partition_count; i++) {
		p = &s->partitions[i];
		if ((cluster == -1 || p->placement.cluster == cluster) &&
		    (allocation == -1 || p->allocation == allocation))
			holders[count++] = p;
	}
	qsort(holders, (size_t)count, sizeof(*holders), create_larger_first);
	for (i = 0; i < count && i < HOLDERS_NAMED; i++) {
		(void)error_append(e, i == 0 ? "; taken by " : ", ");
		append_holder(holders[i], e);
	}
	if (count > i)
		(void)error_append(e, " and %d more", count - i);
	free(holders);
}

/* Append the machines that are down: their IPUs are unusable.  A limited caller
   does not see other users' machines. */
static void
append_down(const struct snapshot *s, const struct partition_request *r,
    struct error *e)
{
	const struct agent *a = s->pod.agents;
	int cluster, allocation, count = 0;

	cluster = pod_find_cluster(&s->pod, r->cluster);
	allocation = pod_find_allocation(&s->pod, r->allocation);
	for (; a < s->pod.agents + s->pod.agent_count; a++) {
		if (a->state == MACHINE_UP ||
		    (s->limited && a->allocation == -1) ||
		    (cluster != -1 && a->cluster != cluster) ||
		    (allocation != -1 && a->allocation != allocation))
			continue;
		if (++count <= HOLDERS_NAMED)
			(void)error_append(e,
			    count == 1 ? "; down: %s" : ", %s", a->name);
	}
	if (count > HOLDERS_NAMED)
		(void)error_append(e, " and %d more", count - HOLDERS_NAMED);
}

/* Choose a place in the caller's view.  1: no IPUs for it. */
static int
create_choose(const struct controller *c, const struct snapshot *s,
    const struct partition_request *r, struct placement *out, struct error *e)
{
	struct error reason;

	if (access_choose(s, c->user.name, r, out, &reason) == 0)
		return 0;
	if (reason.code != ERROR_NO_ROOM)
		return error_copy(e, &reason);
	append_holders(s, r, &reason);
	append_down(s, r, &reason);
	(void)error_copy(e, &reason);
	return 1;
}

/* The same for a caller that may be limited: its view is filtered, so that
   neither the choice nor a refusal names anything that it may not see. */
static int
choose_as(struct controller *c, const struct snapshot *s,
    const struct partition_request *r, struct placement *out, struct error *e)
{
	struct snapshot view;
	bool limited;
	int status = -1;

	if (login_check(c, &limited, e) != 0)
		return -1;
	if (!limited)
		return create_choose(c, s, r, out, e);
	/* A copy, because storing needs the whole pod. */
	if (snapshot_take_locked(&c->state, &view, e) != 0)
		return -1;
	if (login_limit(c, &view, e) == 0)
		status = create_choose(c, &view, r, out, e);
	snapshot_release(&view);
	return status;
}

/* Refuse the name of an existing partition.  A caller that may not see that
   partition only learns that it needs another name. */
static int
refuse_name(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	bool limited;

	if (login_check(c, &limited, e) != 0)
		return -1;
	return limited && !access_allows(&c->user, &s->pod, p) ?
	    error_set_code(e, ERROR_DENIED,
		"this name is not available; choose another") :
	    error_set_code(e, ERROR_EXISTS, "partition %s already exists",
		p->name);
}

/* The placement comes first, because the routing depends on it. */
int
create_plan(struct controller *c, const struct snapshot *s,
    const struct partition_request *r, struct partition *p, struct error *e)
{
	int64_t now_ms = c->now_ms();
	const int found = snapshot_find(s, r->name);
	int routing, gateway, status;

	memset(p, 0, sizeof(*p));
	if (found != -1)
		return refuse_name(c, s, &s->partitions[found], e);
	if (s->partition_count >= PARTITIONS_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "the pod has %d partitions already, which is the limit; "
		    "remove one first",
		    s->partition_count);
	status = choose_as(c, s, r, &p->placement, e);
	if (status != 0)
		return status;
	if (routing_choose(&s->pod, &p->placement, r, &routing, &gateway, e) !=
	    0)
		return -1;
	(void)strlcpy(p->name, r->name, sizeof(p->name));
	identity_draw(s->partitions, (size_t)s->partition_count, p->id);
	(void)strlcpy(p->ipuof_directory,
	    r->relocatable ? "" : r->ipuof_directory,
	    sizeof(p->ipuof_directory));
	p->allocation = placement_allocation(&s->pod, &p->placement);
	p->num_gcds = r->num_gcds;
	p->num_replicas = r->num_replicas;
	p->routing = routing;
	p->gateway_routing = gateway;
	p->sync_type = r->sync_type;
	p->owner = getuid();
	(void)strlcpy(p->user, c->user.name, sizeof(p->user));
	p->reconfigurable = r->reconfigurable;
	p->relocatable = r->relocatable;
	p->no_auto_reset = r->no_auto_reset;
	p->expires_ms = r->ttl_ms != 0 ? now_ms + r->ttl_ms : 0;
	return 0;
}

/*
 * Store the partition, then write its files, so that every file belongs to an
 * existing partition.  If a file cannot be written, the partition is removed.
 */
static int
create_store(struct controller *c, const struct pod *pod,
    const struct partition *p, struct error *e)
{
	tick_expect(c, p);
	if (state_add_partition(&c->state, p, e) != 0)
		return -1;
	if (ipuof_files_write(pod, p, &c->versions, e) == 0)
		return 0;
	(void)state_remove_partition(&c->state, p->name, NULL);
	return -1;
}

/* Keep the owner's identity unless a partition has its number. */
static int
create_own(const struct snapshot *s, const struct partition_owner *owner,
    struct partition *p, struct error *e)
{
	struct owner_lock *o = owner->lock;
	int i;

	assert(o != NULL ? owner_kind_has_lock(owner->kind) :
			   owner->kind == PO_LEASE || owner->kind == PO_SLURM);
	p->owner_kind = owner->kind;
	(void)strlcpy(p->owner_text, owner->text, sizeof(p->owner_text));
	if (o == NULL)
		return 0;
	for (i = 0; i < s->partition_count; i++)
		if (identity_number(s->partitions[i].id) ==
		    identity_number(o->id))
			break;
	if (i < s->partition_count &&
	    owner_lock_draw(o, s->partitions, (size_t)s->partition_count, e) !=
		0)
		return -1;
	memcpy(p->id, o->id, sizeof(p->id));
	return 0;
}

/* Allocate, and begin to configure; instant steps are done at once. */
int
create_under_lock(struct controller *c, struct snapshot *s,
    const struct partition_request *r, const struct partition_owner *owner,
    struct partition *p, struct error *e)
{
	struct moment m = { .ms = c->now_ms() };
	struct machines machines;
	int status = create_plan(c, s, r, p, e);

	if (status != 0)
		return status;
	if (owner != NULL && create_own(s, owner, p, e) != 0)
		return -1;
	lifecycle_look(&s->pod, p, &machines);
	m.takes_ms = machines.takes_ms;
	(void)lifecycle_apply(p, EVENT_CREATE, &m);
	if (tick_new(c, s, p, e) != 0)
		return -1;
	return create_store(c, &s->pod, p, e);
}

int
create_embedded(struct controller *c, const struct partition_request *r,
    const struct partition_owner *owner, struct partition *created,
    struct error *e)
{
	struct snapshot snapshot;
	struct partition partition;
	int status;

	if (transaction_begin(c, &snapshot, e) != 0)
		return -1;
	status = create_under_lock(c, &snapshot, r, owner, &partition, e);
	transaction_end(c, &snapshot);
	if (status == 0 && created != NULL)
		*created = partition;
	return status == 0 ? 0 : -1;
}

int
create_owned_partition(struct controller *c,
    const struct partition_request *asked, const struct partition_owner *owner,
    struct partition *created, struct error *e)
{
	struct partition_request request = *asked;

	return request_check(&request, e) != 0 ?
	    -1 :
	    c->operations->create(c, &request, owner, created, e);
}

int
create_partition(struct controller *c, const struct partition_request *asked,
    struct partition *created, struct error *e)
{
	return create_owned_partition(c, asked, NULL, created, e);
}

int
create_placements(struct controller *c, const struct partition_request *asked,
    struct snapshot *snapshot, struct placement **out, struct error *e)
{
	struct partition_request request = *asked;
	int count;

	if (request_check(&request, e) != 0 ||
	    transaction_list(c, snapshot, e) != 0)
		return -1;
	count = placement_options(&snapshot->pod, snapshot->owner, &request,
	    out, e);
	if (count == -1)
		snapshot_release(snapshot);
	return count;
}
