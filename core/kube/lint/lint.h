/*
 * Checks a manifest without running anything: the schema, names, the rules of
 * partitions, and known mistakes from the field.
 */
#ifndef CORE_KUBE_LINT_LINT_H
#define CORE_KUBE_LINT_LINT_H

#include "core/kube/schema/schema.h"

/* Add remarks on every error in the objects and on everything that has no
   effect on this host, and sort the remarks.  Errors of this host alone are
   marked (remarks_mark_local()).  The objects get their defaults.  Objects of
   one manifest may refer to each other.  A reference to an object outside the
   manifest is only a warning, because the object may already exist. */
void lint_manifest(struct manifest *, struct remarks *);

/* Treatment of an object by its kind; lint warns about omitted objects. */
enum lint_kind {
	LINT_KIND_KNOWN,
	LINT_KIND_NEEDLESS,  /* left out: not needed by an IPUJob on this host,
				such as a ServiceAccount */
	LINT_KIND_ELSEWHERE, /* left out: does separate work in a cluster, such
				as a Deployment */
	LINT_KIND_WRONG	     /* missing, or not in its API: an error */
};
enum lint_kind lint_find_kind(const struct manifest_object *);

#endif
