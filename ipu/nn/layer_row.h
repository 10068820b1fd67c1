/*
 * The table of layers: one row for each kind, with its name, shape, parameters,
 * memory and cost.  Model files, stages and the models of the device take them
 * from here.  Two things stand elsewhere: the arguments (model_layer.c) and the
 * arithmetic (kernels/).
 */
#ifndef IPU_NN_LAYER_ROW_H
#define IPU_NN_LAYER_ROW_H

#include "ipu/nn/model.h"

/* Kinds of operations by their cost; ipu/engine/model/operation_cost.c has the
   costs. */
enum operation_class {
	OPERATION_CONVOLUTION,
	OPERATION_MATMUL,
	OPERATION_ELEMENTWISE,
	OPERATION_REDUCTION, /* including pools: each window is reduced */
	OPERATION_COPY,	     /* moves elements unchanged */
	OPERATION_VIEW,	     /* other shape of the same bytes */
	OPERATION_NORMALISATION,
	OPERATION_LOSS,
	OPERATION_RANDOM,
	OPERATION_UNKNOWN, /* costed as elementwise, with a note */
	OPERATION_CLASSES
};

enum layer_trait {
	LAYER_VIEW = 1,	     /* computes nothing in our layout */
	LAYER_MARKS = 2,     /* keeps a byte per output for backward */
	LAYER_KEEPS_OUT = 4, /* backward reads the output */
	LAYER_DROPS_INS = 8, /* backward reads no input */
	/* In training a sample's output depends on the rest of its micro-batch:
	   on the other samples, or on the numbers that were drawn for them. */
	LAYER_JOINS_SAMPLES = 16
};

/* Initial parameters, as PyTorch's modules make them. */
enum layer_start {
	START_UNIFORM, /* within a bound from the fan-in (model.c) */
	START_NORM,    /* weights 1, biases 0; mean 0 and variance 1 */
	START_NORMAL,  /* mean 0, deviation 1 */
	START_SMALL,   /* mean 0, deviation 0.02 */
	START_CAUSAL   /* 0, and minus infinity after the diagonal */
};

struct layer_row {
	const char *name;
	enum operation_class class;
	int traits;
	int inputs_min, inputs_max; /* 0: one */
	/* Check the arguments and set l->out, which starts as a copy of l->in;
	   `in` has the shapes of all inputs.  NULL: the output has the shape of
	   the input. */
	int (*shape)(struct layer *l, const struct shape *in, struct error *);
	/* Return the numbers of weights and biases; NULL: it has none. */
	double (*weights)(const struct layer *);
	double (*biases)(const struct layer *);
	/* Return the number of floats that are copied with the parameters but
	   not trained; NULL: it has none. */
	double (*buffers)(const struct layer *);
	/* Return the flop of one sample; NULL: `flops`, or in backward
	   `backward_flops`, for each output. */
	double (*work)(const struct layer *, bool backward);
	double flops, backward_flops; /* [estimate] */
	enum layer_start start;	      /* start of the parameters */
	/* Return the number of floats that forward saves for backward, where an
	   element of all samples takes `vectors` floats; return that of
	   scratch.  NULL: none. */
	size_t (*saved)(const struct layer *, size_t vectors);
	size_t (*scratch)(const struct layer *, int lanes);
};

/* Return the row of a kind. */
const struct layer_row *layer_row(enum layer_kind);

/* Return the flop of a layer for one sample: of forward or, with `backward`, of
   one gradient, that of the inputs or that of the parameters. */
double layer_row_flops(const struct layer *, bool backward);

/* Compute l->out from the inputs' shapes.  Refuses, with the kind's name: a
   wrong number of inputs, arguments or shapes that do not fit. */
int layer_row_shape(struct layer *, const struct shape *in, struct error *);

/* Words of enum model_axis in its order, then NULL. */
extern const char *const layer_row_axes[];

#endif
