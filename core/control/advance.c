/*
 * Automatic events as a simulation: each partition has the time of its next
 * event.  The earliest event is applied and the affected partitions are
 * examined again, until the next event lies after `now`.
 *
 * A pod that was not opened for a day lives through that day in order: if a
 * machine was rebooted at 9 and up at 10, a partition was lost at 9 and
 * configured again at 10.
 */
#include "core/control/tick.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/control/lifecycle.h"
#include "core/pod/pod.h"

/* The next event of a partition. */
struct coming {
	int64_t ms;
	struct backoff off;
};

/* Find a partition's next event, after each change of it or of its machines. */
static void
find_next(struct advance *a, int i)
{
	struct partition *p = &a->snapshot->partitions[i];
	enum partition_event event;
	struct machines m;

	lifecycle_look(&a->snapshot->pod, p, &m);
	a->coming[i].ms = lifecycle_next(p, &m, &a->coming[i].off, &event);
}

void
advance_init(struct advance *a, struct snapshot *s,
    const struct outside *outside, int64_t now_ms)
{
	const struct agent *agents = s->pod.agents;
	const struct partition *p = s->partitions;
	int i;

	memset(a, 0, sizeof(*a));
	a->snapshot = s;
	a->outside = outside;
	a->now_ms = now_ms;
	a->partition_changed = xcalloc((size_t)s->partition_count + 1,
	    sizeof(*a->partition_changed));
	a->agent_changed = xcalloc((size_t)s->pod.agent_count + 1,
	    sizeof(*a->agent_changed));
	a->agent_rebooted = xcalloc((size_t)s->pod.agent_count + 1,
	    sizeof(*a->agent_rebooted));
	a->coming = xcalloc((size_t)s->partition_count + 1, sizeof(*a->coming));
	a->rebooting = xcalloc((size_t)s->pod.agent_count + 1,
	    sizeof(*a->rebooting));
	for (i = 0; i < s->pod.agent_count; i++)
		if (agents[i].state == MACHINE_REBOOTING)
			a->rebooting[a->rebooting_count++] = i;
	for (i = 0; i < s->partition_count; i++) {
		/* A partition that waits for IPUs was tried before without
		   success: do not retry it before now unless an earlier event
		   frees IPUs. */
		if (p[i].state == PS_ERROR && p[i].relocatable)
			a->coming[i].off.move_ms = now_ms;
		find_next(a, i);
	}
}

void
advance_release(struct advance *a)
{
	free(a->partition_changed);
	free(a->agent_changed);
	free(a->agent_rebooted);
	free(a->coming);
	free(a->rebooting);
	memset(a, 0, sizeof(*a));
}

/* Give the partition's IPUs to `owner`, an index; -1: free. */
static void
advance_own(struct advance *a, const struct partition *p, int owner)
{
	int i, size = partition_size(p);

	for (i = 0; i < size; i++)
		a->snapshot->owner[placement_ipu(&a->snapshot->pod,
		    &p->placement, i)] = owner;
}

/* IPUs became free: partitions that wait for some try again. */
static void
advance_wake(struct advance *a, int64_t ms)
{
	const struct partition *p = a->snapshot->partitions;
	int i;

	for (i = 0; i < a->snapshot->partition_count; i++) {
		if (p[i].state != PS_ERROR || !p[i].relocatable ||
		    a->coming[i].off.move_ms <= ms)
			continue;
		a->coming[i].off.move_ms = ms;
		find_next(a, i);
	}
}

/* ---- other IPUs ---- */

/* Compare places by the order of placements. */
static int
place_after(const struct placement *a, const struct placement *b)
{
	if (a->cluster != b->cluster)
		return a->cluster > b->cluster;
	if (a->first_ild != b->first_ild)
		return a->first_ild > b->first_ild;
	return a->offset > b->offset;
}

/* Reconstruct the request of the partition, to find an equal place. */
static void
request_like(const struct pod *pod, const struct partition *p,
    struct partition_request *r)
{
	request_init(r);
	r->size = partition_size(p);
	r->num_ilds = p->placement.ild_count;
	r->num_gcds = p->num_gcds;
	r->num_replicas = p->num_replicas;
	r->routing = p->routing;
	r->gateway_routing = p->gateway_routing;
	r->index = -1;
	(void)strlcpy(r->cluster, pod->clusters[p->placement.cluster].name,
	    sizeof(r->cluster));
	if (p->allocation != -1)
		(void)strlcpy(r->allocation,
		    pod->allocations[p->allocation].name,
		    sizeof(r->allocation));
}

