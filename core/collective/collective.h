/*
 * Collectives over the replicas of one job: barrier and a sum of float
 * vectors whose order of additions is fixed (replica 0, 1, 2, ...), so that
 * every replica holds the same bits.
 *
 * The replicas of one process are threads; those of other instances meet in
 * shared memory or, on any hosts, in a chain (collective_way.h).  Both give the
 * same bits.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_H
#define CORE_COLLECTIVE_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

#define COLLECTIVE_BYTES ((size_t)1 << 30)

enum { COLLECTIVE_REPLICAS_MAX = 1024, COLLECTIVE_PARTS_MAX = 65 };

/* By which way a sum goes from process to process. */
enum collective_by { COLLECTIVE_BY_MEMORY, COLLECTIVE_BY_CHAIN };

struct collective_config {
	const char *directory; /* of the job; NULL: it is this process */
	int total;	       /* replicas of the job */
	int first;	       /* this process has first .. */
	int local;	       /* .. first + local - 1 */
	int part_count;
	size_t floats[COLLECTIVE_PARTS_MAX]; /* of each part */
	enum collective_by by;		     /* where there is a directory */
	uint64_t sizes;	  /* a hash of total and parts, set by
			     collective_open() */
	uint64_t begin;	  /* a hash of where they begin; a chain refuses those
			     that differ */
	int join_seconds; /* how long to wait for one that runs and does not
			     come; in memory only */
	/* Asked when one begins to wait, then, while it lasts, every 100 ms
	   and when somebody leaves: -1 ends it.  NULL: nothing to ask. */
	int (*trouble)(const void *context, struct error *);
	const void *context;
};

struct collective;

/* What a user sets: "memory" or "chain". */
#define COLLECTIVE_VARIABLE "IPUBOX_COLLECTIVES"

/* Which one its value means, memory where it is NULL. */
int collective_choose(const char *, enum collective_by *, struct error *);

/*
 * Join the job.  Does not wait for the others.  Refused: a directory or file
 * that is missing or is not this user's alone, more replicas than there may be,
 * more bytes than there is room for, a replica that another process is.
 */
struct collective *collective_open(const struct collective_config *,
    struct error *);

/*
 * A replica of this process has failed: those here that wait for it, now or
 * later, fail too.  The other processes learn it by collective_close().
 */
void collective_fail(struct collective *);

/* Leave. With `failed` the others learn it and fail too. */
void collective_close(struct collective *, bool failed);

/*
 * Replace `data` by the sum over all replicas, the same bits everywhere.  Each
 * replica calls it once a round for each part; parts are independent of one
 * another and may be summed by different threads at the same time.
 *
 * -1, within about 100 ms, when a replica is gone (killed, or ended while
 * others wait), ended without joining, failed, or was given other sizes, when
 * the supervisor is gone, or when trouble() says so; then the collective is of
 * no more use.
 */
int collective_sum(struct collective *, int part, int replica, float *data,
    struct error *);

#endif
