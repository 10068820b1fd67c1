/*
 * Builds a model layer by layer: inputs, numbers of parameters, and PyTorch's
 * initial weights; layer_row.c has what depends on the kind.
 */
#include "ipu/nn/model.h"

#include <assert.h>
#include <bsd/string.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/alloc.h"
#include "ipu/nn/layer_row.h"
#include "ipu/nn/layer_shape.h"
#include "ipu/nn/nn.h"

const char *
model_kind_name(enum layer_kind kind)
{
	return layer_row(kind)->name;
}

size_t
model_layer_floats(const struct layer *l)
{
	return l->weights + l->biases + l->buffers;
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
	const struct layer_row *r = layer_row(l->spec.kind);
	const double weights = r->weights != NULL ? r->weights(l) : 0;
	const double biases = r->biases != NULL ? r->biases(l) : 0;
	const double buffers = r->buffers != NULL ? r->buffers(l) : 0;

	if (!fits(l->out) ||
	    (double)m->parameter_count + weights + biases + buffers >
		MODEL_FLOATS_MAX)
		return error_set(e,
		    "%s: too many parameters or outputs; at most %d are "
		    "possible",
		    r->name, MODEL_FLOATS_MAX);
	l->first = m->parameter_count;
	l->weights = (size_t)weights;
	l->biases = (size_t)biases;
	l->buffers = (size_t)buffers;
	m->parameter_count += model_layer_floats(l);
	return 0;
}

/* Set the indices of the layer's inputs, and their shapes. */
static int
find_inputs(const struct model *m, struct layer *l, struct shape *in,
    struct error *e)
{
	const struct layer_spec *s = &l->spec;
	int i, from;

	l->input_count = s->input_count > 0 ? s->input_count : 1;
	for (i = 0; i < l->input_count; i++) {
		from = s->input_count > 0 ? s->inputs[i] : m->layer_count - 1;
		if (from < -1 || from >= m->layer_count)
			return error_set(e,
			    "%s: input %d must be one of the %d layers before "
			    "it, or -1",
			    model_kind_name(s->kind), from, m->layer_count);
		l->inputs[i] = from;
		in[i] = from == -1 ? m->in : m->layers[from].out;
	}
	return 0;
}

/* Changes the model only at the end, when nothing can be refused. */
int
model_add(struct model *m, const struct layer_spec *spec, struct error *e)
{
	struct layer l = { .spec = *spec };
	struct shape in[KERNEL_INPUTS_MAX];

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
	if (find_inputs(m, &l, in, e) != 0 || layer_row_shape(&l, in, e) != 0 ||
	    count_layer(m, &l, e) != 0)
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
start_uniform(const struct layer *l, struct torch_rng *rng, float *to)
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

/*
 * Fill in normal numbers as Tensor.normal_() does: 16 at a time, of as many
 * uniform ones, by Box and Muller's rule; fewer than 16 at the end are drawn
 * again with those before them.
 */
static void
start_normal(struct torch_rng *rng, float deviation, float *to, size_t count)
{
	const size_t part = 16;
	size_t i, k, at;

	for (i = 0; i < count; i++)
		to[i] = torch_rng_uniform(rng, 0, 1);
	for (i = 0; count >= part && i < count; i += part) {
		at = i + part > count ? count - part : i;
		for (k = 0; at < i && k < part; k++)
			to[at + k] = torch_rng_uniform(rng, 0, 1);
		for (k = at; k < at + part / 2; k++) {
			const float radius = deviation *
			    sqrtf(-2 * logf(1 - to[k]));
			const float angle = 6.2831853f * to[k + part / 2];

			to[k] = radius * cosf(angle);
			to[k + part / 2] = radius * sinf(angle);
		}
	}
	for (i = 0; count < part && i < count; i++)
		to[i] = deviation * (to[i] - 0.5f) * 3.4641016f;
}

/* Fill in ones for weights and variances, zeroes for biases and means. */
static void
start_norm(const struct layer *l, float *to)
{
	const size_t half = l->buffers / 2;
	size_t i;

	for (i = 0; i < model_layer_floats(l); i++)
		to[i] = i < l->weights || i >= l->weights + l->biases + half ?
		    1 :
		    0;
}

/* A row may see itself and what is before it. */
static void
start_causal(const struct layer *l, float *to)
{
	size_t i;
	const size_t width = (size_t)l->in.width;
	const size_t plane = (size_t)l->in.height * width;

	for (i = 0; i < l->buffers; i++)
		to[i] = i % width > i % plane / width ? -INFINITY : 0;
}

static void
initialise_layer(const struct layer *l, struct torch_rng *rng, float *to)
{
	size_t i;

	switch (layer_row(l->spec.kind)->start) {
	case START_UNIFORM:
		if (l->weights > 0)
			start_uniform(l, rng, to);
		break;
	case START_NORM:
		start_norm(l, to);
		break;
	case START_NORMAL:
		start_normal(rng, 1, to, l->weights);
		for (i = 0; l->spec.variant && i < (size_t)l->spec.out; i++)
			to[(size_t)(l->spec.start * l->spec.out) + i] = 0;
		break;
	case START_SMALL:
		start_normal(rng, 0.02f, to, l->weights);
		break;
	case START_CAUSAL:
		start_causal(l, to);
		break;
	}
}

void
model_initialise(const struct model *m, uint64_t seed, float *parameters)
{
	struct torch_rng rng;
	int l;

	torch_rng_init(&rng, seed);
	for (l = 0; l < m->layer_count; l++)
		initialise_layer(&m->layers[l], &rng,
		    parameters + m->layers[l].first);
}

/* Each element takes a double, which is two numbers.  A share of 0 draws
   nothing. */
uint64_t
model_dropout_words(const struct model *m, int first, int count,
    int micro_batch)
{
	const struct layer *l = m->layers + first;
	uint64_t words = 0;
	int i;

	for (i = 0; i < count; i++, l++)
		if (l->spec.kind == LAYER_DROPOUT && l->spec.value > 0)
			words += 2 * (uint64_t)micro_batch *
			    (uint64_t)layer_shape_elements(l->out);
	return words;
}

struct conv_shape
model_conv_shape(const struct layer *l)
{
	const int groups = l->spec.groups > 1 ? l->spec.groups : 1;
	struct window_side x = l->spec.x;

	if (x.kernel > 0)
		x = layer_shape_window(&l->spec, AXIS_WIDTH);
	return (struct conv_shape){ .in_channels = l->in.channels / groups,
		.out_channels = l->out.channels / groups,
		.in_height = l->in.height,
		.in_width = l->in.width,
		.kernel = l->spec.kernel,
		.out_height = l->out.height,
		.out_width = l->out.width,
		.stride = l->spec.stride,
		.padding = l->spec.padding,
		.dilation = l->spec.dilation,
		.x = x };
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
		.padding = l->spec.padding,
		.x = l->spec.x };
}

