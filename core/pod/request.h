/*
 * What is asked of a new partition, and the rules of it that do not depend on
 * what is free.
 *
 * Source: V-IPU user guide, chapter 5.
 */
#ifndef CORE_POD_REQUEST_H
#define CORE_POD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/partition.h"

/* What `vipu create partition` and poprun ask for. 0 or "" means: choose. */
struct partition_request {
	char name[NAME_SIZE];
	char cluster[NAME_SIZE];
	char allocation[NAME_SIZE];
	char first_ipu[NAME_SIZE + 8]; /* "ag01:0", its place; the cluster says
					  which ag01 */
	char ipuof_directory[DIRECTORY_SIZE];
	int size;  /* IPUs over all ILDs */
	int index; /* of the placements listed by --options, -1: lowest free */
	int num_gcds;
	int num_replicas;
	int num_ilds; /* 0: as few as hold the size */
	int routing;
	int gateway_routing;
	int sync_type;
	bool reconfigurable;
	bool relocatable;
	bool no_auto_reset;
	int64_t ttl_ms; /* removed so much later, 0: never */
};

/* Nothing is asked for yet: everything is to be chosen. */
void request_init(struct partition_request *);

/*
 * Check everything about the request that does not depend on the pod,
 * and fill what was left to be chosen in: size a power of two, GCDs and
 * replicas that divide, the rules of reconfigurable partitions.  The message
 * says the rule.
 */
int request_check(struct partition_request *, struct error *);

/*
 * Whether a partition that is there would do as well, for a request that
 * request_check() has filled: its size, parts and routing, wherever it lies.
 * -1: "it has 8 IPUs, not 4".
 */
int request_is_met(const struct partition_request *, const struct partition *,
    struct error *);

#endif
