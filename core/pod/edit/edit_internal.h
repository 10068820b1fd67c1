/*
 * Shared by the files of core/pod/edit: the places of a pod's machines after a
 * change, and machines by name.
 *
 * IPU numbers follow from places, and partitions and running programs refer to
 * them, so a cluster keeps its place if possible.  A new one takes the lowest
 * gap that is large enough.  Machines outside clusters fill gaps in the order
 * of their serials, and come after all others.
 *
 *	x x x x [cl1 cl1]	cl0 was removed: its machines stay
 *	x [cl1 cl1]		three of them went: nothing can fill the gap
 */
#ifndef CORE_POD_EDIT_EDIT_INTERNAL_H
#define CORE_POD_EDIT_EDIT_INTERNAL_H

#include "core/pod/edit/edit.h"

struct arrangement {
	int cluster;	    /* the changing cluster; -1: none */
	const int *members; /* its machines' places before, in order */
	const bool *gone;   /* by place: to remove, outside clusters; or NULL */
};

/* Put the machines in place according to their .cluster; a new cluster's
   first_agent must be -1.  Sorts clusters by place and updates all
   references. */
void arrange_machines(struct inventory *, const struct arrangement *);

/* Change references from cluster i to to[i]; -1: to none. */
void arrange_renumber_clusters(struct inventory *, const int *to);

/* Machines named by a list, in its order. */
struct members {
	const struct pod *pod;
	const struct agent **sorted; /* all of the pod, by name */
	int *places;		     /* those of the named machines */
	int count;
	bool *taken; /* by place: the machine is named */
	int cluster; /* see members_read() */
	bool loose;
};

/*
 * Read a list such as "ag[01-16],spare".  A name means a machine in the cluster
 * (-1: in any).  With `loose` it may also mean one outside clusters, and with
 * `loose` and -1 only such a one.  Refused: unknown, ambiguous and repeated
 * names, and machines elsewhere (ERROR_BUSY).  The caller releases *members
 * either way.
 */
int members_read(struct members *, const struct pod *, const char *list,
    int cluster, bool loose, struct error *);
void members_release(struct members *);

/* Return, by a machine's place, the index of one of the partitions on it, or
   -1.  The caller frees it. */
int32_t *members_agent_users(const struct inventory *);

#endif
