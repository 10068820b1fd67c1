/*
 * The processors of this host that this process may use: their cores, sockets
 * and NUMA nodes, as Linux shows them below /sys.
 *
 *	sockets		|       0       |       1       |
 *	NUMA nodes	|   0   |   1   |   2   |   3   |
 *	cores		| 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
 *	processors	|0 8|1 9| ...		    |7 15|
 *
 * What /sys does not tell is taken as plain as it can be: a processor is a core
 * of its own, all are in one socket, and none is in a NUMA node.
 *
 * Source: Linux, Documentation/admin-guide/cputopology.rst and
 * Documentation/ABI/stable/sysfs-devices-node.
 */
#ifndef CORE_PROCESS_MACHINE_H
#define CORE_PROCESS_MACHINE_H

#include <stdbool.h>

#include "core/base/number_set.h"

/* What cores are grouped by. */
enum machine_level { MACHINE_SOCKET, MACHINE_NODE, MACHINE_LEVELS };

struct machine_domain {
	int	number;			/* a node's as the kernel counts, a
					   socket's from 0 on */
	int	cores;			/* of which a processor is usable */
	bool	memory;			/* of a node: it has some */
};

/* One processor, which is a hardware thread. */
struct machine_cpu {
	int	number;			/* as the kernel counts */
	int	first;			/* the first processor of its core */
	int	core;			/* in the order of `cpus` */
	int	group[MACHINE_LEVELS];	/* index in `groups`; of a node -1:
					   it is in none */
	int	rank[MACHINE_LEVELS];	/* of its core in that group */
};

struct machine {
	struct machine_cpu	*cpus;	/* by socket, node, core, number */
	int			 count;
	int			 cores;
	struct machine_domain	*groups[MACHINE_LEVELS];
	int			 group_count[MACHINE_LEVELS];
};

/* How much is read: without the cores, what is asked for by most jobs, it is a
   few files, and else one or two per core. */
enum machine_detail { MACHINE_NODES, MACHINE_CORES };

/*
 * Read it below `root`, which stands for /sys.  Of the processors only those in
 * `allowed` count, NULL: all that are online.  Without MACHINE_CORES all that
 * is said of cores and sockets is 0.  machine_release() ends it.
 */
void	machine_read(struct machine *, const char *root,
	    const struct number_set *allowed, enum machine_detail);
void	machine_release(struct machine *);

/*
 * This host, with the processors that this process may use, as
 * sched_setaffinity(2) and cpuset(7) say.
 */
void	machine_read_own(struct machine *, enum machine_detail);

#endif
