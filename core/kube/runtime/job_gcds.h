/*
 * How many GCDs the partition of a job instance has.
 *
 * Source: the guide of the IPU Operator, which has one for each worker; and
 * poprun's, which wants one for each of its instances.
 */
#ifndef CORE_KUBE_RUNTIME_JOB_GCDS_H
#define CORE_KUBE_RUNTIME_JOB_GCDS_H

#include "core/kube/schema/ipujob.h"

/* A reconfigurable partition, which has as many as each program wants. */
enum { JOB_GCDS_RECONFIGURABLE = 0 };

/*
 * Of a job without errors.  As many as the command's poprun has instances;
 * reconfigurable where the command does not say how many, or not always the
 * same.  Workers that run by themselves have one each; all share one where the
 * IPUs cannot be divided.
 */
int	job_gcds_count(const struct ipujob *);

#endif
