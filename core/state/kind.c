/*
 * One row per kind of object: how many a store has, what each is called and
 * says in its file, and where it stands in memory.
 */
#include "core/state/kind.h"

#include <bsd/string.h>

#include "core/state/object.h"
#include "core/state/partition_file.h"

static int
kind_clusters(const struct store *s)
{
	return s->pod.cluster_count;
}

static void
kind_cluster_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->pod.clusters[i].name, KIND_NAME_SIZE);
}

static const void *
kind_cluster_at(const struct store *s, int i)
{
	return &s->pod.clusters[i];
}

static char *
kind_cluster_text(const struct store *s, int i)
{
	return object_cluster_text(&s->pod, i);
}

static int
kind_allocations(const struct store *s)
{
	return s->pod.allocation_count;
}

static void
kind_allocation_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->pod.allocations[i].name, KIND_NAME_SIZE);
}

static const void *
kind_allocation_at(const struct store *s, int i)
{
	return &s->pod.allocations[i];
}

static char *
kind_allocation_text(const struct store *s, int i)
{
	return object_allocation_text(&s->pod, i);
}

static int
kind_agents(const struct store *s)
{
	return s->pod.agent_count;
}

static void
kind_agent_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	object_agent_name(&s->pod, &s->pod.agents[i], name, KIND_NAME_SIZE);
}

static const void *
kind_agent_at(const struct store *s, int i)
{
	return &s->pod.agents[i];
}

static char *
kind_agent_text(const struct store *s, int i)
{
	return object_agent_text(&s->pod, i, &s->pod.agents[i]);
}

static int
kind_partitions(const struct store *s)
{
	return s->partition_count;
}

static void
kind_partition_name(const struct store *s, int i, char name[KIND_NAME_SIZE])
{
	(void)strlcpy(name, s->partitions[i].name, KIND_NAME_SIZE);
}

static const void *
kind_partition_at(const struct store *s, int i)
{
	return &s->partitions[i];
}

static char *
kind_partition_text(const struct store *s, int i)
{
	return partition_file_text(&s->pod, &s->partitions[i]);
}

const struct object_kind	kind_all[KIND_COUNT] = {
	{ "clusters", kind_clusters, kind_cluster_name, kind_cluster_text,
	    kind_cluster_at, sizeof(struct cluster) },
	{ "allocations", kind_allocations, kind_allocation_name,
	    kind_allocation_text, kind_allocation_at,
	    sizeof(struct allocation) },
	{ "agents", kind_agents, kind_agent_name, kind_agent_text,
	    kind_agent_at, sizeof(struct agent) },
	{ "partitions", kind_partitions, kind_partition_name,
	    kind_partition_text, kind_partition_at, sizeof(struct partition) }
};