/* Return the owner of each IPU, counting all of the partition's machines as
   taken. */
static int32_t *
owners_elsewhere(const struct advance *a, const struct partition *p)
{
	const struct pod *pod = &a->snapshot->pod;
	size_t count = (size_t)pod_ipu_count(pod);
	int32_t *owner;
	int i, k, ipu;

	owner = xreallocarray(NULL, count, sizeof(*owner));
	memcpy(owner, a->snapshot->owner, count * sizeof(*owner));
	for (i = 0; i < partition_size(p); i++) {
		ipu = placement_ipu(pod, &p->placement, i) / IPUS_PER_MACHINE *
		    IPUS_PER_MACHINE;
		for (k = ipu; k < ipu + IPUS_PER_MACHINE; k++)
			owner[k] = 0;
	}
	return owner;
}

/*
 * Find the next place after its own, in a circle: from 2 of the places 0, 1, 2,
 * 3 to 3, then 0, then 1.  So a partition that fails in two places does not
 * alternate between them.
 */
static bool
find_place(const struct advance *a, const struct partition *p,
    struct placement *found)
{
	const struct pod *pod = &a->snapshot->pod;
	struct partition_request r;
	struct placement *places;
	int32_t *owner = owners_elsewhere(a, p);
	int i, n, routing, gateway, best = -1;

	request_like(pod, p, &r);
	n = placement_options(pod, owner, &r, &places, NULL);
	for (i = 0; i < n; i++) {
		if (routing_choose(pod, &places[i], &r, &routing, &gateway,
			NULL) != 0)
			continue;
		if (best == -1 || place_after(&places[i], &p->placement))
			best = i;
		if (place_after(&places[i], &p->placement))
			break;
	}
	if (best != -1)
		*found = places[best];
	free(places);
	free(owner);
	return best != -1;
}

/* Move to other IPUs.  0: moved; 1: not now; -1: from the outside, which is
   asked before the snapshot changes. */
static int
move(struct advance *a, int i, int64_t ms)
{
	struct partition *p = &a->snapshot->partitions[i];
	struct partition to = *p;
	struct moment m = { .ms = ms };
	struct machines machines;
	int status;

	if (!find_place(a, p, &to.placement))
		return 1;
	lifecycle_look(&a->snapshot->pod, &to, &machines);
	m.takes_ms = machines.takes_ms;
	if (lifecycle_apply(&to, EVENT_MOVED, &m) != 0)
		return 1;
	status = a->outside->move(a->outside->context, p, &to);
	if (status != 0)
		return status;
	advance_own(a, p, -1);
	*p = to;
	advance_own(a, p, i);
	a->partition_changed[i] = false; /* already stored */
	a->changed = true;
	advance_wake(a, ms);
	return 0;
}

/* ---- applying events ---- */

/* Remove a partition that is due: expired, or at the end of a slow removal.  It
   stays in the array as PS_REMOVED, so that indices stay valid. */
static int
remove_due(struct advance *a, int i, int64_t ms)
{
	struct partition *p = &a->snapshot->partitions[i];
	struct moment m = { .ms = ms };
	int status;

	status = a->outside->remove(a->outside->context, p);
	if (status != 0)
		return status;
	advance_own(a, p, -1);
	(void)lifecycle_apply(p, EVENT_REMOVE, &m);
	a->partition_changed[i] = false;
	a->changed = true;
	advance_wake(a, ms);
	return 0;
}

/* A configuration fails on a machine, which uses up one of its injected
   failures.  A relocatable partition moves after enough retries on its IPUs. */
static int
advance_fail(struct advance *a, int i, const struct moment *m, int machine)
{
	struct partition *p = &a->snapshot->partitions[i];
	int status = 1;

	snapshot_own_pod(a->snapshot);
	a->snapshot->pod.agents[machine].fail_config--;
	a->agent_changed[machine] = true;
	if (p->relocatable && p->attempts >= LIFECYCLE_RETRIES &&
	    p->moves < LIFECYCLE_MOVES)
		status = move(a, i, m->ms);
	if (status != 1)
		return status;
	(void)lifecycle_apply(p, EVENT_FAILED, m);
	a->partition_changed[i] = true;
	return 0;
}

