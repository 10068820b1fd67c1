/*
 * A stage's plan: its segments and the layout of its memory.  A pure function
 * of the layers, the micro-batch and the lanes.
 */
#ifndef IPU_NN_STAGE_PLAN_H
#define IPU_NN_STAGE_PLAN_H

#include "ipu/nn/model.h"

/* Either layers that a block of samples passes while it is in the cache, or a
   layer that takes all blocks, with the relus after it. */
struct segment {
	int first; /* index in the plan's layers */
	int count;
	bool fused; /* conv2d, maximum and relu fused */
	/* Indices of the segments that it takes the outputs of; -1: the stage's
	   input. */
	int input_count;
	int inputs[KERNEL_INPUTS_MAX];
	/* True if another user of that output has set its gradient before in
	   backward, so that this segment adds to it. */
	bool adds[KERNEL_INPUTS_MAX];
	int gradient;		      /* buffer of its output's gradient; -1:
					 the caller has that of the last one */
	bool keeps_out;		      /* backward reads its output */
	size_t stash;		      /* its output's offset in a slot, in
					 floats; last one: if keeps_out */
	size_t in_floats, out_floats; /* per micro-batch; of the first input */
};

/* A run of parameters that are trained. */
struct trained {
	size_t first, count; /* in the stage's array */
};

struct stage_plan {
	int lanes;
	int blocks;	 /* of `lanes` samples, per micro-batch */
	int layer_count; /* without layers that compute nothing */
	const struct layer *layers[MODEL_LAYERS_MAX];
	/* Indices of the layers that each one takes the outputs of; -1: the
	   stage's input. */
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
	size_t added_floats;   /* room for gradients to add to others */
	size_t kernel_floats;  /* scratch for kernels */
	size_t stream_floats;  /* off-loaded state moved at a time */
};

/* Check that these layers can be a stage: only the output of the layer before
   them enters, and only that of the last one leaves.  Refuses them in a
   sentence that names the layer concerned. */
int stage_plan_check(const struct model *, int first_layer, int layer_count,
    struct error *);

/* Plan these layers, which stage_plan_check() must accept; the model must
   outlive the plan. */
void stage_plan(struct stage_plan *, const struct model *, int first_layer,
    int layer_count, int micro_batch, int lanes);

#endif
