#include "ipu/nn/model.h"

#include <assert.h>
#include <bsd/string.h>
#include <math.h>
#include <string.h>

#include "ipu/nn/rng.h"

int
shape_elements(struct shape s)
{
	return s.channels * s.height * s.width;
}

void
model_init(struct model *m, struct shape in)
{
	memset(m, 0, sizeof(*m));
	m->in = in;
}

void
model_block(struct model *m, const char *name)
{
	struct block	*b;

	assert(m->block_count < MODEL_BLOCKS_MAX);
	b = &m->blocks[m->block_count++];
	(void)strlcpy(b->name, name, sizeof(b->name));
	b->first_layer = m->layer_count;
}

/* The next layer of the last block; its output is that of its input yet. */
static struct layer *
add_layer(struct model *m, enum layer_kind kind)
{
	struct layer	*l;

	assert(m->layer_count < MODEL_LAYERS_MAX && m->block_count > 0);
	l = &m->layers[m->layer_count];
	l->kind = kind;
	l->in = m->layer_count == 0 ? m->in : m->layers[m->layer_count - 1].out;
	l->out = l->in;
	l->first = m->parameter_count;
	m->layer_count++;
	m->blocks[m->block_count - 1].layer_count++;
	return l;
}

void
model_conv2d(struct model *m, int filters, int kernel)
{
	struct layer	*l = add_layer(m, LAYER_CONV2D);

	assert(kernel >= 1 && kernel <= l->in.height && kernel <= l->in.width);
	l->kernel = kernel;
	l->out = (struct shape){ filters, l->in.height - kernel + 1,
	    l->in.width - kernel + 1 };
	l->weights = (size_t)(filters * l->in.channels * kernel * kernel);
	l->biases = (size_t)filters;
	m->parameter_count += l->weights + l->biases;
}

void
model_maxpool2d(struct model *m)
{
	struct layer	*l = add_layer(m, LAYER_MAXPOOL2D);

	l->out.height /= 2;
	l->out.width /= 2;
	assert(shape_elements(l->out) > 0);
}

void
model_relu(struct model *m)
{
	(void)add_layer(m, LAYER_RELU);
}

void
model_linear(struct model *m, int features)
{
	struct layer	*l = add_layer(m, LAYER_LINEAR);

	l->out = (struct shape){ features, 1, 1 };
	l->weights = (size_t)(features * shape_elements(l->in));
	l->biases = (size_t)features;
	m->parameter_count += l->weights + l->biases;
}

void
model_tutorial(struct model *m)
{
	model_init(m, (struct shape){ 1, 28, 28 });
	model_block(m, "B1");
	model_conv2d(m, 10, 5);
	model_maxpool2d(m);
	model_relu(m);
	model_block(m, "B2");
	model_conv2d(m, 20, 5);
	model_maxpool2d(m);
	model_relu(m);
	model_block(m, "B3");
	model_linear(m, 256);
	model_relu(m);
	model_block(m, "B4");
	model_linear(m, 10);
}

void
model_initialise(const struct model *m, uint64_t seed, float *parameters)
{
	struct rng	rng;
	int		l;
	size_t		i;

	for (l = 0; l < m->layer_count; l++) {
		const struct layer	*layer = &m->layers[l];
		float			 bound;

		if (layer->biases == 0)
			continue;
		rng_init(&rng, seed, (uint64_t)l);
		bound = 1 / sqrtf((float)(layer->weights / layer->biases));
		for (i = 0; i < layer->weights + layer->biases; i++)
			parameters[layer->first + i] =
			    rng_uniform(&rng, -bound, bound);
	}
}

struct conv_shape
layer_conv_shape(const struct layer *l)
{
	return (struct conv_shape){
		.in_channels = l->in.channels,
		.out_channels = l->out.channels,
		.in_height = l->in.height,
		.in_width = l->in.width,
		.kernel = l->kernel,
		.out_height = l->out.height,
		.out_width = l->out.width
	};
}

struct linear_shape
layer_linear_shape(const struct layer *l, int blocks)
{
	return (struct linear_shape){
		.in = shape_elements(l->in),
		.out = shape_elements(l->out),
		.blocks = blocks
	};
}
