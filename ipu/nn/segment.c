/*
 * One segment of a stage, forward and backward, by the kernels: linear layers
 * and operations take all blocks at once, others go block by block.
 */
#include "ipu/nn/segment.h"

#include <assert.h>
#include <string.h>

/* Return a layer's place in one of the stage's arrays (`base`): weights,
   gradients and states have the same order. */
static float *
layer_weights(const struct stage *s, const struct layer *l, float *base)
{
	return base + (l->first - s->plan.first_parameter);
}

/* Return the place of the biases; NULL if the layer has none. */
static float *
layer_biases(const struct stage *s, const struct layer *l, float *base)
{
	return l->biases > 0 ? layer_weights(s, l, base) + l->weights : NULL;
}

/* Return the marks of a pool or relu for one block in one slot. */
static signed char *
layer_marks(const struct stage *s, int index, int slot, int block)
{
	const struct layer *l = s->plan.layers[index];

	return s->marks + (size_t)slot * s->plan.marks_bytes +
	    s->plan.marks_at[index] +
	    (size_t)block * (size_t)layer_shape_elements(l->out) *
	    (size_t)s->plan.lanes;
}

/* Return the groups of a convolution, each with its share of the channels. */
static int
groups_of(const struct layer *l)
{
	return l->spec.groups > 1 ? l->spec.groups : 1;
}

/* Offsets of a group of a convolution, in floats. */
struct group {
	size_t in, out, weights, biases;
};

static struct group
group_of(const struct stage *s, const struct layer *l, int group)
{
	const size_t n = (size_t)group, groups = (size_t)groups_of(l);
	const size_t lanes = (size_t)s->plan.lanes;

	return (struct group){ n * (size_t)layer_shape_elements(l->in) /
		    groups * lanes,
		n * (size_t)layer_shape_elements(l->out) / groups * lanes,
		n * l->weights / groups, n * l->biases / groups };
}

static void
conv_forward(const struct stage *s, const struct layer *l, const float *in,
    float *out)
{
	const struct conv_shape shape = model_conv_shape(l);
	const float *biases = layer_biases(s, l, s->parameters);
	struct group g;
	int i;

	for (i = 0; i < groups_of(l); i++) {
		g = group_of(s, l, i);
		s->kernels->conv_forward(&shape, in + g.in,
		    layer_weights(s, l, s->parameters) + g.weights,
		    biases == NULL ? NULL : biases + g.biases, out + g.out);
	}
}

static void
conv_backward(const struct stage *s, const struct layer *l, const float *in,
    const float *from, float *to)
{
	const struct conv_shape shape = model_conv_shape(l);
	float *biases = layer_biases(s, l, s->gradients);
	struct group g;
	int i;

	for (i = 0; i < groups_of(l); i++) {
		g = group_of(s, l, i);
		s->kernels->conv_backward_weights(&shape, in + g.in,
		    from + g.out, layer_weights(s, l, s->gradients) + g.weights,
		    biases == NULL ? NULL : biases + g.biases);
		if (to != NULL)
			s->kernels->conv_backward_data(&shape, from + g.out,
			    layer_weights(s, l, s->parameters) + g.weights,
			    to + g.in, s->kernel_scratch);
	}
}

/* Run one block through one layer that is not linear. */
static void
block_forward(struct stage *s, int index, int slot, int block, const float *in,
    float *out)
{
	const struct kernels *k = s->kernels;
	const struct layer *l = s->plan.layers[index];
	struct pool_shape pool;

	switch (l->spec.kind) {
	case LAYER_CONV2D:
		conv_forward(s, l, in, out);
		break;
	case LAYER_MAXPOOL2D:
		pool = model_pool_shape(l);
		k->pool_forward(&pool, in, out,
		    layer_marks(s, index, slot, block));
		break;
	case LAYER_RELU:
		k->relu_forward((size_t)layer_shape_elements(l->in), in, out,
		    layer_marks(s, index, slot, block));
		break;
	case LAYER_FLATTEN:
	case LAYER_RESHAPE:
		memcpy(out, in,
		    (size_t)layer_shape_elements(l->in) * (size_t)k->lanes *
			sizeof(float));
		break;
	default:
		assert(!"others take all blocks");
	}
}

