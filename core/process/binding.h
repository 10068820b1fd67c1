/*
 * Processor binding: the processors of this host that this process may use, the
 * rules that give each instance some of them, and applying them to a process.
 *
 *	sockets		|       0       |       1       |
 *	NUMA nodes	|   0   |   1   |   2   |   3   |
 *	cores		| 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
 *	processors	|0 8|1 9| ...		    |7 15|
 *
 * Where /sys has no information, each processor is a core, all are in one
 * socket, and none is in a NUMA node.
 *
 * Source: PopRun user guide, chapter 2.5; Linux,
 * Documentation/admin-guide/cputopology.rst and
 * Documentation/ABI/stable/sysfs-devices-node.
 */
#ifndef CORE_PROCESS_BINDING_H
#define CORE_PROCESS_BINDING_H

#include "core/base/bits.h"

/* Groups of cores. */
enum machine_level { MACHINE_SOCKET, MACHINE_NODE, MACHINE_LEVELS };

struct machine_domain {
	int number;  /* the kernel's for a node; else from 0 */
	int cores;   /* cores of it with a usable processor */
	bool memory; /* the node has memory; false for a socket */
};

/* A processor: a hardware thread. */
struct machine_cpu {
	int number; /* the kernel's */
	int first;  /* first processor of its core */
	int core;   /* index of its core, in the order of `cpus` */
	int group[MACHINE_LEVELS]; /* index in `groups`; -1: not in a node */
	int rank[MACHINE_LEVELS];  /* index of its core within the group */
};

struct machine {
	struct machine_cpu *cpus; /* ordered by socket, node, core, number */
	int count;		  /* of cpus */
	int cores;		  /* number of cores of all cpus */
	struct machine_domain *groups[MACHINE_LEVELS];
	int group_count[MACHINE_LEVELS];
};

/* Nodes need a few files, cores one or two files each. */
enum machine_detail { MACHINE_NODES, MACHINE_CORES };

/* Read the machine below `root`, which stands for /sys.  Only processors in
   `allowed` count; NULL: all online ones.  Without MACHINE_CORES all
   information about cores and sockets is 0, and cpus are ordered by number; a
   machine that has fewer than two nodes is then empty, because none of its
   nodes can be chosen. */
void machine_read(struct machine *, const char *root,
    const struct number_set *allowed, enum machine_detail);
void machine_release(struct machine *);

/* Read this host, restricted by sched_setaffinity(2) and cpuset(7). */
void machine_read_own(struct machine *, enum machine_detail);

enum binding_policy {
	BINDING_SPREADNUMA,    /* divides the nodes */
	BINDING_SCATTERSOCKET, /* one core each, from the sockets in turn */
	BINDING_SCATTERNUMA,   /* one core each, from the nodes in turn */
	BINDING_CLOSE,	       /* one core each, side by side */
	BINDING_NONE
};

struct binding {
	struct number_set cpus;	  /* empty: not bound */
	struct number_set nodes;  /* the nodes of these */
	struct number_set memory; /* preferred nodes for memory; may be empty */
};

/* The rule of a launch; instances of one host have consecutive indices. */
struct binding_rule {
	const struct machine *machine;
	enum binding_policy policy;
	const int *counts; /* instances of each host, or NULL */
	int count;	   /* without counts: instances of every host */
};

/* Return what the policy needs to know about the machine. */
enum machine_detail binding_detail(enum binding_policy);

/*
 * Choose the binding of process `index` of `count` on this host.  It does not
 * allocate, so a new process can call it.  The result is unbound for
 * BINDING_NONE and if nothing is known about the machine.  BINDING_SPREADNUMA
 * divides the nodes in contiguous blocks of equal size, give or take one; a
 * block of all nodes is unbound.  If there are more processes than nodes,
 * neighbours share a whole node.
 *
 *	5 nodes, 2 processes	| 0   1 | 2   3   4 |
 *	2 nodes, 5 processes	| 0 , 0 , 0 | 1 , 1 |
 *
 * The other policies start again with the first core if there are more
 * processes than cores.
 */
void binding_choose(const struct machine *, enum binding_policy, int index,
    int count, struct binding *);

/* Apply a binding in a new process: sched_setaffinity(2), set_mempolicy(2).
   Settings that the kernel refuses, and memory placed by numactl(8), stay
   unchanged. */
void binding_apply(const struct binding *);

/* Choose by a rule, which must have a machine, for the instance of this index
   in the job.  binding_apply_rule() also applies it, in a new process. */
void binding_choose_by_rule(const struct binding_rule *, int index,
    struct binding *);
void binding_apply_rule(const struct binding_rule *, int index);

/* Return "0-3 (NUMA node 0)", which the caller frees; NULL: not bound. */
char *binding_text(const struct binding *);

#endif
