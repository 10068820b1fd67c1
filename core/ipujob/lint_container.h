/*
 * The rules of a container: its variables, mounts, resources and ports.
 */
#ifndef CORE_IPUJOB_LINT_CONTAINER_H
#define CORE_IPUJOB_LINT_CONTAINER_H

#include "core/ipujob/lint_at.h"

/* Check it, in a pod of that spec. */
void	lint_container_check(const struct lint *, const struct lint_at *pod,
	    const struct lint_at *container);

/* A list of EnvVar, which a launcher has as well. */
void	lint_container_env(const struct lint *, const struct lint_at *env);

/*
 * What a fieldRef and a resourceFieldRef refer to, those in a volume with
 * is_volume; `pod` is the spec of the pod, whose containers are named.
 */
void	lint_container_field(const struct lint *, const struct lint_at *ref,
	    bool is_volume);
void	lint_container_resource(const struct lint *, const struct lint_at *ref,
	    const struct lint_at *pod, bool is_volume);

#endif
