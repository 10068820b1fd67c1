/*
 * Rendering: what of a pod template cannot go to a cluster, what is lost on the
 * way, and what the cluster has to allow.
 */
#ifndef CORE_IPUJOB_RENDER_CHECK_H
#define CORE_IPUJOB_RENDER_CHECK_H

#include <stdbool.h>

#include "core/ipujob/render_internal.h"

/* Whether the job's pod template can be rendered at all; remarks on what is
   lost of it. */
int	render_check_template(struct render *, struct error *);

/* Take IPUs as resources of a node out of a list of resources; whether there
   were any.  NULL is fine. */
bool	render_check_strip_devices(struct yaml_node *amounts);

#endif
