/*
 * Lists of instances by their indices, as a user writes them: "0,2-3", "all",
 * "none".
 */
#ifndef CORE_JOB_INDEX_LIST_H
#define CORE_JOB_INDEX_LIST_H

#include <stdbool.h>

#include "core/base/error.h"

/*
 * Set in `set` who of `count` instances is in the list, each index or range
 * (its ends belong to it) behind a comma.  -1: the message begins with `what`
 * and names the element that is wrong.
 */
int	index_list_read(const char *what, const char *text, int count,
	    bool *set, struct error *);

#endif
