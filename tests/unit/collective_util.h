/*
 * Rounds of sums over the replicas of a job, by core/collective/collective.h.
 */
#ifndef TESTS_UNIT_COLLECTIVE_UTIL_H
#define TESTS_UNIT_COLLECTIVE_UTIL_H

#include "core/collective/collective.h"

/* Replicas of the job, and floats of the larger of two parts; the other one has
   a single float. */
enum { COLLECTIVE_UTIL_REPLICAS = 3, COLLECTIVE_UTIL_FLOATS = 1001 };

/* Replicas first .. first + local - 1; who does not join is absent after a
   second. */
struct collective_config collective_util_config(int first, int local,
    const char *directory);

/*
 * Twenty rounds of random vectors in both parts.  How many elements were not
 * ((r0 + r1) + r2), to the bit; -1: a sum failed.
 */
int collective_util_run(struct collective *, int replica);

#endif