/* Return how many layers the kernel of a segment's first one computes: a batch
   norm reads memory less often with the relu after it. */
static int
taken_by_kernel(const struct stage *s, const struct segment *g)
{
	return g->count > 1 &&
		s->plan.layers[g->first]->spec.kind == LAYER_BATCH_NORM ?
	    2 :
	    1;
}

/* Let a batch norm take the sums of all parts.  To record its statistics it
   renews those of a place of their own by a whole. */
static void
join_parts(struct stage *s, const struct layer *l, struct kernel_call *c)
{
	c->part = s->config.part;
	c->parts = s->team.parts;
	c->sums = s->team.sums[s->joined++ % 2];
	c->meet = s->team.meet;
	c->team = s->team.argument;
	if (s->statistics == NULL)
		return;
	c->buffers = s->statistics + model_first_buffer(s->model, l);
	c->momentum = 1;
}

/* Fill in the shape, the inputs and the memory of an operation. */
static void
begin_call(struct stage *s, const struct segment *g, int slot,
    const float *const *in, struct kernel_call *c)
{
	const struct layer *l = s->plan.layers[g->first];
	float *weights = layer_weights(s, l, s->parameters);
	int i;

	model_kernel_call(s->model, l, s->plan.blocks, c);
	c->samples = s->config.micro_batch;
	c->training = s->config.training;
	c->again = s->again || (s->records && s->statistics == NULL);
	for (i = 0; i < g->input_count; i++)
		c->in[i] = in[i];
	if (l->weights > 0)
		c->weights = weights;
	c->biases = layer_biases(s, l, s->parameters);
	c->buffers = weights + l->weights + l->biases;
	c->saved = s->stash + (size_t)slot * s->plan.stash_floats +
	    s->plan.saved_at[g->first];
	c->marks = layer_marks(s, g->first, slot, 0);
	if (taken_by_kernel(s, g) > 1)
		c->relu = layer_marks(s, g->first + 1, slot, 0);
	if (l->spec.kind == LAYER_BATCH_NORM && c->training)
		join_parts(s, l, c);
	c->scratch = s->kernel_scratch;
}

/* Draw which of these elements of a sample a dropout keeps, each by a double of
   53 bits. */
static void
draw_row(struct stage *s, int elements, double kept, signed char *to)
{
	uint64_t bits;
	int i;

	for (i = 0; i < elements; i++) {
		bits = (uint64_t)torch_rng_next(&s->rng) << 32;
		bits |= torch_rng_next(&s->rng);
		to[(ptrdiff_t)i * s->plan.lanes] =
		    (double)(bits & 0x1fffffffffffff) * 0x1p-53 < kept ? -1 : 0;
	}
}

/* Draw which elements a dropout keeps, in PyTorch's order: sample by sample, or
   a row of each sample and then the next one.  Passes over the numbers of other
   parts. */
static void
draw_marks(struct stage *s, const struct layer *l, signed char *marks)
{
	const int elements = layer_shape_elements(l->out);
	const int lanes = s->plan.lanes;
	const int row = l->spec.variant ? l->out.width : elements;
	const int samples = s->config.micro_batch;
	const int part = s->config.part;
	const double kept = 1 - (double)l->spec.value;
	const uint64_t words = 2 * (uint64_t)samples * (uint64_t)row;
	int first, n;

	for (first = 0; first < elements; first += row) {
		torch_rng_skip(&s->rng, (uint64_t)part * words);
		for (n = 0; n < samples; n++)
			draw_row(s, row, kept,
			    marks + n % lanes +
				((ptrdiff_t)(n / lanes) * elements + first) *
				    lanes);
		torch_rng_skip(&s->rng,
		    (uint64_t)(s->team.parts - part - 1) * words);
	}
}

/* Compute the product or operation, then the relus after it in place.  A
   product reads the weights once for all blocks: they are most of the
   traffic. */
