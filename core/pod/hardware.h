/*
 * The hardware: machines, the clusters they are wired into and the allocations
 * that divide them.  Their structs hold no pointers, so that the registry can
 * hold them unchanged.
 *
 * An IPU's number in the pod is agent * 4 + index, written ag06:3: agent is the
 * machine's place in the pod's list, and index is 0 to 3.  The machines of a
 * cluster are consecutive in that list, and so are those of an IPU-Link domain
 * (ILD): a group of IPUs inside an ILD is always one range of numbers.
 *
 * Source: V-IPU user guide, chapters 2 and 5; Pod64, Pod128, Pod256 data
 * sheets.
 */
#ifndef CORE_POD_HARDWARE_H
#define CORE_POD_HARDWARE_H

#include <stddef.h>

#include "core/base/parse.h"

enum {
	IPUS_PER_MACHINE = 4,
	ILD_IPUS_MAX = 64, /* one logical rack */
	POD_IPUS_MAX = 65536,
	POD_AGENTS_MAX = POD_IPUS_MAX / IPUS_PER_MACHINE,
	POD_CLUSTERS_MAX = 64,
	POD_ALLOCATIONS_MAX = 256,
	EXPORTER_PORT = 2112, /* default port for metrics */
	NAME_SIZE = NAME_LENGTH_MAX + 1,
	ADDRESS_SIZE = 46 /* INET6_ADDRSTRLEN */
};

enum link_topology { TOPOLOGY_MESH, TOPOLOGY_TORUS };
enum gateway_topology { GATEWAY_NONE, GATEWAY_LOOPED, GATEWAY_SWITCHED };
enum machine_model { MACHINE_M2000, MACHINE_BOW2000 };
enum machine_state { MACHINE_UP, MACHINE_DOWN, MACHINE_REBOOTING };

/* Their words in order, ending with NULL: "mesh", "M2000", ... */
extern const char *const pod_topology_words[];
extern const char *const pod_gateway_words[];
extern const char *const pod_machine_words[];
extern const char *const pod_machine_state_words[]; /* "up", "down", ... */

/* A machine and its agent; the members after `allocation` are its condition. */
struct agent {
	char name[NAME_SIZE];	    /* "ag01", unique in its cluster */
	char host[ADDRESS_SIZE];    /* management: "10.1.2.1" */
	char address[ADDRESS_SIZE]; /* data plane:  "10.1.5.1" */
	uint32_t port;		    /* of the agent, 8080 */
	uint32_t serial;	    /* last field of the serial */
	uint32_t lot;		    /* first field: 0024 */
	int32_t model;		    /* enum machine_model */
	int32_t cluster;	    /* index, or -1 */
	int32_t allocation;	    /* index, or -1 */
	int32_t state;		    /* enum machine_state */
	int32_t fail_config;	    /* number of configurations that will
				       fail */
	int32_t slow_ms;	    /* duration of each configuration */
	int64_t changed_ms;	    /* start of the state, or 0 */
	int64_t up_ms;		    /* when its reboot ends, if rebooting */
};

struct cluster {
	char name[NAME_SIZE]; /* "cl0" */
	int32_t first_agent;  /* place in the pod's list */
	int32_t agent_count;
	int32_t ild_count; /* IPU-Link domains */
	int32_t topology;  /* enum link_topology */
	int32_t gateway;   /* enum gateway_topology */
};

struct allocation {
	char name[NAME_SIZE]; /* "default" */
	int32_t cluster;      /* index */
};

struct pod {
	char name[NAME_SIZE]; /* "pod64" */
	int agent_count;
	int cluster_count;
	int allocation_count;
	struct agent *agents; /* the pod owns the arrays */
	struct cluster *clusters;
	struct allocation *allocations;
};

/* Make an empty pod; free the arrays of a pod, which is then empty. */
void pod_init(struct pod *);
void pod_release(struct pod *);

/* Check the rules of every pod: clusters as in pod_cluster_check() with
   consecutive machines, machines only in allocations of their cluster, names
   unique in a cluster, data plane addresses unique.  -1: ERROR_INVALID.  The
   caller must have checked that indices are in range and clusters have ILDs.
   pod_check_clusters() checks only the clusters; their machines need not be
   known. */
int pod_check(const struct pod *, struct error *);
int pod_check_clusters(const struct pod *, struct error *);

/* Check that the machines of a cluster, which has ILDs, form equal ILDs of a
   power of two of IPUs, at most ILD_IPUS_MAX, with gateway links exactly if it
   has several ILDs. */
int pod_cluster_check(const struct cluster *, struct error *);

/* Return the text of the embedded description of that name, or NULL. */
const char *pod_embedded(const char *name);
/* Return true if the machine answers at that time (ms since the epoch). */
bool pod_machine_is_up(const struct agent *, int64_t now_ms);
/* Return the IPUs of the pod, of a cluster, of each ILD of the cluster. */
int pod_ipu_count(const struct pod *);
int pod_cluster_ipu_count(const struct cluster *);
int pod_cluster_ild_ipus(const struct cluster *);
/* Write the V-IPU name of the pod's IPU number: "ag06:3". */
void pod_ipu_name(const struct pod *, int ipu, char *, size_t size);
/* Return the index by name, or -1. */
int pod_find_cluster(const struct pod *, const char *name);
int pod_find_allocation(const struct pod *, const char *name);

#endif
