#include "ipu/nn/stage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

enum { STREAM_FLOATS = 4096 };	/* of optimiser state at a time, off-loaded */

struct segment {
	int	first;			/* layer */
	int	count;
	size_t	stash;			/* its input's place in a stash slot,
					   floats; the first has none */
	size_t	in_floats, out_floats;	/* of a micro-batch */
};

struct stage {
	const struct model	*model;
	const struct kernels	*kernels;
	struct stage_config	 config;
	int			 blocks;	/* of lanes in a micro-batch */
	/* The layers that compute something: all but flatten. */
	int			 layer_count;
	const struct layer	*layers[MODEL_LAYERS_MAX];
	int			 segment_count;
	struct segment		 segments[MODEL_LAYERS_MAX];
	size_t			 marks_at[MODEL_LAYERS_MAX]; /* in a slot */

	size_t			 parameter_count;
	size_t			 first_parameter;
	float			*parameters, *gradients;
	float			*state[OPTIMISER_STATES_MAX];
	/* Where the state comes to for an update, when it is off the chip. */
	float			*stream[OPTIMISER_STATES_MAX];

	float			*stash;		/* depth slots */
	size_t			 stash_floats;	/* of a slot */
	signed char		*marks;		/* depth slots */
	size_t			 marks_bytes;	/* of a slot */

	float			*scratch[2];	/* a block between layers */
	float			*between[2];	/* gradients between segments */
	float			*recomputed;	/* an output nobody reads */
	float			*kernel_scratch;
};

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static float *
floats(size_t count)
{
	return xaligned(KERNEL_ALIGNMENT,
	    larger(count, 1) * sizeof(float));
}

static size_t
tensor_floats(const struct stage *s, struct shape shape)
{
	return (size_t)shape_elements(shape) * (size_t)s->blocks *
	    (size_t)s->kernels->lanes;
}

static const struct layer *
stage_layer(const struct stage *s, int index)
{
	return s->layers[index];
}

/* A stage of nothing but flatten keeps one, which copies. */
static void
choose_layers(struct stage *s)
{
	const struct layer	*l;
	int			 i;

	for (i = 0; i < s->config.layer_count; i++) {
		l = &s->model->layers[s->config.first_layer + i];
		if (l->spec.kind != LAYER_FLATTEN ||
		    (s->layer_count == 0 && i == s->config.layer_count - 1))
			s->layers[s->layer_count++] = l;
	}
}

/* Cut the layers into segments and lay out a slot of the stash. */
static void
plan(struct stage *s)
{
	struct segment		*g = NULL;
	const struct layer	*l;
	int			 i;

	for (i = 0; i < s->layer_count; i++) {
		l = stage_layer(s, i);
		if (i == 0 || l->spec.kind == LAYER_CONV2D ||
		    l->spec.kind == LAYER_LINEAR) {
			g = &s->segments[s->segment_count++];
			g->first = i;
			g->in_floats = tensor_floats(s, l->in);
			g->stash = s->stash_floats;
			if (i > 0)
				s->stash_floats += g->in_floats;
		}
		g->count++;
		g->out_floats = tensor_floats(s, l->out);
		s->marks_at[i] = s->marks_bytes;
		if (l->spec.kind == LAYER_MAXPOOL2D ||
		    l->spec.kind == LAYER_RELU)
			s->marks_bytes += g->out_floats;
		s->parameter_count += l->weights + l->biases;
	}
	s->first_parameter = stage_layer(s, 0)->first;
}

static void
make_scratch(struct stage *s)
{
	size_t		 block = 0, between = 0, kernel = 0;
	int		 i, lanes = s->kernels->lanes;
	struct conv_shape	conv;
	struct linear_shape	linear;

	for (i = 0; i < s->layer_count; i++) {
		const struct layer	*l = stage_layer(s, i);

		block = larger(block, (size_t)larger(
		    (size_t)shape_elements(l->in),
		    (size_t)shape_elements(l->out)) * (size_t)lanes);
		conv = layer_conv_shape(l);
		linear = layer_linear_shape(l, s->blocks);
		if (l->spec.kind == LAYER_CONV2D)
			kernel = larger(kernel, conv_scratch(&conv, lanes));
		if (l->spec.kind == LAYER_LINEAR)
			kernel = larger(kernel, linear_scratch(&linear, lanes));
	}
	for (i = 1; i < s->segment_count; i++)
		between = larger(between, s->segments[i].in_floats);
	for (i = 0; i < 2; i++) {
		s->scratch[i] = floats(block);
		if (s->config.training)
			s->between[i] = floats(between);
	}
	s->kernel_scratch = floats(kernel);
}

