/*
 * Slurm: the partitions of its jobs.
 *
 *	slurmctld --> prolog: slurm_job_make()	  partition slurm_12
 *	    |	      the job runs
 *	    +-------> epilog: slurm_job_unmake()
 *
 * A partition of a job has the owner kind PO_SLURM and the text "job 12 of
 * anna".  No process holds it, so that it outlives slurmctld and slurmd.  If an
 * epilog did not run, slurm_sweep() finds out from scontrol(1) which jobs are
 * over.
 *
 * Slurm calls the prolog and the epilog where slurmctld runs, once per job: see
 * PrologSlurmctld in slurm.conf(5).  A failure there requeues or ends the job,
 * and never drains a node as a failure of Prolog does.
 */
#ifndef CORE_SLURM_SLURM_H
#define CORE_SLURM_SLURM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"

struct controller;

/* Name of the licences that jobs take, one for each IPU. */
#define SLURM_LICENCE "ipu"

enum { SLURM_USER_SIZE = 64 };

struct slurm_job {
	long long id;
	int ipus; /* that it asked for; 0: none */
	char user[SLURM_USER_SIZE];
	char partition[NAME_SIZE]; /* "slurm_12" */
};

/* Read the job from the environment that Slurm gives to prologs, epilogs and
   tasks; only the first two learn the number of IPUs.  -1: this process belongs
   to no job, or a variable is malformed. */
int slurm_job_read(struct slurm_job *, struct error *);

/* Read the number of IPUs in a list of licences, "matlab:1,ipu:4", which ends
   at a space; 0: it has none.  -1: the number is malformed. */
int slurm_job_read_licences(const char *list, int *ipus, struct error *);

/* Ask scontrol(1) whether the job has licences for IPUs. */
bool slurm_sweep_finds_ipus(long long id);

/*
 * Create the job's partition, and wait until it is configured.  A partition
 * that an earlier start of the same job left is replaced, so that a requeued
 * job gets a new one.  While other partitions have the IPUs, first
 * slurm_sweep() is called, then this waits up to wait_ms: ERROR_NO_ROOM.
 */
int slurm_job_make(struct controller *, const struct slurm_job *,
    int64_t wait_ms, struct error *);

/* Remove the job's partitions, also under programs that still run; not an error
   if none exists.  Only partitions that Slurm owns are removed. */
int slurm_job_unmake(struct controller *, const struct slurm_job *,
    struct error *);

/* Set *id to the job that owns the partition.  False: Slurm does not own it. */
bool slurm_job_number(const struct partition *, long long *id);

/*
 * Let a job create its own partitions: in it the allocation "cJOBID" stands for
 * its IPUs.  If the request names that allocation, and the pod has none of this
 * name, the partition of the prolog is removed unless a program uses it, the
 * allocation is cleared, and `text` is set for an owner of the kind PO_SLURM.
 * Returns 1; 0 if the request does not concern a job; or -1.
 */
int slurm_job_take(struct controller *, struct partition_request *,
    char text[OWNER_TEXT_SIZE], struct error *);

/*
 * Remove the partitions of jobs that are over, except those that a program
 * uses.  A partition stays if Slurm says that its job runs, starts, ends or is
 * suspended, or if scontrol(1) is missing, fails or takes longer than 2 s.
 * Slurm forgets old jobs, but may also hide jobs from users.  So only root and
 * the user that created the partition take an unknown job as one that is over.
 */
void slurm_sweep(struct controller *);

/* Do the same for an embedded controller that has such partitions, at most
   every 5 s in all processes together; else do nothing. */
void slurm_sweep_if_due(struct controller *);

#endif
