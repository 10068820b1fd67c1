/*
 * Reads trace.json as events and checks its rules.  One file at a time.
 */
#ifndef TESTS_UNIT_TRACE_UTIL_H
#define TESTS_UNIT_TRACE_UTIL_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

/* Read it.  The texts stay the document's. */
bool trace_util_read(yyjson_doc *);

/* Whether the slices of each row are disjoint or nested. */
bool trace_util_slices_nest(void);
/* Whether counters exist, never fall below zero, and end at zero. */
bool trace_util_counters_end(void);
/* Return the number of flows; -1: one does not begin and end once. */
long trace_util_flows(void);
/* Count the events of that name by one clock, and add up their time. */
long trace_util_count(bool host, char phase, const char *name, int64_t *ns);

#endif
