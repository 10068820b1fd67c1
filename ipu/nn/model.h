/*
 * A model: layers in order, grouped into named blocks.  A stage of a pipeline
 * is a run of blocks; the engine chooses its IPU.
 *
 * The parameters of a model are one array of floats: layer by layer, weights,
 * biases and buffers, such as running means, in PyTorch's order.
 */
#ifndef IPU_NN_MODEL_H
#define IPU_NN_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "ipu/nn/layer.h"

enum {
	MODEL_LAYERS_MAX = 256,
	MODEL_BLOCKS_MAX = 64,
	MODEL_FLOATS_MAX = 1 << 26, /* of parameters, and of a sample's tensor,
				       so that a block's size fits an int */
	BLOCK_NAME_SIZE = 32
};

struct loss;

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

/* Return the number of parameters of a layer, including its buffers. */
size_t model_layer_floats(const struct layer *);

/* Return the number of floats of one sample: channels x height x width. */
int layer_shape_elements(struct shape);

/*
 * Build a model: call model_init(), then for each block model_block() and, for
 * each of its layers, model_add().  The latter two return -1, and leave the
 * model as before, for: too many blocks or layers, a window larger than its
 * input, inputs with shapes that do not fit, more parameters or elements than
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

/* Return the shape that the kernels need; the layer must be of that kind.  That
   of a convolution is the shape of one group.  `blocks`: the number of blocks
   of lanes (kernels.h). */
struct conv_shape model_conv_shape(const struct layer *);
struct pool_shape model_pool_shape(const struct layer *);
struct linear_shape model_linear_shape(const struct layer *, int blocks);
/* Set the shape and the arguments of an operation's call; all other members are
   set to 0. */
void model_kernel_call(const struct model *, const struct layer *, int blocks,
    struct kernel_call *);
/* Return how many numbers of 32 bits the dropouts among these layers take from
   the generator for a micro-batch. */
uint64_t model_dropout_words(const struct model *, int first_layer,
    int layer_count, int micro_batch);

/* Return how many sums the largest batch norm makes of a block of lanes; 0: the
   model has none. */
size_t model_norm_sums(const struct model *);

/* Return the place of a layer's buffers among all buffers; of the end of the
   layers: the number of these. */
size_t model_first_buffer(const struct model *, const struct layer *);

/* Parse a layer that is to follow those of the model, or a loss (model_layer.c
   has the form).  If it is a loss, *is_loss is true, and *spec is all 0.
   Refuses another kind, and an argument that is unknown, missing, duplicate or
   not valid. */
int model_layer_parse(const struct model *, const char *text,
    struct layer_spec *spec, struct loss *, bool *is_loss, struct error *);
/* Print the members of a specification besides kind, out, kernel, stride,
   padding and no_bias, if they are used: for texts that tell two models
   apart. */
void model_layer_print(const struct layer_spec *, FILE *);

/* Parse "1x28x28": channels, height, width, each from 1 to 4096. */
int model_layer_parse_shape(const char *text, struct shape *, struct error *);

#endif
