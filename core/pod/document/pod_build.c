/*
 * Building the pod from the sections of its description.  Begin at pod_build(),
 * which adds the section's line to refusals.
 */
#include "core/pod/document/document.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/formats/ini.h"
#include "core/pod/pod.h"

static const char default_address[] = "10.1.5.1";
static const char default_host[] = "10.1.2.1";

/* A pod being built, and the section of the next machines. */
struct build {
	struct pod *pod;
	int room;    /* agents */
	int cluster; /* -1: machines outside clusters */
	int allocation;
	int found; /* see find_agent() */
};

/* Add a machine of the section being built. */
static int
pod_build_add_agent(void *context, const char *name, struct error *e)
{
	struct build *b = context;
	struct agent *a;

	if (b->pod->agent_count == POD_AGENTS_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "agents: more than %d machines (%d IPUs) in the pod",
		    POD_AGENTS_MAX, POD_IPUS_MAX);
	if (b->pod->agent_count == b->room) {
		b->room = b->room == 0 ? 16 : 2 * b->room;
		b->pod->agents = xreallocarray(b->pod->agents, (size_t)b->room,
		    sizeof(*b->pod->agents));
	}
	a = &b->pod->agents[b->pod->agent_count++];
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, name, sizeof(a->name));
	a->cluster = b->cluster;
	a->allocation = -1;
	return 0;
}

/* Fill in the machines from `first` on, counting up from the section's first
   values or, without these, through the whole pod. */
static int
fill_agents(struct pod *pod, int first, const struct cluster_section *s,
    struct error *e)
{
	struct agent *a;
	bool plane = s->address[0] != '\0';
	bool management = s->host[0] != '\0';
	int i, k;

	for (i = 0; first + i < pod->agent_count; i++) {
		/* Without first values the count continues over all clusters,
		   so that numbers are unique. */
		k = first + i;
		a = &pod->agents[k];
		a->model = s->model;
		a->port = (uint32_t)(s->port == -1 ? AGENT_PORT : s->port);
		a->lot = (uint32_t)(s->lot == -1 ? LOT : s->lot);
		a->serial =
		    (uint32_t)(s->serial == -1 ? SERIAL + k : s->serial + i);
		if (a->serial > SERIAL_MAX)
			return error_set_code(e, ERROR_INVALID,
			    "serial: the numbers must not exceed %d",
			    SERIAL_MAX);
		if (agent_list_address(plane ? s->address : default_address,
			plane ? i : k, a->address, e) != 0 ||
		    agent_list_address(management ? s->host : default_host,
			management ? i : k, a->host, e) != 0)
			return -1;
	}
	return 0;
}

/* Build a cluster and its consecutive machines. */
static int
build_cluster(struct build *b, const struct cluster_section *s, struct error *e)
{
	struct pod *pod = b->pod;
	struct cluster *c = &pod->clusters[pod->cluster_count++];

	memset(c, 0, sizeof(*c));
	(void)strlcpy(c->name, s->name, sizeof(c->name));
	c->first_agent = pod->agent_count;
	c->ild_count = s->ilds;
	c->topology = s->topology;
	c->gateway = s->gateway == -1 ? GATEWAY_NONE : s->gateway;
	b->cluster = pod->cluster_count - 1;
	if (agent_list_each(s->agents, pod_build_add_agent, b, e) != 0)
		return -1;
	c->agent_count = pod->agent_count - c->first_agent;
	if (pod_cluster_check(c, e) != 0)
		return -1;
	return fill_agents(pod, c->first_agent, s, e);
}

/* Build the machines outside clusters, after all others. */
static int
build_spare(struct build *b, const struct cluster_section *s, struct error *e)
{
	int first = b->pod->agent_count;

	b->cluster = -1;
	if (agent_list_each(s->agents, pod_build_add_agent, b, e) != 0)
		return -1;
	return fill_agents(b->pod, first, s, e);
}

/* The search continues from the agent after the last one found, because files
   name them in order and a pod may have 16,384. */
static struct agent *
find_agent(struct build *b, int cluster, const char *name)
{
	const struct pod *pod = b->pod;
	struct agent *a;
	int i, first = 0, count;

	/* Machines outside clusters come last. */
	if (cluster != -1)
		first = pod->clusters[cluster].first_agent;
	else if (pod->cluster_count > 0)
		first = pod->clusters[pod->cluster_count - 1].first_agent +
		    pod->clusters[pod->cluster_count - 1].agent_count;
	count = cluster != -1 ? pod->clusters[cluster].agent_count :
				pod->agent_count - first;
	for (i = 0; i < count; i++) {
		b->found = (b->found + 1) % count;
		a = &pod->agents[first + b->found];
		if (strcmp(a->name, name) == 0)
			return a;
	}
	return NULL;
}

/* Called for each name of an allocation: must be in this cluster, and free. */
static int
allocate_agent(void *context, const char *name, struct error *e)
{
	struct build *b = context;
	struct agent *a = find_agent(b, b->cluster, name);

	if (a == NULL) {
		(void)error_set_code(e, ERROR_INVALID,
		    "agents: agent %s is not in cluster %s", name,
		    b->pod->clusters[b->cluster].name);
		return nearest_agent(b->pod, name, e);
	}
	if (a->allocation != -1)
		return error_set_code(e, ERROR_INVALID,
		    "agents: agent %s is already in allocation %s", name,
		    b->pod->allocations[a->allocation].name);
	a->allocation = b->allocation;
	return 0;
}