struct linear_shape
model_linear_shape(const struct layer *l, int blocks)
{
	const struct kernel_axis in = layer_shape_axis(l->in, AXIS_FEATURES);

	return (struct linear_shape){ .in = in.count,
		.out = l->spec.out,
		.blocks = blocks * in.outer };
}

/* Set what permute reads for each axis of its output: of 2 x 3 x 5 in the order
   2x0x1, the neighbours along the first, of 5, are 1 apart. */
static void
permute_steps(const struct layer *l, struct kernel_call *c)
{
	const int steps[3] = { l->in.height * l->in.width, l->in.width, 1 };
	const int sizes[3] = { l->out.channels, l->out.height, l->out.width };
	int i;

	for (i = 0; i < 3; i++) {
		c->sizes[i] = sizes[i];
		c->steps[i] = steps[l->spec.sizes[i]];
	}
}

size_t
model_first_buffer(const struct model *m, const struct layer *layer)
{
	const struct layer *l;
	size_t count = 0;

	for (l = m->layers; l < layer; l++)
		count += l->buffers;
	return count;
}

size_t
model_norm_sums(const struct model *m)
{
	const struct layer *l;
	size_t sums, most = 0;

	for (l = m->layers; l < m->layers + m->layer_count; l++) {
		sums = 2 * (size_t)l->in.channels;
		if (l->spec.kind == LAYER_BATCH_NORM && sums > most)
			most = sums;
	}
	return most;
}

/* Set what add and multiply read of their second input. */
static void
second_steps(const struct shape *out, const struct shape *in,
    struct kernel_call *c)
{
	const int sizes[3] = { out->channels, out->height, out->width };
	const int counts[3] = { in->channels, in->height, in->width };
	int i, step = 1;

	for (i = 2; i >= 0; i--) {
		c->sizes[i] = sizes[i];
		c->steps[i] = counts[i] > 1 ? step : 0;
		step *= counts[i];
	}
}

void
model_kernel_call(const struct model *m, const struct layer *l, int blocks,
    struct kernel_call *c)
{
	const struct layer_spec *s = &l->spec;
	struct shape in;
	int i;

	*c = (struct kernel_call){ .window = model_pool_shape(l),
		.momentum = s->momentum,
		.blocks = blocks,
		.input_count = l->input_count,
		.out_elements = layer_shape_elements(l->out),
		.start = s->start,
		.length = s->length,
		.value = s->value,
		.variant = s->variant };
	for (i = 0; i < l->input_count; i++) {
		in = l->inputs[i] == -1 ? m->in : m->layers[l->inputs[i]].out;
		c->in_elements[i] = layer_shape_elements(in);
		c->axis[i] = layer_shape_axis(in, s->axis);
	}
	if (s->kind == LAYER_ADD || s->kind == LAYER_MULTIPLY)
		second_steps(&l->out, &in, c);
	if (s->kind == LAYER_PERMUTE)
		permute_steps(l, c);
	if (s->kind == LAYER_MATMUL) {
		c->axis[0].outer = l->in.channels;
		c->sizes[0] = l->out.height;
		c->sizes[1] = l->out.width;
		c->sizes[2] = l->in.width;
	}
	if (s->kind == LAYER_ADD_PARAMETER || s->kind == LAYER_ADD_CONSTANT)
		c->sizes[0] = (int)(l->weights + l->buffers);
	if (s->kind == LAYER_BATCH_NORM)
		c->axis[0] = layer_shape_axis(l->in, AXIS_CHANNELS);
	if (s->kind == LAYER_EMBEDDING) {
		c->sizes[0] = s->length;
		c->sizes[1] = s->out;
	}
}
