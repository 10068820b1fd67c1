/*
 * The pod itself: its rules, sizes and names.  document/ reads and writes it as
 * text; edit/ changes it.
 */
#include "core/pod/hardware.h"

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/embedded.h"

const char *const pod_topology_words[] = { "mesh", "torus", NULL };
const char *const pod_gateway_words[] = { "none", "looped", "switched", NULL };
const char *const pod_machine_words[] = { "M2000", "BOW-2000", NULL };
const char *const pod_machine_state_words[] = { "up", "down", "rebooting",
	NULL };

void
pod_init(struct pod *pod)
{
	memset(pod, 0, sizeof(*pod));
}

void
pod_release(struct pod *pod)
{
	free(pod->agents);
	free(pod->clusters);
	free(pod->allocations);
	pod_init(pod);
}

/*
 * Source: V-IPU user guide 2 and 5.  Placement needs the powers of two: groups
 * are aligned within an ILD.
 */
int
pod_cluster_check(const struct cluster *c, struct error *e)
{
	int ipus = pod_cluster_ipu_count(c);

	if (c->agent_count % c->ild_count != 0)
		return error_set_code(e, ERROR_INVALID,
		    "cluster %s: %d machines cannot be divided evenly among %d "
		    "ILDs",
		    c->name, c->agent_count, c->ild_count);
	ipus /= c->ild_count;
	if (!bits_is_power_of_two((unsigned long)ipus) || ipus > ILD_IPUS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "cluster %s: %d machines make an ILD of %d IPUs; the "
		    "number must be a power of two, at most %d",
		    c->name, c->agent_count / c->ild_count, ipus, ILD_IPUS_MAX);
	if (c->ild_count == 1 && c->gateway != GATEWAY_NONE)
		return error_set_code(e, ERROR_INVALID,
		    "cluster %s: gateway links join ILDs, but it has only one "
		    "ILD",
		    c->name);
	if (c->ild_count > 1 && c->gateway == GATEWAY_NONE)
		return error_set_code(e, ERROR_INVALID,
		    "cluster %s: %d ILDs need 'gateway = looped' or 'gateway = "
		    "switched'",
		    c->name, c->ild_count);
	return 0;
}

/* qsort(3): by cluster, then by name within it. */
static int
pod_by_name(const void *a, const void *b)
{
	const struct agent *const *x = a, *const *y = b;
	int order = (*x)->cluster - (*y)->cluster;

	return order != 0 ? order : strcmp((*x)->name, (*y)->name);
}

/* qsort(3): by the address of the data plane. */
static int
pod_by_address(const void *a, const void *b)
{
	const struct agent *const *x = a, *const *y = b;

	/* Most pods are in the order of their numbers already. */
	return strverscmp((*x)->address, (*y)->address);
}

/* Refuse two agents with the same name in a cluster, or the same data plane
   address.  In sorted order they are adjacent. */
static int
check_agents(const struct pod *pod, struct error *e)
{
	const struct agent **sorted;
	size_t n = (size_t)pod->agent_count, i;
	int status = 0;

	sorted = xcalloc(n + 1, sizeof(*sorted));
	for (i = 0; i < n; i++)
		sorted[i] = &pod->agents[i];
	qsort(sorted, n, sizeof(const struct agent *), pod_by_name);
	for (i = 1; i < n && status == 0; i++)
		if (pod_by_name(&sorted[i - 1], &sorted[i]) == 0)
			status = error_set_code(e, ERROR_INVALID,
			    "agent %s is named twice in %s%s", sorted[i]->name,
			    sorted[i]->cluster == -1 ? "no cluster" :
						       "cluster ",
			    sorted[i]->cluster == -1 ?
				"" :
				pod->clusters[sorted[i]->cluster].name);
	if (status == 0)
		qsort(sorted, n, sizeof(const struct agent *), pod_by_address);
	for (i = 1; i < n && status == 0; i++)
		/* Other users' machines have no address in a filtered pod. */
		if (sorted[i]->address[0] != '\0' &&
		    pod_by_address(&sorted[i - 1], &sorted[i]) == 0)
			status = error_set_code(e, ERROR_INVALID,
			    "agents %s and %s have the same address %s",
			    sorted[i - 1]->name, sorted[i]->name,
			    sorted[i]->address);
	free(sorted);
	return status;
}

