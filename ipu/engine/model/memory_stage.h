/*
 * What a stage has on its IPU whoever computes it: parameters with what belongs
 * to them, what is kept for backward, both its ends, the streams.  Bytes are
 * the caller's: memory.c has them of our own layers, memory_outline.c of an
 * outline.
 */
#ifndef IPU_ENGINE_MODEL_MEMORY_STAGE_H
#define IPU_ENGINE_MODEL_MEMORY_STAGE_H

#include <stdbool.h>

#include "ipu/engine/model/memory_layout.h"

struct memory_stage {
	struct memory_layout	*layout;
	int			 stage, ipu;
	bool			 last;
};

struct memory_parameter {
	const char	*name;
	size_t		 bytes;
	size_t		 gradient_bytes;
	size_t		 state_bytes;	/* of each of the states */
	int		 states;
};

/* That stage of the layout's configuration. */
struct memory_stage	memory_stage(struct memory_layout *, int stage);

/* Add a parameter; in training its gradient and the optimiser's state. */
void	memory_stage_add_parameter(const struct memory_stage *,
	    const struct memory_parameter *);

/*
 * Add what backward needs of a micro-batch: the stage's own input, or
 * (`inner`) what one of its operations keeps, which recomputation makes again.
 * What is not stashed is live.
 */
void	memory_stage_add_kept(const struct memory_stage *, bool inner,
	    size_t bytes, const char *name);

/*
 * Add the ends of the stage: the output, of what is called `end`, and in
 * training both gradients, that of the input of what is called `first`.
 */
void	memory_stage_add_ends(const struct memory_stage *, const char *first,
	    size_t in, const char *end, size_t out);

/*
 * Add the buffers of a micro-batch to and from the host, in the stages that
 * have them, and of `state` bytes of an optimiser that is off the chip.
 */
void	memory_stage_add_streams(const struct memory_stage *, size_t in,
	    size_t labels, size_t results, size_t state);

#endif
