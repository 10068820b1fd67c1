/*
 * Rendering: the container that runs vipu-server, wherever it is.
 */
#ifndef CORE_IPUJOB_RENDER_VIPU_H
#define CORE_IPUJOB_RENDER_VIPU_H

#include "core/ipujob/render_internal.h"

/* It as a container: beside others, which begin when it answers, or alone. */
void	render_vipu_add(struct render *, struct yaml_node *list,
	    bool sidecar);

#endif
