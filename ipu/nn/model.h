/*
 * A model: layers in order, grouped into named blocks.  A stage of a pipeline
 * is a run of blocks; the engine chooses its IPU.
 *
 * The parameters of a model are one array of floats: layer by layer, weights,
 * biases and buffers, such as running means, in PyTorch's order.
 */
#ifndef IPU_NN_MODEL_H
#define IPU_NN_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ipu/nn/kernels/kernels.h"

enum {
	MODEL_LAYERS_MAX = 256,
	MODEL_BLOCKS_MAX = 64,
	MODEL_FLOATS_MAX = 1 << 26, /* of parameters, and of a sample's tensor,
				       so that a block's size fits an int */
	BLOCK_NAME_SIZE = 32,
	LAYER_NAME_SIZE = 16
};

struct loss;

struct shape {
	int channels, height, width;
};

/* The axis along which a layer works. */
enum model_axis {
	AXIS_FEATURES, /* the width, or the channels of a flat tensor */
	AXIS_CHANNELS,
	AXIS_HEIGHT,
	AXIS_WIDTH,
	AXIS_PLANE, /* height and width as one */
	AXIS_ALL    /* all three as one */
};

/* A layer as requested, in PyTorch's terms. */
struct layer_spec {
	enum layer_kind kind;
	int out;    /* conv2d: channels; linear: features */
	int kernel; /* conv2d, maxpool2d: square */
	int stride;
	/* On each side; maxpool2d: at most half the kernel, and never chosen as
	   the maximum. */
	int padding;
	bool no_bias; /* conv2d, linear; norms: neither weights nor biases */
	int groups;   /* conv2d; 0 counts as 1 */
	/* Layers whose outputs it takes, by index, -1 for the model's input;
	   with a count of 0, the layer before. */
	int input_count;
	int inputs[KERNEL_INPUTS_MAX];
	enum model_axis axis; /* concat, slice, softmaxes, mean, layer_norm */
	int start, length;    /* slice; embedding: rows */
	int sizes[3];	      /* reshape: the shape; permute: the order */
	/* scale, matmul: factor; leaky_relu: slope; norms: epsilon; dropout:
	   the share that is dropped */
	float value;
	float momentum; /* batch_norm: the weight of a new mean */
	/* gelu: the approximation by tanh; matmul: the second factor is
	   transposed; add_parameter, add_constant: one channel for all;
	   embedding: row `start` is not trained */
	bool variant;
	bool fixed_weights, fixed_biases; /* not trained */
	char name[LAYER_NAME_SIZE];	  /* for `inputs` of others; "": none */
};

struct layer {
	struct layer_spec spec;
	int input_count;
	int inputs[KERNEL_INPUTS_MAX]; /* as in the specification */
	struct shape in, out;	       /* `in`: of the first input */
	size_t first;		       /* index of its first parameter */
	size_t weights;		       /* number of weights */
	size_t biases;		       /* number of biases */
	size_t buffers; /* floats after them that are not trained */
};

struct block {
	char name[BLOCK_NAME_SIZE];
	int first_layer;
	int layer_count;
	int ipu; /* IPU that the model asks for, or -1 */
};

struct model {
	struct shape in;
	int layer_count;
	struct layer layers[MODEL_LAYERS_MAX];
	int block_count;
	struct block blocks[MODEL_BLOCKS_MAX];
	size_t parameter_count;
};

/* Return the number of parameters of a layer, with its buffers. */
size_t model_layer_floats(const struct layer *);

/* Return the number of floats of one sample: channels x height x width. */
int model_shape_elements(struct shape);

/*
 * Build a model: call model_init(), then for each block model_block() and, for
 * each of its layers, model_add().  The latter two return -1, and leave the
 * model as before, for: too many blocks or layers, a window larger than its
 * input, linear on an input that is not flat, more parameters or elements than
 * MODEL_FLOATS_MAX, and invalid numbers.
 */
void model_init(struct model *, struct shape in);
int model_block(struct model *, const char *name, int ipu, struct error *);
int model_add(struct model *, const struct layer_spec *, struct error *);
const char *model_kind_name(enum layer_kind); /* such as "conv2d" */

/* Fill an array of parameter_count floats with the default weights and biases
   of PyTorch's layers after torch.manual_seed(seed), made in the model's
   order. */
void model_initialise(const struct model *, uint64_t seed, float *parameters);

/* Return the shape that the kernels need; the layer must be of that kind; of a
   convolution, that of one group.  `blocks`: the number of blocks of lanes (kernels.h). */
struct conv_shape model_conv_shape(const struct layer *);
struct pool_shape model_pool_shape(const struct layer *);
struct linear_shape model_linear_shape(const struct layer *, int blocks);
/* Fill in what the call of an operation's kernel says of its shape; all else is
   0. */
void model_kernel_call(const struct model *, const struct layer *, int blocks,
    struct kernel_call *);
/* Return the numbers that the dropouts among these layers take from the
   generator, of 32 bits, for a micro-batch. */
uint64_t model_dropout_words(const struct model *, int first_layer,
    int layer_count, int micro_batch);

/* Parse a layer that is to follow those of the model, or a loss (model_layer.c
   has the form).  If it is a loss, *is_loss is true, and *spec is all 0.
   Refuses another kind, and an argument that is unknown, missing, duplicate or
   not valid. */
int model_layer_parse(const struct model *, const char *text,
    struct layer_spec *spec, struct loss *, bool *is_loss, struct error *);
/* Print what a specification has besides the members that all kinds share. */
void model_layer_print(const struct layer_spec *, FILE *);

/* Parse "1x28x28": channels, height, width, each from 1 to 4096. */
int model_layer_parse_shape(const char *text, struct shape *, struct error *);

#endif
