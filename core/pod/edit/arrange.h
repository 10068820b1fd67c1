/*
 * The places of a pod's machines after a change.  Private to core/pod/edit.
 *
 * IPU numbers follow from places, and partitions and running programs refer to
 * them: a cluster stays where it is as long as that is possible.  A new one
 * takes the lowest gap that is large enough; machines of no cluster fill the
 * gaps, in the order of their serials, and stand behind all others.
 *
 *	x x x x [cl1 cl1]	cl0 was removed: its machines stay
 *	x [cl1 cl1]		three of them went: nothing can fill the gap
 */
#ifndef CORE_POD_EDIT_ARRANGE_H
#define CORE_POD_EDIT_ARRANGE_H

#include "core/pod/edit/inventory.h"

struct arrangement {
	int		 cluster;	/* the one whose machines change */
	const int	*members;	/* its machines' places, in order */
	const bool	*gone;		/* by place: leaves; NULL: none does */
};

/*
 * Put the machines in place.  Their .cluster says where they belong; a new
 * cluster's first_agent is -1.  Clusters are sorted by place, and whatever
 * refers to one follows.
 */
void	arrange_machines(struct inventory *, const struct arrangement *);

/* Whoever refers to cluster i refers to to[i]; -1: to none. */
void	arrange_renumber_clusters(struct inventory *, const int *to);

#endif
