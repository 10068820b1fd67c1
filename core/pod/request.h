/*
 * A request for a new partition, and its rules that do not depend on free IPUs.
 *
 * Source: V-IPU user guide, chapter 5.
 */
#ifndef CORE_POD_REQUEST_H
#define CORE_POD_REQUEST_H

#include "core/pod/partition.h"

/* A request for a partition.  0 or "": choose, except for name and size. */
struct partition_request {
	char name[NAME_SIZE];
	char cluster[NAME_SIZE];
	char allocation[NAME_SIZE];
	char first_ipu[NAME_SIZE + 8]; /* "ag01:0", its lowest IPU */
	char ipuof_directory[DIRECTORY_SIZE];
	int size;  /* IPUs over all ILDs */
	int index; /* index in the list of --options; -1: lowest free */
	int num_gcds;
	int num_replicas;
	int num_ilds; /* 0: as few as hold the size */
	int routing;  /* these three: enumerations of partition.h */
	int gateway_routing;
	int sync_type;
	bool reconfigurable; /* these three: see struct partition */
	bool relocatable;
	bool no_auto_reset;
	int64_t ttl_ms; /* lifetime, 0: unlimited */
};

/* Clear the request.  The caller then sets at least name and size. */
void request_init(struct partition_request *);

/*
 * Check the rules that need no pod: a valid name, a size that is a power of
 * two, GCDs and replicas that divide it, the rules of reconfigurable
 * partitions.  Replaces 0 by one GCD, one replica per GCD and the sync type
 * ST_GS2_DEFAULT.  -1: the message states the rule.
 */
int request_check(struct partition_request *, struct error *);

/* Check that an existing partition, in any place, meets a request filled by
   request_check(): its size, parts, sync type and routing.  -1, ERROR_EXISTS,
   such as "it has 8 IPUs, not 4". */
int request_is_met(const struct partition_request *, const struct partition *,
    struct error *);

#endif
