/*
 * The sections of a pod description as a schema of INI rows, and their
 * defaults.  Read pod_file_rows and pod_file_begin_section() first.
 */
#include "core/pod/document/document.h"

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"

#define CLUSTER(member) INI_FIELD(struct cluster_section, member)
#define ALLOCATION(member) INI_FIELD(struct allocation_section, member)
#define AGENT(member) INI_FIELD(struct agent_section, member)
#define REQUEST(member) INI_FIELD(struct partition_section, request.member)

static int parse_cluster_agents(void *, const char *, struct error *);
static int parse_allocation_agents(void *, const char *, struct error *);
static int parse_routing(void *, const char *, struct error *);
static int parse_gateway_routing(void *, const char *, struct error *);
static int parse_sync_type(void *, const char *, struct error *);

static const char *const allocated_words[] = { "all", "none", NULL };

/* Properties of machines: of a cluster, of spare ones, or of a single one. */
#define MACHINE_ROWS(s, FIELD) \
	{ .section = (s), \
		.key = "model", \
		.type = INI_WORD, \
		FIELD(model), \
		.words = pod_machine_words }, \
	    { .section = (s), \
		    .key = "address", \
		    .type = INI_TEXT, \
		    FIELD(address) }, \
	    { .section = (s), .key = "host", .type = INI_TEXT, FIELD(host) }, \
	    { .section = (s), \
		    .key = "port", \
		    .type = INI_NUMBER, \
		    FIELD(port), \
		    .min = 1, \
		    .max = UINT16_MAX }, \
	    { .section = (s), \
		    .key = "serial", \
		    .type = INI_NUMBER, \
		    FIELD(serial), \
		    .min = 0, \
		    .max = SERIAL_MAX }, \
	{ \
		.section = (s), .key = "lot", .type = INI_NUMBER, FIELD(lot), \
		.min = 0, .max = LOT_MAX \
	}
#define GROUP_ROWS(s) \
	{ .section = (s), \
		.key = "agents", \
		.type = INI_CUSTOM, \
		.required = true, \
		.repeated = true, \
		.parse = parse_cluster_agents }, \
	    MACHINE_ROWS(s, CLUSTER)

#define P "partition *"
static const struct ini_row pod_file_rows[] = {
	{ .section = "pod",
	    .key = "name",
	    .type = INI_NAME,
	    .required = true,
	    INI_FIELD(struct pod_file, name) },
	{ .section = "pod",
	    .key = "allocations",
	    .type = INI_WORD,
	    INI_FIELD(struct pod_file, allocated),
	    .words = allocated_words },
	GROUP_ROWS("cluster *"),
	{ .section = "cluster *",
	    .key = "ilds",
	    .type = INI_NUMBER,
	    CLUSTER(ilds),
	    .min = 1,
	    .max = POD_AGENTS_MAX },
	{ .section = "cluster *",
	    .key = "topology",
	    .type = INI_WORD,
	    CLUSTER(topology),
	    .words = pod_topology_words },
	{ .section = "cluster *",
	    .key = "gateway",
	    .type = INI_WORD,
	    CLUSTER(gateway),
	    .words = pod_gateway_words },
	GROUP_ROWS("spare"),
	{ .section = "allocation *",
	    .key = "cluster",
	    .type = INI_NAME,
	    ALLOCATION(cluster) },
	{ .section = "allocation *",
	    .key = "agents",
	    .type = INI_CUSTOM,
	    .repeated = true,
	    .parse = parse_allocation_agents },
	MACHINE_ROWS("agent *", AGENT),
	{ .section = P,
	    .key = "size",
	    .type = INI_NUMBER,
	    .required = true,
	    REQUEST(size),
	    .min = 1,
	    .max = POD_IPUS_MAX },
	{ .section = P,
	    .key = "gcds",
	    .type = INI_NUMBER,
	    REQUEST(num_gcds),
	    .min = 1,
	    .max = POD_IPUS_MAX },
	{ .section = P,
	    .key = "replicas",
	    .type = INI_NUMBER,
	    REQUEST(num_replicas),
	    .min = 1,
	    .max = POD_IPUS_MAX },
	{ .section = P,
	    .key = "ilds",
	    .type = INI_NUMBER,
	    REQUEST(num_ilds),
	    .min = 1,
	    .max = POD_IPUS_MAX },
	{ .section = P, .key = "cluster", .type = INI_NAME, REQUEST(cluster) },
	{ .section = P,
	    .key = "allocation",
	    .type = INI_NAME,
	    REQUEST(allocation) },
	{ .section = P,
	    .key = "first-ipu",
	    .type = INI_TEXT,
	    REQUEST(first_ipu) },
	{ .section = P,
	    .key = "routing",
	    .type = INI_CUSTOM,
	    .parse = parse_routing },
	{ .section = P,
	    .key = "gateway-routing",
	    .type = INI_CUSTOM,
	    .parse = parse_gateway_routing },
	{ .section = P,
	    .key = "sync-type",
	    .type = INI_CUSTOM,
	    .parse = parse_sync_type },
	{ .section = P,
	    .key = "reconfigurable",
	    .type = INI_BOOL,
	    REQUEST(reconfigurable) },
	{ .section = P,
	    .key = "relocatable",
	    .type = INI_BOOL,
	    REQUEST(relocatable) },
	{ .section = P,
	    .key = "auto-reset",
	    .type = INI_BOOL,
	    INI_FIELD(struct partition_section, auto_reset) },
	{ 0 },
};
#undef P

