/*
 * Rendering: vipu-server, for pods of which several use one partition.
 */
#ifndef CORE_IPUJOB_RENDER_SERVER_H
#define CORE_IPUJOB_RENDER_SERVER_H

#include <stdbool.h>

#include "core/ipujob/render_internal.h"

/* A pod template that has nothing else: of a Job, or of a Deployment of that
   name. */
struct yaml_node	*render_server_template(struct render *,
			    const char *deployment);

/* A Deployment with its Service, both of that name. */
void	render_server_documents(struct render *, const char *name);

#endif
