/*
 * Allocations: machines of one cluster that are used together.  A change first
 * chooses the machines (struct machine_choice), then checks and commits the
 * choice.
 */
#include "core/pod/edit/edit.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/pod/edit/edit_internal.h"
#include "core/pod/pod.h"

/* Machines chosen for an allocation, by place. */
struct machine_choice {
	bool *in;
	int count;
	int cluster;
};

/* Begin with an empty choice, of no cluster yet. */
static void
choice_init(struct machine_choice *c, const struct pod *pod)
{
	c->in = xcalloc((size_t)pod->agent_count + 1, sizeof(*c->in));
	c->count = 0;
	c->cluster = -1;
}

/* A machine chosen repeatedly counts once. */
static void
edit_allocation_choose(struct machine_choice *c, int place)
{
	c->count += !c->in[place];
	c->in[place] = true;
}

/* Refuse an unknown name, with the nearest one. */
static int
no_such_allocation(const struct pod *pod, const char *name, struct error *e)
{
	(void)error_set_code(e, ERROR_NOT_FOUND,
	    "the allocation does not exist; vipu-admin list allocations shows "
	    "the existing ones");
	return nearest_allocation(pod, name, e);
}

/* Return the index, or -1 with the reason. */
static int
find_cluster(const struct pod *pod, const char *name, struct error *e)
{
	int found = pod_find_cluster(pod, name);

	if (found == -1) {
		(void)error_set_code(e, ERROR_NOT_FOUND,
		    "cluster %s does not exist; vipu-admin list clusters shows "
		    "the existing ones",
		    name);
		(void)nearest_cluster(pod, name, e);
	}
	return found;
}

/* Add the machines of a list, all of one cluster, to the choice. */
static int
choose_list(struct machine_choice *c, const struct pod *pod, const char *list,
    struct error *e)
{
	const struct agent *a;
	struct members m;
	int i, status;

	status = members_read(&m, pod, list, c->cluster, false, e);
	for (i = 0; i < m.count && status == 0; i++) {
		a = &pod->agents[m.places[i]];
		if (c->cluster == -1)
			c->cluster = a->cluster;
		if (a->cluster != c->cluster)
			status = error_set_code(e, ERROR_INVALID,
			    "agents %s and %s are in clusters %s and %s; the "
			    "machines of an allocation must be in one cluster",
			    pod->agents[m.places[0]].name, a->name,
			    pod->clusters[c->cluster].name,
			    pod->clusters[a->cluster].name);
		else
			edit_allocation_choose(c, m.places[i]);
	}
	members_release(&m);
	return status;
}

/* Choose all machines of the cluster. */
static void
choose_cluster(struct machine_choice *c, const struct pod *pod, int cluster)
{
	const struct cluster *from = &pod->clusters[cluster];
	int i;

	c->cluster = cluster;
	for (i = 0; i < from->agent_count; i++)
		edit_allocation_choose(c, from->first_agent + i);
}

/* Return how many machines of an allocation are chosen; *all: its machines. */
static int
count_common(const struct machine_choice *c, const struct pod *pod,
    int allocation, int *all)
{
	int i, common = 0;

	*all = 0;
	for (i = 0; i < pod->agent_count; i++) {
		if (pod->agents[i].allocation != allocation)
			continue;
		++*all;
		common += c->in[i];
	}
	return common;
}

/* Refuse a machine of another allocation, with the command that removes it from
   there: for the whole list if all of it is there. */
static int
refuse_taken(const struct machine_choice *c, const struct pod *pod,
    const struct agent *a, const char *list, struct error *e)
{
	const char *name = pod->allocations[a->allocation].name;
	int all, common;

	common = count_common(c, pod, a->allocation, &all);
	(void)error_set_code(e, ERROR_BUSY, "agent %s is in allocation %s; ",
	    a->name, name);
	if (common == all)
		return error_append(e,
		    "vipu-admin remove allocation %s frees all of its machines",
		    name);
	if (common != c->count || list == NULL || strlen(list) > 200)
		list = a->name;
	return error_append(e,
	    "vipu-admin update allocation %s --remove-agents %s takes %s out",
	    name, list, common == c->count && c->count > 1 ? "them" : "it");
}

/*
 * Whether the allocation (-1: a new one) may have exactly the chosen machines:
 * none belongs to another, and no partition uses one that is added or removed.
 */
static int
check_choice(const struct inventory *in, const struct machine_choice *c,
    int allocation, const char *list, struct error *e)
{
	const struct pod *pod = in->pod;
	const struct agent *a;
	int32_t *users = members_agent_users(in);
	int i, status = 0;

	for (i = 0; i < pod->agent_count && status == 0; i++) {
		a = &pod->agents[i];
		if (c->in[i] && a->allocation != -1 &&
		    a->allocation != allocation)
			status = refuse_taken(c, pod, a, list, e);
		else if (c->in[i] !=
			(allocation != -1 && a->allocation == allocation) &&
		    users[i] != -1)
			status = error_set_code(e, ERROR_BUSY,
			    "partition %s uses agent %s; remove the partition "
			    "first",
			    in->partitions[users[i]].name, a->name);
	}
	free(users);
	return status;
}

