/*
 * The table that shows how the replicas of a job lie on instances, ILDs and
 * hosts, as poprun prints it.
 */
#ifndef CORE_JOB_TOPOLOGY_H
#define CORE_JOB_TOPOLOGY_H

#include <stdio.h>

#include "core/job/layout.h"

/*
 * Print the table "poprun topology".  `hosts` holds a label for each host.  A
 * label that is wider than its cell widens every cell.
 *
 * On a screen of so many columns, where not 0, it is several tables if one is
 * too wide, each of the replicas that fit, and a long label is cut.
 */
void	topology_print(FILE *, const struct layout *,
	    const char *const *hosts, int columns);

#endif
