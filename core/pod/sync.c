/*
 * Groups of IPUs that synchronise, from the counts of a partition.
 */
#include "core/pod/pod.h"

int
sync_gs1_groups(const struct partition *p)
{
	return p->num_replicas / p->num_gcds;
}

/* 8 IPUs, 2 replicas: 4 IPUs per group, so routing id 5 is in group 1. */
int
sync_gs1_group(const struct partition *p, int routing_id)
{
	return routing_id / (partition_size(p) / p->num_replicas);
}

void
sync_gs1_range(const struct partition *p, int group, int *first, int *count)
{
	*count = partition_size(p) / p->num_replicas;
	*first = group * *count;
}

const char *
sync_gs2_text(const struct partition *p)
{
	/* A single GCD has no partner. */
	return p->num_gcds == 1 ? "UNDEFINED" : "DEFAULT";
}
