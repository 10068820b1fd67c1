/*
 * Rendering to a JobSet.
 */
#ifndef CORE_IPUJOB_RENDER_JOBSET_H
#define CORE_IPUJOB_RENDER_JOBSET_H

#include "core/ipujob/render_internal.h"

/* Add the documents of the job. */
void	render_jobset_add(struct render *);

#endif
