/*
 * Objects of the pod as INI files: one section each, words for enumerations,
 * names for references, so that people can read and repair a file.
 *
 * The tables of rows define the contents of a file.  A missing optional key is
 * 0, and values that are 0 in most objects are not written.  So a newer ipubox
 * reads an older one's file.
 */
#include "core/state/object.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/pod/placement.h"

/* An object as in its file: references are names, or "". */
struct record {
	int place; /* in the pod's list */
	char cluster[NAME_SIZE];
	char allocation[NAME_SIZE];
	union {
		struct agent agent;
		struct cluster cluster;
		struct allocation allocation;
	} as;
};

#define ROW(s, k, t, member) \
	.section = (s), .key = (k), .type = (t), \
	INI_FIELD(struct record, member)
#define REQUIRED .required = true
#define RANGE(from, to) .min = (from), .max = (to)

static const struct ini_row agent_rows[] = {
	{ ROW("agent", "name", INI_NAME, as.agent.name), REQUIRED },
	{ ROW("agent", "place", INI_NUMBER, place), REQUIRED,
	    RANGE(0, POD_AGENTS_MAX - 1) },
	{ ROW("agent", "cluster", INI_NAME, cluster) },
	{ ROW("agent", "allocation", INI_NAME, allocation) },
	{ ROW("agent", "host", INI_TEXT, as.agent.host), REQUIRED },
	{ ROW("agent", "port", INI_NUMBER, as.agent.port), REQUIRED,
	    RANGE(1, UINT16_MAX) },
	{ ROW("agent", "address", INI_TEXT, as.agent.address), REQUIRED },
	{ ROW("agent", "model", INI_WORD, as.agent.model), REQUIRED,
	    .words = pod_machine_words },
	{ ROW("agent", "lot", INI_NUMBER, as.agent.lot), REQUIRED,
	    RANGE(0, INT32_MAX) },
	{ ROW("agent", "serial", INI_NUMBER, as.agent.serial), REQUIRED,
	    RANGE(0, INT32_MAX) },
	{ ROW("agent", "state", INI_WORD, as.agent.state),
	    .words = pod_machine_state_words },
	{ ROW("agent", "fail-config", INI_NUMBER, as.agent.fail_config),
	    RANGE(0, INT32_MAX) },
	{ ROW("agent", "slow-ms", INI_NUMBER, as.agent.slow_ms),
	    RANGE(0, INT32_MAX) },
	{ ROW("agent", "changed-ms", INI_NUMBER, as.agent.changed_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("agent", "up-ms", INI_NUMBER, as.agent.up_ms),
	    RANGE(0, INT64_MAX) },
	{ 0 },
};

static const struct ini_row cluster_rows[] = {
	{ ROW("cluster", "name", INI_NAME, as.cluster.name), REQUIRED },
	{ ROW("cluster", "place", INI_NUMBER, place), REQUIRED,
	    RANGE(0, POD_CLUSTERS_MAX - 1) },
	{ ROW("cluster", "ilds", INI_NUMBER, as.cluster.ild_count), REQUIRED,
	    RANGE(1, POD_AGENTS_MAX) },
	{ ROW("cluster", "topology", INI_WORD, as.cluster.topology), REQUIRED,
	    .words = pod_topology_words },
	{ ROW("cluster", "gateway", INI_WORD, as.cluster.gateway), REQUIRED,
	    .words = pod_gateway_words },
	{ 0 },
};

static const struct ini_row allocation_rows[] = {
	{ ROW("allocation", "name", INI_NAME, as.allocation.name), REQUIRED },
	{ ROW("allocation", "place", INI_NUMBER, place), REQUIRED,
	    RANGE(0, POD_ALLOCATIONS_MAX - 1) },
	{ ROW("allocation", "cluster", INI_NAME, cluster), REQUIRED },
	{ 0 },
};

/* Names cannot contain ':'; two clusters may have agents of the same name. */
void
object_agent_name(const struct pod *pod, const struct agent *a, char *name,
    size_t size)
{
	(void)snprintf(name, size, "%s%s%s",
	    a->cluster == -1 ? "" : pod->clusters[a->cluster].name,
	    a->cluster == -1 ? "" : ":", a->name);
}

/* Set the names of the objects referred to; -1: no reference. */
static void
set_references(struct record *o, const struct pod *pod, int cluster,
    int allocation)
{
	if (cluster != -1)
		(void)strlcpy(o->cluster, pod->clusters[cluster].name,
		    sizeof(o->cluster));
	if (allocation != -1)
		(void)strlcpy(o->allocation, pod->allocations[allocation].name,
		    sizeof(o->allocation));
}

char *
object_agent_text(const struct pod *pod, int place, const struct agent *a)
{
	struct record o = { .place = place, .as.agent = *a };

	set_references(&o, pod, a->cluster, a->allocation);
	return ini_text(agent_rows, &o);
}

char *
object_cluster_text(const struct pod *pod, int index)
{
	struct record o = { .place = index,
		.as.cluster = pod->clusters[index] };

	return ini_text(cluster_rows, &o);
}

char *
object_allocation_text(const struct pod *pod, int index)
{
	struct record o = { .place = index,
		.as.allocation = pod->allocations[index] };

	set_references(&o, pod, pod->allocations[index].cluster, -1);
	return ini_text(allocation_rows, &o);
}

/*
 * A directory of objects.  Files have no order, but places do: `place = 3` is
 * element 3 of the array, and the places must be 0 to count-1, each once.
 * size() makes the array, put() fills one element.
 */
struct list {
	const char *directory; /* "agents" */
	const struct ini_row *rows;
	int max;
	int (*put)(struct pod *, const struct record *, struct error *);
	int (*size)(struct pod *, int count);
};

static int
size_clusters(struct pod *pod, int count)
{
	pod->clusters = xcalloc((size_t)count + 1, sizeof(*pod->clusters));
	pod->cluster_count = count;
	return 0;
}

static int
size_allocations(struct pod *pod, int count)
{
	pod->allocations = xcalloc((size_t)count + 1,
	    sizeof(*pod->allocations));
	pod->allocation_count = count;
	return 0;
}

static int
size_agents(struct pod *pod, int count)
{
	pod->agents = xcalloc((size_t)count + 1, sizeof(*pod->agents));
	pod->agent_count = count;
	return 0;
}

static int
object_put_cluster(struct pod *pod, const struct record *o, struct error *e)
{
	(void)e;
	pod->clusters[o->place] = o->as.cluster;
	return 0;
}

/* Clusters were read before, so the name must be known. */
static int
object_put_allocation(struct pod *pod, const struct record *o, struct error *e)
{
	struct allocation *a = &pod->allocations[o->place];

	*a = o->as.allocation;
	a->cluster = pod_find_cluster(pod, o->cluster);
	return a->cluster != -1 ?
	    0 :
	    error_set(e, "cluster '%s' does not exist", o->cluster);
}

/* A machine may be outside clusters and allocations, but must not refer to
   missing ones. */
static int
put_agent(struct pod *pod, const struct record *o, struct error *e)
{
	struct agent *a = &pod->agents[o->place];

	*a = o->as.agent;
	a->cluster = pod_find_cluster(pod, o->cluster);
	a->allocation = pod_find_allocation(pod, o->allocation);
	if (a->cluster == -1 && o->cluster[0] != '\0')
		return error_set(e, "cluster '%s' does not exist", o->cluster);
	if (a->allocation == -1 && o->allocation[0] != '\0')
		return error_set(e, "allocation '%s' does not exist",
		    o->allocation);
	return 0;
}

/* Clusters first, because the others name them. */
static const struct list lists[] = {
	{ "clusters", cluster_rows, POD_CLUSTERS_MAX, object_put_cluster,
	    size_clusters },
	{ "allocations", allocation_rows, POD_ALLOCATIONS_MAX,
	    object_put_allocation, size_allocations },
	{ "agents", agent_rows, POD_AGENTS_MAX, put_agent, size_agents },
};

/* A file has the name of its object, after an agent's cluster.  Otherwise the
   next change of the object would write a second file. */
static int
check_file_name(const struct list *l, const char *path, const struct record *o,
    struct error *e)
{
	const bool in_cluster = l->rows == agent_rows && o->cluster[0] != '\0';
	/* The name is the first member of each kind of object. */
	char *wanted = xasprintf("%s%s%s.ini", in_cluster ? o->cluster : "",
	    in_cluster ? ":" : "", o->as.cluster.name);
	int status = 0;

	if (strcmp(path_base_name(path), wanted) != 0)
		status = ini_refuse(e, path, 1,
		    "the file must be named %s/%s, after its object; rename it",
		    l->directory, wanted);
	free(wanted);
	return status;
}

/* Read one file into its place.  taken[] marks the places of earlier files. */
static int
read_one(const struct list *l, const struct directory *d, const char *path,
    struct pod *pod, bool *taken, long count, struct error *e)
{
	struct record o;
	struct error reason = { .text = "" };

	memset(&o, 0, sizeof(o));
	if (ini_read_section(l->rows, d, path_base_name(path), &o, e) != 0)
		return -1;
	if (o.place >= count)
		return ini_refuse(e, path, 1,
		    "place %d: too large for the %ld files in %s; places are "
		    "counted from 0",
		    o.place, count, l->directory);
	if (taken[o.place])
		return ini_refuse(e, path, 1,
		    "place %d: another file in %s has this place too", o.place,
		    l->directory);
	taken[o.place] = true;
	if (l->put(pod, &o, &reason) != 0)
		return ini_refuse(e, path, 1, "%s", reason.text);
	return check_file_name(l, path, &o, e);
}

/* Read all files of a directory, which are as many as the places. */
static int
read_list(const struct list *l, const struct directory *state, struct pod *pod,
    struct error *e)
{
	struct directory d;
	char **names = NULL, *path;
	bool *taken;
	long i, count = -1;
	int status = 0;

	if (directory_open_below(state, l->directory, &d, e) == 0)
		count = directory_names(&d, ".ini", &names, e);
	if (count == -1 || count > l->max) {
		if (count != -1) {
			(void)error_set(e, "%s: more than %d files", d.path,
			    l->max);
			directory_names_free(names, count);
		}
		directory_close(&d);
		return -1;
	}
	(void)l->size(pod, (int)count);
	taken = xcalloc((size_t)count + 1, sizeof(*taken));
	for (i = 0; i < count && status == 0; i++) {
		path = xasprintf("%s/%s", d.path, names[i]);
		status = read_one(l, &d, path, pod, taken, count, e);
		free(path);
	}
	free(taken);
	directory_names_free(names, count);
	directory_close(&d);
	return status;
}

/* Refuse an object, with the name of its file first; free that. */
static int
refuse_object(char *path, const char *reason, struct error *e)
{
	(void)ini_refuse(e, path, 1, "%s", reason);
	free(path);
	return -1;
}

/*
 * Count first_agent and agent_count of each cluster.  No file has them: the
 * agents name their cluster.  IPU numbers count from first_agent, so a
 * cluster's machines must be adjacent.
 */
static int
count_machines(const char *directory, struct pod *pod, struct error *e)
{
	struct cluster *c;
	char name[2 * NAME_SIZE];
	int i;

	for (i = 0; i < pod->agent_count; i++) {
		if (pod->agents[i].cluster == -1)
			continue;
		c = &pod->clusters[pod->agents[i].cluster];
		if (c->agent_count == 0)
			c->first_agent = i;
		if (i != c->first_agent + c->agent_count) {
			object_agent_name(pod, &pod->agents[i], name,
			    sizeof(name));
			return refuse_object(xasprintf("%s/agents/%s.ini",
						 directory, name),
			    "the machines of its cluster must have consecutive "
			    "places; correct 'place'",
			    e);
		}
		c->agent_count++;
	}
	return 0;
}

/* Check that each cluster's machines suit its ILDs and topology. */
static int
check_clusters(const char *directory, const struct pod *pod, struct error *e)
{
	const struct cluster *c = pod->clusters;
	struct error reason;

	for (; c < pod->clusters + pod->cluster_count; c++)
		if (pod_cluster_check(c, &reason) != 0)
			return refuse_object(xasprintf("%s/clusters/%s.ini",
						 directory, c->name),
			    reason.text, e);
	return 0;
}

int
object_read_pod(const struct directory *d, struct pod *pod, struct error *e)
{
	size_t i;

	pod_init(pod);
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		if (read_list(&lists[i], d, pod, e) != 0)
			goto fail;
	if (count_machines(d->path, pod, e) != 0 ||
	    check_clusters(d->path, pod, e) != 0)
		goto fail;
	if (pod_check(pod, e) != 0) {
		(void)error_prefix(e, "%s", d->path);
		(void)error_recode(e, ERROR_DAMAGED);
		goto fail;
	}
	return 0;
fail:
	pod_release(pod);
	return -1;
}

/* In the order of their enumerations in core/pod/partition.h. */
static const char *const routing_words[] = { "undefined", "dnc", "swnc", "btnc",
	"ringswnc", NULL };
static const char *const gateway_routing_words[] = { "undefined", "default",
	"ring", "swring", NULL };
static const char *const sync_words[] = { "undefined", "gs2-default",
	"gs2-independent-rails", "pod-native-default",
	"pod-native-replicated-pipeline", NULL };
static const char *const state_words[] = { "undefined", "pending", "active",
	"removed", "error", NULL };
static const char *const operation_words[] = { "undefined", "idle", "creating",
	"removing", "resetting", "failed", NULL };

/* A partition as in its file: references are names, or "". */
struct partition_record {
	struct partition partition;
	char cluster[NAME_SIZE];
	char allocation[NAME_SIZE];
};

#define ENTRY(k, t, member) \
	.section = "partition", .key = (k), .type = (t), \
	INI_FIELD(struct partition_record, member)

static const struct ini_row partition_rows[] = {
	{ ENTRY("name", INI_NAME, partition.name), REQUIRED },
	{ ENTRY("cluster", INI_NAME, cluster), REQUIRED },
	{ ENTRY("allocation", INI_NAME, allocation) },
	{ ENTRY("first-ild", INI_NUMBER, partition.placement.first_ild),
	    REQUIRED, RANGE(0, POD_IPUS_MAX) },
	{ ENTRY("ilds", INI_NUMBER, partition.placement.ild_count), REQUIRED,
	    RANGE(1, POD_IPUS_MAX) },
	{ ENTRY("offset", INI_NUMBER, partition.placement.offset), REQUIRED,
	    RANGE(0, POD_IPUS_MAX) },
	{ ENTRY("ipus-per-ild", INI_NUMBER, partition.placement.per_ild),
	    REQUIRED, RANGE(1, ILD_IPUS_MAX) },
	{ ENTRY("gcds", INI_NUMBER, partition.num_gcds), REQUIRED,
	    RANGE(1, POD_IPUS_MAX) },
	{ ENTRY("replicas", INI_NUMBER, partition.num_replicas), REQUIRED,
	    RANGE(1, POD_IPUS_MAX) },
	{ ENTRY("routing", INI_WORD, partition.routing), REQUIRED,
	    .words = routing_words },
	{ ENTRY("gateway-routing", INI_WORD, partition.gateway_routing),
	    REQUIRED, .words = gateway_routing_words },
	{ ENTRY("sync-type", INI_WORD, partition.sync_type), REQUIRED,
	    .words = sync_words },
	{ ENTRY("state", INI_WORD, partition.state), REQUIRED,
	    .words = state_words },
	{ ENTRY("operation", INI_WORD, partition.operation), REQUIRED,
	    .words = operation_words },
	{ ENTRY("owner", INI_NUMBER, partition.owner), REQUIRED,
	    RANGE(0, UINT32_MAX) },
	{ ENTRY("reconfigurable", INI_BOOL, partition.reconfigurable),
	    REQUIRED },
	{ ENTRY("relocatable", INI_BOOL, partition.relocatable), REQUIRED },
	{ ENTRY("no-auto-reset", INI_BOOL, partition.no_auto_reset), REQUIRED },
	{ ENTRY("created", INI_NUMBER, partition.created), REQUIRED,
	    RANGE(INT64_MIN, INT64_MAX) },
	{ ENTRY("attempts", INI_NUMBER, partition.attempts),
	    RANGE(0, INT32_MAX) },
	{ ENTRY("moves", INI_NUMBER, partition.moves), RANGE(0, UINT8_MAX) },
	{ ENTRY("resets", INI_NUMBER, partition.resets), RANGE(0, INT32_MAX) },
	{ ENTRY("changed-ms", INI_NUMBER, partition.changed_ms),
	    RANGE(0, INT64_MAX) },
	{ ENTRY("due-ms", INI_NUMBER, partition.due_ms), RANGE(0, INT64_MAX) },
	{ ENTRY("reset-ms", INI_NUMBER, partition.reset_ms),
	    RANGE(0, INT64_MAX) },
	{ ENTRY("error-ms", INI_NUMBER, partition.error_ms),
	    RANGE(0, INT64_MAX) },
	{ ENTRY("expires-ms", INI_NUMBER, partition.expires_ms),
	    RANGE(0, INT64_MAX) },
	{ ENTRY("last-error", INI_TEXT, partition.last_error) },
	{ ENTRY("ipuof-folder", INI_TEXT, partition.ipuof_directory) },
	{ ENTRY("id", INI_HEX, partition.id) },
	{ ENTRY("owner-kind", INI_WORD, partition.owner_kind),
	    .words = owner_kind_words },
	{ ENTRY("owner-text", INI_TEXT, partition.owner_text) },
	{ ENTRY("user", INI_NAME, partition.user) },
	{ 0 },
};

char *
object_partition_text(const struct pod *pod, const struct partition *p)
{
	struct partition_record o = { .partition = *p };

	(void)strlcpy(o.cluster, pod->clusters[p->placement.cluster].name,
	    sizeof(o.cluster));
	if (p->allocation != -1)
		(void)strlcpy(o.allocation,
		    pod->allocations[p->allocation].name, sizeof(o.allocation));
	return ini_text(partition_rows, &o);
}

/*
 * Convert references, which must exist, to indices of this pod.  Also check
 * that GCDs divide the size, because all code that counts GCDs divides by it.
 */
static int
partition_file_take(const struct pod *pod, const struct directory *d,
    const char *path, const char *name, struct partition *p, struct error *e)
{
	struct partition_record o = { .cluster = "" };
	int size;

	if (ini_read_section(partition_rows, d, path_base_name(path), &o, e) !=
	    0)
		return -1;
	*p = o.partition;
	if (strcmp(p->name, name) != 0)
		return ini_refuse(e, path, 1,
		    "the file must be named after its partition, '%s'",
		    p->name);
	p->placement.cluster = pod_find_cluster(pod, o.cluster);
	if (p->placement.cluster == -1)
		return ini_refuse(e, path, 1, "cluster '%s' is not in the pod",
		    o.cluster);
	p->allocation = o.allocation[0] == '\0' ?
	    -1 :
	    pod_find_allocation(pod, o.allocation);
	if (p->allocation == -1 && o.allocation[0] != '\0')
		return ini_refuse(e, path, 1,
		    "allocation '%s' is not in the pod", o.allocation);
	if (placement_check(pod, &p->placement, e) != 0)
		return error_prefix(e, "%s:1", path);
	size = p->placement.ild_count * p->placement.per_ild;
	if (size % p->num_gcds != 0)
		return ini_refuse(e, path, 1,
		    "%d IPUs cannot be divided evenly among %d GCDs", size,
		    p->num_gcds);
	return 0;
}

int
object_read_partition(const struct pod *pod, const struct directory *d,
    const char *file, const char *name, struct partition *p, struct error *e)
{
	char *path = xasprintf("%s/%s", d->path, file);
	int status = partition_file_take(pod, d, path, name, p, e);

	free(path);
	return status;
}
