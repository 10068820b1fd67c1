/*
 * Changes of what a pod is made of, as rules without I/O: machines are found,
 * declared, wired into clusters, and shared out by allocations.  Nothing that
 * is in use goes: a machine in a cluster, a cluster with an allocation, a
 * cluster or an allocation with a partition.  The refusal names the user.
 *
 * Each function changes the pod or returns -1 with the reason and changes
 * nothing.  A cluster's machines stay in their places as long as no gap has to
 * be closed before them; those in no cluster fill the gaps and stand after all
 * others.  Indices in the partitions (cluster, allocation) are kept right.
 *
 * Source: V-IPU administrator guide, agents, clusters, allocations.
 */
#ifndef CORE_POD_EDIT_EDIT_H
#define CORE_POD_EDIT_EDIT_H

#include "core/base/error.h"
#include "core/pod/pod.h"

/* A pod with all its partitions.  The pod owns its arrays, which may move. */
struct inventory {
	struct pod *pod;
	struct partition *partitions;
	int partition_count;
};

/*
 * What a command says of a machine; "" and -1: left out.  A new one gets the
 * next host, address and serial number that are free then.
 */
struct agent_request {
	char name[2 * NAME_SIZE]; /* of an old one as for
				     selection_find_agent() */
	char host[ADDRESS_SIZE];
	char address[ADDRESS_SIZE];
	int port;
	int model;
	int serial;
	int lot;
};

/*
 * Declare a machine.  It is in no cluster, where its name must be the only one
 * (ERROR_EXISTS).
 */
int edit_agent_add(struct inventory *, const struct agent_request *,
    struct error *);

/*
 * Change what the request says.  Not one that a partition lies on; its model
 * only while no other machine is in its cluster (ERROR_BUSY).
 */
int edit_agent_update(struct inventory *, const struct agent_request *,
    struct error *);

/* Forget the machine, which must be in no cluster (ERROR_BUSY). */
int edit_agent_remove(struct inventory *, const char *name, struct error *);

/*
 * NULL and -1: left out.  A new cluster is a mesh then, with one ILD per 16
 * machines, looped.
 */
struct cluster_request {
	char name[NAME_SIZE];
	const char *agents; /* "ag1,ag2" or "ag[01-16]", in rack order */
	int ilds;
	int topology;
	int gateway;
};

/*
 * Wire machines that are in no cluster into a new one; change one; take one
 * apart, whose machines are in none then.  A cluster with a partition, or one
 * to be removed with an allocation, stays as it is (ERROR_BUSY).
 */
int edit_cluster_add(struct inventory *, const struct cluster_request *,
    struct error *);
int edit_cluster_update(struct inventory *, const struct cluster_request *,
    struct error *);
int edit_cluster_remove(struct inventory *, const char *name, struct error *);

/* What a command says of an allocation. */
struct allocation_request {
	char name[NAME_SIZE];
	char cluster[NAME_SIZE]; /* all its machines; "" */
	const char *agents;	 /* these machines; NULL: left out */
	const char *add;	 /* update: these as well */
	const char *remove;	 /* update: without these */
};

/*
 * Make an allocation of machines of one cluster that are in none; change its
 * machines; remove it.  A machine that a partition lies on stays in its
 * allocation (ERROR_BUSY).
 */
int edit_allocation_add(struct inventory *, const struct allocation_request *,
    struct error *);
int edit_allocation_update(struct inventory *,
    const struct allocation_request *, struct error *);
int edit_allocation_remove(struct inventory *, const char *name,
    struct error *);

/*
 * Machines that exist and are not declared.  They are those of the description
 * that the pod was made from: of the name in the program, and for the pod
 * `empty` the rack pod64; a pod from a file has no others.
 *
 * Source: V-IPU administrator guide, agent discovery.
 */

/* The name of the pod without a machine. */
extern const char discovery_empty_pod[];

/*
 * The machines found, with the names proposed for them, none of which is in
 * use.  The caller releases *found, a pod without clusters.
 */
int discovery_find_agents(const struct pod *, struct pod *found,
    struct error *);

/*
 * What the request for a new agent leaves out, from the machine found at its
 * host and port, if there is one: address, serial number, lot and type.
 */
void discovery_complete_request(const struct pod *found,
    struct agent_request *);

#endif
