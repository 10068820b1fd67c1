/*
 * Changes of a pod's composition, as rules without I/O: machines are
 * discovered, declared, wired into clusters, and divided by allocations.
 * Objects in use stay: a machine in a cluster, a cluster with an allocation, a
 * cluster or allocation with a partition.  The refusal names the object that
 * uses it.
 *
 * Each edit function changes the pod, or returns -1 with the reason and changes
 * nothing.  A cluster's machines keep their places unless a gap before them
 * must be closed; machines outside clusters fill gaps and come after all
 * others.  Indices in the partitions (cluster, allocation) are updated.
 *
 * Source: V-IPU administrator guide, agents, clusters, allocations.
 */
#ifndef CORE_POD_EDIT_EDIT_H
#define CORE_POD_EDIT_EDIT_H

#include "core/pod/pod.h"

/* A pod with all its partitions.  The pod owns its arrays, which may move. */
struct inventory {
	struct pod *pod;
	struct partition *partitions;
	int partition_count;
};

/* A command's description of a machine; "" and -1: left out.  A new machine
   then gets the next free host, address and serial number, and the default
   port, lot and model (M2000). */
struct agent_request {
	char name[2 * NAME_SIZE]; /* for an existing one, a name for
				     selection_find_agent() */
	char host[ADDRESS_SIZE];
	char address[ADDRESS_SIZE];
	int port;
	int model; /* enum machine_model */
	int serial;
	int lot;
};

/* Declare a machine outside clusters.  ERROR_EXISTS: another machine outside
   clusters has the name, or any machine has the address. */
int edit_agent_add(struct inventory *, const struct agent_request *,
    struct error *);

/* Change what the request sets, except the name.  ERROR_BUSY: a partition uses
   the machine, or a new model while other machines are in its cluster.
   ERROR_EXISTS: another machine has the address. */
int edit_agent_update(struct inventory *, const struct agent_request *,
    struct error *);

/* Remove the machine.  ERROR_BUSY: it is in a cluster. */
int edit_agent_remove(struct inventory *, const char *name, struct error *);

/* NULL and -1: left out.  A new cluster is then a mesh with one ILD per 16
   machines, looped if it has several; an existing one keeps what it has, except
   that new agents make new ILDs. */
struct cluster_request {
	char name[NAME_SIZE];
	const char *agents; /* "ag1,ag2" or "ag[01-16]", in rack order */
	int ilds;
	int topology; /* enum link_topology */
	int gateway;  /* enum gateway_topology */
};

/*
 * _add: wire machines outside clusters into a new cluster.  ERROR_EXISTS: the
 * name is taken.  _update: change a cluster.  _remove: remove it; its machines
 * are then outside clusters.  _update and _remove fail with ERROR_BUSY if it
 * has a partition, or a machine that would leave it is in an allocation; and
 * with ERROR_EXISTS if a machine outside clusters has the name of one that
 * would leave.
 */
int edit_cluster_add(struct inventory *, const struct cluster_request *,
    struct error *);
int edit_cluster_update(struct inventory *, const struct cluster_request *,
    struct error *);
int edit_cluster_remove(struct inventory *, const char *name, struct error *);

/* A command's description of an allocation. */
struct allocation_request {
	char name[NAME_SIZE];
	char cluster[NAME_SIZE]; /* new: all machines of it, or the `agents`
				    that it has; or "" */
	const char *agents;	 /* these machines; NULL: left out */
	const char *add;	 /* update: machines to add */
	const char *remove;	 /* update: machines to remove */
};

/*
 * _add: create an allocation of unallocated machines of one cluster.  _update:
 * replace all its machines by `agents`, then add, then remove some.  _add and
 * _update: ERROR_BUSY: a machine is in another allocation, a partition uses one
 * that would be added or removed, or none would be left.  _remove: remove it.
 * ERROR_BUSY: a partition uses it.
 */
int edit_allocation_add(struct inventory *, const struct allocation_request *,
    struct error *);
int edit_allocation_update(struct inventory *,
    const struct allocation_request *, struct error *);
int edit_allocation_remove(struct inventory *, const char *name,
    struct error *);

/*
 * Machines that exist but are not declared: those of the embedded description
 * that the pod was made from, and the rack pod64 for the pod `empty`.  A pod
 * from a file has no others.
 *
 * Source: V-IPU administrator guide, agent discovery.
 */

/* Name of the pod without machines. */
extern const char discovery_empty_pod[];

/* Find such machines; each gets a name that is unused in the pod.  *found is a
   pod without clusters, which the caller releases; it is empty after -1. */
int discovery_find_agents(const struct pod *, struct pod *found,
    struct error *);

/* If a request for a new agent leaves out address, serial number and lot, fill
   them and the model from a machine found at its host and port, if any. */
void discovery_complete_request(const struct pod *found,
    struct agent_request *);

#endif
