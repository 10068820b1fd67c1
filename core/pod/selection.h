/*
 * What a pod has, as a command line names it: lists of machines, "ag[01-16]",
 * addresses that count up, and the nearest name to one that does not exist.
 */
#ifndef CORE_POD_SELECTION_H
#define CORE_POD_SELECTION_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/pod/hardware.h"

/*
 * Mark the machines of a list, in selected[pod->agent_count]: "ag01", one of
 * several clusters' "cl0:ag01", "ag[01-04]", "cl0:ag[01-04],spare", or "all".
 * -1 with the reason: no such machine, or several of that name.
 */
int selection_agents(const struct pod *, const char *list, bool *selected,
    struct error *);

/* The pod's number of the IPU "ag01:2" or "cl0:ag01:2", or -1. */
int selection_ipu(const struct pod *, const char *name, struct error *);

/*
 * The machine's index by "ag01", or "cl0:ag01" where the name stands in
 * several clusters; the bare name is first that of the one in no cluster.  -1:
 * none (ERROR_NOT_FOUND), or several (ERROR_INVALID).
 */
int selection_find_agent(const struct pod *, const char *name, struct error *);

/* ---- lists ---- */

/*
 * Call each() with every name of the list "ag[01-04],spare", until it returns
 * other than 0.  -1: each() refused, or the list is wrong.
 */
int agent_list_each(const char *list,
    int (*each)(void *, const char *, struct error *), void *, struct error *);

/*
 * The way back: the next item of a list of these names (at least one),
 * "ag[01-04]" where they count up.  Returns how many of them it stands for.
 */
enum { AGENT_ITEM_SIZE = 2 * NAME_SIZE + 8 };
int agent_list_item(const char *const *names, int count,
    char item[AGENT_ITEM_SIZE]);

/*
 * The n-th address, from 0, counted from the first one on, into
 * out[ADDRESS_SIZE].  IPv4 counts 10.1.5.1 to 10.1.5.254, then 10.1.6.1: a
 * last number of 0 or 255 is no machine's.
 */
int agent_list_address(const char *first, int n, char *out, struct error *);

/* ---- "did you mean" ---- */

/* Each appends the nearest name to the text of the error, if one is near enough
   (core/base/suggest.h), and returns -1. */
int nearest_cluster(const struct pod *, const char *typed, struct error *);
int nearest_allocation(const struct pod *, const char *typed, struct error *);
/* Of "cl0:ag01" the cluster where that is unknown, else one of its agents. */
int nearest_agent(const struct pod *, const char *typed, struct error *);

/*
 * Appends to an error about a partition that its name is that of an allocation
 * or a cluster, which a script takes from the wrong column of `vipu list
 * partitions`.  -1: nothing has that name.
 */
int nearest_place(const struct pod *, const char *partition, struct error *);

#endif
