/*
 * What a job reads from other objects: whether these are in the manifest, and
 * have it.
 */
#ifndef CORE_IPUJOB_LINT_REFERENCE_H
#define CORE_IPUJOB_LINT_REFERENCE_H

#include "core/ipujob/lint_at.h"

/* A reference to an object of a kind by the text under `name_key`, which may be
   "optional". */
void	lint_reference_check(const struct lint *, const struct lint_at *ref,
	    enum manifest_kind, const char *name_key);

/* Whether that object, if it is among the others, has a text under the key. */
void	lint_reference_key(const struct lint *, const struct lint_at *ref,
	    enum manifest_kind, const char *name_key,
	    const struct lint_at *key);

/* The keys and the data of a ConfigMap or a Secret. */
void	lint_reference_data(const struct lint *);

#endif
