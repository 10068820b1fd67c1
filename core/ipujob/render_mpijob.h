/*
 * Rendering to MPIJobs.
 */
#ifndef CORE_IPUJOB_RENDER_MPIJOB_H
#define CORE_IPUJOB_RENDER_MPIJOB_H

#include "core/ipujob/render_internal.h"

/* Add the documents of the job; -1: it cannot be had in this way. */
int	render_mpijob_add(struct render *, struct error *);

#endif
