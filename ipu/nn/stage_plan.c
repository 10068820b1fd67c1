/*
 * The plan of a stage: layers become segments, and their data get places.
 * Flatten computes nothing in our layout and is left out, unless a stage has
 * nothing else.
 */
#include "ipu/nn/stage.h"

#include <string.h>

#include "ipu/nn/kernels/kernels.h"

enum {
	FUSED_LAYERS = 3,
	STREAM_FLOATS = 4096 /* off-loaded state moved at a time */
};

static size_t
stage_plan_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Return the floats of a micro-batch's tensor including empty lanes: 12 samples
   in lanes of 8 are 2 blocks, so 16. */
static size_t
tensor_floats(const struct stage_plan *p, struct shape shape)
{
	return (size_t)model_shape_elements(shape) * (size_t)p->blocks *
	    (size_t)p->lanes;
}

/* Leave out flatten: it changes the shape, but [channel][y][x] has the order of
   [element]. */
static void
choose_layers(struct stage_plan *p, const struct layer *layers, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (layers[i].spec.kind != LAYER_FLATTEN ||
		    (p->layer_count == 0 && i == count - 1))
			p->layers[p->layer_count++] = &layers[i];
}

/* Whether one block of the model contains both layers, and so all between. */
static bool
in_one_block(const struct model *model, const struct layer *first,
    const struct layer *last)
{
	const struct block *b = model->blocks;
	int i;

	for (i = 0; i < model->block_count; i++, b++)
		if (first >= model->layers + b->first_layer &&
		    last < model->layers + b->first_layer + b->layer_count)
			return true;
	return false;
}

/* Whether conv_pool_forward() can compute layer `index` and the next two as
   one.  It sums in another order, so they must be in one block of the model:
   then the result does not depend on how blocks are cut into stages. */
static bool
is_fused(const struct stage_plan *p, const struct model *model, int index)
{
	const struct layer_spec *conv = &p->layers[index]->spec;
	const struct layer_spec *pool, *relu;

	if (index + FUSED_LAYERS > p->layer_count ||
	    !in_one_block(model, p->layers[index],
		p->layers[index + FUSED_LAYERS - 1]))
		return false;
	pool = &p->layers[index + 1]->spec;
	relu = &p->layers[index + 2]->spec;
	if (pool->kind == LAYER_RELU) { /* either order is equal */
		relu = pool;
		pool = &p->layers[index + 2]->spec;
	}
	return conv->kind == LAYER_CONV2D && conv->stride == 1 &&
	    conv->padding == 0 && pool->kind == LAYER_MAXPOOL2D &&
	    pool->kernel == 2 && pool->stride == 2 && pool->padding == 0 &&
	    relu->kind == LAYER_RELU;
}

/*
 * Whether layer `index` begins a segment.  A linear layer takes all blocks at
 * once, and a relu after it works in place; other layers go block by block.
 *
 * The tutorial's model as one stage:
 *
 *	conv2d maxpool2d relu | conv2d maxpool2d relu | linear relu | linear
 *	    fused                   fused
 *
 * The stash has the input of segments 1 to 3, and marks of the maxima and
 * relus.
 */
static bool
begins_segment(const struct stage_plan *p, const struct segment *before,
    int index)
{
	if (before != NULL && before->fused && before->count == FUSED_LAYERS)
		return true;
	switch (p->layers[index]->spec.kind) {
	case LAYER_CONV2D:
	case LAYER_LINEAR:
		return true;
	case LAYER_RELU:
		return before == NULL;
	default:
		return before == NULL ||
		    p->layers[before->first]->spec.kind == LAYER_LINEAR;
	}
}

/* Cut the layers into segments and lay out a slot of the stash. */
static void
cut_segments(struct stage_plan *p, const struct model *model)
{
	struct segment *g = NULL;
	const struct layer *l;
	int i;

	for (i = 0; i < p->layer_count; i++) {
		l = p->layers[i];
		if (begins_segment(p, g, i)) {
			g = &p->segments[p->segment_count++];
			g->first = i;
			g->fused = is_fused(p, model, i);
			g->in_floats = tensor_floats(p, l->in);
			g->stash = p->stash_floats;
			if (i > 0)
				p->stash_floats += g->in_floats;
		}
		g->count++;
		g->out_floats = tensor_floats(p, l->out);
		p->marks_at[i] = p->marks_bytes;
		if (l->spec.kind == LAYER_MAXPOOL2D ||
		    l->spec.kind == LAYER_RELU)
			p->marks_bytes += g->out_floats;
		p->parameter_count += l->weights + l->biases;
	}
	p->first_parameter = p->layers[0]->first;
}

/* Size the scratch for the largest layer or segment, as they use it in turn. */
static void
size_scratch(struct stage_plan *p)
{
	struct conv_shape conv;
	struct linear_shape linear;
	const struct layer *l;
	int i;

	for (i = 0; i < p->layer_count; i++) {
		l = p->layers[i];
		p->block_floats = stage_plan_larger(p->block_floats,
		    (size_t)p->lanes *
			stage_plan_larger((size_t)model_shape_elements(l->in),
			    (size_t)model_shape_elements(l->out)));
		conv = model_conv_shape(l);
		linear = model_linear_shape(l, p->blocks);
		if (l->spec.kind == LAYER_CONV2D)
			p->kernel_floats = stage_plan_larger(p->kernel_floats,
			    kernels_conv_scratch(&conv, p->lanes));
		if (l->spec.kind == LAYER_LINEAR)
			p->kernel_floats = stage_plan_larger(p->kernel_floats,
			    kernels_linear_scratch(&linear, p->lanes));
	}
	for (i = 0; i < p->segment_count; i++) {
		if (!p->segments[i].fused)
			continue;
		conv = model_conv_shape(p->layers[p->segments[i].first]);
		p->kernel_floats = stage_plan_larger(p->kernel_floats,
		    conv_pool_layout(&conv, p->lanes).floats);
	}
	for (i = 1; i < p->segment_count; i++)
		p->between_floats = stage_plan_larger(p->between_floats,
		    p->segments[i].in_floats);
	p->stream_floats = p->parameter_count < STREAM_FLOATS ?
	    p->parameter_count :
	    STREAM_FLOATS;
}

void
stage_plan(struct stage_plan *p, const struct model *model, int first_layer,
    int layer_count, int micro_batch, int lanes)
{
	memset(p, 0, sizeof(*p));
	p->lanes = lanes;
	p->blocks = (micro_batch + lanes - 1) / lanes;
	choose_layers(p, model->layers + first_layer, layer_count);
	cut_segments(p, model);
	size_scratch(p);
}
