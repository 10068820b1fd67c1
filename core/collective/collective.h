/*
 * The sum of float vectors over the replicas of one job, with a fixed order of
 * additions (replica 0, 1, 2, ...), so that every replica gets the same bits.
 *
 * The replicas of one process are threads.  Processes exchange data through
 * shared memory or, on any hosts, in a chain (collective_way.h).  Both give the
 * same bits.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_H
#define CORE_COLLECTIVE_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum { COLLECTIVE_REPLICAS_MAX = 1024, COLLECTIVE_PARTS_MAX = 65 };

/* How a sum travels between processes. */
enum collective_by { COLLECTIVE_BY_MEMORY, COLLECTIVE_BY_CHAIN };

struct collective_config {
	const char *directory; /* the job's; NULL: this process is the whole
				  job */
	int total;	       /* replicas of the job */
	int first;	       /* this process has replicas first .. */
	int local;	       /* .. first + local - 1 */
	int part_count;
	size_t floats[COLLECTIVE_PARTS_MAX]; /* of each part */
	enum collective_by by;		     /* ignored without a directory */
	uint64_t sizes;	  /* set by collective_open(): a hash of total and
			     parts */
	uint64_t begin;	  /* hash of the state at the start; a chain refuses
			     members that differ */
	int join_seconds; /* limit of the wait for a running process that has
			     not joined; in memory only */
	/* Asked every 100 ms while a replica waits; -1 ends the wait.  In
	   memory also asked when a process leaves, and when the wait begins,
	   then with the result ignored.  NULL: not asked. */
	int (*trouble)(const void *context, struct error *);
	const void *context;
};

struct collective;

/* The user's choice: "memory" or "chain". */
#define COLLECTIVE_VARIABLE "IPUBOX_COLLECTIVES"

/* Translate the variable's value; NULL means memory.  -1: another value; *by is
   memory. */
int collective_choose(const char *, enum collective_by *, struct error *);

/* Join the job without waiting for the others.  Returns NULL with the error
   set, for example if the directory is missing or not private to this user;
   in memory also for too many replicas or bytes, a replica that another
   process has, or a job that has failed already; in a chain if poprun does
   not answer. */
struct collective *collective_open(const struct collective_config *,
    struct error *);

/* Report that a replica of this process failed: collective_sum() of the other
   replicas here, running or later, fails too.  Other processes only learn it
   from collective_close(). */
void collective_fail(struct collective *);

/* Leave the job and free the collective; NULL is fine.  If `failed`,
   collective_sum() of the other processes fails too. */
void collective_close(struct collective *, bool failed);

/*
 * Replace `data` (floats[part] numbers) by the sum over all replicas, with the
 * same bits everywhere.  `replica` is the number in the job.  In each round,
 * each replica must call it once for each part.  Different threads may sum
 * independent parts at the same time.
 *
 * Returns -1, within about 100 ms, if a replica was killed, ended while others
 * wait, ended without joining, failed, or has other sizes; if the supervisor is
 * gone; or if trouble() returns -1.  In memory also if a running process has
 * not joined after join_seconds.  After -1 the collective can only be closed.
 */
int collective_sum(struct collective *, int part, int replica, float *data,
    struct error *);

#endif
