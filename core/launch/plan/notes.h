/*
 * Notes on what the user has given that has no effect in this job.
 */
#ifndef CORE_LAUNCH_PLAN_NOTES_H
#define CORE_LAUNCH_PLAN_NOTES_H

#include <stddef.h>

struct plan;

/* Add a note to plan->notes for each option that is valid and has no effect on
   this machine, with the reason, and log them.  _places, after
   job_partition_ensure(): for names of clusters and allocations. */
void notes_add(struct plan *);
void notes_add_places(struct plan *);

/* Return the next variable of the caller's environment, from index *at on, that
   is replaced by those of the instances and not passed by -x; or NULL.  *at
   moves past it. */
const char *notes_replaced_rank(const struct plan *, size_t *at);

#endif
