/*
 * The arithmetic: one table of functions for each instruction set, compiled
 * from one source (kernels_simd.c) and chosen at run time.
 *
 * Layout.  A tensor of a micro-batch is cut into blocks of `lanes` samples, the
 * floats of a vector register: [block][element][lane], where element runs over
 * [channel][y][x].  So every vector operation treats the same element of
 * `lanes` samples: all loads are aligned, convolutions need no copy of their
 * input and no edge case in x, and a sample's result does not depend on its
 * neighbours.  Lanes after the last sample hold zeroes.
 *
 * Tensors are aligned to 64 bytes.  Parameters and gradients are plain arrays
 * in PyTorch's order (conv [out][in][y][x], linear [out][in]).  All backward
 * functions add to the gradients of weights and biases, and set the gradient of
 * the input.  A layer without biases has NULL for them and for their gradient.
 */
#ifndef IPU_NN_KERNELS_KERNELS_H
#define IPU_NN_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

/* Kinds of layers; ipu/nn/layer_row.c has a row for each.  Kinds up to linear
   have functions of their own in struct kernels; the others are operations. */
enum layer_kind {
	LAYER_CONV2D,
	LAYER_MAXPOOL2D,
	LAYER_RELU,
	LAYER_FLATTEN,
	LAYER_LINEAR,
	LAYER_ADD,
	LAYER_SCALE,
	LAYER_CONCAT,
	LAYER_SLICE,
	LAYER_RESHAPE,
	LAYER_PERMUTE,
	LAYER_LEAKY_RELU,
	LAYER_GELU,
	LAYER_TANH,
	LAYER_SIGMOID,
	LAYER_SOFTMAX,
	LAYER_LOG_SOFTMAX,
	LAYER_AVGPOOL2D,
	LAYER_MEAN,
	LAYER_BATCH_NORM,
	LAYER_LAYER_NORM,
	LAYER_DROPOUT,
	LAYER_EMBEDDING,
	LAYER_ADD_PARAMETER,
	LAYER_ADD_CONSTANT,
	LAYER_MATMUL,
	LAYER_MULTIPLY,
	LAYER_SILU,
	LAYER_ELU,
	LAYER_RELU6,
	LAYER_SOFTPLUS,
	LAYER_EXP,
	LAYER_KINDS
};

/* Shapes of one sample's tensors.  Linear layers take all samples at once, so
   theirs also has the number of blocks. */

/* A window along one axis. */
struct window_side {
	int kernel;
	int stride;
	int padding;  /* on each side */
	int dilation; /* conv2d: distance of the kernel's taps */
};

struct conv_shape {
	int in_channels;
	int out_channels;
	int in_height;
	int in_width;
	int kernel; /* along the height, as the next three */
	int out_height;
	int out_width;
	int stride;
	int padding;	      /* zeroes on each side */
	int dilation;	      /* 0 counts as 1 */
	struct window_side x; /* along the width; kernel 0: as the height */
};

struct pool_shape {
	int channels;
	int in_height;
	int in_width;
	int kernel; /* along the height, as the last two */
	int out_height;
	int out_width;
	int stride;
	int padding;	      /* at most half the kernel */
	struct window_side x; /* along the width; kernel 0: as the height */
};

struct linear_shape {
	int in;
	int out;
	int blocks;
};

enum {
	KERNEL_LANES_MAX = 16,
	KERNEL_ALIGNMENT = 64,
	POOL_AREA_MAX = 127, /* a mark is one byte */
	CONV_GUARD = 1	     /* zero columns beside a row of scratch */
};

/* The shape of a tensor of vectors, [outer][count][inner]: `count` is the size
   of an axis. */
struct kernel_axis {
	int outer, count, inner;
};

enum { KERNEL_INPUTS_MAX = 4 };

/* An operation on all blocks: its shape, and the tensors that it needs. */
struct kernel_call {
	int blocks;
	int samples; /* lanes after the last one are empty */
	int input_count;
	int in_elements[KERNEL_INPUTS_MAX]; /* of a sample */
	int out_elements;
	struct kernel_axis axis[KERNEL_INPUTS_MAX]; /* of each input */
	/* slice: range along the axis; embedding: see `variant` */
	int start, length;
	/* permute: the output's sizes, and for each axis the distance of
	   neighbours in the input; matmul: rows, columns and terms of a
	   product; add, multiply: the output's sizes, and the distance of the
	   second input's neighbours, 0 if they are one; embedding: rows and
	   columns of the table; add_parameter, add_constant: elements of what
	   is added */
	int sizes[3], steps[3];
	struct pool_shape window; /* avgpool2d */
	/* scale, matmul: the factor; leaky_relu: the slope; elu: the limit;
	   norms: epsilon; dropout: the share that is dropped */
	float value;
	float momentum; /* batch_norm */
	/* gelu: by tanh; matmul: the second factor is transposed; embedding:
	   row `start` is not trained */
	bool variant;
	bool training; /* batch_norm, dropout */
	bool again;    /* batch_norm keeps its running statistics */
	/* batch_norm in training: which of the equal parts of a micro-batch
	   this is; `sums` has two numbers of each channel of each block of all
	   parts, and `meet`, unless NULL, waits until the others have set
	   theirs. */
	int part, parts;
	double *sums;
	void (*meet)(void *team);
	void *team;

