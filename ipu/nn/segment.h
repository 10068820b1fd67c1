/*
 * What a stage is made of, and the computing of one of its segments.  Private
 * to stage.c and segment.c.
 */
#ifndef IPU_NN_SEGMENT_H
#define IPU_NN_SEGMENT_H

#include "ipu/nn/nn.h"

struct stage {
	const struct kernels *kernels;
	struct stage_config config;
	struct stage_plan plan;

	float *parameters, *gradients;
	float *state[OPTIMISER_STATES_MAX];
	/* Where the state comes to for an update, when it is off the chip. */
	float *stream[OPTIMISER_STATES_MAX];

	float *stash;	    /* depth slots */
	signed char *marks; /* depth slots */

	float *scratch[2]; /* a block between layers */
	float *between[2]; /* gradients between segments */
	float *recomputed; /* an output nobody reads */
	float *kernel_scratch;
};

/* A micro-batch through the segment; backward needs its marks in `slot`. */
void segment_forward(struct stage *, const struct segment *, int slot,
    const float *in, float *out);

/* `in` is forward's; the gradient of the output is destroyed; that of the input
   is NULL where nobody needs it.  Adds to the parameters' gradients. */
void segment_backward(struct stage *, const struct segment *, int slot,
    const float *in, float *gradient_out, float *gradient_in);

#endif
