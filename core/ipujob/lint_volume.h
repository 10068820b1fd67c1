/*
 * The rules of a pod's volumes.
 */
#ifndef CORE_IPUJOB_LINT_VOLUME_H
#define CORE_IPUJOB_LINT_VOLUME_H

#include "core/ipujob/lint_at.h"

/* Check all volumes of a pod of that spec, and whether each is mounted. */
void	lint_volume_check(const struct lint *, const struct lint_at *pod);

#endif