/* Add chosen machines, remove others.  Cannot fail. */
static void
edit_allocation_commit(struct pod *pod, const struct machine_choice *c,
    int allocation)
{
	int i;

	for (i = 0; i < pod->agent_count; i++)
		if (c->in[i])
			pod->agents[i].allocation = allocation;
		else if (pod->agents[i].allocation == allocation)
			pod->agents[i].allocation = -1;
}

/* Choose the machines named by a request for a new allocation. */
static int
choose_new(struct machine_choice *c, const struct pod *pod,
    const struct allocation_request *r, struct error *e)
{
	int cluster = -1;

	if (r->cluster[0] != '\0') {
		cluster = find_cluster(pod, r->cluster, e);
		if (cluster == -1)
			return -1;
	}
	c->cluster = cluster;
	if (r->agents != NULL)
		return choose_list(c, pod, r->agents, e);
	if (cluster == -1)
		return error_set_code(e, ERROR_INVALID,
		    "an allocation needs agents or a cluster");
	choose_cluster(c, pod, cluster);
	return 0;
}

int
edit_allocation_add(struct inventory *in, const struct allocation_request *r,
    struct error *e)
{
	struct pod *pod = in->pod;
	struct allocation *a;
	struct machine_choice c;
	int status;

	if (name_check("allocation", r->name, e) != 0)
		return -1;
	if (pod_find_allocation(pod, r->name) != -1)
		return error_set_code(e, ERROR_EXISTS,
		    "allocation %s already exists", r->name);
	if (pod->allocation_count == POD_ALLOCATIONS_MAX)
		return error_set_code(e, ERROR_NO_ROOM,
		    "the pod has %d allocations already, which is the limit",
		    pod->allocation_count);
	choice_init(&c, pod);
	status = choose_new(&c, pod, r, e);
	if (status == 0)
		status = check_choice(in, &c, -1, r->agents, e);
	if (status == 0) {
		pod->allocations = xreallocarray(pod->allocations,
		    (size_t)pod->allocation_count + 1, sizeof(*a));
		a = &pod->allocations[pod->allocation_count];
		memset(a, 0, sizeof(*a));
		(void)strlcpy(a->name, r->name, sizeof(a->name));
		a->cluster = c.cluster;
		edit_allocation_commit(pod, &c, pod->allocation_count++);
	}
	free(c.in);
	return status;
}

/* Remove the machines of a list from the choice. */
static int
leave_list(struct machine_choice *c, const struct pod *pod, const char *list,
    struct error *e)
{
	struct members m;
	int i, status;

	status = members_read(&m, pod, list, c->cluster, false, e);
	for (i = 0; i < m.count && status == 0; i++) {
		if (!c->in[m.places[i]])
			status = error_set_code(e, ERROR_NOT_FOUND,
			    "agent %s is not in it",
			    pod->agents[m.places[i]].name);
		c->in[m.places[i]] = false;
		c->count--;
	}
	members_release(&m);
	return status;
}

/* `agents` replaces all machines; `add` and `remove` change them. */
int
edit_allocation_update(struct inventory *in, const struct allocation_request *r,
    struct error *e)
{
	struct pod *pod = in->pod;
	struct machine_choice c;
	const char *list = r->agents != NULL ? r->agents : r->add;
	int found = pod_find_allocation(pod, r->name), i;
	int status = 0;

	if (found == -1)
		return no_such_allocation(pod, r->name, e);
	choice_init(&c, pod);
	c.cluster = pod->allocations[found].cluster;
	if (r->agents != NULL)
		status = choose_list(&c, pod, r->agents, e);
	else
		for (i = 0; i < pod->agent_count; i++)
			if (pod->agents[i].allocation == found)
				edit_allocation_choose(&c, i);
	if (status == 0 && r->add != NULL)
		status = choose_list(&c, pod, r->add, e);
	if (status == 0 && r->remove != NULL)
		status = leave_list(&c, pod, r->remove, e);
	if (status == 0 && c.count == 0)
		status = error_set_code(e, ERROR_BUSY,
		    "no machine would be left in it; vipu-admin remove "
		    "allocation %s removes it",
		    r->name);
	if (status == 0)
		status = check_choice(in, &c, found, list, e);
	if (status == 0)
		edit_allocation_commit(pod, &c, found);
	free(c.in);
	return status;
}

/* The following allocations and all references to them move down by one. */
int
edit_allocation_remove(struct inventory *in, const char *name, struct error *e)
{
	struct pod *pod = in->pod;
	struct allocation *a;
	int found = pod_find_allocation(pod, name), i;

	if (found == -1)
		return no_such_allocation(pod, name, e);
	for (i = 0; i < in->partition_count; i++)
		if (in->partitions[i].allocation == found)
			return error_set_code(e, ERROR_BUSY,
			    "partition %s uses it; remove the partition first",
			    in->partitions[i].name);
	for (i = 0; i < in->partition_count; i++)
		in->partitions[i].allocation -= in->partitions[i].allocation >
		    found;
	for (i = 0; i < pod->agent_count; i++) {
		if (pod->agents[i].allocation == found)
			pod->agents[i].allocation = -1;
		pod->agents[i].allocation -= pod->agents[i].allocation > found;
	}
	a = &pod->allocations[found];
	pod->allocation_count--;
	memmove(a, a + 1, (size_t)(pod->allocation_count - found) * sizeof(*a));
	return 0;
}