static void
whole_forward(struct stage *s, const struct segment *g, int slot,
    const float *const *in, float *out)
{
	const struct layer *l = s->plan.layers[g->first];
	struct linear_shape shape;
	struct kernel_call call;
	int i;

	if (l->spec.kind == LAYER_LINEAR) {
		shape = model_linear_shape(l, s->plan.blocks);
		s->kernels->linear_forward(&shape, in[0],
		    layer_weights(s, l, s->parameters),
		    layer_biases(s, l, s->parameters), out);
	} else {
		begin_call(s, g, slot, in, &call);
		call.out = out;
		if (l->spec.kind == LAYER_DROPOUT && call.training &&
		    call.value > 0)
			draw_marks(s, l, call.marks);
		s->kernels->operations[l->spec.kind]->forward(&call);
	}
	for (i = taken_by_kernel(s, g); i < g->count; i++) {
		l = s->plan.layers[g->first + i];
		s->kernels->relu_forward((size_t)layer_shape_elements(l->in) *
			(size_t)s->plan.blocks,
		    out, out, layer_marks(s, g->first + i, slot, 0));
	}
}

/* Run block by block through all layers of the segment, so that tensors between
   layers stay in the cache. */
static void
blocks_forward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *out)
{
	const size_t in_block = g->in_floats / (size_t)s->plan.blocks;
	const size_t out_block = g->out_floats / (size_t)s->plan.blocks;
	const float *from;
	float *to;
	int block, i, last = g->first + g->count - 1;

	for (block = 0; block < s->plan.blocks; block++) {
		from = in + (size_t)block * in_block;
		for (i = g->first; i <= last; i++) {
			to = i == last ? out + (size_t)block * out_block :
					 s->scratch[(i - g->first) % 2];
			block_forward(s, i, slot, block, from, to);
			from = to;
		}
	}
}

/* Run the fused kernel, which writes the marks of the segment's last layer. */
static void
fused_forward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *out)
{
	const struct layer *l = s->plan.layers[g->first];
	const struct conv_shape shape = model_conv_shape(l);
	const size_t in_block = g->in_floats / (size_t)s->plan.blocks;
	const size_t out_block = g->out_floats / (size_t)s->plan.blocks;
	int block;

	for (block = 0; block < s->plan.blocks; block++)
		s->kernels->conv_pool_forward(&shape,
		    in + (size_t)block * in_block,
		    layer_weights(s, l, s->parameters),
		    layer_biases(s, l, s->parameters),
		    out + (size_t)block * out_block,
		    layer_marks(s, g->first + g->count - 1, slot, block));
}

static void
fused_backward(struct stage *s, const struct segment *g, int slot,
    const float *in, const float *gradient_out, float *gradient_in)
{
	const struct layer *l = s->plan.layers[g->first];
	const struct conv_shape shape = model_conv_shape(l);

	s->kernels->conv_pool_backward(&shape, s->plan.blocks, in, gradient_out,
	    layer_marks(s, g->first + g->count - 1, slot, 0),
	    layer_weights(s, l, s->parameters),
	    layer_weights(s, l, s->gradients), layer_biases(s, l, s->gradients),
	    gradient_in, s->kernel_scratch);
}

/* Run both products back.  The weights' gradients need the segment's input from
   the stash. */
static void
linear_backward(struct stage *s, const struct segment *g, const float *in,
    const float *gradient_out, float *gradient_in)
{
	const struct layer *l = s->plan.layers[g->first];
	const struct linear_shape shape = model_linear_shape(l, s->plan.blocks);

	s->kernels->linear_backward_weights(&shape, in, gradient_out,
	    layer_weights(s, l, s->gradients), layer_biases(s, l, s->gradients),
	    s->kernel_scratch);
	if (gradient_in != NULL)
		s->kernels->linear_backward_data(&shape, gradient_out,
		    layer_weights(s, l, s->parameters), gradient_in);
}

