/*
 * The ways of summing that collective.h chooses from.  Each has a struct that
 * begins with struct collective, and its functions.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WAY_H
#define CORE_COLLECTIVE_COLLECTIVE_WAY_H

#include "core/collective/collective.h"

struct collective_way {
	int (*sum)(struct collective *, int part, int replica, float *data,
	    struct error *);
	void (*fail)(struct collective *);
	void (*close)(struct collective *, bool failed);
};

struct collective {
	const struct collective_way *way;
};

/*
 * Through shared memory.  The replicas of one process are threads; those of
 * other instances meet in a file in the job's directory
 * (core/process/job_directory.h).  The first to come makes it, the last one
 * unlinks it: from then on it is memory without a name, which is gone with the
 * last process that has it, whatever kills that.  Each process holds a lock for
 * its replicas, by which the others see whether it lives; whether one that has
 * not joined yet still may, the supervisor's locks show
 * (core/process/roster.h).
 */
struct collective *collective_memory_open(const struct collective_config *,
    struct error *);

/*
 * In a chain of the job's processes, on any hosts
 * (collective_lane.h).  Each part has a lane.  The processes find
 * each other through poprun (collective_client.h), with a secret
 * that the first one draws; poprun says who is gone.  Needs a directory of the
 * job.
 */
struct collective *collective_chain_open(const struct collective_config *,
    struct error *);

#endif
