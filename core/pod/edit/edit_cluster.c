/*
 * Clusters: machines that are wired together.
 */
#include "core/pod/edit/edit.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/edit/edit_internal.h"
#include "core/pod/pod.h"

enum { RACK_AGENTS = ILD_IPUS_MAX / IPUS_PER_MACHINE };

/* Apply the request to the cluster.  Defaults: an ILD per rack, and looped
   gateways between several ILDs. */
static int
wire(struct cluster *c, const struct cluster_request *r, struct error *e)
{
	if (r->ilds != -1)
		c->ild_count = r->ilds;
	else if (r->agents != NULL)
		c->ild_count = (c->agent_count + RACK_AGENTS - 1) / RACK_AGENTS;
	if (r->topology != -1)
		c->topology = r->topology;
	if (r->gateway != -1)
		c->gateway = r->gateway;
	else if (c->ild_count == 1)
		c->gateway = GATEWAY_NONE;
	else if (c->gateway == GATEWAY_NONE)
		c->gateway = GATEWAY_LOOPED;
	return pod_cluster_check(c, e);
}

/* A cluster's machines must be of one type: M2000 or Bow-2000. */
static int
edit_cluster_check_members(const struct members *m, struct error *e)
{
	const struct agent *first, *a;
	int i;

	first = &m->pod->agents[m->places[0]];
	for (i = 1; i < m->count; i++) {
		a = &m->pod->agents[m->places[i]];
		if (a->model != first->model)
			return error_set_code(e, ERROR_INVALID,
			    "agent %s is a %s and %s is a %s; the machines of "
			    "a cluster must be of one type",
			    first->name, pod_machine_words[first->model],
			    a->name, pod_machine_words[a->model]);
	}
	return 0;
}

/* Return a partition in the cluster, or NULL. */
static const struct partition *
user_of(const struct inventory *in, int cluster)
{
	int i;

	for (i = 0; i < in->partition_count; i++)
		if (in->partitions[i].placement.cluster == cluster)
			return &in->partitions[i];
	return NULL;
}

/* Return the index of a cluster without a partition, or -1 with the reason. */
static int
find_unused(const struct inventory *in, const char *name, struct error *e)
{
	const struct partition *user;
	int found = pod_find_cluster(in->pod, name);

	if (found == -1) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "the cluster does not exist; vipu-admin list clusters "
		    "shows the existing ones");
		return nearest_cluster(in->pod, name, e);
	}
	user = user_of(in, found);
	if (user == NULL)
		return found;
	return error_set_code(e, ERROR_BUSY,
	    "partition %s uses it; remove the partition first", user->name);
}

int
edit_cluster_add(struct inventory *in, const struct cluster_request *r,
    struct error *e)
{
	struct pod *pod = in->pod;
	struct cluster c = { .first_agent = -1 };
	struct members m;
	struct arrangement how = { .cluster = pod->cluster_count };
	int i, status;

	if (name_check("cluster", r->name, e) != 0)
		return -1;
	if (pod_find_cluster(pod, r->name) != -1)
		return error_set_code(e, ERROR_EXISTS,
		    "cluster %s already exists", r->name);
	if (pod->cluster_count == POD_CLUSTERS_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "the pod has %d clusters already, which is the limit",
		    pod->cluster_count);
	if (r->agents == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "a cluster needs agents");
	status = members_read(&m, pod, r->agents, -1, true, e);
	if (status == 0) {
		(void)strlcpy(c.name, r->name, sizeof(c.name));
		c.agent_count = m.count;
		status = wire(&c, r, e);
	}
	if (status == 0 && (status = edit_cluster_check_members(&m, e)) == 0) {
		pod->clusters = xreallocarray(pod->clusters,
		    (size_t)pod->cluster_count + 1, sizeof(c));
		pod->clusters[pod->cluster_count++] = c;
		for (i = 0; i < m.count; i++)
			pod->agents[m.places[i]].cluster = how.cluster;
		how.members = m.places;
		arrange_machines(in, &how);
	}
	members_release(&m);
	return status;
}

