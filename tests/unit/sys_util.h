/*
 * Trees like /sys for a machine that is described by a text.
 */
#ifndef TESTS_UNIT_SYS_UTIL_H
#define TESTS_UNIT_SYS_UTIL_H

#include "core/process/process.h"

/* Missing parts of the tree. */
enum sys_lack {
	SYS_LACKS_NODES = 1,	 /* node/ */
	SYS_LACKS_TOPOLOGY = 2,	 /* cpu/cpuN/topology/ */
	SYS_LACKS_NEW_NAMES = 4, /* lists have their older names */
	SYS_LACKS_HAS_MEMORY = 8 /* node/has_memory */
};

/*
 * Make the tree in the test's directory and return its path, which stands for
 * /sys.  The description of the machine:
 *
 *	[ ]		a socket
 *	{ } {: } 5{ }	a NUMA node; one without memory; node 5; else they are
 *			counted from the last number on
 *	0,8		a core: its processors; !8 is offline
 *
 * "[{0,2}{1,3}]": one socket with two nodes, each a core with two threads.
 */
const char *sys_make(const char *machine, int lacks);

/* Remove the test's directory with all trees. */
void sys_remove(void);

/* Return the list as a set. */
struct number_set sys_set(const char *list);

#endif
