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
 * of their own (host_shares.h), they have so many instances one after another.
 *
 * Source: PopRun user guide, chapters 2.8 and 3; published logs.
 */
#ifndef CORE_JOB_LAYOUT_H
#define CORE_JOB_LAYOUT_H

#include <stdio.h>

#include "core/base/error.h"

enum {
	INSTANCES_MAX = 4096,
	REPLICAS_MAX = 65536		/* one per IPU of the largest pod */
};

struct layout {
	int	num_replicas;
	int	ipus_per_replica;
	int	num_instances;
	int	num_hosts;
	int	num_ilds;
	const int *shares;		/* instances of each host; NULL: all
					   have as many */
};

struct instance {
	int	index;
	int	host;
	int	local_index;		/* among the instances of its host */
	int	first_replica;
	int	num_replicas;
};

/*
 * The rules: at least one replica per instance, equal shares of replicas per
 * instance and of instances per host, and no instance over two ILDs.  -1 names
 * the two numbers that do not fit.
 */
int	layout_check(const struct layout *, struct error *);

/* What the instance of that index runs, from 0 to num_instances - 1. */
struct instance	layout_instance(const struct layout *, int index);

/* How many instances a host has, and which is the first of them. */
int	layout_host_instances(const struct layout *, int host);
int	layout_host_first(const struct layout *, int host);

/* IPUs of the whole job, and of one instance. */
long	layout_ipus(const struct layout *);
long	layout_instance_ipus(const struct layout *);

#endif
