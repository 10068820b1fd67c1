/*
 * Collectives through poprun (core/process/collective_client.h), which adds up:
 * slower than shared memory, and the way that programs of one's own go as well.
 * Needs a directory of the job.
 */
#ifndef IPU_ENGINE_COLLECTIVE_POPRUN_H
#define IPU_ENGINE_COLLECTIVE_POPRUN_H

#include "ipu/engine/collective.h"

/* As collective_open(). */
struct collective	*collective_poprun_open(
			    const struct collective_config *, struct error *);

#endif
