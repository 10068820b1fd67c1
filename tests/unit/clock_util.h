/*
 * An embedded controller whose clocks the test sets: who sleeps moves them.
 */
#ifndef TESTS_UNIT_CLOCK_UTIL_H
#define TESTS_UNIT_CLOCK_UTIL_H

#include <stdint.h>

#include "core/control/controller_internal.h"

enum { BEGIN_MS = 1000000000, SECOND = 1000 };

extern struct controller *controller;
extern int64_t clock_now, monotonic_now;
extern int64_t clock_step; /* in the next sleep */

/* A new state of that name; the clock begins again. */
void clock_util_open(const char *state);

/* How machine ag01 + n fares from now on, as vipu-admin would say it. */
void clock_util_set_machine(int n, int state, int fail_config, int slow_ms,
    int64_t up_ms);

struct partition_request clock_util_request(const char *name, int size);
struct partition clock_util_create(const struct partition_request *);

/* What a reader sees of the partition now, once it has been looked at. */
struct partition clock_util_get(const char *name);
void clock_util_is_state(const char *name, const char *wanted,
    const char *what);

#endif
