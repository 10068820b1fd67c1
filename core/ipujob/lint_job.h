/*
 * The rules of an IPUJob itself: partitions, workers, restarts, names.
 */
#ifndef CORE_IPUJOB_LINT_JOB_H
#define CORE_IPUJOB_LINT_JOB_H

#include <stdbool.h>

#include "core/ipujob/lint_at.h"

/* What the rules of pods depend on; 0: not known, or not given. */
struct lint_numbers {
	int	ipus;			/* of a job instance */
	int	workers;
	int	model_replicas;		/* of a worker */
	bool	has_launcher;
};

/* Check it, and fill in the numbers as far as they are right. */
void	lint_job_check(const struct lint *, struct lint_numbers *);

#endif