/* Append a line of agents. */
static void
append_list(char **list, const char *more)
{
	char *joined;

	joined = *list == NULL ? xstrdup(more) :
				 xasprintf("%s, %s", *list, more);
	free(*list);
	*list = joined;
}

/* `agents` may be repeated: the lists are joined. */
static int
parse_cluster_agents(void *section, const char *value, struct error *e)
{
	struct cluster_section *c = section;

	(void)e;
	append_list(&c->agents, value);
	return 0;
}

static int
parse_allocation_agents(void *section, const char *value, struct error *e)
{
	struct allocation_section *a = section;

	(void)e;
	append_list(&a->agents, value);
	return 0;
}

/* Words in any case; a refusal lists them all. */
static int
parse_routing(void *section, const char *value, struct error *e)
{
	struct partition_section *p = section;

	p->request.routing = partition_link_routing_parse(value);
	return p->request.routing != -1 ?
	    0 :
	    suggest_refuse("routing", value, "dnc, swnc, btnc or ringswnc", e);
}

static int
parse_gateway_routing(void *section, const char *value, struct error *e)
{
	struct partition_section *p = section;

	p->request.gateway_routing = partition_gateway_routing_parse(value);
	return p->request.gateway_routing != -1 ?
	    0 :
	    suggest_refuse("gateway-routing", value, "default, ring or swring",
		e);
}

static int
parse_sync_type(void *section, const char *value, struct error *e)
{
	struct partition_section *p = section;

	p->request.sync_type = partition_sync_type_parse(value);
	return p->request.sync_type != -1 ?
	    0 :
	    suggest_refuse("sync-type", value,
		"c2-compatible, pod-native-default or "
		"pod-native-replicated-pipeline",
		e);
}

/* Begin [cluster] or [spare] with their common defaults. */
static void
begin_machines(struct cluster_section *c, const struct ini_section *s)
{
	memset(c, 0, sizeof(*c));
	(void)strlcpy(c->name, s->name, sizeof(c->name));
	c->line = s->line;
	c->ilds = 1;
	c->topology = TOPOLOGY_TORUS;
	c->gateway = c->port = c->serial = c->lot = -1;
	c->model = MACHINE_M2000;
}

