/*
 * What poprun tells beside the one line of a failure: mpirun's own words, made
 * plain, and the post-mortem of the instances.
 */
#ifndef CORE_LAUNCH_PLAN_EXPLAIN_H
#define CORE_LAUNCH_PLAN_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "core/launch/launch.h"

struct plan;

/* For a launch, whose engine's lines are read from here on; explain_end() for
   each. */
void	explain_begin(struct plan *);

/* A line of mpirun's, for struct launch. */
void	explain_engine_line(const void *plan, const char *line, bool is_error,
	    FILE *out);

/* The launch is over: what of mpirun's words waited for that.  NULL: it did
   not take place. */
void	explain_end(struct plan *, const struct launch_result *);

/* Behind the line that says why the job failed: its circumstances. */
void	explain_failure(const struct plan *, const struct launch_result *);

#endif