/* Write the partition's last error. */
static void
name_reason(const struct advance *a, enum partition_event event,
    const struct machines *m, char *text, size_t size)
{
	const struct agent *agents = a->snapshot->pod.agents;

	text[0] = '\0';
	if (event == EVENT_LOST)
		(void)snprintf(text, size, "machine %s %s",
		    agents[m->lost].name,
		    agents[m->lost].state == MACHINE_REBOOTING ? "rebooted" :
								 "is down");
	if (event == EVENT_FAILED)
		(void)snprintf(text, size, "configuration failed on machine %s",
		    agents[m->failing].name);
}

/*
 * Apply the event due for the partition at `ms`.  If that is impossible now, it
 * is retried a period after now, not after `ms`, which would loop without end.
 */
static int
apply_event(struct advance *a, int i, int64_t ms)
{
	struct partition *p = &a->snapshot->partitions[i];
	char reason[LAST_ERROR_SIZE];
	enum partition_event event;
	struct machines machines;
	struct moment m = { .ms = ms, .reason = reason };
	int status = 0;

	lifecycle_look(&a->snapshot->pod, p, &machines);
	(void)lifecycle_next(p, &machines, &a->coming[i].off, &event);
	m.takes_ms = machines.takes_ms;
	name_reason(a, event, &machines, reason, sizeof(reason));
	switch (event) {
	case EVENT_REMOVE:
		status = remove_due(a, i, ms);
		break;
	case EVENT_MOVED:
		status = move(a, i, ms);
		break;
	case EVENT_FAILED:
		status = advance_fail(a, i, &m, machines.failing);
		break;
	default:
		(void)lifecycle_apply(p, event, &m);
		a->partition_changed[i] = true;
		break;
	}
	a->changed |= status == 0;
	if (status == 1 && event == EVENT_MOVED)
		a->coming[i].off.move_ms = a->now_ms + LIFECYCLE_PERIOD_MS;
	if (status == 1 && event == EVENT_REMOVE)
		a->coming[i].off.remove_ms = a->now_ms + LIFECYCLE_PERIOD_MS;
	find_next(a, i);
	return status == -1 ? -1 : 0;
}

/* The n-th rebooting machine is up: examine its partitions again. */
static void
advance_commit(struct advance *a, int n)
{
	int machine = a->rebooting[n], i, owner;
	struct agent *agent;

	snapshot_own_pod(a->snapshot);
	agent = &a->snapshot->pod.agents[machine];
	agent->state = MACHINE_UP;
	agent->changed_ms = agent->up_ms;
	agent->up_ms = 0;
	a->agent_changed[machine] = a->agent_rebooted[machine] = true;
	a->changed = true;
	a->rebooting[n] = a->rebooting[--a->rebooting_count];
	for (i = 0; i < IPUS_PER_MACHINE; i++) {
		owner = a->snapshot->owner[machine * IPUS_PER_MACHINE + i];
		if (owner >= 0)
			find_next(a, owner);
	}
	advance_wake(a, agent->changed_ms);
}

/* Return when the n-th rebooting machine is up. */
static int64_t
advance_up_ms(const struct advance *a, int n)
{
	return a->snapshot->pod.agents[a->rebooting[n]].up_ms;
}

/* O(events x partitions).  At equal times partitions come first: one is lost
   before its machine is up again. */
int
advance_run(struct advance *a)
{
	int64_t first_ms;
	int i, partition, machine;

	for (;;) {
		first_ms = INT64_MAX;
		partition = machine = -1;
		for (i = 0; i < a->snapshot->partition_count; i++)
			if (a->coming[i].ms < first_ms) {
				first_ms = a->coming[i].ms;
				partition = i;
			}
		/* Losses caused by a machine come before its return. */
		for (i = 0; i < a->rebooting_count; i++)
			if (advance_up_ms(a, i) < first_ms) {
				first_ms = advance_up_ms(a, i);
				machine = i;
			}
		if (first_ms > a->now_ms)
			break;
		snapshot_own_partitions(a->snapshot);
		if (machine != -1)
			advance_commit(a, machine);
		else if (apply_event(a, partition, first_ms) != 0)
			return -1;
	}
	a->next_ms = first_ms == INT64_MAX ? 0 : first_ms;
	return 0;
}
