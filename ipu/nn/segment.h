/*
 * A stage's memory, and its segments.  Private to stage.c and segment.c.
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
	/* Buffers for an update of state that is off the chip. */
	float *stream[OPTIMISER_STATES_MAX];

	float *stash;	    /* depth slots */
	signed char *marks; /* depth slots */

	float *scratch[2]; /* block between layers */
	float *between[2]; /* gradients between segments */
	float *recomputed; /* output that is not used */
	float *kernel_scratch;
};

/* Run a micro-batch forward; keep the marks for backward in `slot`. */
void segment_forward(struct stage *, const struct segment *, int slot,
    const float *in, float *out);

/* Run backward; `in` is forward's.  Destroys the gradient of the output.  The
   gradient of the input may be NULL.  Adds to the parameters' gradients. */
void segment_backward(struct stage *, const struct segment *, int slot,
    const float *in, float *gradient_out, float *gradient_in);

#endif
