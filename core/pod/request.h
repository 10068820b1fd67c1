/*
 * A request for a new partition, and its rules that do not depend on free IPUs.
 *
 * Source: V-IPU user guide, chapter 5.
 */
#ifndef CORE_POD_REQUEST_H
#define CORE_POD_REQUEST_H

#include "core/pod/hardware.h"
#include "core/pod/partition.h"

/* A request for a partition.  0 or "": choose, except name, size and index. */
struct partition_request {
	char name[NAME_SIZE];
	char cluster[NAME_SIZE];
	char allocation[NAME_SIZE];
	char first_ipu[NAME_SIZE + 8]; /* "ag01:0", its lowest IPU */
	char ipuof_directory[DIRECTORY_SIZE];
	int size;  /* IPUs over all ILDs */
	int index; /* from 0, in the list of --options; -1: lowest free */
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

/*
 * Objects of a pod as a command line names them: lists of machines,
 * "ag[01-16]", consecutive addresses, and suggestions for unknown names.
 */

/*
 * Set selected[pod->agent_count] to true for the machines of a list and to
 * false for all others: "ag01"; "cl0:ag01" if ambiguous; "ag[01-04]";
 * "cl0:ag[01-04],spare"; "all".  -1 with the reason: a missing machine, or an
 * ambiguous name.
 */
int selection_agents(const struct pod *, const char *list, bool *selected,
    struct error *);

/* Return the pod's number of the IPU "ag01:2" or "cl0:ag01:2", or -1. */
int selection_ipu(const struct pod *, const char *name, struct error *);

/*
 * Return the index of machine "ag01", or "cl0:ag01" if several clusters have
 * the name; a bare name prefers a machine outside clusters.  -1: missing
 * (ERROR_NOT_FOUND) or ambiguous (ERROR_INVALID).
 */
int selection_find_agent(const struct pod *, const char *name, struct error *);

/* ---- lists ---- */

/* Call each() for the names of the list "ag[01-04],spare", with the pointer as
   its first argument.  -1: each() returned other than 0, which ended the calls,
   or the list is wrong; earlier names were passed. */
int agent_list_each(const char *list,
    int (*each)(void *, const char *, struct error *), void *, struct error *);

/* Write the next item of a list of these names (at least one), "ag[01-04]" if
   they are consecutive.  Returns how many names it covers. */
enum { AGENT_ITEM_SIZE = 2 * NAME_SIZE + 8 };
int agent_list_item(const char *const *names, int count,
    char item[AGENT_ITEM_SIZE]);

/*
 * Write the n-th address after `first` to out[ADDRESS_SIZE]; number 0 is
 * `first` itself.  IPv4 counts 10.1.5.1 to 10.1.5.254, then 10.1.6.1, skipping
 * last numbers 0 and 255; IPv6 counts up.  -1: `first` is not such an address,
 * or too few follow.
 */
int agent_list_address(const char *first, int n, char *out, struct error *);

/* ---- "did you mean" ---- */

/* Append the nearest name to the error if it is near enough.  Returns -1 in any
   case. */
int nearest_cluster(const struct pod *, const char *typed, struct error *);
int nearest_allocation(const struct pod *, const char *typed, struct error *);
/* Do the same for an agent; in "cl0:ag01" an unknown cluster goes first. */
int nearest_agent(const struct pod *, const char *typed, struct error *);

/*
 * Append that an unknown partition's name is that of an allocation or cluster,
 * which scripts take from the wrong column of `vipu list partitions`.  Returns
 * 0 if it appended that, or -1 if the pod has no such allocation or cluster.
 */
int nearest_place(const struct pod *, const char *partition, struct error *);

#endif
