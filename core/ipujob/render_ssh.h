/*
 * Rendering: what an MPI operator would give its pods, for a JobSet: the keys
 * by which a launcher reaches its workers, and a file with their addresses.
 */
#ifndef CORE_IPUJOB_RENDER_SSH_H
#define CORE_IPUJOB_RENDER_SSH_H

#include "core/ipujob/render_internal.h"

/* The ConfigMap with the workers' addresses; a remark on the Secret with the
   keys, which the user makes. */
void	render_ssh_document(struct render *);

/* The keys, in the first container of a template. */
void	render_ssh_add_keys(struct render *, struct yaml_node *template);
/* The addresses, and variables by which its mpirun finds them; the instance is
   a text as in struct render_pod. */
void	render_ssh_add_hosts(struct render *, struct yaml_node *template,
	    const char *instance);

#endif
