/*
 * Where a process runs: the processors of this host that this process may use,
 * the rules that give each instance some of them, and how a process takes them.
 *
 *	sockets		|       0       |       1       |
 *	NUMA nodes	|   0   |   1   |   2   |   3   |
 *	cores		| 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
 *	processors	|0 8|1 9| ...		    |7 15|
 *
 * What /sys does not tell is taken as plain as it can be: a processor is a core
 * of its own, all are in one socket, and none is in a NUMA node.
 *
 * Source: PopRun user guide, chapter 2.5; Linux, Documentation/admin-guide/
 * cputopology.rst and Documentation/ABI/stable/sysfs-devices-node.
 */
#ifndef CORE_PROCESS_BINDING_H
#define CORE_PROCESS_BINDING_H

#include <stdbool.h>

#include "core/base/number_set.h"

/* What cores are grouped by. */
enum machine_level { MACHINE_SOCKET, MACHINE_NODE, MACHINE_LEVELS };

struct machine_domain {
	int number;  /* a node's by the kernel; else 0.. */
	int cores;   /* of which a processor is usable */
	bool memory; /* of a node: it has some */
};

/* One processor, which is a hardware thread. */
struct machine_cpu {
	int number;		   /* as the kernel counts */
	int first;		   /* the first processor of its core */
	int core;		   /* in the order of `cpus` */
	int group[MACHINE_LEVELS]; /* index in `groups`; of a node -1: it is in
				      none */
	int rank[MACHINE_LEVELS];  /* of its core in that group */
};

struct machine {
	struct machine_cpu *cpus; /* by socket, node, core, number */
	int count;
	int cores;
	struct machine_domain *groups[MACHINE_LEVELS];
	int group_count[MACHINE_LEVELS];
};

/* Nodes are a few files to read, cores are one or two for each. */
enum machine_detail { MACHINE_NODES, MACHINE_CORES };

/*
 * Reads it below `root`, which stands for /sys.  Only processors in `allowed`
 * count, NULL: all that are online.  Without MACHINE_CORES all that is said of
 * cores and sockets is 0.  machine_release() ends it.
 */
void machine_read(struct machine *, const char *root,
    const struct number_set *allowed, enum machine_detail);
void machine_release(struct machine *);

/* Reads this host as sched_setaffinity(2) and cpuset(7) restrict it. */
void machine_read_own(struct machine *, enum machine_detail);

enum binding_policy {
	BINDING_SPREADNUMA,    /* the nodes are divided */
	BINDING_SCATTERSOCKET, /* a core each, from each socket in turn */
	BINDING_SCATTERNUMA,   /* the same with nodes */
	BINDING_CLOSE,	       /* a core each, one beside the other */
	BINDING_NONE
};

struct binding {
	struct number_set cpus;	  /* empty: it runs where it may */
	struct number_set nodes;  /* where these are */
	struct number_set memory; /* nodes that memory comes from while they
				     have some, empty: as it is */
};

/* Of a launch; the instances of one host have neighbouring indices. */
struct binding_rule {
	const struct machine *machine;
	enum binding_policy policy;
	const int *counts; /* of each host, or NULL */
	int count;
};

/* What the policy has to know of the machine. */
enum machine_detail binding_detail(enum binding_policy);

/*
 * Chooses for the process `index` of `count` of this host.  Nothing is bound
 * where it would get all there is, or the machine tells nothing.  Nothing is
 * allocated, so a new process can ask for itself.  Nodes are divided in blocks
 * that are contiguous and differ by one node at most.  Where there are more
 * processes than nodes, neighbours share a whole node.
 *
 *	5 nodes, 2 processes	| 0   1 | 2   3   4 |
 *	2 nodes, 5 processes	| 0 , 0 , 0 | 1 , 1 |
 *
 * More processes than cores begin again with the first core.
 */
void binding_choose(const struct machine *, enum binding_policy, int index,
    int count, struct binding *);

/* In a new process: sched_setaffinity(2) and set_mempolicy(2).  What the kernel
   refuses stays as it is, and so does memory that numactl(8) has placed. */
void binding_apply(const struct binding *);

/* The same by a rule which has a machine, for the instance of that index; the
   second does both steps, since a new process has a small stack. */
void binding_choose_by_rule(const struct binding_rule *, int index,
    struct binding *);
void binding_apply_rule(const struct binding_rule *, int index);

/* "0-3 (NUMA node 0)"; NULL: nothing is bound.  The caller frees it. */
char *binding_text(const struct binding *);

#endif
