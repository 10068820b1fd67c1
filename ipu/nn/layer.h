/*
 * A layer: its specification, and the shapes and parameters that follow from
 * it.  The rules of each kind are in layer_row.h.
 */
#ifndef IPU_NN_LAYER_H
#define IPU_NN_LAYER_H

#include <stdbool.h>

#include "ipu/nn/kernels/kernels.h"

enum { LAYER_NAME_SIZE = 16 };

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
	int out; /* conv2d: channels; linear, embedding: features */
	/* The window of conv2d and pools along the height.  Padding of pools:
	   at most half the kernel; maxpool2d: never chosen as the maximum. */
	union {
		struct {
			int kernel, stride, padding;
			int dilation; /* conv2d; 0 counts as 1 */
		};
		struct window_side y;
	};
	struct window_side x; /* along the width; kernel 0: as the height */
	bool no_bias; /* conv2d, linear; norms: neither weights nor biases */
	int groups;   /* conv2d; 0 counts as 1 */
	/* Indices of the layers that it takes the outputs of; -1: the model's
	   input.  A count of 0 means the layer before. */
	int input_count;
	int inputs[KERNEL_INPUTS_MAX];
	enum model_axis axis; /* concat, slice, softmaxes, mean, layer_norm */
	int start, length;    /* slice: range; embedding: `length` rows */
	int sizes[3];	      /* reshape: the shape; permute: the order */
	/* scale, matmul: factor; leaky_relu: slope; elu: limit; norms:
	   epsilon; dropout: the share that is dropped */
	float value;
	float momentum; /* batch_norm: the weight of a new mean */
	/* gelu: the approximation by tanh; matmul: the second factor is
	   transposed; add_parameter, add_constant: one channel for all;
	   embedding: row `start` is not trained; dropout: a row of all samples
	   is drawn before the next row */
	bool variant;
	bool fixed_weights, fixed_biases; /* not trained */
	char name[LAYER_NAME_SIZE];	  /* for `inputs` of others; "": none */
};

struct layer {
	struct layer_spec spec;
	int input_count;
	int inputs[KERNEL_INPUTS_MAX]; /* indices; -1: the model's input */
	struct shape in, out;	       /* `in`: of the first input */
	size_t first;		       /* index of its first parameter */
	size_t weights;		       /* number of weights */
	size_t biases;		       /* number of biases */
	size_t buffers; /* floats after them that are not trained */
};

#endif
