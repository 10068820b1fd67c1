/*
 * The memory of each IPU, tensor by tensor: add_stage() has the tensors of our
 * own layers, memory_stage.c those of every stage, and memory_layout.c places
 * them on tiles.
 */
#include "ipu/engine/model/memory.h"

#include <bsd/string.h>
#include <stdio.h>
#include <stdlib.h>

#include "ipu/engine/model/memory_layout.h"
#include "ipu/engine/model/operation_cost.h"
#include "ipu/nn/nn.h"

/* A stage as seen by the rules below. */
struct view {
	struct memory_stage s;
	struct stage_plan plan; /* with 1 lane, so none is empty */
};

static const char *const memory_kind_names[] = {
	[MEMORY_WEIGHTS] = "weights",
	[MEMORY_GRADIENTS] = "gradients",
	[MEMORY_OPTIMISER] = "optimiser",
	[MEMORY_STASH] = "stash",
	[MEMORY_ACTIVATIONS] = "activations",
	[MEMORY_EXCHANGE] = "exchange",
	[MEMORY_STREAMS] = "streams",
	[MEMORY_CODE] = "code",
};

const char *
memory_kind_name(enum memory_kind kind)
{
	return memory_kind_names[kind];
}

/* Shares the IPU's bytes evenly; a remainder below one per tile is lost. */
struct memory_target
memory_target(size_t ipu_bytes)
{
	return (struct memory_target){ .tiles = TILE_COUNT,
		.tile_bytes = ipu_bytes > 0 ? ipu_bytes / TILE_COUNT :
					      TILE_BYTES };
}

/* "B2/conv2d"; "B2/conv2d.2" if a block has several of a kind. */
struct layer_name {
	char text[BLOCK_NAME_SIZE + 16];
};

static struct layer_name
memory_name_of(const struct model *m, const struct layer *layer)
{
	const int index = (int)(layer - m->layers);
	const struct block *b = m->blocks;
	struct layer_name n;
	int i, number = 0, count = 0;

	while (index >= b->first_layer + b->layer_count)
		b++;
	for (i = b->first_layer; i < b->first_layer + b->layer_count; i++) {
		if (m->layers[i].spec.kind != layer->spec.kind)
			continue;
		count++;
		number += i <= index;
	}
	(void)snprintf(n.text, sizeof(n.text), "%.*s/%s", BLOCK_NAME_SIZE - 1,
	    b->name, model_kind_name(layer->spec.kind));
	if (count > 1) {
		char suffix[16];

		(void)snprintf(suffix, sizeof(suffix), ".%d", number);
		(void)strlcat(n.text, suffix, sizeof(n.text));
	}
	return n;
}

/* Such as "B2/conv2d/weights". */
struct parameter_name {
	char text[sizeof(struct layer_name) + 16];
};

/* Return the name of a layer of this stage's plan. */
static struct layer_name
layer_of(const struct view *v, int index)
{
	return memory_name_of(v->s.layout->c->model, v->plan.layers[index]);
}

/* Add weights or biases, with their gradients and states, or buffers. */
static void
add_parameters(const struct view *v, int index, const char *what, size_t count,
    bool trained)
{
	struct parameter_name name;
	struct memory_parameter p = {
		.name = name.text,
		.bytes = count * sizeof(float),
		.states = optimiser_states(&v->s.layout->c->optimiser),
	};

	p.gradient_bytes = p.state_bytes = trained ? p.bytes : 0;
	(void)snprintf(name.text, sizeof(name.text), "%s/%s",
	    layer_of(v, index).text, what);
	memory_stage_add_parameter(&v->s, &p);
}

/* Add what a normalisation saves for backward. */
static void
add_saved(const struct view *v, int index)
{
	const struct layer *l = v->plan.layers[index];
	const struct layer_row *r = layer_row(l->spec.kind);
	struct parameter_name name;

	if (r->saved == NULL)
		return;
	(void)snprintf(name.text, sizeof(name.text), "%s/statistics",
	    layer_of(v, index).text);
	memory_stage_add_kept(&v->s, true,
	    r->saved(l, (size_t)v->s.layout->c->micro_batch) * sizeof(float),
	    name.text);
}

