/*
 * Sync groups.  GS1 synchronises the IPUs that compute one replica; GS2 all
 * of the partition.
 *
 * Source: V-IPU user guide 5.10.1 (table 5.4), 5.11.3.
 */
#ifndef CORE_POD_SYNC_H
#define CORE_POD_SYNC_H

#include <stddef.h>

#include "core/pod/partition.h"

/* Replicas of one GCD: the number of GS1 groups in it. */
int	sync_gs1_groups(const struct partition *);

/*
 * The GS1 group of a routing id, counted over the partition; groups are
 * consecutive: 8 IPUs, 2 replicas: 0-3 are group 0, 4-7 group 1.
 */
int	sync_gs1_group(const struct partition *, int routing_id);

/*
 * The IPUs of a group of the partition by their routing ids: *count from *first
 * on.  There are as many groups as replicas.
 */
void	sync_gs1_range(const struct partition *, int group, int *first,
	    int *count);

/* As `vipu get partition` prints them: "Replicas=2", "UNDEFINED". */
void	sync_gs1_text(const struct partition *, char *, size_t size);
const char	*sync_gs2_text(const struct partition *);

#endif
