/*
 * A user's view of a pod: a snapshot without everything else.  Pure.
 */
#include "core/control/config.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/pod/pod.h"

bool
access_allows(const struct user *u, const struct pod *pod,
    const struct partition *p)
{
	return p->allocation != -1 &&
	    user_has_allocation(u, pod->allocations[p->allocation].name);
}

bool
access_allows_change(const struct user *u, const struct partition *p)
{
	return p->user[0] == '\0' || strcmp(p->user, u->name) == 0;
}

/* Keep the user's allocations, in the user's order; place[] gives their new
   indices. */
static void
filter_allocations(struct pod *pod, const struct user *u, int *place)
{
	struct allocation *all = xcalloc((size_t)pod->allocation_count + 1,
	    sizeof(*all));
	int i, k, kept = 0;

	for (i = 0; i < pod->allocation_count; i++)
		place[i] = -1;
	for (k = 0; k < u->allocation_count; k++) {
		i = pod_find_allocation(pod, u->allocations[k]);
		if (i == -1 || place[i] != -1)
			continue;
		place[i] = kept;
		all[kept++] = pod->allocations[i];
	}
	free(pod->allocations);
	pod->allocations = all;
	pod->allocation_count = kept;
	for (i = 0; i < pod->agent_count; i++)
		if (pod->agents[i].allocation != -1)
			pod->agents[i].allocation =
			    place[pod->agents[i].allocation];
}

/*
 * Keep the partitions in these allocations, in order.  allocations[] and
 * place[] give the new indices; the IPUs of removed partitions go to
 * OWNER_UNSEEN.
 */
static void
filter_partitions(struct snapshot *s, const int *allocations, int *place)
{
	struct partition *p;
	int i, kept = 0;

	for (i = 0; i < s->partition_count; i++) {
		p = &s->partitions[i];
		if (p->allocation != -1)
			p->allocation = allocations[p->allocation];
		place[i] = OWNER_UNSEEN;
		if (p->allocation == -1)
			continue;
		place[i] = kept;
		s->partitions[kept++] = *p;
	}
	s->partition_count = kept;
}

/* Hide other users' machines except for their places, because IPU numbers
   follow from places. */
static void
filter_agents(struct pod *pod)
{
	struct agent *a;
	int i, cluster;

	for (i = 0; i < pod->agent_count; i++) {
		a = &pod->agents[i];
		if (a->allocation != -1)
			continue;
		cluster = a->cluster;
		memset(a, 0, sizeof(*a));
		(void)snprintf(a->name, sizeof(a->name), "unseen-%d", i + 1);
		a->cluster = cluster;
		a->allocation = -1;
	}
}

/* Removals change indices, so two tables translate them: old allocation to new,
   old partition to new. */
void
access_filter(struct snapshot *s, const struct user *u)
{
	struct pod *pod = &s->pod;
	int *allocations, *partitions;
	int i, ipus = pod_ipu_count(pod);

	snapshot_own(s);
	allocations = xcalloc((size_t)pod->allocation_count + 1,
	    sizeof(*allocations));
	partitions = xcalloc((size_t)s->partition_count + 1,
	    sizeof(*partitions));
	filter_allocations(pod, u, allocations);
	filter_partitions(s, allocations, partitions);
	for (i = 0; i < ipus; i++)
		if (pod->agents[i / IPUS_PER_MACHINE].allocation == -1)
			s->owner[i] = OWNER_UNSEEN;
		else if (s->owner[i] >= 0)
			s->owner[i] = partitions[s->owner[i]];
	filter_agents(pod);
	/* The user of a damaged file is unknown, and the report names it. */
	s->damaged = 0;
	s->damage[0] = '\0';
	s->limited = true;
	free(partitions);
	free(allocations);
}

/* Without a requested allocation a limited user's are tried in turn; the error
   is that of the last attempt. */
int
access_choose(const struct snapshot *s, const char *user,
    const struct partition_request *asked, struct placement *out,
    struct error *e)
{
	struct partition_request r = *asked;
	int i;

	for (i = 0; s->limited && i < s->pod.allocation_count &&
	     asked->index == -1 && asked->allocation[0] == '\0';
	     i++) {
		(void)strlcpy(r.allocation, s->pod.allocations[i].name,
		    sizeof(r.allocation));
		if (placement_choose(&s->pod, s->owner, &r, out, NULL) == 0)
			return 0;
	}
	if (s->limited && s->pod.allocation_count == 0)
		return error_set_code(e, ERROR_DENIED,
		    "user %s has no allocation; vipu-admin update user %s "
		    "--add-allocations NAME adds one",
		    user, user);
	return placement_choose(&s->pod, s->owner, asked, out, e);
}