/* Add the output of a segment, if it is kept: it is the input of the next one,
   unless that takes others. */
static void
add_output(const struct view *v, int index)
{
	const struct stage_plan *p = &v->plan;
	const struct segment *g = &p->segments[index], *next = g + 1;
	const bool last = index == p->segment_count - 1;
	const bool follows = !last && next->inputs[0] == index;
	struct parameter_name name;

	if (last && !g->keeps_out)
		return;
	(void)snprintf(name.text, sizeof(name.text), "%s/%s",
	    layer_of(v, follows ? next->first : g->first + g->count - 1).text,
	    follows ? "input" : "output");
	memory_stage_add_kept(&v->s, true, g->out_floats * sizeof(float),
	    name.text);
}

/* Add the stage's input, the output of each segment, and marks: one byte for
   each output of a pool (its winner) and of a relu (whether it passed). */
static void
add_kept(const struct view *v)
{
	const struct stage_plan *p = &v->plan;
	struct parameter_name name;
	int i;

	(void)snprintf(name.text, sizeof(name.text), "%s/input",
	    layer_of(v, 0).text);
	memory_stage_add_kept(&v->s, false,
	    p->segments[0].in_floats * sizeof(float), name.text);
	for (i = 0; i < p->segment_count; i++)
		add_output(v, i);
	for (i = 0; v->s.layout->c->training && i < p->layer_count; i++) {
		const size_t end = i + 1 < p->layer_count ?
		    p->marks_at[i + 1] :
		    p->marks_bytes;

		(void)snprintf(name.text, sizeof(name.text), "%s/marks",
		    layer_of(v, i).text);
		memory_stage_add_kept(&v->s, true, end - p->marks_at[i],
		    name.text);
		add_saved(v, i);
	}
}

/* Return the live bytes of the layer that needs most: its input and output,
   except those at the ends of its segment.  The relu of a linear layer or of an
   operation works in place.  Backward puts gradients where forward had those
   tensors. */
static size_t
working_bytes(const struct view *v)
{
	const struct stage_plan *p = &v->plan;
	size_t most = 0;
	int i, k;

	for (i = 0; i < p->segment_count; i++) {
		const struct segment *g = &p->segments[i];
		const int end = g->first + g->count;

		if (p->layers[g->first]->spec.kind >= LAYER_LINEAR)
			continue;
		for (k = g->first; k < end; k++) {
			const size_t elements =
			    (k > g->first ? (size_t)layer_shape_elements(
						p->layers[k]->in) :
					    0) +
			    (k < end - 1 ? (size_t)layer_shape_elements(
					       p->layers[k]->out) :
					   0);

			if (elements > most)
				most = elements;
		}
	}
	return most * (size_t)v->s.layout->c->micro_batch * sizeof(float);
}

/* Return the last segment that takes the output of another one. */
static int
last_user(const struct stage_plan *p, int segment)
{
	int i, k;

	for (i = p->segment_count - 1; i > segment; i--)
		for (k = 0; k < p->segments[i].input_count; k++)
			if (p->segments[i].inputs[k] == segment)
				return i;
	return segment;
}

/* Return the most bytes of gradients, in training, of outputs inside the stage
   while a segment computes: from the last user of an output to the segment that
   made it. */
static size_t
between_bytes(const struct view *v)
{
	const struct stage_plan *p = &v->plan;
	size_t floats, most = 0;
	int i, k;

	for (i = 0; v->s.layout->c->training && i < p->segment_count; i++) {
		floats = 0;
		for (k = 0; k <= i && k < p->segment_count - 1; k++)
			if (last_user(p, k) >= i)
				floats += p->segments[k].out_floats;
		if (floats > most)
			most = floats;
	}
	return most * sizeof(float);
}

