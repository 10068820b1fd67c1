/*
 * Clusters: wired, changed, taken apart.  Rules and results: inventory.h.
 */
#ifndef CORE_POD_EDIT_EDIT_CLUSTER_H
#define CORE_POD_EDIT_EDIT_CLUSTER_H

#include "core/base/error.h"
#include "core/pod/edit/inventory.h"
#include "core/pod/pod.h"

/*
 * NULL and -1: left out.  A new cluster is a mesh then, with one ILD per 16
 * machines, looped.
 */
struct cluster_request {
	char		 name[NAME_SIZE];
	const char	*agents;	/* "ag1,ag2" or "ag[01-16]", in rack
					   order */
	int		 ilds;
	int		 topology;
	int		 gateway;
};

/*
 * Wire machines that are in no cluster into a new one; change one; take one
 * apart, whose machines are in none then.  A cluster with a partition, or one
 * to be removed with an allocation, stays as it is (ERROR_BUSY).
 */
int	edit_cluster_add(struct inventory *,
	    const struct cluster_request *, struct error *);
int	edit_cluster_update(struct inventory *,
	    const struct cluster_request *, struct error *);
int	edit_cluster_remove(struct inventory *, const char *name,
	    struct error *);

#endif
