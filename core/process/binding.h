/*
 * Where a process runs: the rules that give each instance of a host its
 * processors, and how a process takes them.
 *
 * Source: PopRun user guide, chapter 2.5.
 */
#ifndef CORE_PROCESS_BINDING_H
#define CORE_PROCESS_BINDING_H

#include <stdbool.h>

#include "core/base/number_set.h"
#include "core/process/machine.h"

enum binding_policy {
	BINDING_SPREADNUMA,	/* the nodes are divided */
	BINDING_SCATTERSOCKET,	/* a core each, from one socket after the
				   other */
	BINDING_SCATTERNUMA,	/* the same with nodes */
	BINDING_CLOSE,		/* a core each, one beside the other */
	BINDING_NONE
};

struct binding {
	struct number_set	cpus;	/* empty: it runs where it may */
	struct number_set	nodes;	/* where these are */
	struct number_set	memory;	/* nodes that memory comes from while
					   they have some, empty: as it is */
};

/* How the instances of a launch are bound; each host has so many of them, those
   of one host with neighbouring indices. */
struct binding_rule {
	const struct machine	*machine;
	enum binding_policy	 policy;
	const int		*counts;	/* of each host; NULL: all have
						   the same */
	int			 count;
};

/* What the policy has to know of the machine. */
enum machine_detail	binding_detail(enum binding_policy);

/*
 * Where the process `index` of `count` of this host runs.  Nothing is bound
 * where it would get all there is, or the machine tells nothing.  Nothing is
 * allocated, so a new process can ask for itself.
 *
 * Nodes are divided in blocks that are contiguous and differ by one node at
 * most.  Where there are more processes than nodes, neighbours share a whole
 * node: it is the unit that is divided, and threads keep room.
 *
 *	5 nodes, 2 processes	| 0   1 | 2   3   4 |
 *	2 nodes, 5 processes	| 0 , 0 , 0 | 1 , 1 |
 *
 * Where there are more processes than cores, they begin again with the first
 * core.  A core is all its hardware threads.
 */
void	binding_choose(const struct machine *, enum binding_policy, int index,
	    int count, struct binding *);

/*
 * In a new process: sched_setaffinity(2) and set_mempolicy(2).  What the kernel
 * refuses stays as it is, and so does the memory of a caller who has chosen by
 * numactl(8) where it comes from.
 */
void	binding_apply(const struct binding *);

/* What the rule, which has a machine, gives the instance of that index. */
void	binding_choose_by_rule(const struct binding_rule *, int index,
	    struct binding *);

/* The same at once.  A function of its own because a new process has a small
   stack. */
void	binding_apply_rule(const struct binding_rule *, int index);

/* "0-3 (NUMA node 0)"; NULL: nothing is bound.  The caller frees it. */
char	*binding_text(const struct binding *);

#endif
