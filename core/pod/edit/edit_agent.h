/*
 * Machines: declared, changed, removed.  Rules and results: inventory.h.
 */
#ifndef CORE_POD_EDIT_EDIT_AGENT_H
#define CORE_POD_EDIT_EDIT_AGENT_H

#include "core/base/error.h"
#include "core/pod/edit/inventory.h"
#include "core/pod/pod.h"

/*
 * What a command says of a machine; "" and -1: left out.  A new one gets the
 * next host, address and serial number that are free then.
 */
struct agent_request {
	char	name[2 * NAME_SIZE];	/* of an old one as for
					   selection_find_agent() */
	char	host[ADDRESS_SIZE];
	char	address[ADDRESS_SIZE];
	int	port;
	int	model;
	int	serial;
	int	lot;
};

/*
 * Declare a machine.  It is in no cluster, where its name must be the only one
 * (ERROR_EXISTS).
 */
int	edit_agent_add(struct inventory *, const struct agent_request *,
	    struct error *);

/*
 * Change what the request says.  Not one that a partition lies on; its model
 * only while no other machine is in its cluster (ERROR_BUSY).
 */
int	edit_agent_update(struct inventory *,
	    const struct agent_request *, struct error *);

/* Forget the machine, which must be in no cluster (ERROR_BUSY). */
int	edit_agent_remove(struct inventory *, const char *name,
	    struct error *);

#endif
