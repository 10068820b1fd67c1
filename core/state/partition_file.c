/*
 * A partition as the text of its INI file, and back: words for enumerations,
 * names for references.  Its rows follow the rules of object.c.
 */
#include "core/state/partition_file.h"

#include <bsd/string.h>

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/formats/ini.h"
#include "core/pod/pod.h"

/* In the order of their enumerations in core/pod/partition.h. */
static const char *const routing_words[] = {
	"undefined", "dnc", "swnc", "btnc", "ringswnc", NULL
};
static const char *const gateway_routing_words[] = {
	"undefined", "default", "ring", "swring", NULL
};
static const char *const sync_words[] = {
	"undefined", "gs2-default", "gs2-independent-rails",
	"pod-native-default", "pod-native-replicated-pipeline", NULL
};
static const char *const state_words[] = {
	"undefined", "pending", "active", "removed", "error", NULL
};
static const char *const operation_words[] = {
	"undefined", "idle", "creating", "removing", "resetting", "failed",
	NULL
};

/* A partition as its file has it: references are names, "" for none. */
struct partition_record {
	struct partition	partition;
	char			cluster[NAME_SIZE];
	char			allocation[NAME_SIZE];
};

#define ROW(k, t, member)						\
	.section = "partition", .key = (k), .type = (t),		\
	INI_FIELD(struct partition_record, member)
#define REQUIRED .required = true
#define RANGE(from, to) .min = (from), .max = (to)

static const struct ini_row partition_rows[] = {
	{ ROW("name", INI_NAME, partition.name), REQUIRED },
	{ ROW("cluster", INI_NAME, cluster), REQUIRED },
	{ ROW("allocation", INI_NAME, allocation) },
	{ ROW("first-ild", INI_NUMBER, partition.placement.first_ild),
	    REQUIRED, RANGE(0, POD_IPUS_MAX) },
	{ ROW("ilds", INI_NUMBER, partition.placement.ild_count),
	    REQUIRED, RANGE(1, POD_IPUS_MAX) },
	{ ROW("offset", INI_NUMBER, partition.placement.offset),
	    REQUIRED, RANGE(0, POD_IPUS_MAX) },
	{ ROW("ipus-per-ild", INI_NUMBER, partition.placement.per_ild),
	    REQUIRED, RANGE(1, ILD_IPUS_MAX) },
	{ ROW("gcds", INI_NUMBER, partition.num_gcds), REQUIRED,
	    RANGE(1, POD_IPUS_MAX) },
	{ ROW("replicas", INI_NUMBER, partition.num_replicas), REQUIRED,
	    RANGE(1, POD_IPUS_MAX) },
	{ ROW("routing", INI_WORD, partition.routing), REQUIRED,
	    .words = routing_words },
	{ ROW("gateway-routing", INI_WORD, partition.gateway_routing),
	    REQUIRED, .words = gateway_routing_words },
	{ ROW("sync-type", INI_WORD, partition.sync_type), REQUIRED,
	    .words = sync_words },
	{ ROW("state", INI_WORD, partition.state), REQUIRED,
	    .words = state_words },
	{ ROW("operation", INI_WORD, partition.operation), REQUIRED,
	    .words = operation_words },
	{ ROW("owner", INI_NUMBER, partition.owner), REQUIRED,
	    RANGE(0, UINT32_MAX) },
	{ ROW("reconfigurable", INI_BOOL, partition.reconfigurable),
	    REQUIRED },
	{ ROW("relocatable", INI_BOOL, partition.relocatable),
	    REQUIRED },
	{ ROW("no-auto-reset", INI_BOOL, partition.no_auto_reset),
	    REQUIRED },
	{ ROW("created", INI_NUMBER, partition.created), REQUIRED,
	    RANGE(INT64_MIN, INT64_MAX) },
	{ ROW("attempts", INI_NUMBER, partition.attempts),
	    RANGE(0, INT32_MAX) },
	{ ROW("moves", INI_NUMBER, partition.moves),
	    RANGE(0, UINT8_MAX) },
	{ ROW("resets", INI_NUMBER, partition.resets),
	    RANGE(0, INT32_MAX) },
	{ ROW("changed-ms", INI_NUMBER, partition.changed_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("due-ms", INI_NUMBER, partition.due_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("reset-ms", INI_NUMBER, partition.reset_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("error-ms", INI_NUMBER, partition.error_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("expires-ms", INI_NUMBER, partition.expires_ms),
	    RANGE(0, INT64_MAX) },
	{ ROW("last-error", INI_TEXT, partition.last_error) },
	{ ROW("ipuof-folder", INI_TEXT, partition.ipuof_directory) },
	{ ROW("id", INI_HEX, partition.id) },
	{ ROW("owner-kind", INI_WORD, partition.owner_kind),
	    .words = owner_kind_words },
	{ ROW("owner-text", INI_TEXT, partition.owner_text) },
	{ 0 }
};

char *
partition_file_text(const struct pod *pod, const struct partition *p)
{
	struct partition_record	o = { .partition = *p };

	(void)strlcpy(o.cluster, pod->clusters[p->placement.cluster].name,
	    sizeof(o.cluster));
	if (p->allocation != -1)
		(void)strlcpy(o.allocation,
		    pod->allocations[p->allocation].name,
		    sizeof(o.allocation));
	return ini_text(partition_rows, &o);
}

/*
 * References become indices of this pod; what they refer to must be there.
 * That the size can be shared out to the GCDs is checked here, for everything
 * that counts GCDs divides by it.
 */
static int
partition_file_take(const struct pod *pod, const struct directory *d,
    const char *path, const char *name, struct partition *p, struct error *e)
{
	struct partition_record	o = { .cluster = "" };
	int			size;

	if (ini_read_section(partition_rows, d, path_base_name(path), &o,
	    e) != 0)
		return -1;
	*p = o.partition;
	if (strcmp(p->name, name) != 0)
		return ini_refuse(e, path, 1, "the file is named after "
		    "another partition than '%s'", p->name);
	p->placement.cluster = pod_find_cluster(pod, o.cluster);
	if (p->placement.cluster == -1)
		return ini_refuse(e, path, 1, "no cluster '%s' in the pod",
		    o.cluster);
	p->allocation = o.allocation[0] == '\0' ? -1 :
	    pod_find_allocation(pod, o.allocation);
	if (p->allocation == -1 && o.allocation[0] != '\0')
		return ini_refuse(e, path, 1, "no allocation '%s' in the pod",
		    o.allocation);
	if (placement_check(pod, &p->placement, e) != 0)
		return error_prefix(e, "%s:1", path);
	size = p->placement.ild_count * p->placement.per_ild;
	if (size % p->num_gcds != 0)
		return ini_refuse(e, path, 1, "%d IPUs cannot be shared out "
		    "to %d GCDs", size, p->num_gcds);
	return 0;
}

int
partition_file_read(const struct pod *pod, const struct directory *d,
    const char *file, const char *name, struct partition *p, struct error *e)
{
	char	*path = xasprintf("%s/%s", d->path, file);
	int	 status = partition_file_take(pod, d, path, name, p, e);

	free(path);
	return status;
}
