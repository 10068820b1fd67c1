/*
 * "Did you mean" for what a pod has: each puts the nearest name behind the text
 * of the error, if one is near enough (core/base/suggest.h), and returns -1.
 */
#ifndef CORE_POD_NEAREST_H
#define CORE_POD_NEAREST_H

#include "core/base/error.h"
#include "core/pod/pod.h"

int	nearest_cluster(const struct pod *, const char *typed, struct error *);
int	nearest_allocation(const struct pod *, const char *typed,
	    struct error *);
/* Of "cl0:ag01" the cluster where that is unknown, else one of its agents. */
int	nearest_agent(const struct pod *, const char *typed, struct error *);

/*
 * Appends to an error about a partition that its name is that of an allocation
 * or a cluster, which a script takes from the wrong column of `vipu list
 * partitions`.  -1: nothing has that name.
 */
int	nearest_place(const struct pod *, const char *partition,
	    struct error *);

#endif
