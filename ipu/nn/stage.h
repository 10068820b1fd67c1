/*
 * A stage: a run of layers with their parameters, gradients and optimiser
 * state, computed on one IPU.  Independent of threads and other stages.
 *
 * A stage consists of segments, most of them a conv2d or linear layer with the
 * layers after it (stage_plan.c).  A stash of `depth` slots, one for each
 * micro-batch under way, keeps the data for backward: the output of each
 * segment, that of the last only if its backward reads it; the place of each
 * pooling window's maximum; the elements that passed a relu or dropout; and the
 * statistics of norms.  The caller keeps the stage's input.
 */
#ifndef IPU_NN_STAGE_H
#define IPU_NN_STAGE_H

#include "ipu/nn/model.h"

struct optimiser;
struct torch_rng;

/* Stages that compute the parts of each micro-batch, each in a thread and in
   step with the others. */
struct stage_team {
	int parts;
	double *sums[2]; /* model_norm_sums() numbers of each part's block of
			    lanes; norms use the two in turn */
	void (*meet)(void *argument); /* waits for all stages */
	void *argument;
};

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
	uint64_t seed; /* seed of dropouts, as for torch.manual_seed() */
	/* With a team `micro_batch` is a part's, and `part` says which one.
	   NULL: the stage computes whole micro-batches. */
	const struct stage_team *team;
	int part;
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

/* Run forward.  In training all micro-batches must pass in order, since layers
   draw numbers and update running statistics.  `slot` must be below `depth`,
   also with `recompute`.  With training it stays in use until stage_backward()
   with the same slot. */
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
   zero them.  The optimiser may differ from that of the last update if it has
   as many states.  Returns the bytes of off-loaded state that were streamed,
   both ways. */
size_t stage_update(struct stage *, const struct optimiser *, long step,
    float scale);

/* From now on norms in training write their statistics there, in the order of
   the model's buffers, and keep the running ones.  NULL: nowhere. */
void stage_record(struct stage *, float *statistics);

/* Return the generator of the dropouts, to be read or set between
   micro-batches.  Each stage of a model has one, and all go through the same
   numbers. */
struct torch_rng *stage_rng(struct stage *);
/* Pass over the numbers that the whole model draws for so many
   micro-batches. */
void stage_skip(struct stage *, uint64_t micro_batches);

#endif
