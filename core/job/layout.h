/*
 * The layout of a job: replicas are divided among instances, instances among
 * hosts and graph compilation domains (GCDs), replicas among IPU-Link domains
 * (ILDs).  Blocks are contiguous everywhere:
 *
 *	hosts       |       0       |       1       |
 *	instances   |   0   |   1   |   2   |   3   |
 *	replicas    | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
 *
 * Instance i takes replicas i*R/I to (i+1)*R/I - 1, runs on host i / (I/H) as
 * its local instance i % (I/H), and attaches to GCD i.  Hosts with given shares
 * take that many instances one after another.
 *
 * Source: PopRun user guide, chapters 2.8 and 3; published logs.
 */
#ifndef CORE_JOB_LAYOUT_H
#define CORE_JOB_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/base/error.h"

enum {
	INSTANCES_MAX = 4096,
	REPLICAS_MAX = 65536 /* one per IPU of the largest pod */
};

struct layout {
	int num_replicas;
	int ipus_per_replica;
	int num_instances;
	int num_hosts;
	int num_ilds;
	const int *shares; /* instances of each host; NULL: equal */
};

struct instance {
	int index;
	int host;
	int local_index; /* among the instances of its host */
	int first_replica;
	int num_replicas;
};

/* Check the rules: at least one replica per instance, equal numbers of replicas
   per instance and, without shares, of instances per host, and no instance
   across two ILDs.  -1: the text names the two conflicting numbers.  The caller
   ensures that all counts are at least 1, and that shares add up. */
int layout_check(const struct layout *, struct error *);

/* Return the instance of that index, from 0 to num_instances - 1. */
struct instance layout_instance(const struct layout *, int index);

/* Return a host's number of instances; the index of its first one. */
int layout_host_instances(const struct layout *, int host);
int layout_host_first(const struct layout *, int host);

/* Return the IPUs of the job, and of an instance. */
long layout_ipus(const struct layout *);
long layout_instance_ipus(const struct layout *);

/*
 * Choose the share of each host, as equal as its slots (its limit of processes)
 * allow.  The first hosts get one more:
 *
 *	4 instances on a, b			2 2
 *	6 instances on a:4, b:2			4 2
 *	5 instances on a:4, b:4			3 2
 *	7 instances on a:2, b, c:2		2 3 2
 *
 * `slots` and `shares` have a number per host; 0 slots: any.  With
 * `oversubscribe` slots may be exceeded, and if no host has slots, shares may
 * be unequal.  -1: the text names the conflicting numbers.
 *
 * Source: PopRun user guide 2.8, "equal"; the slots are Open MPI's.
 */
int host_shares_choose(int instances, const int *slots, int hosts,
    bool oversubscribe, int *shares, struct error *);

/* Whether all hosts have the same share. */
bool host_shares_are_equal(const int *shares, int hosts);

/* Print the table "poprun topology".  `hosts` has a label per host; a wide
   label widens all cells.  `columns` is the screen's width, or 0 for one wide
   table.  A table wider than the screen is split by replicas, and labels are
   cut at 24 columns. */
void topology_print(FILE *, const struct layout *, const char *const *hosts,
    int columns);

#endif
