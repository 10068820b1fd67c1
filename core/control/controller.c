/*
 * The embedded controller: the rules of core/pod over the state folder of
 * this host.  A change is made under the writer's lock: read, choose, store.
 */
#include "core/control/controller.h"

#include <bsd/string.h>

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/control/embedded.h"
#include "core/control/ipuof.h"
#include "core/control/lifecycle.h"
#include "core/pod/placement.h"

enum { HOLDERS_NAMED = 5 };	/* in a refusal */

static int64_t
clock_ms(void)
{
	struct timespec	now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct controller *
controller_open_local(struct error *e)
{
	struct controller	*c = xcalloc(1, sizeof(*c));

	c->now_ms = clock_ms;
	if (state_open(&c->state, e) == 0)
		return c;
	free(c);
	return NULL;
}

void
controller_close(struct controller *c)
{
	if (c == NULL)
		return;
	state_close(&c->state);
	free(c);
}

int
controller_list(struct controller *c, struct snapshot *snapshot,
    struct error *e)
{
	return registry_snapshot(&c->state.registry, snapshot, e);
}

int
change_begin(struct controller *c, struct snapshot *snapshot, struct error *e)
{
	if (state_lock(&c->state, e) != 0)
		return -1;
	if (registry_snapshot(&c->state.registry, snapshot, e) == 0)
		return 0;
	state_unlock(&c->state);
	return -1;
}

void
change_end(struct controller *c, struct snapshot *snapshot)
{
	snapshot_release(snapshot);
	state_unlock(&c->state);
}

/* Larger partitions first, then by name, as the snapshot has them. */
static int
larger_first(const void *a, const void *b)
{
	const struct partition	*const *p = a, *const *q = b;
	int			 sizes = partition_size(*q) -
	    partition_size(*p);

	return sizes != 0 ? sizes : *p < *q ? -1 : 1;
}

static void
append_holder(const struct partition *p, struct error *e)
{
	const struct passwd	*user;

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

/* Who has the IPUs that a request finds taken; the largest first. */
static void
append_holders(const struct snapshot *s, const struct partition_request *r,
    struct error *e)
{
	const struct partition	**holders, *p;
	const struct pod	*pod = &s->pod;
	int			 cluster, allocation, count = 0, i;

	cluster = pod_find_cluster(pod, r->cluster);
	allocation = pod_find_allocation(pod, r->allocation);
	holders = xcalloc((size_t)s->partition_count, sizeof(*holders));
	for (i = 0; i < s->partition_count; i++) {
		p = &s->partitions[i];
		if ((cluster == -1 || p->placement.cluster == cluster) &&
		    (allocation == -1 || p->allocation == allocation))
			holders[count++] = p;
	}
	qsort(holders, (size_t)count, sizeof(*holders), larger_first);
	for (i = 0; i < count && i < HOLDERS_NAMED; i++) {
		(void)error_append(e, i == 0 ? "; taken by " : ", ");
		append_holder(holders[i], e);
	}
	if (count > i)
		(void)error_append(e, " and %d more", count - i);
	free(holders);
}

/* Everything of the new partition but its states. */
static int
plan(const struct snapshot *s, const struct partition_request *r,
    struct partition *p, struct error *e)
{
	int	routing, gateway;

	memset(p, 0, sizeof(*p));
	if (snapshot_find(s, r->name) != -1)
		return error_set(e, "partition %s exists already", r->name);
	if (s->partition_count >= PARTITIONS_MAX)
		return error_set(e, "there are %d partitions, the limit; "
		    "remove one first", s->partition_count);
	if (placement_choose(&s->pod, s->owner, r, &p->placement, e) != 0) {
		if (errno == ENOSPC)
			append_holders(s, r, e);
		return -1;
	}
	if (routing_choose(&s->pod, &p->placement, r, &routing, &gateway,
	    e) != 0)
		return -1;
	(void)strlcpy(p->name, r->name, sizeof(p->name));
	(void)strlcpy(p->ipuof_folder, r->relocatable ? "" : r->ipuof_folder,
	    sizeof(p->ipuof_folder));
	p->allocation = placement_allocation(&s->pod, &p->placement);
	p->num_gcds = r->num_gcds;
	p->num_replicas = r->num_replicas;
	p->routing = routing;
	p->gateway_routing = gateway;
	p->sync_type = r->sync_type;
	p->owner = getuid();
	p->reconfigurable = r->reconfigurable;
	p->relocatable = r->relocatable;
	p->no_auto_reset = r->no_auto_reset;
	return 0;
}

/*
 * Store the partition, then write its files: a file that stands in a folder
 * is of a partition that exists.
 */
static int
store(struct controller *c, const struct pod *pod, const struct partition *p,
    struct error *e)
{
	if (state_add_partition(&c->state, p, e) != 0)
		return -1;
	if (ipuof_write_files(pod, p, e) == 0)
		return 0;
	(void)state_remove_partition(&c->state, p->name, NULL);
	return -1;
}

int
controller_create(struct controller *c, const struct partition_request *asked,
    struct partition *created, struct error *e)
{
	struct partition_request	request = *asked;
	struct snapshot			snapshot;
	struct partition		partition;
	int				status;
	int64_t				now_s = c->now_ms() / 1000;

	if (partition_request_check(&request, e) != 0 ||
	    change_begin(c, &snapshot, e) != 0)
		return -1;
	status = plan(&snapshot, &request, &partition, e);
	if (status == 0) {
		/* Emulated links need no time: configured when allocated. */
		(void)lifecycle_apply(&partition, EVENT_CREATE, now_s, NULL);
		(void)lifecycle_apply(&partition, EVENT_CONFIGURED, now_s,
		    NULL);
		status = store(c, &snapshot.pod, &partition, e);
	}
	change_end(c, &snapshot);
	if (status == 0 && created != NULL)
		*created = partition;
	return status;
}

/* Who is in the way, for a person who has to end it. */
static int
in_use(struct controller *c, const struct snapshot *s, const char *name,
    int ipu, struct error *e)
{
	struct ipu_slot	slot;
	char		text[NAME_SIZE + 16];

	if (ipu < 0 || !registry_holder(&c->state.registry, ipu, &slot))
		return error_set(e, "partition %s: a program was attached to "
		    "it just now; try again", name);
	ipu_name(&s->pod, ipu, text, sizeof(text));
	return error_set(e, "partition %s is in use: user %s, pid %ld (%s on "
	    "%s) is attached to %s; end it first, or use --force", name,
	    slot.user, (long)slot.pid, slot.command, slot.host, text);
}

/*
 * Hold every IPU of the partition, so that nobody attaches while it goes; the
 * locks end with the registry's descriptor or hold_none().
 */
static int
hold_all(struct controller *c, const struct snapshot *s,
    const struct partition *p, struct error *e)
{
	int	i, first, holder;

	for (i = 0; i < p->placement.ild_count; i++) {
		first = placement_ipu(&s->pod, &p->placement,
		    i * p->placement.per_ild);
		if (registry_attach(&c->state.registry, first,
		    p->placement.per_ild, &holder) == 0)
			continue;
		if (errno == EAGAIN)
			return in_use(c, s, p->name, holder, e);
		return error_set_errno(e, "cannot lock the IPUs of partition "
		    "%s", p->name);
	}
	return 0;
}

static void
hold_none(struct controller *c, const struct snapshot *s,
    const struct partition *p)
{
	int	i;

	for (i = 0; i < p->placement.ild_count; i++)
		(void)registry_detach(&c->state.registry,
		    placement_ipu(&s->pod, &p->placement,
		    i * p->placement.per_ild), p->placement.per_ild);
}

/* Its files first, for the reason that store() has; -1: nothing changed. */
static int
discard(struct controller *c, const struct pod *pod,
    const struct partition *p, bool force, struct error *e)
{
	if (ipuof_remove_files(p, e) != 0 && !force) {
		(void)error_append(e, "; --force removes the partition "
		    "without its file");
		ipuof_restore_files(pod, p);
		return -1;
	}
	if (state_remove_partition(&c->state, p->name, e) == 0)
		return 0;
	/* EINPROGRESS: it may be gone, and then so must its files be. */
	if (errno != EINPROGRESS)
		ipuof_restore_files(pod, p);
	return -1;
}

int
controller_remove(struct controller *c, const char *name, bool force,
    struct partition *removed, struct error *e)
{
	struct snapshot		 snapshot;
	const struct partition	*p;
	int			 found, status = 0;

	if (change_begin(c, &snapshot, e) != 0)
		return -1;
	found = snapshot_find(&snapshot, name);
	if (found == -1) {
		change_end(c, &snapshot);
		return error_set(e, "there is no partition of that name; "
		    "vipu list partitions shows those there are");
	}
	p = &snapshot.partitions[found];
	if (!force)
		status = hold_all(c, &snapshot, p, e);
	if (status == 0)
		status = discard(c, &snapshot.pod, p, force, e);
	if (!force)
		hold_none(c, &snapshot, p);
	if (status == 0 && removed != NULL)
		*removed = *p;
	change_end(c, &snapshot);
	return status;
}

int
controller_options(struct controller *c,
    const struct partition_request *asked, struct snapshot *snapshot,
    struct placement **out, struct error *e)
{
	struct partition_request	request = *asked;
	int				count;

	if (partition_request_check(&request, e) != 0 ||
	    registry_snapshot(&c->state.registry, snapshot, e) != 0)
		return -1;
	count = placement_options(&snapshot->pod, snapshot->owner, &request,
	    out, e);
	if (count == -1)
		snapshot_release(snapshot);
	return count;
}
