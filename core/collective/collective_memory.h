/*
 * Collectives through shared memory: the replicas of one process are threads;
 * those of other instances meet in a file in the job's directory
 * (core/process/job_directory.h).  The first to come makes it, the last one
 * unlinks it: from then on it is memory without a name, which is gone with the
 * last process that has it, whatever kills that.  Each process holds a lock for
 * its replicas, by which the others see whether it lives; whether one that has
 * not joined yet still may, the supervisor's locks show
 * (core/process/roster.h).
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_MEMORY_H
#define CORE_COLLECTIVE_COLLECTIVE_MEMORY_H

#include "core/collective/collective.h"

/* As collective_open(). */
struct collective	*collective_memory_open(
			    const struct collective_config *, struct error *);

#endif
