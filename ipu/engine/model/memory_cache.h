/*
 * What both engines of a run need of the IPUs' memory, from an executable cache
 * where there is one: planned by one process, and read by the others.
 *
 * An entry is text, a line for each tensor and for what is off the chip:
 *
 *	training
 *	streaming 0 721408
 *	0 weights 1 1000 B1/conv2d/weights
 *	...
 *	inference
 *	...
 *
 * Which tiles they go to follows from that (memory_layout.h), so the text can
 * say nothing that does not fit together.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_CACHE_H
#define IPU_ENGINE_MODEL_MEMORY_CACHE_H

#include "core/state/sdk/sdk.h"
#include "ipu/engine/model/memory.h"

struct memory_plan {
	const struct engine_config	*training, *inference;
	struct memory_target		 target;
	/* What is planned; memory_release() frees them. */
	struct memory			*training_memory, *inference_memory;
};

/* Plan both: from the cache, or without one (NULL). */
void	memory_cache_plan(const struct memory_plan *,
	    const struct executable_cache *, struct executable_use *);

/* All that decides a plan, as a text that the caller frees. */
char	*memory_cache_key_text(const struct memory_plan *, size_t *size);

/*
 * The text of an entry, which the caller frees, of what was planned; and a plan
 * from such a text.  -1: it is not one of these configurations, and nothing is
 * left to release.
 */
char	*memory_cache_write(const struct memory_plan *, size_t *size);
int	memory_cache_read(const struct memory_plan *, const char *text,
	    size_t size, struct error *);

#endif
