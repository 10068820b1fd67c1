/*
 * Checking manifests without running anything: the schema, names, the rules of
 * partitions, and known mistakes of the field.
 */
#ifndef CORE_KUBE_LINT_LINT_H
#define CORE_KUBE_LINT_LINT_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/kube/schema/schema.h"

/*
 * Everything that is wrong with the objects, or has no effect here; what cannot
 * be had on this host is marked (remarks_mark_local()).  The manifest gets its
 * defaults.  Objects of one manifest may refer to each other: a configMapKeyRef
 * to a ConfigMap that is not among them is a warning, for it may be there
 * already.
 */
void lint_manifest(struct manifest *, struct remarks *);

/* What becomes of an object by its kind; lint warns of what is left out. */
enum lint_kind {
	LINT_KIND_KNOWN,
	LINT_KIND_NEEDLESS,  /* left out: of no use to an IPUJob on this host,
				as a ServiceAccount */
	LINT_KIND_ELSEWHERE, /* left out: it would do something of its own in a
				cluster, as a Deployment */
	LINT_KIND_WRONG
};
enum lint_kind lint_find_kind(const struct manifest_object *);

#endif
