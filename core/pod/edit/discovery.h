/*
 * Machines that are there and that nobody has declared.  What is there is what
 * the description says that the pod was made from: for a pod of one of the
 * names in the program that one, for the pod `empty` the rack pod64; of a pod
 * from a file nothing else is there.
 *
 * Source: V-IPU administrator guide, agent discovery.
 */
#ifndef CORE_POD_EDIT_DISCOVERY_H
#define CORE_POD_EDIT_DISCOVERY_H

#include "core/pod/edit/edit_agent.h"
#include "core/pod/edit/inventory.h"

/* The name of the pod without a machine. */
extern const char discovery_empty_pod[];

/*
 * The machines found, with the names proposed for them, none of which is in
 * use.  The caller releases *found, a pod without clusters.
 */
int	discovery_find_agents(const struct pod *, struct pod *found,
	    struct error *);

/*
 * What the request for a new agent leaves out, from the machine found at its
 * host and port, if there is one: address, serial number, lot and type.
 */
void	discovery_complete_request(const struct pod *found,
	    struct agent_request *);

#endif
