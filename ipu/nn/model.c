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
#include "ipu/nn/nn.h"

const char *
model_kind_name(enum layer_kind kind)
{
	return layer_row(kind)->name;
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

	if (r->weights != NULL && weights < 1)
		return error_set(e, "%s: has no outputs", r->name);
	if (!fits(l->out) ||
	    (double)m->parameter_count + weights + biases > MODEL_FLOATS_MAX)
		return error_set(e,
		    "%s: too many parameters or outputs; at most %d are "
		    "possible",
		    r->name, MODEL_FLOATS_MAX);
	l->first = m->parameter_count;
	l->weights = (size_t)weights;
	l->biases = (size_t)biases;
	m->parameter_count += l->weights + l->biases;
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
	const struct kernel_axis in = layer_row_axis(l->in, AXIS_FEATURES);

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

void
model_kernel_call(const struct model *m, const struct layer *l, int blocks,
    struct kernel_call *c)
{
	const struct layer_spec *s = &l->spec;
	struct shape in;
	int i;

	*c = (struct kernel_call){ .blocks = blocks,
		.input_count = l->input_count,
		.out_elements = model_shape_elements(l->out),
		.start = s->start,
		.length = s->length,
		.value = s->value,
		.variant = s->variant };
	for (i = 0; i < l->input_count; i++) {
		in = l->inputs[i] == -1 ? m->in : m->layers[l->inputs[i]].out;
		c->in_elements[i] = model_shape_elements(in);
		c->axis[i] = layer_row_axis(in, s->axis);
	}
	if (s->kind == LAYER_PERMUTE)
		permute_steps(l, c);
}
