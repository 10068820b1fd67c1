/*
 * The rules of the pods of a job.
 */
#ifndef CORE_IPUJOB_LINT_POD_H
#define CORE_IPUJOB_LINT_POD_H

#include "core/ipujob/lint_at.h"
#include "core/ipujob/lint_job.h"

/* Check the pod template and the launcher of an IPUJob. */
void	lint_pod_check(const struct lint *, const struct lint_numbers *);

#endif
