/*
 * trace.json as events, and what must be true of any such file.  One file at a
 * time.
 */
#ifndef TESTS_UNIT_TRACE_UTIL_H
#define TESTS_UNIT_TRACE_UTIL_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

/* The texts stay the document's. */
bool trace_util_read(yyjson_doc *);

/* Slices of a row follow one another or stand within one another. */
bool trace_util_slices_nest(void);
/* There are counters, none is ever below zero, and all end there. */
bool trace_util_counters_end(void);
/* How many flows there are; -1: one that does not begin and end once. */
long trace_util_flows(void);
/* Events of that name by the host's clock or the model's; their time. */
long trace_util_count(bool host, char phase, const char *name, int64_t *ns);

#endif
