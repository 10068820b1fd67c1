/*
 * A model: layers in order, grouped into named blocks.  A stage of a pipeline
 * is a run of blocks; which IPU it stands on is the engine's business.
 *
 * The parameters of a model are one array of floats: layer by layer, weights
 * before biases, in PyTorch's order.
 */
#ifndef IPU_NN_MODEL_H
#define IPU_NN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "ipu/nn/kernels/kernels.h"

enum {
	MODEL_LAYERS_MAX = 64,
	MODEL_BLOCKS_MAX = 64,
	MODEL_FLOATS_MAX = 1 << 26, /* parameters; elements of a sample's
				       tensor: a block's fit an int */
	BLOCK_NAME_SIZE = 32
};

enum layer_kind {
	LAYER_CONV2D,
	LAYER_MAXPOOL2D,
	LAYER_RELU,
	LAYER_FLATTEN,
	LAYER_LINEAR
};

struct shape {
	int channels, height, width;
};

/* A layer as it is asked for, in PyTorch's terms. */
struct layer_spec {
	enum layer_kind kind;
	int out;    /* conv2d: channels; linear: features */
	int kernel; /* conv2d, maxpool2d: square */
	int stride;
	int padding;  /* on each side: of zeroes in conv2d, in maxpool2d of what
			 never wins, at most half the kernel */
	bool no_bias; /* conv2d, linear */
};

struct layer {
	struct layer_spec spec;
	struct shape in, out;
	size_t first;	/* its place in the parameters */
	size_t weights; /* how many */
	size_t biases;
};

struct block {
	char name[BLOCK_NAME_SIZE];
	int first_layer;
	int layer_count;
	int ipu; /* where the model wants it; -1: it does not say */
};

struct model {
	struct shape in;
	int layer_count;
	struct layer layers[MODEL_LAYERS_MAX];
	int block_count;
	struct block blocks[MODEL_BLOCKS_MAX];
	size_t parameter_count;
};

/* Floats of one sample: channels x height x width. */
int model_shape_elements(struct shape);

/*
 * Build a model: model_init(), then for each block model_block() and, for each
 * of its layers, model_add().  Refused, and the model is as before: a window
 * larger than its input, linear on what is not flat, more parameters or
 * elements than MODEL_FLOATS_MAX.
 */
void model_init(struct model *, struct shape in);
int model_block(struct model *, const char *name, int ipu, struct error *);
int model_add(struct model *, const struct layer_spec *, struct error *);
/* "conv2d", "linear" ... */
const char *model_kind_name(enum layer_kind);

/* Fill in the weights and biases that PyTorch's layers have by default after
   torch.manual_seed(seed), made in their order. */
void model_initialise(const struct model *, uint64_t seed, float *parameters);

/* The shape as the kernels take it, of a layer of that kind. */
struct conv_shape model_conv_shape(const struct layer *);
struct pool_shape model_pool_shape(const struct layer *);
struct linear_shape model_linear_shape(const struct layer *, int blocks);

/*
 * Read a layer as text (model_layer.c has its form).  *is_loss: it is
 * cross-entropy, and *spec is not filled.  Refused: another kind, an argument
 * that is unknown, missing, given twice or not a number.
 */
int model_layer_parse(const char *text, struct layer_spec *spec, bool *is_loss,
    struct error *);

/* Read "1x28x28": channels, height, width. */
int model_layer_parse_shape(const char *text, struct shape *, struct error *);

#endif
