/*
 * Rendering: pod templates.
 */
#ifndef CORE_IPUJOB_RENDER_POD_H
#define CORE_IPUJOB_RENDER_POD_H

#include <stdbool.h>

#include "core/ipujob/render_internal.h"

/* The pod template of that kind: the job's own, which render_check_template()
   found right, with what ipubox needs. */
struct yaml_node	*render_pod_template(struct render *,
			    const struct render_pod *);

/* Into a pod: the volumes of ours. */
void	render_pod_add_volumes(struct render *, struct yaml_node *spec,
	    bool tree, bool state);

#endif
