/*
 * The table of costs, and the costs of our own layers and of an outline's
 * operations derived from it.
 */
#include "ipu/engine/model/operation_cost.h"

#include <limits.h>
#include <math.h>

/* Efficiency: a tile's matrix unit does 32 flop per cycle in float32 with
   well-shaped operands; small layers reach a part of that [estimate].  Other
   operations work on vectors of two floats per cycle, 2 of those 32. */
#define MATRIX_EFFICIENCY 0.2
#define VECTOR_EFFICIENCY (2.0 / 32)

enum {
	/* Flop per parameter [estimate]. */
	SGD_FLOPS = 6,
	ADAM_FLOPS = 24, /* including a division and a root */
	UPDATE_CODE = 1024,
	/* Flop per element [estimate]. */
	LOSS_FLOPS = 32, /* an exponential and part of a logarithm */
	LOSS_GRADIENT_FLOPS = 4
};

/*
 * Compute sets and bytes of code on a tile, for forward and for one phase of
 * backward [estimate].  A product rearranges its operands, multiplies and
 * reduces the partial sums; poplibs computes matrix products as convolutions,
 * so both share code.  A normalisation computes a mean and a deviation (or a
 * largest and a sum) and scales.  A loss computes the largest, the sum and the
 * loss; its gradient is one more step by the same code.
 */
static const struct {
	int code_class;
	int forward_sets, backward_sets;
	size_t forward_code, backward_code;
} operation_costs[OPERATION_CLASSES] = {
	[OPERATION_CONVOLUTION] = { OPERATION_CONVOLUTION, 3, 3, 3072, 3072 },
	[OPERATION_MATMUL] = { OPERATION_CONVOLUTION, 3, 3, 3072, 3072 },
	[OPERATION_ELEMENTWISE] = { OPERATION_ELEMENTWISE, 1, 1, 512, 512 },
	[OPERATION_REDUCTION] = { OPERATION_REDUCTION, 1, 1, 1024, 1024 },
	[OPERATION_COPY] = { OPERATION_COPY, 1, 1, 256, 256 },
	[OPERATION_VIEW] = { OPERATION_VIEW, 0, 0, 0, 0 },
	[OPERATION_NORMALISATION] = { OPERATION_NORMALISATION, 3, 3, 1536,
	    1536 },
	[OPERATION_LOSS] = { OPERATION_LOSS, 3, 1, 1536, 0 },
	[OPERATION_RANDOM] = { OPERATION_RANDOM, 1, 1, 512, 512 },
	[OPERATION_UNKNOWN] = { OPERATION_ELEMENTWISE, 1, 1, 512, 512 },
};

static bool is_product(enum operation_class class)
{
	return class == OPERATION_CONVOLUTION || class == OPERATION_MATMUL;
}

/* Only products have a separate phase for parameters. */
struct operation_cost
operation_cost(enum operation_class class, enum operation_phase phase,
    double flops, size_t bytes)
{
	const bool product = is_product(class);
	const bool forward = phase == OPERATION_FORWARD;
	const int sets = forward ? operation_costs[class].forward_sets :
				   operation_costs[class].backward_sets;

	if (sets == 0 || (phase == OPERATION_BACKWARD_WEIGHTS && !product))
		return (struct operation_cost){ .efficiency = 1 };
	return (struct operation_cost){ .flops = flops,
		.efficiency = product ? MATRIX_EFFICIENCY : VECTOR_EFFICIENCY,
		.compute_sets = sets,
		.exchange_bytes = bytes,
		.code_bytes = forward ? operation_costs[class].forward_code :
					operation_costs[class].backward_code,
		.code_class = operation_costs[class].code_class };
}

/* Two or more states mean Adam or similar. */
struct operation_cost
operation_cost_update(int states, size_t parameters)
{
	return (struct operation_cost){ .flops = (double)parameters *
		    (states < 2 ? SGD_FLOPS : ADAM_FLOPS),
		.efficiency = VECTOR_EFFICIENCY,
		.compute_sets = 2, /* update; zero the gradients */
		.code_bytes = UPDATE_CODE };
}

/* Input, parameters and output of a layer each cross the exchange once. */
struct operation_cost
operation_cost_layer(const struct layer *l, enum operation_phase phase,
    int micro_batch)
{
	const size_t floats = (size_t)micro_batch *
	    ((size_t)l->input_count * (size_t)layer_shape_elements(l->in) +
		(size_t)layer_shape_elements(l->out));

	return operation_cost(layer_row(l->spec.kind)->class, phase,
	    layer_row_flops(l, phase != OPERATION_FORWARD) * micro_batch,
	    (floats + l->weights + l->biases) * sizeof(float));
}

/* The gradient is computed with the loss, by additional steps. */
struct operation_cost
operation_cost_loss(int classes, int micro_batch, bool gradient)
{
	const double flops = LOSS_FLOPS + (gradient ? LOSS_GRADIENT_FLOPS : 0);
	struct operation_cost c = operation_cost(OPERATION_LOSS,
	    OPERATION_FORWARD, flops * classes * micro_batch,
	    (size_t)classes * (size_t)micro_batch * sizeof(float));

	if (gradient)
		c.compute_sets += operation_cost(OPERATION_LOSS,
		    OPERATION_BACKWARD_DATA, 0, 0)
				      .compute_sets;
	return c;
}

/* A product rearranges its operands, so they are on the chip twice.  With a
   proportion of 0.1 an IPU of 897 MB has 90 MB for the second copy: operands of
   200 MB pass through it in 3 parts of 67. */
size_t
operation_cost_operands(const struct outline *o, int ipu,
    const struct outline_operation *op, int *parts)
{
	const double room = o->proportions[ipu] *
	    (o->ipu_bytes > 0 ? (double)o->ipu_bytes :
				(double)TILE_COUNT * TILE_BYTES);
	const size_t bytes = op->input_bytes + outline_operation_weights(op);
	double n;

	*parts = 1;
	if (room <= 0 || !is_product((enum operation_class)op->class))
		return 0;
	n = ceil((double)bytes / room);
	if (n > 1)
		*parts = n < INT_MAX / 8 ? (int)n : INT_MAX / 8;
	return (bytes + (size_t)*parts - 1) / (size_t)*parts;
}

/* Backward of a product is one product, or two if both operands have gradients:
   then its flop exceed one and a half forwards. */
struct operation_cost
operation_cost_outline(const struct outline *o, int ipu,
    const struct outline_operation *op, enum operation_phase phase)
{
	const enum operation_class class = (enum operation_class)op->class;
	const bool twice = is_product(class) &&
	    op->backward_flops > 1.5 * op->forward_flops;
	const double flops = phase == OPERATION_FORWARD ? op->forward_flops :
	    twice ? op->backward_flops / 2 :
		    op->backward_flops;
	struct operation_cost cost;
	int parts;

	if ((phase != OPERATION_FORWARD && op->backward_flops < 0) ||
	    (phase == OPERATION_BACKWARD_WEIGHTS && !twice))
		return (struct operation_cost){ .efficiency = 1 };
	cost = operation_cost(class, phase, flops,
	    op->input_bytes + op->output_bytes + outline_operation_weights(op));
	(void)operation_cost_operands(o, ipu, op, &parts);
	cost.compute_sets *= parts;
	return cost;
}
