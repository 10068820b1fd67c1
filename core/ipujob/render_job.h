/*
 * Rendering to plain Jobs, and what a Job is in other targets too.
 */
#ifndef CORE_IPUJOB_RENDER_JOB_H
#define CORE_IPUJOB_RENDER_JOB_H

#include <stdbool.h>

#include "core/ipujob/render_internal.h"

/* Add the documents of the job; -1: it cannot be had in this way. */
int	render_job_add(struct render *, struct error *);

/* How often what failed is tried again. */
int	render_job_retries(const struct render *);

/* A JobSpec of so many pods, each of which succeeds once; of those whose exit
   codes count, or of others. */
struct yaml_node	*render_job_spec(struct render *, int pods,
			    int retries, bool codes,
			    struct yaml_node *template);

/* What makes Volcano begin with all pods of a Job, or with none. */
void	render_job_gang(struct render *, struct yaml_node *job, int pods);

#endif