static void *
begin_cluster(struct pod_file *f, const struct ini_section *s, struct error *e)
{
	struct cluster_section *c;

	if (name_check("cluster", s->name, e) != 0)
		return NULL;
	if (f->cluster_count == POD_CLUSTERS_MAX) {
		(void)error_set(e, "more than %d clusters", POD_CLUSTERS_MAX);
		return NULL;
	}
	f->clusters = xreallocarray(f->clusters, (size_t)f->cluster_count + 1,
	    sizeof(*f->clusters));
	c = &f->clusters[f->cluster_count++];
	begin_machines(c, s);
	return c;
}

static void *
begin_allocation(struct pod_file *f, const struct ini_section *s,
    struct error *e)
{
	struct allocation_section *a;

	if (name_check("allocation", s->name, e) != 0)
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
	struct agent_section *a;
	size_t count = (size_t)f->agent_count;

	/* Doubled whenever a power of two is full. */
	if (count == 0 || bits_is_power_of_two(count))
		f->agents = xreallocarray(f->agents, count == 0 ? 1 : 2 * count,
		    sizeof(*f->agents));
	a = &f->agents[f->agent_count++];
	memset(a, 0, sizeof(*a));
	(void)strlcpy(a->name, s->name, sizeof(a->name));
	a->line = s->line;
	a->model = a->port = a->serial = a->lot = -1;
	return a;
}

static void *
begin_partition(struct pod_file *f, const struct ini_section *s,
    struct error *e)
{
	struct partition_section *p;
	size_t count = (size_t)f->partition_count;

	if (name_check("partition", s->name, e) != 0)
		return NULL;
	if (count == PARTITIONS_MAX) {
		(void)error_set(e, "more than %d partitions", PARTITIONS_MAX);
		return NULL;
	}
	if (count == 0 || bits_is_power_of_two(count))
		f->partitions = xreallocarray(f->partitions,
		    count == 0 ? 1 : 2 * count, sizeof(*f->partitions));
	p = &f->partitions[f->partition_count++];
	memset(p, 0, sizeof(*p));
	request_init(&p->request);
	(void)strlcpy(p->request.name, s->name, sizeof(p->request.name));
	p->line = s->line;
	p->auto_reset = true;
	return p;
}

/* Begin a section: return the struct for its keys. */
static void *
pod_file_begin_section(void *context, const struct ini_section *s,
    struct error *e)
{
	struct pod_file *f = context;

	if (strcmp(s->kind, "cluster") == 0)
		return begin_cluster(f, s, e);
	if (strcmp(s->kind, "allocation") == 0)
		return begin_allocation(f, s, e);
	if (strcmp(s->kind, "agent") == 0)
		return begin_agent(f, s);
	if (strcmp(s->kind, "partition") == 0)
		return begin_partition(f, s, e);
	if (strcmp(s->kind, "spare") == 0) {
		begin_machines(&f->spare, s);
		return &f->spare;
	}
	f->line = s->line;
	return f;
}

int
pod_file_read(struct pod_file *f, const char *origin, const char *text,
    struct error *e)
{
	struct ini_schema schema = { .rows = pod_file_rows,
		.begin = pod_file_begin_section,
		.context = f };

	*f = (struct pod_file){ .origin = origin };
	return ini_read_text(&schema, origin, text, strlen(text), e);
}

void
pod_file_release(struct pod_file *f)
{
	int i;

	for (i = 0; i < f->cluster_count; i++)
		free(f->clusters[i].agents);
	for (i = 0; i < f->allocation_count; i++)
		free(f->allocations[i].agents);
	free(f->spare.agents);
	free(f->clusters);
	free(f->allocations);
	free(f->agents);
	free(f->partitions);
}

int
pod_file_parse(struct pod *pod, const char *origin, const char *text,
    struct error *e)
{
	struct pod_file f;
	int status;

	pod_init(pod);
	status = pod_file_read(&f, origin, text, e);
	if (status == 0)
		status = pod_build(pod, &f, e);
	if (status != 0)
		pod_release(pod);
	pod_file_release(&f);
	return status;
}
