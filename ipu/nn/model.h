/*
 * A model: layers in order, grouped into named blocks.  A stage of a pipeline
 * is a run of blocks; which IPU it stands on is the engine's business.
 *
 * The parameters of a model are one array of floats: layer by layer, weights
 * before biases, in PyTorch's order.
 */
#ifndef IPU_NN_MODEL_H
#define IPU_NN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "ipu/nn/kernels.h"

enum {
	MODEL_LAYERS_MAX = 64,
	MODEL_BLOCKS_MAX = 64,
	BLOCK_NAME_SIZE = 32
};

enum layer_kind {
	LAYER_CONV2D,		/* stride 1, no padding */
	LAYER_MAXPOOL2D,	/* 2 x 2 */
	LAYER_RELU,
	LAYER_LINEAR		/* takes its input as one row */
};

struct shape {
	int	channels;
	int	height;
	int	width;
};

struct layer {
	enum layer_kind	kind;
	struct shape	in;
	struct shape	out;
	int		kernel;		/* conv2d */
	size_t		first;		/* its place in the parameters */
	size_t		weights;	/* how many */
	size_t		biases;
};

struct block {
	char	name[BLOCK_NAME_SIZE];
	int	first_layer;
	int	layer_count;
};

struct model {
	struct shape	in;
	int		layer_count;
	struct layer	layers[MODEL_LAYERS_MAX];
	int		block_count;
	struct block	blocks[MODEL_BLOCKS_MAX];
	size_t		parameter_count;
};

int	shape_elements(struct shape);

/*
 * Build a model: model_init(), then for each block model_block() and its
 * layers.  Sizes that do not fit the layer before are our own mistake and end
 * in assert().
 */
void	model_init(struct model *, struct shape in);
void	model_block(struct model *, const char *name);
void	model_conv2d(struct model *, int filters, int kernel);
void	model_maxpool2d(struct model *);
void	model_relu(struct model *);
void	model_linear(struct model *, int features);

/* The tutorial's: B1, B2 convolutions, B3, B4 linear; 90,026 parameters. */
void	model_tutorial(struct model *);

/*
 * PyTorch's default for conv2d and linear: weights and biases even over
 * +-1/sqrt(inputs of one output).  A function of the seed alone.
 */
void	model_initialise(const struct model *, uint64_t seed,
	    float *parameters);

struct conv_shape	layer_conv_shape(const struct layer *);
struct linear_shape	layer_linear_shape(const struct layer *, int blocks);

#endif
