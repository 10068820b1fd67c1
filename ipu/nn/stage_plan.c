#include "ipu/nn/stage_plan.h"

#include <stdbool.h>
#include <string.h>

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t
tensor_floats(const struct stage_plan *p, struct shape shape)
{
	return (size_t)shape_elements(shape) * (size_t)p->blocks *
	    (size_t)p->lanes;
}

static void
choose_layers(struct stage_plan *p, const struct layer *layers, int count)
{
	int	i;

	for (i = 0; i < count; i++)
		if (layers[i].spec.kind != LAYER_FLATTEN ||
		    (p->layer_count == 0 && i == count - 1))
			p->layers[p->layer_count++] = &layers[i];
}

/*
 * A linear layer takes all blocks at once, and a relu behind it works in
 * place; all else goes block by block.
 */
static bool
begins_segment(const struct stage_plan *p, const struct segment *before,
    int index)
{
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
cut_segments(struct stage_plan *p)
{
	struct segment		*g = NULL;
	const struct layer	*l;
	int			 i;

	for (i = 0; i < p->layer_count; i++) {
		l = p->layers[i];
		if (begins_segment(p, g, i)) {
			g = &p->segments[p->segment_count++];
			g->first = i;
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

static void
size_scratch(struct stage_plan *p)
{
	struct conv_shape	 conv;
	struct linear_shape	 linear;
	const struct layer	*l;
	int			 i;

	for (i = 0; i < p->layer_count; i++) {
		l = p->layers[i];
		p->block_floats = larger(p->block_floats, (size_t)p->lanes *
		    larger((size_t)shape_elements(l->in),
		    (size_t)shape_elements(l->out)));
		conv = layer_conv_shape(l);
		linear = layer_linear_shape(l, p->blocks);
		if (l->spec.kind == LAYER_CONV2D)
			p->kernel_floats = larger(p->kernel_floats,
			    conv_scratch(&conv, p->lanes));
		if (l->spec.kind == LAYER_LINEAR)
			p->kernel_floats = larger(p->kernel_floats,
			    linear_scratch(&linear, p->lanes));
	}
	for (i = 1; i < p->segment_count; i++)
		p->between_floats = larger(p->between_floats,
		    p->segments[i].in_floats);
}

void
stage_plan(struct stage_plan *p, const struct model *model, int first_layer,
    int layer_count, int micro_batch, int lanes)
{
	memset(p, 0, sizeof(*p));
	p->lanes = lanes;
	p->blocks = (micro_batch + lanes - 1) / lanes;
	choose_layers(p, model->layers + first_layer, layer_count);
	cut_segments(p);
	size_scratch(p);
}