/* Run the relus, last to first, then the product or operation. */
static void
whole_backward(struct stage *s, const struct segment *g, int slot,
    const float *const *in, float *out, float *gradient_out,
    float *const *gradient_in)
{
	struct kernel_call call;
	const struct layer *l;
	int i;

	for (i = g->count - 1; i >= taken_by_kernel(s, g); i--) {
		l = s->plan.layers[g->first + i];
		s->kernels->relu_backward((size_t)layer_shape_elements(l->in) *
			(size_t)s->plan.blocks,
		    gradient_out, layer_marks(s, g->first + i, slot, 0),
		    gradient_out);
	}
	l = s->plan.layers[g->first];
	if (l->spec.kind == LAYER_LINEAR) {
		linear_backward(s, g, in[0], gradient_out, gradient_in[0]);
		return;
	}
	begin_call(s, g, slot, in, &call);
	if (l->weights > 0)
		call.gradient_weights = layer_weights(s, l, s->gradients);
	call.gradient_biases = layer_biases(s, l, s->gradients);
	call.out = out;
	call.gradient_out = gradient_out;
	for (i = 0; i < g->input_count; i++)
		call.gradient_in[i] = gradient_in[i];
	s->kernels->operations[l->spec.kind]->backward(&call);
}

/* Run one block back through one layer; `to` is NULL if it is not needed. */
static void
block_backward(struct stage *s, int index, int slot, int block, const float *in,
    const float *from, float *to)
{
	const struct kernels *k = s->kernels;
	const struct layer *l = s->plan.layers[index];
	struct pool_shape pool;

	switch (l->spec.kind) {
	case LAYER_CONV2D:
		conv_backward(s, l, in, from, to);
		break;
	case LAYER_MAXPOOL2D:
		pool = model_pool_shape(l);
		if (to != NULL)
			k->pool_backward(&pool, from,
			    layer_marks(s, index, slot, block), to);
		break;
	case LAYER_RELU:
		if (to != NULL)
			k->relu_backward((size_t)layer_shape_elements(l->in),
			    from, layer_marks(s, index, slot, block), to);
		break;
	case LAYER_FLATTEN:
	case LAYER_RESHAPE:
		if (to != NULL)
			memcpy(to, from,
			    (size_t)layer_shape_elements(l->in) *
				(size_t)k->lanes * sizeof(float));
		break;
	default:
		assert(!"others take all blocks");
	}
}

/* Only the first layer of a segment reads `in`: the others need only their
   marks, so tensors between layers are not kept. */
static void
blocks_backward(struct stage *s, const struct segment *g, int slot,
    const float *in, float *gradient_out, float *gradient_in)
{
	const size_t in_block = g->in_floats / (size_t)s->plan.blocks;
	const size_t out_block = g->out_floats / (size_t)s->plan.blocks;
	float *from, *to;
	int block, i;

	for (block = 0; block < s->plan.blocks; block++) {
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

/* Whether a segment begins with a layer that takes all blocks at once. */
static bool
is_whole(const struct stage *s, const struct segment *g)
{
	const enum layer_kind kind = s->plan.layers[g->first]->spec.kind;

	return kind >= LAYER_LINEAR && kind != LAYER_RESHAPE;
}

/* In three ways: all blocks at once, fused, or layer by layer. */
void
segment_forward(struct stage *s, const struct segment *g, int slot,
    const float *const *in, float *out)
{
	if (is_whole(s, g))
		whole_forward(s, g, slot, in, out);
	else if (g->fused)
		fused_forward(s, g, slot, in[0], out);
	else
		blocks_forward(s, g, slot, in[0], out);
}

void
segment_backward(struct stage *s, const struct segment *g, int slot,
    const float *const *in, float *out, float *gradient_out,
    float *const *gradient_in)
{
	if (is_whole(s, g))
		whole_backward(s, g, slot, in, out, gradient_out, gradient_in);
	else if (g->fused)
		fused_backward(s, g, slot, in[0], gradient_out, gradient_in[0]);
	else
		blocks_backward(s, g, slot, in[0], gradient_out,
		    gradient_in[0]);
}
