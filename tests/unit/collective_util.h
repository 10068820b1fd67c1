/*
 * Rounds of sums over the replicas of a job (core/collective/collective.h).
 */
#ifndef TESTS_UNIT_COLLECTIVE_UTIL_H
#define TESTS_UNIT_COLLECTIVE_UTIL_H

#include "core/collective/collective.h"

/* Replicas of the job, and floats of the larger part; the other is one. */
enum { COLLECTIVE_UTIL_REPLICAS = 3, COLLECTIVE_UTIL_FLOATS = 1001 };

/* Configure `local` replicas from `first`; absent ones fail after a second. */
struct collective_config collective_util_config(int first, int local,
    const char *directory);

/* Run twenty rounds of random vectors in both parts.  Returns how many elements
   were not ((r0 + r1) + r2) to the bit; -1: a sum failed. */
int collective_util_run(struct collective *, int replica);

#endif
