/*
 * The volumes that a container mounts.  Those of the pod that it does not
 * mount are not looked at, as in Kubernetes.
 */
#ifndef CORE_IPUJOB_CONTAINER_VOLUMES_H
#define CORE_IPUJOB_CONTAINER_VOLUMES_H

#include "core/base/error.h"
#include "core/base/yaml.h"
#include "core/ipujob/container_plan.h"

enum { POD_MOUNTS_MAX = 1024 };	/* of a container: more are refused */

/*
 * Fill the plan's volumes and files.  The plan has its environment, for a
 * subPathExpr; `place` is how messages call the container.
 */
int	container_volumes_make(const struct yaml_node *pod,
	    const struct yaml_node *container, const char *place,
	    const struct pod_host *, struct container_plan *, struct error *);

#endif
