/*
 * srun as the launcher, in a job of Slurm.
 */
#ifndef CORE_LAUNCH_PLAN_PLAN_SRUN_H
#define CORE_LAUNCH_PLAN_PLAN_SRUN_H

#include <stdbool.h>

#include "core/base/error.h"

struct plan;

/* Whether that srun can connect MPI programs, by PMIx; asked once. */
bool plan_srun_connects_mpi(struct plan *, const char *srun);

/* Fill plan->command, plan->run and plan->tasks. */
int plan_srun_complete(struct plan *, struct error *);

#endif
