/*
 * A stage: a run of layers with their parameters, gradients and optimiser
 * state, computed on one IPU.  Independent of threads and other stages.
 *
 * A stage consists of segments, most of them a conv2d or linear layer with the
 * layers after it (stage_plan.c).  A stash of `depth` slots, one for each
 * micro-batch under way, keeps the data for backward: the output of each
 * segment except the last (the caller keeps the stage's input), the place of
 * each pooling window's maximum, and the elements that passed a relu.
 */
#ifndef IPU_NN_STAGE_H
#define IPU_NN_STAGE_H

#include "ipu/nn/model.h"

struct optimiser;
struct torch_rng;

struct stage_config {
	int first_layer;
	int layer_count;
	int micro_batch;     /* samples */
	int depth;	     /* micro-batches in the stash */
	bool training;	     /* false: no gradients and no backward */
	bool input_gradient; /* compute it; false for the model's first stage */
	/* The stash has one slot, and the caller must call stage_recompute()
	   before each backward. */
	bool recompute;
	bool offload_optimiser; /* its state is in streaming memory */
	int optimiser_states;	/* floats of state per parameter */
	uint64_t seed;		/* of dropouts, as torch.manual_seed() */
};

struct stage;

/* Make a stage with all parameters zero.  The caller frees it with
   stage_free(), for which NULL is fine; model and kernels must outlive it. */
struct stage *stage_new(const struct model *, const struct kernels *,
    const struct stage_config *);
void stage_free(struct stage *);

/* Return the number of floats of a micro-batch's input or output, with the
   unused lanes. */
size_t stage_in_floats(const struct stage *);
size_t stage_out_floats(const struct stage *);

/* Return the bytes of a slot of the stash; 0 with `recompute`: its only
   slot is not counted. */
size_t stage_stash_bytes(const struct stage *);

/* Return the stage's own array of parameters, or of gradients (NULL without
   training), and set *count to its length. */
float *stage_parameters(struct stage *, size_t *count);
float *stage_gradients(struct stage *, size_t *count);
/* Return the optimiser's state `index`, from 0 to OPTIMISER_STATES_MAX - 1, of
   the same length; NULL: it has fewer states. */
float *stage_state(struct stage *, int index);
/* Return the index of the stage's first parameter among the model's. */
size_t stage_first_parameter(const struct stage *);

/* Run forward.  In training all micro-batches must pass in order, as they draw
   numbers and renew running statistics.  `slot` must lie from 0 to depth - 1, also with `recompute`.
   With training it stays in use until stage_backward() with the same slot. */
void stage_forward(struct stage *, int slot, const float *in, float *out);

/* With `recompute`, before backward: compute the data for backward from the
   input again. */
void stage_recompute(struct stage *, const float *in);

/* Run backward; `in` must hold the input of that slot's forward.  Adds to the
   parameters' gradients, destroys gradient_out, and sets gradient_in unless it
   is NULL or input_gradient is false. */
void stage_backward(struct stage *, int slot, const float *in,
    float *gradient_out, float *gradient_in);

/* Make update number `step` (1, 2, ...) with the gradients times `scale`, then
   zero them.  The optimiser may have other numbers than before, but as many
   states.  Returns the bytes of off-loaded state that were streamed, both
   ways. */
size_t stage_update(struct stage *, const struct optimiser *, long step,
    float scale);

/* Return the generator of dropouts, before the next micro-batch, to be read or
   set.  The stages of a model each have one, and go through the same numbers. */
struct torch_rng *stage_rng(struct stage *);
/* Pass over the numbers of so many micro-batches. */
void stage_skip(struct stage *, uint64_t micro_batches);

/* A stage's plan: its segments and the layout of its memory.  A pure function
   of the layers, the micro-batch and the lanes. */

/* Layers that a block of samples passes while it is in the cache, or one that
   takes all blocks, with relus after it. */
struct segment {
	int first; /* index in the plan's layers */
	int count;
	bool fused; /* conv2d, maximum and relu fused */
	/* Segments whose outputs it takes, by index; -1: the stage's input. */
	int input_count;
	int inputs[KERNEL_INPUTS_MAX];
	/* Backward: whether another user of that output has set its gradient
	   before, so that this one must add to it. */
	bool adds[KERNEL_INPUTS_MAX];
	int gradient;		      /* buffer of its output's gradient; the
					 last segment's comes from the caller */
	bool keeps_out;		      /* backward reads its output */
	size_t stash;		      /* its output's offset in a slot, in
					 floats; of the last only if kept */
	size_t in_floats, out_floats; /* per micro-batch; of the first input */
};

/* Parameters next to one another that are trained. */
struct trained {
	size_t first, count; /* in the stage's array */
};

struct stage_plan {
	int lanes;
	int blocks;	 /* of `lanes` samples, per micro-batch */
	int layer_count; /* without layers that compute nothing */
	const struct layer *layers[MODEL_LAYERS_MAX];
	/* Indices of the layers whose outputs each takes; -1: the stage's
	   input. */
	int sources[MODEL_LAYERS_MAX][KERNEL_INPUTS_MAX];
	size_t marks_at[MODEL_LAYERS_MAX]; /* byte offset in a slot */
	size_t saved_at[MODEL_LAYERS_MAX]; /* float offset in a slot */
	int segment_count;
	struct segment segments[MODEL_LAYERS_MAX];

	size_t parameter_count;
	size_t first_parameter; /* index in the model's */
	int trained_count;
	struct trained trained[2 * MODEL_LAYERS_MAX];
	size_t stash_floats;   /* per slot */
	size_t marks_bytes;    /* per slot */
	size_t block_floats;   /* largest tensor of a block */
	size_t between_floats; /* largest tensor between segments */
	int between_count;     /* gradients that live at the same time */
	size_t added_floats;   /* of gradients that are added to others */
	size_t kernel_floats;  /* scratch for kernels */
	size_t stream_floats;  /* off-loaded state moved at a time */
};

/* Whether these layers can be a stage: one tensor enters, the output of the
   layer before them, and one leaves, that of the last.  Refuses another one in
   a sentence. */
int stage_plan_check(const struct model *, int first_layer, int layer_count,
    struct error *);

/* Plan these layers, which stage_plan_check() takes; the model must outlive the
   plan. */
void stage_plan(struct stage_plan *, const struct model *, int first_layer,
    int layer_count, int micro_batch, int lanes);

#endif