/* Add the code of the stage's layers. */
static void
add_stage_code(const struct view *v)
{
	const struct engine_config *c = v->s.layout->c;
	const int phases = c->training ? OPERATION_PHASES : 1;
	const struct layer *l = NULL;
	struct operation_cost cost;
	int first, count, i, phase;

	engine_config_stage_layers(c, v->s.stage, &first, &count);
	for (i = first; i < first + count; i++) {
		l = &c->model->layers[i];
		for (phase = 0; phase < phases; phase++) {
			cost = operation_cost_layer(l,
			    (enum operation_phase)phase, c->micro_batch);
			memory_layout_add_code(v->s.layout, v->s.ipu,
			    (enum operation_phase)phase, &cost);
		}
	}
	if (v->s.last) {
		cost = operation_cost_loss(layer_shape_elements(l->out),
		    c->micro_batch, c->training);
		memory_layout_add_code(v->s.layout, v->s.ipu, OPERATION_FORWARD,
		    &cost);
	}
	/* Input and output, and their gradients. */
	memory_layout_add_copies(v->s.layout, v->s.ipu, c->training ? 4 : 2);
}

/* Add both ends, and the streams at the model's ends. */
static void
add_ends(const struct view *v)
{
	const struct engine_config *c = v->s.layout->c;
	const struct stage_plan *p = &v->plan;
	const size_t in = p->segments[0].in_floats * sizeof(float);
	const size_t out = p->segments[p->segment_count - 1].out_floats *
	    sizeof(float);

	memory_stage_add_ends(&v->s, layer_of(v, 0).text, in,
	    layer_of(v, p->layer_count - 1).text, out);
	/* A label is a byte; the results include the loss. */
	memory_stage_add_streams(&v->s, in, (size_t)c->micro_batch,
	    out + sizeof(float),
	    (size_t)optimiser_states(&c->optimiser) * p->stream_floats *
		sizeof(float));
}

/* Add a stage's tensors in the order of placement: parameters, kept, live, the
   ends, the streams. */
static void
add_stage(struct memory_layout *l, int stage)
{
	struct view v = { .s = memory_stage(l, stage) };
	const struct layer *layer;
	int first, count, i;

	engine_config_stage_layers(l->c, stage, &first, &count);
	stage_plan(&v.plan, l->c->model, first, count, l->c->micro_batch, 1);
	for (i = 0; i < v.plan.layer_count; i++) {
		layer = v.plan.layers[i];
		add_parameters(&v, i, "weights", layer->weights,
		    !layer->spec.fixed_weights);
		add_parameters(&v, i, "biases", layer->biases,
		    !layer->spec.fixed_biases);
		add_parameters(&v, i, "buffers", layer->buffers, false);
	}
	add_kept(&v);
	memory_layout_add(l, v.s.ipu, MEMORY_ACTIVATIONS, 1, working_bytes(&v),
	    "stage%d/working", stage);
	memory_layout_add(l, v.s.ipu, MEMORY_ACTIVATIONS, 1, between_bytes(&v),
	    "stage%d/between", stage);
	add_ends(&v);
	add_stage_code(&v);
}

void
memory_init(struct memory *m, const struct engine_config *config,
    const struct memory_target *target)
{
	struct memory_layout l;
	const struct operation_cost update =
	    operation_cost_update(optimiser_states(&config->optimiser), 0);
	int s, i;

	memory_layout_begin(&l, m, config, target);
	for (s = 0; s < config->stages; s++) {
		if (config->outline != NULL)
			memory_outline_add(&l, config->outline, s);
		else
			add_stage(&l, s);
	}
	if (config->outline != NULL)
		memory_outline_note(m, config->outline);
	for (i = 0; config->training && i < m->ipu_count; i++)
		memory_layout_add_update(&l, i, &update);
	memory_layout_place_code(&l);
	memory_layout_end(&l);
}

void
memory_release(struct memory *m)
{
	int i;

	for (i = 0; i < m->ipu_count; i++)
		free(m->ipus[i].tiles);
	free(m->ipus);
	free(m->tensors);
	strvec_release(&m->notes);
	*m = (struct memory){ 0 };
}

size_t
memory_largest_tile(const struct memory_ipu *i)
{
	return i->tiles[i->largest_tile];
}

int
memory_fullest_ipu(const struct memory *m)
{
	int i, most = 0;

	for (i = 1; i < m->ipu_count; i++)
		if (memory_largest_tile(&m->ipus[i]) >
		    memory_largest_tile(&m->ipus[most]))
			most = i;
	return most;
}