/* Refuse a second machine of that name outside clusters. */
static int
check_loose(const struct pod *pod, int place, struct error *e)
{
	const struct agent *a = &pod->agents[place], *other = pod->agents;

	for (; other < pod->agents + pod->agent_count; other++)
		if (other->cluster == -1 && strcmp(other->name, a->name) == 0)
			return error_set_code(e, ERROR_EXISTS,
			    "another agent %s exists outside clusters; first "
			    "put that one into a cluster, or remove it",
			    a->name);
	return 0;
}

/* Check that the cluster may lose the machines it would. */
static int
check_leavers(const struct pod *pod, int cluster, const struct members *m,
    struct error *e)
{
	const struct cluster *c = &pod->clusters[cluster];
	const struct agent *a;
	const char *name;
	int i;

	for (i = c->first_agent; i < c->first_agent + c->agent_count; i++) {
		a = &pod->agents[i];
		if (m->taken[i])
			continue;
		if (a->allocation != -1) {
			name = pod->allocations[a->allocation].name;
			return error_set_code(e, ERROR_BUSY,
			    "agent %s is in allocation %s; vipu-admin update "
			    "allocation %s --remove-agents %s takes it out",
			    a->name, name, name, a->name);
		}
		if (check_loose(pod, i, e) != 0)
			return -1;
	}
	return 0;
}

static int
update_members(struct inventory *in, int found, const struct cluster_request *r,
    struct error *e)
{
	struct pod *pod = in->pod;
	struct cluster c = pod->clusters[found];
	struct arrangement how = { .cluster = found };
	struct members m;
	int i, status;

	status = members_read(&m, pod, r->agents, found, true, e);
	if (status == 0) {
		c.agent_count = m.count;
		status = wire(&c, r, e);
	}
	if (status == 0 && (status = edit_cluster_check_members(&m, e)) == 0 &&
	    (status = check_leavers(pod, found, &m, e)) == 0) {
		for (i = 0; i < pod->clusters[found].agent_count; i++)
			pod->agents[c.first_agent + i].cluster = -1;
		for (i = 0; i < m.count; i++)
			pod->agents[m.places[i]].cluster = found;
		pod->clusters[found] = c;
		how.members = m.places;
		arrange_machines(in, &how);
	}
	members_release(&m);
	return status;
}

int
edit_cluster_update(struct inventory *in, const struct cluster_request *r,
    struct error *e)
{
	struct cluster c;
	int found = find_unused(in, r->name, e);

	if (found == -1)
		return -1;
	if (r->agents != NULL)
		return update_members(in, found, r, e);
	c = in->pod->clusters[found];
	if (wire(&c, r, e) != 0)
		return -1;
	in->pod->clusters[found] = c;
	return 0;
}

int
edit_cluster_remove(struct inventory *in, const char *name, struct error *e)
{
	struct arrangement how = { .cluster = -1 };
	struct pod *pod = in->pod;
	struct cluster *c;
	int to[POD_CLUSTERS_MAX], i;
	int found = find_unused(in, name, e);

	if (found == -1)
		return -1;
	for (i = 0; i < pod->allocation_count; i++)
		if (pod->allocations[i].cluster == found)
			return error_set_code(e, ERROR_BUSY,
			    "allocation %s has machines of it; first use "
			    "vipu-admin remove allocation %s",
			    pod->allocations[i].name, pod->allocations[i].name);
	c = &pod->clusters[found];
	for (i = c->first_agent; i < c->first_agent + c->agent_count; i++)
		if (check_loose(pod, i, e) != 0)
			return -1;
	for (i = 0; i < pod->cluster_count; i++)
		to[i] = i < found ? i : i - 1;
	to[found] = -1;
	arrange_renumber_clusters(in, to);
	pod->cluster_count--;
	memmove(c, c + 1, (size_t)(pod->cluster_count - found) * sizeof(*c));
	arrange_machines(in, &how);
	return 0;
}
