/*
 * Who runs what: replicas are dealt out to instances, instances to hosts and
 * to graph compilation domains (GCDs), replicas to IPU-Link domains (ILDs).
 * Blocks are contiguous everywhere:
 *
 *	hosts       |       0       |       1       |
 *	instances   |   0   |   1   |   2   |   3   |
 *	replicas    | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
 *
 * Instance i takes replicas i*R/I to (i+1)*R/I - 1, runs on host i / (I/H) as
 * its local instance i % (I/H), and attaches to GCD i.  Where hosts have shares
 * of their own, they have so many instances one after another.
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
	const int *shares; /* instances of each host; NULL: all have as many */
};

struct instance {
	int index;
	int host;
	int local_index; /* among the instances of its host */
	int first_replica;
	int num_replicas;
};

/*
 * The rules: at least one replica per instance, equal shares of replicas per
 * instance and of instances per host, and no instance over two ILDs.  -1 names
 * the two numbers that do not fit.
 */
int layout_check(const struct layout *, struct error *);

/* What the instance of that index runs, from 0 to num_instances - 1. */
struct instance layout_instance(const struct layout *, int index);

/* How many instances a host has, and which is the first of them. */
int layout_host_instances(const struct layout *, int host);
int layout_host_first(const struct layout *, int host);

/* IPUs of the whole job, and of one instance. */
long layout_ipus(const struct layout *);
long layout_instance_ipus(const struct layout *);

/*
 * Write the share of each host to `shares`: as equal as its slots allow, how
 * many processes it takes.  The first hosts get one more:
 *
 *	4 instances on a, b			2 2
 *	6 instances on a:4, b:2			4 2
 *	5 instances on a:4, b:4			3 2
 *	7 instances on a:2, b, c:2		2 3 2
 *
 * `slots` has a number for each of the hosts; 0 means any.  With
 * `oversubscribe` the slots may be too few, and the shares unequal where no
 * slots are given.  -1 names the numbers that do not fit.
 *
 * Source: PopRun user guide 2.8, "equal"; the slots are Open MPI's.
 */
int host_shares_choose(int instances, const int *slots, int hosts,
    bool oversubscribe, int *shares, struct error *);

/* Whether all hosts have the same share. */
bool host_shares_are_equal(const int *shares, int hosts);

/*
 * Print the table "poprun topology".  `hosts` holds a label for each host; a
 * label that is wider than its cell widens every cell.  `columns` is the width
 * of a screen, or 0.  On a screen a table that is too wide becomes several,
 * each with the replicas that fit, and long labels are cut.
 */
void topology_print(FILE *, const struct layout *, const char *const *hosts,
    int columns);

#endif
