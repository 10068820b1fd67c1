/*
 * The rules of an IPUJob itself: partitions, workers, restarts, names.
 */
#ifndef CORE_IPUJOB_LINT_JOB_H
#define CORE_IPUJOB_LINT_JOB_H

#include "core/ipujob/lint_at.h"
#include "core/ipujob/lint_command.h"

/* Check it, and fill in the numbers as far as they are right. */
void	lint_job_check(const struct lint *, struct lint_numbers *);

#endif
