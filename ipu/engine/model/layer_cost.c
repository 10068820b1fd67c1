/*
 * The arithmetic of each kind of layer, and its class.
 */
#include "ipu/engine/model/operation_cost.h"

/* Arithmetic of one element [estimate]. */
enum {
	LOSS_FLOPS = 32,	/* an exponential, its share of a logarithm */
	LOSS_GRADIENT_FLOPS = 4
};

static const enum operation_class layer_cost_classes[] = {
	[LAYER_CONV2D] = OPERATION_CONVOLUTION,
	[LAYER_MAXPOOL2D] = OPERATION_REDUCTION,
	[LAYER_RELU] = OPERATION_ELEMENTWISE,
	[LAYER_FLATTEN] = OPERATION_VIEW,
	[LAYER_LINEAR] = OPERATION_MATMUL
};

/* Of one sample; a multiplication and an addition count as two. */
static double
layer_flops(const struct layer *l, enum operation_phase phase)
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
		return phase == OPERATION_FORWARD ? out * window : in;
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
struct operation_cost
layer_cost(const struct layer *l, enum operation_phase phase, int micro_batch)
{
	const size_t	floats = (size_t)micro_batch *
	    ((size_t)model_shape_elements(l->in) +
	    (size_t)model_shape_elements(l->out));

	return operation_cost(layer_cost_classes[l->spec.kind], phase,
	    layer_flops(l, phase) * micro_batch,
	    (floats + l->weights + l->biases) * sizeof(float));
}

/* The gradient comes with the loss, in the steps that it has more. */
struct operation_cost
layer_cost_loss(int classes, int micro_batch, bool gradient)
{
	const double	flops = LOSS_FLOPS +
	    (gradient ? LOSS_GRADIENT_FLOPS : 0);
	struct operation_cost	c = operation_cost(OPERATION_LOSS,
	    OPERATION_FORWARD, flops * classes * micro_batch,
	    (size_t)classes * (size_t)micro_batch * sizeof(float));

	if (gradient)
		c.compute_sets += operation_cost(OPERATION_LOSS,
		    OPERATION_BACKWARD_DATA, 0, 0).compute_sets;
	return c;
}

struct operation_cost
layer_cost_update(const struct optimiser *o, size_t parameters)
{
	return operation_cost_update(optimiser_states(o), parameters);
}
