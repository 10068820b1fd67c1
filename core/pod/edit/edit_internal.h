/*
 * What the files of core/pod/edit share: the places of a pod's machines after a
 * change, and machines by their names.
 *
 * IPU numbers follow from places, and partitions and running programs refer to
 * them: a cluster stays where it is as long as that is possible.  A new one
 * takes the lowest gap that is large enough; machines of no cluster fill the
 * gaps, in the order of their serials, and stand behind all others.
 *
 *	x x x x [cl1 cl1]	cl0 was removed: its machines stay
 *	x [cl1 cl1]		three of them went: nothing can fill the gap
 */
#ifndef CORE_POD_EDIT_EDIT_INTERNAL_H
#define CORE_POD_EDIT_EDIT_INTERNAL_H

#include "core/pod/edit/edit.h"

struct arrangement {
	int cluster;	    /* the one whose machines change */
	const int *members; /* its machines' places, in order */
	const bool *gone;   /* by place: leaves; NULL: none does */
};

/*
 * Put the machines in place.  Their .cluster says where they belong; a new
 * cluster's first_agent is -1.  Clusters are sorted by place, and whatever
 * refers to one follows.
 */
void arrange_machines(struct inventory *, const struct arrangement *);

/* Whoever refers to cluster i refers to to[i]; -1: to none. */
void arrange_renumber_clusters(struct inventory *, const int *to);

/* Machines that a list names, in its order. */
struct members {
	const struct pod *pod;
	const struct agent **sorted; /* all of the pod, by name */
	int *places;
	int count;
	bool *taken; /* by place */
	int cluster; /* see members_read() */
	bool loose;
};

/*
 * Read a list such as "ag[01-16],spare".  A name means the machine of that
 * name in the cluster (-1: in any) or, where `loose`, in no cluster.  Refused:
 * unknown, ambiguous and doubled names.  The caller releases it either way.
 */
int members_read(struct members *, const struct pod *, const char *list,
    int cluster, bool loose, struct error *);
void members_release(struct members *);

/*
 * By place: the index of a partition that lies on the machine, or -1.  The
 * caller frees it.
 */
int32_t *members_agent_users(const struct inventory *);

#endif