/* The only cluster may be left out. */
static int
build_allocation(struct build *b, const struct allocation_section *s,
    struct error *e)
{
	struct pod *pod = b->pod;
	struct allocation *a;

	b->cluster = s->cluster[0] == '\0' && pod->cluster_count == 1 ?
	    0 :
	    pod_find_cluster(pod, s->cluster);
	if (b->cluster == -1 && s->cluster[0] == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "allocation %s: 'cluster' is missing, and the pod has "
		    "several clusters",
		    s->name);
	if (b->cluster == -1) {
		(void)error_set_code(e, ERROR_INVALID,
		    "allocation %s: cluster '%s' does not exist", s->name,
		    s->cluster);
		return nearest_cluster(pod, s->cluster, e);
	}
	b->allocation = pod->allocation_count++;
	a = &pod->allocations[b->allocation];
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, s->name, sizeof(a->name));
	a->cluster = b->cluster;
	return s->agents == NULL ?
	    0 :
	    agent_list_each(s->agents, allocate_agent, b, e);
}

/* Make the default allocations of a file without any: `default` with all
   machines, or one per cluster with the cluster's name. */
static void
allocate_all(struct pod *pod)
{
	struct allocation *a;
	int i;

	for (i = 0; i < pod->cluster_count; i++) {
		a = &pod->allocations[pod->allocation_count++];
		memset(a, 0, sizeof(*a));
		(void)strlcpy(a->name,
		    pod->cluster_count == 1 ? "default" : pod->clusters[i].name,
		    sizeof(a->name));
		a->cluster = i;
	}
	for (i = 0; i < pod->agent_count; i++)
		pod->agents[i].allocation = pod->agents[i].cluster;
}

/* Apply [agent NAME], the exceptions of a machine.  -1 means the machines
   outside clusters, which are searched as well. */
static int
override_agent(struct build *b, const struct agent_section *s, struct error *e)
{
	struct pod *pod = b->pod;
	const char *colon = strchr(s->name, ':');
	char cluster[NAME_SIZE];
	struct agent *a = NULL, *other;
	int i;

	(void)strlcpy(cluster, s->name,
	    colon == NULL ? 1 : (size_t)(colon - s->name) + 1);
	for (i = -1; i < pod->cluster_count; i++) {
		if (colon != NULL &&
		    strcmp(i == -1 ? "" : pod->clusters[i].name, cluster) != 0)
			continue;
		other = find_agent(b, i, colon == NULL ? s->name : colon + 1);
		if (a != NULL && other != NULL)
			return error_set_code(e, ERROR_INVALID,
			    "agent %s: several clusters have this agent; write "
			    "[agent CLUSTER:%s]",
			    s->name, s->name);
		a = a == NULL ? other : a;
	}
	if (a == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "agent %s: must be in a cluster or in [spare]", s->name);
	if ((s->address[0] != '\0' &&
		agent_list_address(s->address, 0, a->address, e) != 0) ||
	    (s->host[0] != '\0' &&
		agent_list_address(s->host, 0, a->host, e) != 0))
		return -1;
	a->model = s->model == -1 ? a->model : s->model;
	a->port = s->port == -1 ? a->port : (uint32_t)s->port;
	a->serial = s->serial == -1 ? a->serial : (uint32_t)s->serial;
	a->lot = s->lot == -1 ? a->lot : (uint32_t)s->lot;
	return 0;
}

int
pod_build(struct pod *pod, const struct pod_file *f, struct error *e)
{
	struct build b = { .pod = pod, .found = -1 };
	struct error reason = { .text = "" };
	int i, line = f->line;

	if (f->line == 0)
		return ini_refuse(e, f->origin, 1,
		    "the [pod] section is missing");
	if (f->cluster_count == 0 && f->spare.line == 0 &&
	    f->allocated == ALLOCATED_ALL)
		return ini_refuse(e, f->origin, f->line,
		    "a [cluster NAME] section is missing");
	(void)strlcpy(pod->name, f->name, sizeof(pod->name));
	pod->clusters = xcalloc((size_t)f->cluster_count + 1,
	    sizeof(*pod->clusters));
	pod->allocations =
	    xcalloc((size_t)(f->allocation_count == 0 ? f->cluster_count :
							f->allocation_count) +
		    1,
		sizeof(*pod->allocations));
	for (i = 0; i < f->cluster_count && reason.text[0] == '\0'; i++) {
		line = f->clusters[i].line;
		(void)build_cluster(&b, &f->clusters[i], &reason);
	}
	if (f->spare.line != 0 && reason.text[0] == '\0') {
		line = f->spare.line;
		(void)build_spare(&b, &f->spare, &reason);
	}
	for (i = 0; i < f->allocation_count && reason.text[0] == '\0'; i++) {
		line = f->allocations[i].line;
		(void)build_allocation(&b, &f->allocations[i], &reason);
	}
	for (i = 0; i < f->agent_count && reason.text[0] == '\0'; i++) {
		line = f->agents[i].line;
		(void)override_agent(&b, &f->agents[i], &reason);
	}
	if (reason.text[0] == '\0') {
		line = f->line;
		(void)pod_check(pod, &reason);
	}
	if (reason.text[0] != '\0')
		return ini_refuse(e, f->origin, line, "%s", reason.text);
	if (f->allocation_count == 0 && f->allocated == ALLOCATED_ALL)
		allocate_all(pod);
	return 0;
}
