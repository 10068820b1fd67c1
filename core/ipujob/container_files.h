/*
 * The files of volumes that hold what is known of other objects and of the pod:
 * configMap, secret, downwardAPI, projected.
 */
#ifndef CORE_IPUJOB_CONTAINER_FILES_H
#define CORE_IPUJOB_CONTAINER_FILES_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/yaml.h"
#include "core/ipujob/container_plan.h"

enum { POD_FILES_MAX = 4096 };	/* of a container: more are refused */

/*
 * Add the files of the volume, an item of spec.volumes of that name, to the
 * plan; none where it is of another kind.  -1: "secret hf-token not found".
 */
int	container_files_add(const struct yaml_node *pod,
	    const struct pod_host *, const struct yaml_node *volume,
	    const char *name, struct container_plan *, struct error *);

/* Whether the plan has a file of that path, "volumes/NAME/PATH". */
bool	container_files_have(const struct container_plan *, const char *path);

#endif
