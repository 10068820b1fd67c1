/*
 * A stage: a run of layers with their parameters, gradients and optimiser
 * state, computed on one IPU.  Knows nothing of threads or of other stages.
 *
 * A stage is cut into segments, each a conv2d or linear layer (or what stands
 * before the first) with the layers behind it.  What backward needs later is
 * kept by micro-batch in a stash of `depth` slots: the input of each segment
 * but the first (that one is the stage's input, which the caller keeps), which
 * of four pixels won, and what passed a relu.
 */
#ifndef IPU_NN_STAGE_H
#define IPU_NN_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "ipu/nn/model.h"

struct optimiser;

struct stage_config {
	int first_layer;
	int layer_count;
	int micro_batch;     /* samples */
	int depth;	     /* micro-batches in the stash */
	bool training;	     /* else no gradients and no stash */
	bool input_gradient; /* false for the model's first stage */
	/*
	 * Keep nothing but the input: backward runs forward again.  The stash
	 * has one slot then, whatever the depth.
	 */
	bool recompute;
	bool offload_optimiser;
	int optimiser_states; /* floats of state per parameter */
};

struct stage;

/* The caller owns the stage; model and kernels must outlive it. */
struct stage *stage_new(const struct model *, const struct kernels *,
    const struct stage_config *);
void stage_free(struct stage *);

/* Floats of an input or output tensor, all lanes. */
size_t stage_in_floats(const struct stage *);
size_t stage_out_floats(const struct stage *);

/* Bytes that a micro-batch takes in the stash, its input not counted. */
size_t stage_stash_bytes(const struct stage *);

/* The parameters (or their gradients) as one array, and its length. */
float *stage_parameters(struct stage *, size_t *count);
float *stage_gradients(struct stage *, size_t *count);
/* The optimiser's state `index`, as long; NULL when it has none of them. */
float *stage_state(struct stage *, int index);
/* Their first one's number in the model's parameters. */
size_t stage_first_parameter(const struct stage *);

/* `slot` is below depth; it is kept until backward of the same slot. */
void stage_forward(struct stage *, int slot, const float *in, float *out);

/* What backward needs, from the input again: before each with `recompute`. */
void stage_recompute(struct stage *, const float *in);

/* `in` is forward's; the gradient of the output is destroyed; that of the input
   may be NULL.  Adds to the parameters' gradients. */
void stage_backward(struct stage *, int slot, const float *in,
    float *gradient_out, float *gradient_in);

/*
 * Update number `step` with the gradients times `scale`, then zero them.
 * Returns the bytes of optimiser state that went to and from streaming memory:
 * 0 unless it is off-loaded.
 */
size_t stage_update(struct stage *, const struct optimiser *, long step,
    float scale);

/*
 * A stage's plan: its segments, and where each thing stands in its memory.  A
 * pure function of the layers, the micro-batch and the lanes.
 */

/* A run of layers that a block of samples passes while it is in the cache. */
struct segment {
	int first; /* layer of the plan */
	int count;
	bool fused;		      /* conv2d, maximum and relu as one */
	size_t stash;		      /* its input's place in a stash slot,
					 floats; the first has none */
	size_t in_floats, out_floats; /* of a micro-batch */
};

struct stage_plan {
	int lanes;
	int blocks; /* of lanes in a micro-batch */
	/* The layers that compute something. */
	int layer_count;
	const struct layer *layers[MODEL_LAYERS_MAX];
	size_t marks_at[MODEL_LAYERS_MAX]; /* in a slot */
	int segment_count;
	struct segment segments[MODEL_LAYERS_MAX];

	size_t parameter_count;
	size_t first_parameter; /* in the model's */
	size_t stash_floats;	/* of a slot */
	size_t marks_bytes;	/* of a slot */
	size_t block_floats;	/* the largest tensor of a block */
	size_t between_floats;	/* between two segments */
	size_t kernel_floats;	/* scratch of the kernels */
	size_t stream_floats;	/* of a state at a time, when it is
				   off-loaded */
};

/* Plan these layers; the model must outlive the plan. */
void stage_plan(struct stage_plan *, const struct model *, int first_layer,
    int layer_count, int micro_batch, int lanes);

#endif
