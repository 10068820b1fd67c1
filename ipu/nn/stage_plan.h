/*
 * A stage's plan: its segments, and where each thing stands in its memory.  A
 * pure function of the layers, the micro-batch and the lanes.
 *
 * Flatten computes nothing in our layout and is left out, but for a stage that
 * has nothing else.
 */
#ifndef IPU_NN_STAGE_PLAN_H
#define IPU_NN_STAGE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "ipu/nn/model.h"

/* A run of layers that a block of samples passes while it is in the cache. */
struct segment {
	int	first;			/* layer of the plan */
	int	count;
	bool	fused;			/* conv2d, maximum and relu as one */
	size_t	stash;			/* its input's place in a stash slot,
					   floats; the first has none */
	size_t	in_floats, out_floats;	/* of a micro-batch */
};

struct stage_plan {
	int			 lanes;
	int			 blocks;	/* of lanes in a micro-batch */
	/* The layers that compute something. */
	int			 layer_count;
	const struct layer	*layers[MODEL_LAYERS_MAX];
	size_t			 marks_at[MODEL_LAYERS_MAX]; /* in a slot */
	int			 segment_count;
	struct segment		 segments[MODEL_LAYERS_MAX];

	size_t			 parameter_count;
	size_t			 first_parameter;	/* in the model's */
	size_t			 stash_floats;	/* of a slot */
	size_t			 marks_bytes;	/* of a slot */
	size_t			 block_floats;	/* the largest tensor of a
						   block */
	size_t			 between_floats; /* between two segments */
	size_t			 kernel_floats;	/* scratch of the kernels */
	size_t			 stream_floats;	/* of a state at a time, when
						   it is off-loaded */
};

/* The model must outlive the plan. */
void	stage_plan(struct stage_plan *, const struct model *, int first_layer,
	    int layer_count, int micro_batch, int lanes);

#endif
