/*
 * Collectives through poprun (collective_client.h), which adds up:
 * slower than shared memory, and the way that programs of one's own go as well.
 * Needs a directory of the job.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_POPRUN_H
#define CORE_COLLECTIVE_COLLECTIVE_POPRUN_H

#include "core/collective/collective.h"

/* As collective_open(). */
struct collective	*collective_poprun_open(
			    const struct collective_config *, struct error *);

#endif
