/*
 * A job's collective_table, driven by a test.
 */
#ifndef TESTS_UNIT_TABLE_UTIL_H
#define TESTS_UNIT_TABLE_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "core/collective/collective_message.h"
#include "core/collective/collective_table.h"

enum { NOW = 1000 }; /* time of all calls */

enum table_outcome { WAITS, DONE, FAILED };

struct collective_request {
	enum table_outcome outcome;
	enum collective_code code;
	char text[512];
	int answers;			  /* one per request */
	size_t count, root;		  /* of the event */
	struct collective_request *first; /* of all requests */
};

/* Make a table with events that become the outcomes of requests. */
struct collective_table *table_new(int instances);

/* Join as an instance; the process of instance N has number 100 + N. */
struct collective_guest *table_join(struct collective_table *,
    uint32_t instance, uint32_t members);

/* Make a job of `count` instances, all of which have joined. */
struct collective_table *table_job(struct collective_guest **, uint32_t count);

/* Return a call with four floats; and enter it. */
struct collective_call call_of(int operation, const char *id);
void table_call(struct collective_table *, struct collective_guest *,
    const struct collective_call *, struct collective_request *);

#endif
