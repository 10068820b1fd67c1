/*
 * Builds a model layer by layer: shapes, numbers of parameters, and PyTorch's
 * initial weights.
 */
#include "ipu/nn/model.h"

#include <assert.h>
#include <bsd/string.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

static const char *const model_kind_names[] = {
	[LAYER_CONV2D] = "conv2d",
	[LAYER_MAXPOOL2D] = "maxpool2d",
	[LAYER_RELU] = "relu",
	[LAYER_FLATTEN] = "flatten",
	[LAYER_LINEAR] = "linear",
};

const char *
model_kind_name(enum layer_kind kind)
{
	return model_kind_names[kind];
}

int
model_shape_elements(struct shape s)
{
	return s.channels * s.height * s.width;
}

void
model_init(struct model *m, struct shape in)
{
	memset(m, 0, sizeof(*m));
	m->in = in;
}

int
model_block(struct model *m, const char *name, int ipu, struct error *e)
{
	struct block *b;

	if (m->block_count == MODEL_BLOCKS_MAX)
		return error_set(e, "more than %d blocks", MODEL_BLOCKS_MAX);
	b = &m->blocks[m->block_count++];
	(void)strlcpy(b->name, name, sizeof(b->name));
	b->first_layer = m->layer_count;
	b->ipu = ipu;
	return 0;
}

/*
 * Return the places of a window along `size` with `padding` on both sides.
 *
 * 28 wide, a kernel of 5, stride 1: 24.  24 wide, 2, stride 2: 12.
 */
static int
places(const struct layer_spec *s, int size)
{
	return (size + 2 * s->padding - s->kernel) / s->stride + 1;
}

/* Compute the output of a layer with a window, conv2d or maxpool2d. */
static int
window_output(struct layer *l, struct error *e)
{
	const struct layer_spec *s = &l->spec;
	const struct shape in = l->in;

	if (s->kernel < 1 || s->stride < 1 || s->padding < 0)
		return error_set(e,
		    "%s: kernel and stride must be at least 1, padding at "
		    "least 0",
		    model_kind_name(s->kind));
	if (s->stride > MODEL_FLOATS_MAX || s->padding > MODEL_FLOATS_MAX)
		return error_set(e, "%s: stride and padding must be at most %d",
		    model_kind_name(s->kind), MODEL_FLOATS_MAX);
	if (s->kernel > in.height + 2 * s->padding ||
	    s->kernel > in.width + 2 * s->padding)
		return error_set(e,
		    "%s: a window of %d x %d does not fit into %d x %d",
		    model_kind_name(s->kind), s->kernel, s->kernel,
		    in.height + 2 * s->padding, in.width + 2 * s->padding);
	l->out.height = places(s, in.height);
	l->out.width = places(s, in.width);
	return 0;
}

/* Compute a layer's output from its input; l->out starts as a copy of the
   input. */
static int
shape_layer(struct layer *l, struct error *e)
{
	const struct layer_spec *s = &l->spec;

	switch (s->kind) {
	case LAYER_CONV2D:
		l->out.channels = s->out;
		return window_output(l, e);
	case LAYER_MAXPOOL2D:
		if (window_output(l, e) != 0)
			return -1;
		if (s->kernel > POOL_KERNEL_MAX)
			return error_set(e,
			    "maxpool2d: kernel must be at most %d",
			    POOL_KERNEL_MAX);
		if (s->padding > s->kernel / 2)
			return error_set(e,
			    "maxpool2d: padding %d is more than half the "
			    "kernel",
			    s->padding);
		return 0;
	case LAYER_RELU:
		return 0;
	case LAYER_FLATTEN:
		l->out = (struct shape){ model_shape_elements(l->in), 1, 1 };
		return 0;
	case LAYER_LINEAR:
		if (l->in.height != 1 || l->in.width != 1)
			return error_set(e,
			    "linear: its input is %d x %d x %d, but must be "
			    "flat; put flatten before it",
			    l->in.channels, l->in.height, l->in.width);
		l->out.channels = s->out;
	}
	return 0;
}

/* Computes in double, for a product of three ints. */
static bool
fits(struct shape s)
{
	return (double)s.channels * s.height * s.width <= MODEL_FLOATS_MAX;
}

/* Count weights and biases.  Computes in double, since a product of four ints
   may not fit; accepted numbers are small enough to be exact. */
