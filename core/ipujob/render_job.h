/*
 * Rendering to plain Jobs.
 */
#ifndef CORE_IPUJOB_RENDER_JOB_H
#define CORE_IPUJOB_RENDER_JOB_H

#include "core/ipujob/render_internal.h"

/* Add the documents of the job; -1: it cannot be had in this way. */
int	render_job_add(struct render *, struct error *);

/* How often what failed is tried again. */
int	render_job_retries(const struct render *);

#endif