struct stage *
stage_new(const struct model *model, const struct kernels *kernels,
    const struct stage_config *config)
{
	struct stage	*s = xcalloc(1, sizeof(*s));
	size_t		 depth = config->recompute ? 1 :
	    (size_t)config->depth;
	int		 i;

	assert(config->layer_count > 0 && config->depth > 0 &&
	    config->micro_batch > 0);
	s->model = model;
	s->kernels = kernels;
	s->config = *config;
	s->blocks = (config->micro_batch + kernels->lanes - 1) /
	    kernels->lanes;
	choose_layers(s);
	plan(s);
	make_scratch(s);
	s->parameters = floats(s->parameter_count);
	s->stash = floats(depth * s->stash_floats);
	s->marks = xaligned(KERNEL_ALIGNMENT,
	    larger(depth * s->marks_bytes, 1));
	if (config->recompute)
		s->recomputed = floats(stage_out_floats(s));
	if (config->training) {
		s->gradients = floats(s->parameter_count);
		for (i = 0; i < config->optimiser_states; i++) {
			s->state[i] = floats(s->parameter_count);
			if (config->offload_optimiser)
				s->stream[i] = floats(STREAM_FLOATS);
		}
	}
	return s;
}

void
stage_free(struct stage *s)
{
	int	i;

	if (s == NULL)
		return;
	free(s->parameters);
	free(s->gradients);
	for (i = 0; i < OPTIMISER_STATES_MAX; i++) {
		free(s->state[i]);
		free(s->stream[i]);
	}
	free(s->stash);
	free(s->marks);
	free(s->scratch[0]);
	free(s->scratch[1]);
	free(s->between[0]);
	free(s->between[1]);
	free(s->recomputed);
	free(s->kernel_scratch);
	free(s);
}

size_t
stage_in_floats(const struct stage *s)
{
	return s->segments[0].in_floats;
}

size_t
stage_out_floats(const struct stage *s)
{
	return s->segments[s->segment_count - 1].out_floats;
}

float *
stage_parameters(struct stage *s, size_t *count)
{
	*count = s->parameter_count;
	return s->parameters;
}

float *
stage_gradients(struct stage *s, size_t *count)
{
	*count = s->parameter_count;
	return s->gradients;
}

float *
stage_state(struct stage *s, int index)
{
	return s->state[index];
}

size_t
stage_first_parameter(const struct stage *s)
{
	return s->first_parameter;
}

static float *
layer_weights(const struct stage *s, const struct layer *l, float *base)
{
	return base + (l->first - s->first_parameter);
}

/* What pool or relu remembers of one block in one slot. */
static signed char *
layer_marks(const struct stage *s, int index, int slot, int block)
{
	const struct layer	*l = stage_layer(s, index);

	return s->marks + (size_t)slot * s->marks_bytes + s->marks_at[index] +
	    (size_t)block * (size_t)shape_elements(l->out) *
	    (size_t)s->kernels->lanes;
}

static const float *
segment_input(const struct stage *s, int segment, int slot, const float *in)
{
	return segment == 0 ? in : s->stash +
	    (size_t)slot * s->stash_floats + s->segments[segment].stash;
}

