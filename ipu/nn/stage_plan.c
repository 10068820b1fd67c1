/*
 * The plan of a stage: layers become segments, and their data get places.
 * Views compute nothing in our layout and are left out, unless a stage has
 * nothing else.
 */
#include "ipu/nn/stage_plan.h"

#include <string.h>

#include "ipu/nn/layer_row.h"

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
	return (size_t)layer_shape_elements(shape) * (size_t)p->blocks *
	    (size_t)p->lanes;
}

/* Find the layer that computes the input of a layer, through views; before the
   stage: -1.  `places` has the plan's index of each layer of the stage. */
static int
source_of(const struct model *model, int first, const int *places, int layer)
{
	while (layer >= first && places[layer - first] == -1)
		layer = model->layers[layer].inputs[0];
	return layer < first ? -1 : places[layer - first];
}

/* Leave out views, such as flatten: they change the shape, but [channel][y][x]
   has the order of [element]. */
static void
choose_layers(struct stage_plan *p, const struct model *model, int first,
    int count)
{
	const struct layer *l = model->layers + first;
	int places[MODEL_LAYERS_MAX];
	int i, k;

	for (i = 0; i < count; i++, l++) {
		places[i] = -1;
		if ((layer_row(l->spec.kind)->traits & LAYER_VIEW) != 0 &&
		    (p->layer_count > 0 || i < count - 1))
			continue;
		for (k = 0; k < l->input_count; k++)
			p->sources[p->layer_count][k] = source_of(model, first,
			    places, l->inputs[k]);
		places[i] = p->layer_count;
		p->layers[p->layer_count++] = l;
	}
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

/* Return the number of inputs of layers that are the output of this one. */
static int
uses_of(const struct stage_plan *p, int index)
{
	int i, k, uses = 0;

	for (i = index + 1; i < p->layer_count; i++)
		for (k = 0; k < p->layers[i]->input_count; k++)
			uses += p->sources[i][k] == index;
	return uses;
}

/* Whether layer `index` takes only the output of the one before it, which has
   no other use. */
static bool
follows(const struct stage_plan *p, int index)
{
	return p->layers[index]->input_count == 1 &&
	    p->sources[index][0] == index - 1 && uses_of(p, index - 1) == 1;
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
		p->layers[index + FUSED_LAYERS - 1]) ||
	    !follows(p, index + 1) || !follows(p, index + 2))
		return false;
	pool = &p->layers[index + 1]->spec;
	relu = &p->layers[index + 2]->spec;
	if (pool->kind == LAYER_RELU) { /* either order is equal */
		relu = pool;
		pool = &p->layers[index + 2]->spec;
	}
	return conv->kind == LAYER_CONV2D && conv->groups <= 1 &&
	    conv->x.kernel == 0 && conv->stride == 1 && conv->padding == 0 &&
	    conv->dilation <= 1 && pool->kind == LAYER_MAXPOOL2D &&
	    pool->x.kernel == 0 && pool->kernel == 2 && pool->stride == 2 &&
	    pool->padding == 0 && relu->kind == LAYER_RELU;
}

/* Whether a layer takes all blocks at once. */
static bool
takes_all(const struct layer *l)
{
	return l->spec.kind >= LAYER_LINEAR;
}

/*
 * Whether layer `index` begins a segment.  A linear layer or an operation takes
 * all blocks at once, and a relu after it works in place; other layers go block
 * by block.  Within a segment each layer takes the output of the one before it,
 * which has no other use.
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
	const struct layer *first;

	if (before == NULL || takes_all(p->layers[index]) ||
	    p->layers[index]->spec.kind == LAYER_CONV2D || !follows(p, index) ||
	    (before->fused && before->count == FUSED_LAYERS))
		return true;
	first = p->layers[before->first];
	return takes_all(first) &&
	    (before->keeps_out || p->layers[index]->spec.kind != LAYER_RELU);
}

/* Return the segment that ends with a layer. */
static int
segment_of(const struct stage_plan *p, int layer)
{
	int i;

	for (i = 0; layer >= 0; i++)
		if (p->segments[i].first + p->segments[i].count > layer)
			return i;
	return -1;
}

/* Begin a segment with layer `index`. */
static struct segment *
begin_segment(struct stage_plan *p, const struct model *model, int index)
{
	struct segment *g = &p->segments[p->segment_count];
	const struct layer *l = p->layers[index];
	int i;

	g->first = index;
	g->fused = is_fused(p, model, index);
	g->in_floats = tensor_floats(p, l->in);
	g->keeps_out = (layer_row(l->spec.kind)->traits & LAYER_KEEPS_OUT) != 0;
	g->input_count = l->input_count;
	for (i = 0; i < l->input_count; i++)
		g->inputs[i] = segment_of(p, p->sources[index][i]);
	p->segment_count++;
	return g;
}

/* Add parameters to those that are trained; neighbours are one part. */
static void
add_trained(struct stage_plan *p, size_t first, size_t count, bool fixed)
{
	struct trained *t = &p->trained[p->trained_count];

	if (count == 0 || fixed)
		return;
	if (p->trained_count > 0 && t[-1].first + t[-1].count == first)
		t[-1].count += count;
	else
		p->trained[p->trained_count++] = (struct trained){ first,
			count };
}