int
pod_check_clusters(const struct pod *pod, struct error *e)
{
	const struct cluster *c = pod->clusters;

	for (; c < pod->clusters + pod->cluster_count; c++) {
		if (pod_cluster_check(c, e) != 0)
			return -1;
		if (c->first_agent < 0 || c->agent_count < 0 ||
		    c->agent_count > pod->agent_count - c->first_agent)
			return error_set_code(e, ERROR_INVALID,
			    "cluster %s: its machines do not exist", c->name);
	}
	return 0;
}

/* Check that each cluster's machines are consecutive from its first one on.  A
   machine may only be in an allocation of its cluster. */
static int
pod_check_members(const struct pod *pod, struct error *e)
{
	const struct cluster *c;
	const struct agent *a;
	int i, place, members = 0;

	for (i = 0; i < pod->cluster_count; i++) {
		c = &pod->clusters[i];
		members += c->agent_count;
		for (place = 0; place < c->agent_count; place++)
			if (pod->agents[c->first_agent + place].cluster != i)
				return error_set_code(e, ERROR_INVALID,
				    "cluster %s: its machines must follow one "
				    "another",
				    c->name);
	}
	for (a = pod->agents; a < pod->agents + pod->agent_count; a++) {
		members -= a->cluster != -1;
		if (a->allocation != -1 &&
		    a->cluster != pod->allocations[a->allocation].cluster)
			return error_set_code(e, ERROR_INVALID,
			    "agent %s: is in allocation %s of another cluster",
			    a->name, pod->allocations[a->allocation].name);
	}
	return members == 0 ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"an agent names a cluster that does not have it");
}

int
pod_check(const struct pod *pod, struct error *e)
{
	return pod_check_clusters(pod, e) == 0 &&
		pod_check_members(pod, e) == 0 ?
	    check_agents(pod, e) :
	    -1;
}

const char *
pod_embedded(const char *name)
{
	const struct embedded_file *p;

	for (p = embedded_pods; p->name != NULL; p++)
		if (strcmp(p->name, name) == 0)
			return p->text;
	return NULL;
}

int
pod_ipu_count(const struct pod *pod)
{
	return pod->agent_count * IPUS_PER_MACHINE;
}

int
pod_cluster_ipu_count(const struct cluster *c)
{
	return c->agent_count * IPUS_PER_MACHINE;
}

/* All ILDs of a cluster have the same size: pod_cluster_check(). */
int
pod_cluster_ild_ipus(const struct cluster *c)
{
	return pod_cluster_ipu_count(c) / c->ild_count;
}

int
pod_find_cluster(const struct pod *pod, const char *name)
{
	int i;

	for (i = 0; i < pod->cluster_count; i++)
		if (strcmp(pod->clusters[i].name, name) == 0)
			return i;
	return -1;
}

int
pod_find_allocation(const struct pod *pod, const char *name)
{
	int i;

	for (i = 0; i < pod->allocation_count; i++)
		if (strcmp(pod->allocations[i].name, name) == 0)
			return i;
	return -1;
}

/* A rebooting machine is up from up_ms on, although its state stays. */
bool
pod_machine_is_up(const struct agent *a, int64_t now_ms)
{
	return a->state == MACHINE_UP ||
	    (a->state == MACHINE_REBOOTING && now_ms >= a->up_ms);
}

void
pod_ipu_name(const struct pod *pod, int ipu, char *name, size_t size)
{
	(void)snprintf(name, size, "%s:%d",
	    pod->agents[ipu / IPUS_PER_MACHINE].name, ipu % IPUS_PER_MACHINE);
}