/* One block through one layer that is not linear. */
static void
block_forward(struct stage *s, int index, int slot, int block,
    const float *in, float *out)
{
	const struct kernels	*k = s->kernels;
	const struct layer	*l = stage_layer(s, index);
	struct conv_shape	 conv;
	struct pool_shape	 pool;
	float			*w;

	switch (l->spec.kind) {
	case LAYER_CONV2D:
		conv = layer_conv_shape(l);
		w = layer_weights(s, l, s->parameters);
		k->conv_forward(&conv, in, w, w + l->weights, out);
		break;
	case LAYER_MAXPOOL2D:
		pool = layer_pool_shape(l);
		k->pool_forward(&pool, in, out,
		    layer_marks(s, index, slot, block));
		break;
	case LAYER_RELU:
		k->relu_forward((size_t)shape_elements(l->in), in, out,
		    layer_marks(s, index, slot, block));
		break;
	case LAYER_FLATTEN:
		memcpy(out, in, (size_t)shape_elements(l->in) *
		    (size_t)k->lanes * sizeof(float));
		break;
	case LAYER_LINEAR:
		assert(!"linear layers take all blocks");
	}
}

static void
linear_segment_forward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *out)
{
	const struct layer	*l = stage_layer(s, g->first);
	struct linear_shape	 shape = layer_linear_shape(l, s->blocks);
	float			*w = layer_weights(s, l, s->parameters);
	int			 i;

	s->kernels->linear_forward(&shape, in, w, w + l->weights, out);
	for (i = g->first + 1; i < g->first + g->count; i++) {
		l = stage_layer(s, i);
		s->kernels->relu_forward((size_t)shape_elements(l->in) *
		    (size_t)s->blocks, out, out, layer_marks(s, i, slot, 0));
	}
}

/*
 * Block by block through all layers of the segment, so that what stands
 * between two layers stays in the cache.
 */
static void
segment_forward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *out)
{
	const size_t	in_block = g->in_floats / (size_t)s->blocks;
	const size_t	out_block = g->out_floats / (size_t)s->blocks;
	const float	*from;
	float		*to;
	int		 block, i, last = g->first + g->count - 1;

	for (block = 0; block < s->blocks; block++) {
		from = in + (size_t)block * in_block;
		for (i = g->first; i <= last; i++) {
			to = i == last ? out + (size_t)block * out_block :
			    s->scratch[(i - g->first) % 2];
			block_forward(s, i, slot, block, from, to);
			from = to;
		}
	}
}

void
stage_forward(struct stage *s, int slot, const float *in, float *out)
{
	float	*to;
	int	 i;

	assert(slot >= 0 && slot < s->config.depth);
	if (s->config.recompute)
		slot = 0;
	for (i = 0; i < s->segment_count; i++) {
		const struct segment	*g = &s->segments[i];
		const float		*from = segment_input(s, i, slot, in);

		to = i + 1 == s->segment_count ? out : s->stash +
		    (size_t)slot * s->stash_floats + s->segments[i + 1].stash;
		if (stage_layer(s, g->first)->spec.kind == LAYER_LINEAR)
			linear_segment_forward(s, g, slot, from, to);
		else
			segment_forward(s, g, slot, from, to);
	}
}

void
stage_recompute(struct stage *s, const float *in)
{
	assert(s->config.recompute);
	stage_forward(s, 0, in, s->recomputed);
}

static void
linear_segment_backward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *gradient_out, float *gradient_in)
{
	const struct layer	*l;
	struct linear_shape	 shape;
	float			*w, *gradient;
	int			 i;

	for (i = g->first + g->count - 1; i > g->first; i--) {
		l = stage_layer(s, i);
		s->kernels->relu_backward((size_t)shape_elements(l->in) *
		    (size_t)s->blocks, gradient_out, layer_marks(s, i, slot, 0),
		    gradient_out);
	}
	l = stage_layer(s, g->first);
	shape = layer_linear_shape(l, s->blocks);
	w = layer_weights(s, l, s->parameters);
	gradient = layer_weights(s, l, s->gradients);
	s->kernels->linear_backward_weights(&shape, in, gradient_out, gradient,
	    gradient + l->weights, s->kernel_scratch);
	if (gradient_in != NULL)
		s->kernels->linear_backward_data(&shape, gradient_out, w,
		    gradient_in);
}

