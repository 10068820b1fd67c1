/*
 * What a pod says about itself: the downward API of Kubernetes.
 *
 * Source: the Kubernetes documentation, Downward API, available fields.
 */
#ifndef CORE_KUBE_RUNTIME_POD_FIELD_H
#define CORE_KUBE_RUNTIME_POD_FIELD_H

#include "core/base/error.h"
#include "core/kube/runtime/container_plan.h"
#include "core/kube/yaml/yaml.h"

/* Not every field is to be had in both. */
enum pod_field_use { POD_FIELD_VARIABLE = 1, POD_FIELD_FILE = 2 };

/* Whether a fieldPath, and a resource, may stand there: -1, ERROR_INVALID,
   "metadata.nmae is not a field that a file can have (did you mean ...)", and
   "must be limits or ...". */
int	pod_field_check(const char *path, enum pod_field_use, struct error *);
int	pod_field_check_resource(const char *resource, struct error *);

/*
 * The text of a fieldRef, which the caller frees: "" of what the pod does not
 * have, as a label.  All labels, and all annotations, are a line KEY="VALUE"
 * each, in the order of their keys.  NULL: there is no such field there.
 */
char	*pod_field_text(const struct yaml_node *pod, const struct pod_host *,
	    const struct yaml_node *reference, enum pod_field_use,
	    struct error *);

/*
 * The number of a resourceFieldRef as text, which the caller frees: what the
 * container that it names, else the given one, has as limit or request, in
 * units of the divisor and rounded up.  A limit that is not there is what the
 * host has, a request that is not there the limit, else 0.
 */
char	*pod_field_resource(const struct yaml_node *pod,
	    const struct yaml_node *container, const struct pod_host *,
	    const struct yaml_node *reference, enum pod_field_use,
	    struct error *);

#endif
