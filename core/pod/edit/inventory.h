/*
 * Changes of what a pod is made of, as rules without I/O: machines are
 * declared, wired into clusters, and shared out by allocations.  Nothing that
 * is in use goes: a machine in a cluster, a cluster with an allocation, a
 * cluster or an allocation with a partition.  The refusal names the user.
 *
 * Each function changes the pod or returns -1 with the reason and changes
 * nothing.  A cluster's machines stay in their places as long as no gap has to
 * be closed before them; those in no cluster fill the gaps and stand behind all
 * others.  `partitions` are those there are; indices in them (cluster,
 * allocation) are kept right.  The pod owns its arrays, which may move.
 *
 * Source: V-IPU administrator guide, agents, clusters, allocations.
 */
#ifndef CORE_POD_EDIT_INVENTORY_H
#define CORE_POD_EDIT_INVENTORY_H

#include "core/base/error.h"
#include "core/pod/partition.h"
#include "core/pod/pod.h"

/* A pod with its partitions. */
struct inventory {
	struct pod		*pod;
	struct partition	*partitions;
	int			 partition_count;
};

/*
 * What a command says of a machine; "" and -1: left out.  A new one gets the
 * next host, address and serial number that are free then.
 */
struct agent_request {
	char	name[2 * NAME_SIZE];	/* of an old one as for
					   members_find_agent() */
	char	host[ADDRESS_SIZE];
	char	address[ADDRESS_SIZE];
	int	port;
	int	model;
	int	serial;
	int	lot;
};

/* NULL and -1: left out; a new one is a mesh then, an ILD a rack, looped. */
struct cluster_request {
	char		 name[NAME_SIZE];
	const char	*agents;	/* "ag1,ag2" or "ag[01-16]", in rack
					   order */
	int		 ilds;
	int		 topology;
	int		 gateway;
};

struct allocation_request {
	char		 name[NAME_SIZE];
	char		 cluster[NAME_SIZE];	/* all its machines; "" */
	const char	*agents;	/* these machines; NULL: left out */
	const char	*add;		/* update: these as well */
	const char	*remove;	/* update: without these */
};

/* The new one is in no cluster, where its name must be the only one. */
int	edit_agent_add(struct inventory *, const struct agent_request *,
	    struct error *);
int	edit_agent_update(struct inventory *,
	    const struct agent_request *, struct error *);
int	edit_agent_remove(struct inventory *, const char *name,
	    struct error *);

int	edit_cluster_add(struct inventory *,
	    const struct cluster_request *, struct error *);
int	edit_cluster_update(struct inventory *,
	    const struct cluster_request *, struct error *);
int	edit_cluster_remove(struct inventory *, const char *name,
	    struct error *);

int	edit_allocation_add(struct inventory *,
	    const struct allocation_request *, struct error *);
int	edit_allocation_update(struct inventory *,
	    const struct allocation_request *, struct error *);
int	edit_allocation_remove(struct inventory *, const char *name,
	    struct error *);

/*
 * The machine's index by "ag01", or "cl0:ag01" where the name stands in
 * several clusters; the bare name is first that of the one in no cluster.  -1:
 * none (ERROR_NOT_FOUND), or several (ERROR_INVALID).
 */
int	members_find_agent(const struct pod *, const char *name,
	    struct error *);

#endif
