/*
 * The one table from which both models of the device work: arithmetic, compute
 * sets, exchange and code of each kind of layer.
 */
#include "ipu/engine/model/layer_cost.h"

/*
 * Efficiency: the matrix unit of a tile does 32 flop a cycle in float32 where
 * its operands are well shaped; of small layers it reaches a part [estimate].
 * All else works on vectors of two floats a cycle, 2 of those 32.
 */
#define MATRIX_EFFICIENCY	0.2
#define VECTOR_EFFICIENCY	(2.0 / 32)

enum {
	/* Arithmetic of one element [estimate]. */
	LOSS_FLOPS = 32,	/* an exponential, its share of a logarithm */
	LOSS_GRADIENT_FLOPS = 4,
	SGD_FLOPS = 6,
	ADAM_FLOPS = 24,	/* a division and a root among them */
	/* Of a vertex, bytes of code on a tile [estimate]. */
	LOSS_CODE = 1536,
	UPDATE_CODE = 1024
};

/*
 * Compute sets and code of each kind [estimate]: a product rearranges its
 * operands, multiplies and reduces the partial sums.  poplibs computes matrix
 * products as convolutions, so linear layers and convolutions share code.
 */
static const struct {
	int	compute_sets;
	size_t	code_bytes;	/* of one phase */
} layer_cost_kinds[] = {
	[LAYER_CONV2D] = { 3, 3072 },
	[LAYER_MAXPOOL2D] = { 1, 1024 },
	[LAYER_RELU] = { 1, 512 },
	[LAYER_FLATTEN] = { 0, 0 },
	[LAYER_LINEAR] = { 3, 3072 }
};

/* Of one sample; a multiplication and an addition count as two. */
static double
layer_flops(const struct layer *l, enum layer_phase phase)
{
	const struct layer_spec	*s = &l->spec;
	const double	in = model_shape_elements(l->in);
	const double	out = model_shape_elements(l->out);
	const double	window = (double)s->kernel * s->kernel;

	switch (s->kind) {
	case LAYER_CONV2D:
		return 2 * out * window * l->in.channels;
	case LAYER_LINEAR:
		return 2 * out * in;
	case LAYER_MAXPOOL2D:
		return phase == LAYER_FORWARD ? out * window : in;
	case LAYER_RELU:
		return out;
	case LAYER_FLATTEN:
		return 0;
	}
	return 0;
}

/*
 * A layer reads its input and parameters and writes its output, all of which
 * cross the exchange once.
 */
struct layer_cost
layer_cost(const struct layer *l, enum layer_phase phase, int micro_batch)
{
	const enum layer_kind	kind = l->spec.kind;
	const bool	product = kind == LAYER_CONV2D || kind == LAYER_LINEAR;
	const size_t	floats = (size_t)micro_batch *
	    ((size_t)model_shape_elements(l->in) +
	    (size_t)model_shape_elements(l->out));

	if (kind == LAYER_FLATTEN ||
	    (phase == LAYER_BACKWARD_WEIGHTS && !product))
		return (struct layer_cost){ .efficiency = 1 };
	return (struct layer_cost){
		.flops = layer_flops(l, phase) * micro_batch,
		.efficiency = product ? MATRIX_EFFICIENCY : VECTOR_EFFICIENCY,
		.compute_sets = layer_cost_kinds[kind].compute_sets,
		.exchange_bytes = (floats + l->weights + l->biases) *
		    sizeof(float),
		.code_bytes = layer_cost_kinds[kind].code_bytes
	};
}

struct layer_cost
layer_cost_loss(int classes, int micro_batch, bool gradient)
{
	const double	flops = LOSS_FLOPS +
	    (gradient ? LOSS_GRADIENT_FLOPS : 0);

	return (struct layer_cost){
		.flops = flops * classes * micro_batch,
		.efficiency = VECTOR_EFFICIENCY,
		/* The largest, the sum, the loss. */
		.compute_sets = gradient ? 4 : 3,
		.exchange_bytes = (size_t)classes * (size_t)micro_batch *
		    sizeof(float),
		.code_bytes = LOSS_CODE
	};
}

struct layer_cost
layer_cost_update(const struct optimiser *o, size_t parameters)
{
	return (struct layer_cost){
		.flops = (double)parameters *
		    (o->kind == OPTIMISER_SGD ? SGD_FLOPS : ADAM_FLOPS),
		.efficiency = VECTOR_EFFICIENCY,
		.compute_sets = 2,	/* the update; zero the gradients */
		.code_bytes = UPDATE_CODE
	};
}
