#include "core/pod/pod_file.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/ini.h"

#define CLUSTER(member) INI_FIELD(struct cluster_section, member)
#define ALLOCATION(member) INI_FIELD(struct allocation_section, member)
#define AGENT(member) INI_FIELD(struct agent_section, member)

static const struct ini_row rows[] = {
	{ .section = "pod", .key = "name", .type = INI_NAME, .required = true,
	    INI_FIELD(struct pod_file, name) },
	{ .section = "cluster *", .key = "agents", .type = INI_TEXT,
	    .required = true, CLUSTER(agents) },
	{ .section = "cluster *", .key = "ilds", .type = INI_NUMBER,
	    CLUSTER(ilds), .min = 1, .max = POD_AGENTS_MAX },
	{ .section = "cluster *", .key = "topology", .type = INI_WORD,
	    CLUSTER(topology), .words = topology_words },
	{ .section = "cluster *", .key = "gateway", .type = INI_WORD,
	    CLUSTER(gateway), .words = gateway_words },
	{ .section = "cluster *", .key = "model", .type = INI_WORD,
	    CLUSTER(model), .words = machine_words },
	{ .section = "cluster *", .key = "address", .type = INI_TEXT,
	    CLUSTER(address) },
	{ .section = "cluster *", .key = "host", .type = INI_TEXT,
	    CLUSTER(host) },
	{ .section = "cluster *", .key = "port", .type = INI_NUMBER,
	    CLUSTER(port), .min = 1, .max = UINT16_MAX },
	{ .section = "cluster *", .key = "serial", .type = INI_NUMBER,
	    CLUSTER(serial), .min = 0, .max = SERIAL_MAX },
	{ .section = "cluster *", .key = "lot", .type = INI_NUMBER,
	    CLUSTER(lot), .min = 0, .max = LOT_MAX },
	{ .section = "allocation *", .key = "cluster", .type = INI_NAME,
	    ALLOCATION(cluster) },
	{ .section = "allocation *", .key = "agents", .type = INI_TEXT,
	    .required = true, ALLOCATION(agents) },
	{ .section = "agent *", .key = "address", .type = INI_TEXT,
	    AGENT(address) },
	{ .section = "agent *", .key = "host", .type = INI_TEXT, AGENT(host) },
	{ .section = "agent *", .key = "port", .type = INI_NUMBER, AGENT(port),
	    .min = 1, .max = UINT16_MAX },
	{ .section = "agent *", .key = "serial", .type = INI_NUMBER,
	    AGENT(serial), .min = 0, .max = SERIAL_MAX },
	{ .section = "agent *", .key = "lot", .type = INI_NUMBER, AGENT(lot),
	    .min = 0, .max = LOT_MAX },
	{ 0 }
};

static void *
begin_cluster(struct pod_file *f, const struct ini_section *s, struct error *e)
{
	struct cluster_section	*c;

	if (check_name("cluster", s->name, e) != 0)
		return NULL;
	if (f->cluster_count == POD_CLUSTERS_MAX) {
		(void)error_set(e, "more than %d clusters", POD_CLUSTERS_MAX);
		return NULL;
	}
	f->clusters = xreallocarray(f->clusters, (size_t)f->cluster_count + 1,
	    sizeof(*f->clusters));
	c = &f->clusters[f->cluster_count++];
	memset(c, 0, sizeof(*c));
	(void)strlcpy(c->name, s->name, sizeof(c->name));
	c->line = s->line;
	c->ilds = 1;
	c->topology = TOPOLOGY_TORUS;
	c->gateway = c->port = c->serial = c->lot = -1;
	c->model = MACHINE_M2000;
	return c;
}

static void *
begin_allocation(struct pod_file *f, const struct ini_section *s,
    struct error *e)
{
	struct allocation_section	*a;

	if (check_name("allocation", s->name, e) != 0)
		return NULL;
	if (f->allocation_count == POD_ALLOCATIONS_MAX) {
		(void)error_set(e, "more than %d allocations",
		    POD_ALLOCATIONS_MAX);
		return NULL;
	}
	f->allocations = xreallocarray(f->allocations,
	    (size_t)f->allocation_count + 1, sizeof(*f->allocations));
	a = &f->allocations[f->allocation_count++];
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, s->name, sizeof(a->name));
	a->line = s->line;
	return a;
}

static void *
begin_agent(struct pod_file *f, const struct ini_section *s)
{
	struct agent_section	*a;
	size_t			 count = (size_t)f->agent_count;

	/* Doubled each time a power of two is full. */
	if (count == 0 || is_power_of_two(count))
		f->agents = xreallocarray(f->agents, count == 0 ? 1 :
		    2 * count, sizeof(*f->agents));
	a = &f->agents[f->agent_count++];
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, s->name, sizeof(a->name));
	a->line = s->line;
	a->port = a->serial = a->lot = -1;
	return a;
}

static void *
begin_section(void *context, const struct ini_section *s, struct error *e)
{
	struct pod_file	*f = context;

	if (strcmp(s->kind, "cluster") == 0)
		return begin_cluster(f, s, e);
	if (strcmp(s->kind, "allocation") == 0)
		return begin_allocation(f, s, e);
	if (strcmp(s->kind, "agent") == 0)
		return begin_agent(f, s);
	f->line = s->line;
	return f;
}

int
pod_parse(struct pod *pod, const char *origin, const char *text,
    struct error *e)
{
	struct pod_file		f = { .origin = origin };
	struct ini_schema	schema = { .rows = rows,
	    .begin = begin_section, .context = &f };
	int			status;

	pod_init(pod);
	status = ini_read_text(&schema, origin, text, strlen(text), e);
	if (status == 0)
		status = pod_build(pod, &f, e);
	if (status != 0)
		pod_release(pod);
	free(f.clusters);
	free(f.allocations);
	free(f.agents);
	return status;
}