	const float *in[KERNEL_INPUTS_MAX];
	float *out; /* in backward: the output of forward */
	const float *gradient_out;
	float *gradient_in[KERNEL_INPUTS_MAX]; /* NULL: not needed */

	/* Parameters as in PyTorch; NULL: the layer has none. */
	const float *weights, *biases;
	float *gradient_weights, *gradient_biases;
	float *buffers;	    /* running statistics, or a constant */
	float *saved;	    /* values of forward that backward needs */
	signed char *marks; /* dropout: -1 for an element that stays, else 0 */
	signed char *relu;  /* batch_norm: marks of a relu after it, which it
			       computes too; NULL: none */
	float *scratch;
};

struct kernel_operation {
	void (*forward)(const struct kernel_call *);
	void (*backward)(const struct kernel_call *);
};

struct kernels {
	const char *name; /* "sse2", "avx2", "avx512" */
	int lanes;

	/* One block. */
	void (*conv_forward)(const struct conv_shape *, const float *in,
	    const float *weights, const float *bias, float *out);
	/* `scratch`: kernels_conv_scratch() floats. */
	void (*conv_backward_data)(const struct conv_shape *,
	    const float *gradient_out, const float *weights, float *gradient_in,
	    float *scratch);
	void (*conv_backward_weights)(const struct conv_shape *,
	    const float *in, const float *gradient_out, float *gradient_weights,
	    float *gradient_bias);

	/* conv2d, maximum and relu fused (see below): forward of one block,
	   backward of all; gradient_in may be NULL; `scratch`:
	   conv_pool_layout().floats. */
	void (*conv_pool_forward)(const struct conv_shape *, const float *in,
	    const float *weights, const float *bias, float *out,
	    signed char *marks);
	void (*conv_pool_backward)(const struct conv_shape *, int blocks,
	    const float *in, const float *gradient_out,
	    const signed char *marks, const float *weights,
	    float *gradient_weights, float *gradient_bias, float *gradient_in,
	    float *scratch);

	/* Maximum.  `choice` records the winner's place in its window, y *
	   kernel + x; of equal ones the first wins.  A NaN wins only as the
	   first.  Where windows overlap, backward sets the sum. */
	void (*pool_forward)(const struct pool_shape *, const float *in,
	    float *out, signed char *choice);
	void (*pool_backward)(const struct pool_shape *,
	    const float *gradient_out, const signed char *choice,
	    float *gradient_in);

	/* `mask` records the elements that passed; both may work in place.
	   `elements` is the number of vectors, for as many blocks as the caller
	   likes. */
	void (*relu_forward)(size_t elements, const float *in, float *out,
	    signed char *mask);
	void (*relu_backward)(size_t elements, const float *gradient_out,
	    const signed char *mask, float *gradient_in);

	/* All blocks. */
	void (*linear_forward)(const struct linear_shape *, const float *in,
	    const float *weights, const float *bias, float *out);
	void (*linear_backward_data)(const struct linear_shape *,
	    const float *gradient_out, const float *weights,
	    float *gradient_in);
	/* `scratch`: kernels_linear_scratch() floats. */
	void (*linear_backward_weights)(const struct linear_shape *,
	    const float *in, const float *gradient_out, float *gradient_weights,
	    float *gradient_bias, float *scratch);

	/* out = a + b for as many vectors; `out` may be one of the two. */
	void (*add)(size_t elements, const float *a, const float *b,
	    float *out);

	/* By kind; NULL for kinds that are not operations. */
	const struct kernel_operation *const *operations;
};

/* Return the floats of scratch that conv_backward_data() needs for one block,
   and linear_backward_weights() for all blocks. */
size_t kernels_conv_scratch(const struct conv_shape *, int lanes);
size_t kernels_linear_scratch(const struct linear_shape *, int lanes);

/* Return the best table for this machine, or the one that IPUBOX_KERNELS names.
   NULL: that one is unknown, or this machine cannot run it. */
const struct kernels *kernels_choose(struct error *);
/* Return the table of that name; NULL: unknown or not for this machine. */
const struct kernels *kernels_by_name(const char *);

/* Return the table for so many samples at once: that one or, if at least half
   of its lanes would be empty, the narrower one; that one if IPUBOX_KERNELS
   names any. */
const struct kernels *kernels_fit(const struct kernels *, int samples);

extern const struct kernels kernels_sse2, kernels_avx2, kernels_avx512;

/*
 * conv_pool: a convolution of stride 1 without padding, the maximum of 2 x 2
 * and relu as one step, common at the head of small networks.  The
 * convolution's output never reaches memory, and backward skips the zeroes that
 * the other two put in its gradient.  An odd last row or column of the
 * convolution's output is ignored.
 */

/* A mark: the winner, y * 2 + x, or MARK_NOTHING if relu cut it off. */
enum { MARK_NOTHING = -1 };

/* Offsets in the scratch of conv_pool_backward() (conv_pool_backward_simd.c
   explains the parts), in floats, each aligned to KERNEL_ALIGNMENT. */
struct conv_pool_layout {
	int plane;	   /* floats of one sample's input */
	int line;	   /* floats of one row of it */
	int patch_stride;  /* of a patch's row, rounded up to lanes */
	int window_stride; /* of a row below a window, rounded up */
	size_t samples, sums, weights, gradient, bias, values, places, counts;
	size_t floats; /* length of the scratch */
};

/* Return the layout for that shape. */
struct conv_pool_layout conv_pool_layout(const struct conv_shape *, int lanes);

#endif