/* Return the floats that a layer saves, in whole vectors. */
static size_t
saved_floats(const struct stage_plan *p, const struct layer *l)
{
	const struct layer_row *r = layer_row(l->spec.kind);
	const size_t floats = r->saved == NULL ?
	    0 :
	    r->saved(l, (size_t)p->blocks * (size_t)p->lanes);

	return (floats + (size_t)p->lanes - 1) / (size_t)p->lanes *
	    (size_t)p->lanes;
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
		if (begins_segment(p, g, i))
			g = begin_segment(p, model, i);
		g->count++;
		g->out_floats = tensor_floats(p, l->out);
		p->marks_at[i] = p->marks_bytes;
		if ((layer_row(l->spec.kind)->traits & LAYER_MARKS) != 0)
			p->marks_bytes += g->out_floats;
		add_trained(p, p->parameter_count, l->weights,
		    l->spec.fixed_weights);
		add_trained(p, p->parameter_count + l->weights, l->biases,
		    l->spec.fixed_biases);
		p->parameter_count += model_layer_floats(l);
	}
	for (i = 0; i < p->layer_count; i++) {
		p->saved_at[i] = p->stash_floats;
		p->stash_floats += saved_floats(p, p->layers[i]);
	}
	for (i = 0; i < p->segment_count; i++) {
		g = &p->segments[i];
		g->stash = p->stash_floats;
		if (i < p->segment_count - 1 || g->keeps_out)
			p->stash_floats += g->out_floats;
	}
	p->first_parameter = p->layers[0]->first;
}

/*
 * Choose buffers for the gradients between segments, in the order of backward:
 * the last user of an output takes a free one and sets it, earlier users add to
 * it, and the segment that made the output frees it.
 *
 * A chain needs two in turn.  A residual connection around two layers needs
 * three: its gradient waits until theirs has come back.
 */
static void
choose_gradients(struct stage_plan *p)
{
	bool used[MODEL_LAYERS_MAX] = { false };
	bool input_is_set = false;
	int i, k, from, free;

	for (i = 0; i < p->segment_count; i++)
		p->segments[i].gradient = -1;
	for (i = p->segment_count - 1; i >= 0; i--) {
		struct segment *g = &p->segments[i];

		for (k = 0; k < g->input_count; k++) {
			from = g->inputs[k];
			if (from == -1) {
				g->adds[k] = input_is_set;
				input_is_set = true;
				continue;
			}
			g->adds[k] = p->segments[from].gradient != -1;
			if (g->adds[k])
				continue;
			for (free = 0; used[free];)
				free++;
			used[free] = true;
			p->segments[from].gradient = free;
			if (free >= p->between_count)
				p->between_count = free + 1;
		}
		if (g->gradient != -1)
			used[g->gradient] = false;
	}
}

/* Size the buffers of gradients between segments. */
static void
size_between(struct stage_plan *p)
{
	const struct segment *g;
	size_t added;
	int i, k;

	for (i = 0; i < p->segment_count; i++) {
		g = &p->segments[i];
		if (i < p->segment_count - 1)
			p->between_floats = stage_plan_larger(p->between_floats,
			    g->out_floats);
		for (added = 0, k = 0; k < g->input_count; k++)
			if (g->adds[k])
				added += g->inputs[k] == -1 ?
				    p->segments[0].in_floats :
				    p->segments[g->inputs[k]].out_floats;
		p->added_floats = stage_plan_larger(p->added_floats, added);
	}
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
			stage_plan_larger((size_t)layer_shape_elements(l->in),
			    (size_t)layer_shape_elements(l->out)));
		conv = model_conv_shape(l);
		linear = model_linear_shape(l, p->blocks);
		if (l->spec.kind == LAYER_CONV2D)
			p->kernel_floats = stage_plan_larger(p->kernel_floats,
			    kernels_conv_scratch(&conv, p->lanes));
		if (layer_row(l->spec.kind)->scratch != NULL)
			p->kernel_floats = stage_plan_larger(p->kernel_floats,
			    layer_row(l->spec.kind)->scratch(l, p->lanes));
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
	p->stream_floats = p->parameter_count < STREAM_FLOATS ?
	    p->parameter_count :
	    STREAM_FLOATS;
}

/* Whether a layer's output is an input of a layer from `first` on. */
static bool
is_used(const struct model *m, int layer, int first, int end)
{
	int i, k;

	for (i = first; i < end; i++)
		for (k = 0; k < m->layers[i].input_count; k++)
			if (m->layers[i].inputs[k] == layer)
				return true;
	return false;
}

int
stage_plan_check(const struct model *m, int first, int count, struct error *e)
{
	const struct layer *l;
	int i, k;

	for (i = first; i < first + count; i++) {
		l = &m->layers[i];
		for (k = 0; k < l->input_count; k++)
			if (l->inputs[k] < first - 1)
				return error_set(e,
				    "layer %d, %s, takes the output of layer "
				    "%d, which is in an earlier stage; only "
				    "the output of the layer before a stage "
				    "can enter it",
				    i, model_kind_name(l->spec.kind),
				    l->inputs[k]);
		if (i < first + count - 1 &&
		    !is_used(m, i, i + 1, first + count))
			return error_set(e,
			    "the output of layer %d, %s, has no use in its "
			    "stage; only that of a stage's last layer can "
			    "leave it",
			    i, model_kind_name(l->spec.kind));
	}
	return 0;
}

void
stage_plan(struct stage_plan *p, const struct model *model, int first_layer,
    int layer_count, int micro_batch, int lanes)
{
	memset(p, 0, sizeof(*p));
	p->lanes = lanes;
	p->blocks = (micro_batch + lanes - 1) / lanes;
	choose_layers(p, model, first_layer, layer_count);
	cut_segments(p, model);
	choose_gradients(p);
	size_between(p);
	size_scratch(p);
}
