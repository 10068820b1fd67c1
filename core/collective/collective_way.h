/*
 * The implementations that collective_open() chooses from.  Each has a table of
 * functions, and a struct that begins with struct collective.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_WAY_H
#define CORE_COLLECTIVE_COLLECTIVE_WAY_H

#include "core/collective/collective.h"

/* collective_sum(), collective_fail(), collective_close() */
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
 * Sums through shared memory.  The replicas of one process are threads;
 * instances share a file in the job's directory (core/process/job_directory.h).
 * The first process makes the file and the last one to join unlinks it.  The
 * kernel frees the nameless memory when the last process ends.  Each process
 * holds a lock for each of its replicas, which shows the others that it lives.
 * The supervisor's locks show whether a process may still join
 * (core/process/job_directory.h).
 */
struct collective *collective_memory_open(const struct collective_config *,
    struct error *);

/*
 * Sums in a chain of the job's processes on any hosts (collective_lane.h).
 * Each part has a lane.  The processes find each other through poprun
 * (collective_client.h), with a secret that the first one draws; poprun reports
 * lost processes.  Needs the job's directory.
 */
struct collective *collective_chain_open(const struct collective_config *,
    struct error *);

#endif
