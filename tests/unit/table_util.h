/*
 * A job's collective_table in a test's hands.
 */
#ifndef TESTS_UNIT_TABLE_UTIL_H
#define TESTS_UNIT_TABLE_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "core/collective/collective_message.h"
#include "core/collective/collective_table.h"

enum { NOW = 1000 }; /* when all calls come */

enum table_outcome { WAITS, DONE, FAILED };

struct collective_request {
	enum table_outcome outcome;
	enum collective_code code;
	char text[512];
	int answers;			  /* each gets one */
	size_t count, root;		  /* of the event */
	struct collective_request *first; /* of all */
};

/* A table whose events become the outcomes of requests. */
struct collective_table *table_new(int instances);

/* The process of instance N is number 100 + N. */
struct collective_guest *table_join(struct collective_table *,
    uint32_t instance, uint32_t members);

/* A job of so many instances, which have all come. */
struct collective_table *table_job(struct collective_guest **, uint32_t count);

/* A call with four floats; and it comes. */
struct collective_call call_of(int operation, const char *id);
void table_call(struct collective_table *, struct collective_guest *,
    const struct collective_call *, struct collective_request *);

#endif
