/*
 * An embedded controller with clocks that the test sets: a sleep advances them.
 */
#ifndef TESTS_UNIT_CLOCK_UTIL_H
#define TESTS_UNIT_CLOCK_UTIL_H

#include <stdint.h>

#include "core/control/controller_internal.h"

enum { BEGIN_MS = 1000000000, SECOND = 1000 };

extern struct controller *controller;
extern int64_t clock_now, monotonic_now;
extern int64_t clock_step; /* added by the next sleep */

/* Make a new state of that name and reset the clock. */
void clock_util_open(const char *state);

/* Set the condition of machine ag01 + n, in the terms of vipu-admin. */
void clock_util_set_machine(int n, int state, int fail_config, int slow_ms,
    int64_t up_ms);

struct partition_request clock_util_request(const char *name, int size);
struct partition clock_util_create(const struct partition_request *);

/* Return the partition as a reader sees it now, after a tick. */
struct partition clock_util_get(const char *name);
void clock_util_is_state(const char *name, const char *wanted,
    const char *what);

#endif
