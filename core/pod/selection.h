/*
 * Machines as a command line names them.  Pure.
 */
#ifndef CORE_POD_SELECTION_H
#define CORE_POD_SELECTION_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

/*
 * Mark the machines of a list, in selected[pod->agent_count]: "ag01", one of
 * several clusters' "cl0:ag01", "ag[01-04]", "cl0:ag[01-04],spare", or "all".
 * -1 with the reason: no such machine, or several of that name.
 */
int	selection_agents(const struct pod *, const char *list, bool *selected,
	    struct error *);

/* The pod's number of the IPU "ag01:2" or "cl0:ag01:2", or -1. */
int	selection_ipu(const struct pod *, const char *name, struct error *);

/*
 * The machine's index by "ag01", or "cl0:ag01" where the name stands in
 * several clusters; the bare name is first that of the one in no cluster.  -1:
 * none (ERROR_NOT_FOUND), or several (ERROR_INVALID).
 */
int	selection_find_agent(const struct pod *, const char *name,
	    struct error *);

#endif