static int
count_layer(struct model *m, struct layer *l, struct error *e)
{
	const struct layer_spec *s = &l->spec;
	const bool has = s->kind == LAYER_CONV2D || s->kind == LAYER_LINEAR;
	const double taps = s->kind == LAYER_CONV2D ?
	    (double)s->kernel * s->kernel :
	    1;
	const double weights = has ? (double)s->out * l->in.channels * taps : 0;
	const double biases = has && !s->no_bias ? (double)s->out : 0;

	if (has && s->out < 1)
		return error_set(e, "%s: has no outputs",
		    model_kind_name(s->kind));
	if (!fits(l->out) ||
	    (double)m->parameter_count + weights + biases > MODEL_FLOATS_MAX)
		return error_set(e,
		    "%s: too many parameters or outputs; at most %d are "
		    "possible",
		    model_kind_name(s->kind), MODEL_FLOATS_MAX);
	l->first = m->parameter_count;
	l->weights = (size_t)weights;
	l->biases = (size_t)biases;
	m->parameter_count += l->weights + l->biases;
	return 0;
}

/* Changes the model only at the end, when nothing can be refused. */
int
model_add(struct model *m, const struct layer_spec *spec, struct error *e)
{
	struct layer l = { .spec = *spec };

	assert(m->block_count > 0);
	if (m->layer_count == MODEL_LAYERS_MAX)
		return error_set(e, "more than %d layers", MODEL_LAYERS_MAX);
	if (m->in.channels < 1 || m->in.height < 1 || m->in.width < 1 ||
	    !fits(m->in))
		return error_set(e,
		    "input %d x %d x %d: each number must be at least 1, and "
		    "their product at most %d",
		    m->in.channels, m->in.height, m->in.width,
		    MODEL_FLOATS_MAX);
	l.in = m->layer_count == 0 ? m->in : m->layers[m->layer_count - 1].out;
	l.out = l.in;
	if (shape_layer(&l, e) != 0 || count_layer(m, &l, e) != 0)
		return -1;
	m->layers[m->layer_count++] = l;
	m->blocks[m->block_count - 1].layer_count++;
	return 0;
}

/*
 * Fill in uniform numbers of +-1/sqrt(inputs of one output):
 * kaiming_uniform_(a=sqrt(5)) for weights, 1/sqrt(inputs) for biases, computed
 * in PyTorch's steps to match the last bit.  Takes one number of the generator
 * per parameter.
 *
 * Of 25 inputs: gain = sqrt(2 / 6), and sqrt(3) x gain / 5 = 1/5.
 */
static void
initialise_layer(const struct layer *l, struct torch_rng *rng, float *to)
{
	const double inputs = (double)(l->weights / (size_t)l->spec.out);
	const double slope = sqrt(5);
	const double gain = sqrt(2 / (1 + slope * slope));
	const float weight = (float)(sqrt(3) * (gain / sqrt(inputs)));
	const float bias = (float)(1 / sqrt(inputs));
	size_t i;

	for (i = 0; i < l->weights; i++)
		to[i] = torch_rng_uniform(rng, -weight, weight);
	for (; i < l->weights + l->biases; i++)
		to[i] = torch_rng_uniform(rng, -bias, bias);
}

void
model_initialise(const struct model *m, uint64_t seed, float *parameters)
{
	struct torch_rng rng;
	int l;

	torch_rng_init(&rng, seed);
	for (l = 0; l < m->layer_count; l++)
		if (m->layers[l].weights > 0)
			initialise_layer(&m->layers[l], &rng,
			    parameters + m->layers[l].first);
}

struct conv_shape
model_conv_shape(const struct layer *l)
{
	return (struct conv_shape){ .in_channels = l->in.channels,
		.out_channels = l->out.channels,
		.in_height = l->in.height,
		.in_width = l->in.width,
		.kernel = l->spec.kernel,
		.out_height = l->out.height,
		.out_width = l->out.width,
		.stride = l->spec.stride,
		.padding = l->spec.padding };
}

struct pool_shape
model_pool_shape(const struct layer *l)
{
	return (struct pool_shape){ .channels = l->in.channels,
		.in_height = l->in.height,
		.in_width = l->in.width,
		.kernel = l->spec.kernel,
		.out_height = l->out.height,
		.out_width = l->out.width,
		.stride = l->spec.stride,
		.padding = l->spec.padding };
}

struct linear_shape
model_linear_shape(const struct layer *l, int blocks)
{
	return (struct linear_shape){ .in = model_shape_elements(l->in),
		.out = model_shape_elements(l->out),
		.blocks = blocks };
}