/* One block back through one layer; `to` is NULL where nobody needs it. */
static void
block_backward(struct stage *s, int index, int slot, int block,
    const float *in, const float *from, float *to)
{
	const struct kernels	*k = s->kernels;
	const struct layer	*l = stage_layer(s, index);
	struct conv_shape	 conv;
	struct pool_shape	 pool;
	float			*gradient;

	switch (l->spec.kind) {
	case LAYER_CONV2D:
		conv = layer_conv_shape(l);
		gradient = layer_weights(s, l, s->gradients);
		k->conv_backward_weights(&conv, in, from, gradient,
		    gradient + l->weights);
		if (to != NULL)
			k->conv_backward_data(&conv, from, layer_weights(s, l,
			    s->parameters), to, s->kernel_scratch);
		break;
	case LAYER_MAXPOOL2D:
		pool = layer_pool_shape(l);
		if (to != NULL)
			k->pool_backward(&pool, from,
			    layer_marks(s, index, slot, block), to);
		break;
	case LAYER_RELU:
		if (to != NULL)
			k->relu_backward((size_t)shape_elements(l->in), from,
			    layer_marks(s, index, slot, block), to);
		break;
	case LAYER_FLATTEN:
		if (to != NULL)
			memcpy(to, from, (size_t)shape_elements(l->in) *
			    (size_t)k->lanes * sizeof(float));
		break;
	case LAYER_LINEAR:
		assert(!"linear layers take all blocks");
	}
}

static void
segment_backward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *gradient_out, float *gradient_in)
{
	const size_t	in_block = g->in_floats / (size_t)s->blocks;
	const size_t	out_block = g->out_floats / (size_t)s->blocks;
	float		*from, *to;
	int		 block, i;

	for (block = 0; block < s->blocks; block++) {
		from = gradient_out + (size_t)block * out_block;
		for (i = g->first + g->count - 1; i >= g->first; i--) {
			if (i > g->first)
				to = s->scratch[(i - g->first) % 2];
			else if (gradient_in != NULL)
				to = gradient_in + (size_t)block * in_block;
			else
				to = NULL;
			block_backward(s, i, slot, block,
			    in + (size_t)block * in_block, from, to);
			from = to;
		}
	}
}

void
stage_backward(struct stage *s, int slot, const float *in,
    float *gradient_out, float *gradient_in)
{
	float	*from = gradient_out, *to;
	int	 i;

	assert(s->config.training && slot >= 0 && slot < s->config.depth);
	if (s->config.recompute)
		slot = 0;
	for (i = s->segment_count - 1; i >= 0; i--) {
		const struct segment	*g = &s->segments[i];
		const float		*kept = segment_input(s, i, slot, in);

		to = i > 0 ? s->between[i % 2] :
		    s->config.input_gradient ? gradient_in : NULL;
		if (stage_layer(s, g->first)->spec.kind == LAYER_LINEAR)
			linear_segment_backward(s, g, slot, kept, from, to);
		else
			segment_backward(s, g, slot, kept, from, to);
		from = to;
	}
}

/* State to the chip, update, state back; a part at a time. */
static size_t
update_streamed(struct stage *s, const struct optimiser *o, long step,
    float scale)
{
	const int	states = s->config.optimiser_states;
	size_t		i, n, bytes, moved = 0;
	int		k;

	for (i = 0; i < s->parameter_count; i += n) {
		n = s->parameter_count - i;
		if (n > STREAM_FLOATS)
			n = STREAM_FLOATS;
		bytes = n * sizeof(float);
		for (k = 0; k < states; k++)
			memcpy(s->stream[k], s->state[k] + i, bytes);
		optimiser_update(o, step, n, scale, s->gradients + i,
		    s->parameters + i, s->stream);
		for (k = 0; k < states; k++)
			memcpy(s->state[k] + i, s->stream[k], bytes);
		moved += 2 * (size_t)states * bytes;
	}
	return moved;
}

size_t
stage_update(struct stage *s, const struct optimiser *o, long step,
    float scale)
{
	size_t	moved = 0;

	assert(optimiser_states(o) == s->config.optimiser_states);
	if (s->config.offload_optimiser)
		moved = update_streamed(s, o, step, scale);
	else
		optimiser_update(o, step, s->parameter_count, scale,
		    s->gradients, s->parameters, s->state);
	memset(s->gradients, 0, s->parameter_count * sizeof(float));
	return moved;
}
