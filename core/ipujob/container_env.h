/*
 * The environment of a container: envFrom, then env, each name once.
 */
#ifndef CORE_IPUJOB_CONTAINER_ENV_H
#define CORE_IPUJOB_CONTAINER_ENV_H

#include "core/base/error.h"
#include "core/base/yaml.h"
#include "core/ipujob/container_plan.h"

enum { POD_VARIABLES_MAX = 4096 };	/* of a container: more are refused */

/*
 * Fill the plan's environment and its skipped names.  `place` is how messages
 * call the container: "containers[0]".
 */
int	container_env_make(const struct yaml_node *pod,
	    const struct yaml_node *container, const char *place,
	    const struct pod_host *, struct container_plan *, struct error *);

#endif
