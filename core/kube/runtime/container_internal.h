/*
 * How the files of container_plan.h make a plan: its environment, with
 * references of the form $(NAME), its volumes, and the files in them.
 */
#ifndef CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H
#define CORE_KUBE_RUNTIME_CONTAINER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"
#include "core/kube/runtime/container_plan.h"
#include "core/kube/yaml/yaml.h"

enum {
	/* Of a container; more are refused. */
	POD_VARIABLES_MAX = 4096,
	POD_MOUNTS_MAX = 1024,
	POD_FILES_MAX = 4096,
	POD_TEXT_MAX = 128 * 1024 - 1	/* of an argument or NAME=VALUE:
					   execve(2), MAX_ARG_STRLEN */
};

/*
 * Fill the plan's environment and its skipped names.  `place` is how messages
 * call the container: "containers[0]".
 */
int	container_env_make(const struct yaml_node *pod,
	    const struct yaml_node *container, const char *place,
	    const struct pod_host *, struct container_plan *, struct error *);

/* Where NAME=VALUE stands in an environment; its count: it is not there. */
size_t	container_expand_find(const struct strvec *environment,
	    const char *name, size_t length);

/*
 * The text with each $(NAME) replaced by the variable's value, which is not
 * looked into again; "$$" is a '$' of which no reference begins.  Names that
 * are not in the environment stay as they are, and are added to `unknown`,
 * which may be NULL.  The caller frees it.  NULL: it is too long.
 *
 * Source: the API reference of Kubernetes, Container.command and EnvVar.value.
 */
char	*container_expand_text(const struct strvec *environment,
	    const char *text, struct strvec *unknown, struct error *);

/*
 * Fill the plan's volumes and files.  The plan has its environment, for a
 * subPathExpr; `place` is how messages call the container.
 */
int	container_volumes_make(const struct yaml_node *pod,
	    const struct yaml_node *container, const char *place,
	    const struct pod_host *, struct container_plan *, struct error *);

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
