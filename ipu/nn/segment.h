/*
 * A stage's memory, and its segments.  Private to stage.c and segment.c.
 */
#ifndef IPU_NN_SEGMENT_H
#define IPU_NN_SEGMENT_H

#include "ipu/nn/nn.h"

struct stage {
	const struct model *model;
	const struct kernels *kernels;
	struct stage_config config;
	struct stage_plan plan;

	float *parameters, *gradients;
	float *state[OPTIMISER_STATES_MAX];
	/* Buffers for an update of state that is off the chip. */
	float *stream[OPTIMISER_STATES_MAX];

	float *stash;	    /* inputs of segments, in `depth` slots; with
			       recompute in one */
	signed char *marks; /* winners of pools and masks of relus, in as many
			       slots */

	float *scratch[2];		  /* blocks between layers */
	float *between[MODEL_LAYERS_MAX]; /* gradients between segments */
	float *added;			  /* gradients to add to others */
	float *recomputed; /* output of stage_recompute(), not used */
	float *kernel_scratch;

	struct torch_rng rng; /* draws the marks of dropouts */
	/* With `recompute`: the generators before forward of the micro-batches
	   under way, a ring; number of micro-batches that ran forward, and of
	   those that were recomputed. */
	struct torch_rng *kept;
	int forwards, recomputed_count;
	bool again;   /* recomputing now */
	bool records; /* norms write their statistics there, unless NULL */
	float *statistics;
	struct stage_team team;
	double *sums; /* owned; sums of norms without a team */
	int joined;   /* passes of norms through the team's sums */
};

/* Run a segment forward on a micro-batch; keep the marks for backward in
   `slot`.  `in` has the segment's inputs. */
void segment_forward(struct stage *, const struct segment *, int slot,
    const float *const *in, float *out);

/* Run a segment backward; `in` must be the inputs of the forward run, `out` its
   output if the segment keeps it.  Destroys gradient_out, sets those of
   gradient_in that are not NULL, and adds to the parameters' gradients. */
void segment_backward(struct stage *, const struct segment *, int slot,
    const float *const *in, float *out, float *gradient_out,
    float *const *gradient_in);

#endif
