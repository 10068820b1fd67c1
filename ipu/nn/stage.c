/*
 * A stage: its memory, its segments in turn, and its update.
 */
#include "ipu/nn/segment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Allocate floats, aligned for the kernels; never NULL, even for 0. */
static float *
alloc_floats(size_t count)
{
	return xaligned(KERNEL_ALIGNMENT,
	    (count > 0 ? count : 1) * sizeof(float));
}

/* Without a team the stage computes the only part. */
static void
make_team(struct stage *s)
{
	if (s->config.team != NULL) {
		s->team = *s->config.team;
		return;
	}
	s->sums =
	    xcalloc((size_t)s->plan.blocks * model_norm_sums(s->model) + 1,
		sizeof(*s->sums));
	s->team = (struct stage_team){ .parts = 1,
		.sums = { s->sums, s->sums } };
}

/* Allocate the memory that only training needs. */
static void
make_training_memory(struct stage *s)
{
	int i;

	s->gradients = alloc_floats(s->plan.parameter_count);
	for (i = 0; i < s->plan.between_count; i++)
		s->between[i] = alloc_floats(s->plan.between_floats);
	s->added = alloc_floats(s->plan.added_floats);
	for (i = 0; i < s->config.optimiser_states; i++) {
		s->state[i] = alloc_floats(s->plan.parameter_count);
		if (s->config.offload_optimiser)
			s->stream[i] = alloc_floats(s->plan.stream_floats);
	}
}

/* With recomputation one slot serves all micro-batches: its marks and inner
   inputs are recomputed before each backward. */
struct stage *
stage_new(const struct model *model, const struct kernels *kernels,
    const struct stage_config *config)
{
	struct stage *s = xcalloc(1, sizeof(*s));
	struct stage_plan *p = &s->plan;
	const size_t depth = config->recompute ? 1 : (size_t)config->depth;
	int i;

	assert(config->layer_count > 0 && config->depth > 0 &&
	    config->micro_batch > 0);
	s->model = model;
	s->kernels = kernels;
	s->config = *config;
	stage_plan(p, model, config->first_layer, config->layer_count,
	    config->micro_batch, kernels->lanes);
	s->parameters = alloc_floats(p->parameter_count);
	s->stash = alloc_floats(depth * p->stash_floats);
	s->marks = xaligned(KERNEL_ALIGNMENT, depth * p->marks_bytes + 1);
	for (i = 0; i < 2; i++)
		s->scratch[i] = alloc_floats(p->block_floats);
	s->kernel_scratch = alloc_floats(p->kernel_floats);
	torch_rng_init(&s->rng, config->seed);
	make_team(s);
	if (config->recompute) {
		s->recomputed = alloc_floats(stage_out_floats(s));
		s->kept = xcalloc((size_t)config->depth, sizeof(*s->kept));
	}
	if (config->training)
		make_training_memory(s);
	return s;
}

void
stage_free(struct stage *s)
{
	int i;

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
	for (i = 0; i < MODEL_LAYERS_MAX; i++)
		free(s->between[i]);
	free(s->added);
	free(s->recomputed);
	free(s->kept);
	free(s->sums);
	free(s->kernel_scratch);
	free(s);
}

size_t
stage_in_floats(const struct stage *s)
{
	return s->plan.segments[0].in_floats;
}

size_t
stage_out_floats(const struct stage *s)
{
	return s->plan.segments[s->plan.segment_count - 1].out_floats;
}

size_t
stage_stash_bytes(const struct stage *s)
{
	return s->config.recompute ?
	    0 :
	    s->plan.stash_floats * sizeof(float) + s->plan.marks_bytes;
}

float *
stage_parameters(struct stage *s, size_t *count)
{
	*count = s->plan.parameter_count;
	return s->parameters;
}

float *
stage_gradients(struct stage *s, size_t *count)
{
	*count = s->plan.parameter_count;
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
	return s->plan.first_parameter;
}

/* Return the kept output of a segment. */
static float *
stashed(const struct stage *s, int segment, int slot)
{
	return s->stash + (size_t)slot * s->plan.stash_floats +
	    s->plan.segments[segment].stash;
}

/* Find the inputs of a segment: outputs of others, or the stage's input. */
static void
inputs_of(const struct stage *s, const struct segment *g, int slot,
    const float *stage_in, const float *in[KERNEL_INPUTS_MAX])
{
	int i;

	for (i = 0; i < g->input_count; i++)
		in[i] = g->inputs[i] == -1 ? stage_in :
					     stashed(s, g->inputs[i], slot);
}

/*
 *	in -> segment 0 -> stash 0 -> segment 1 -> stash 1 -> ... -> out
 *
 * Each segment writes its output into its place in the stash; the last one's
 * goes to the caller.
 */
static void
run_segments(struct stage *s, int slot, const float *in, float *out)
{
	const int last = s->plan.segment_count - 1;
	const float *from[KERNEL_INPUTS_MAX];
	const struct segment *g = s->plan.segments;
	float *to;
	int i;

	for (i = 0; i <= last; i++, g++) {
		to = i < last || g->keeps_out ? stashed(s, i, slot) : out;
		inputs_of(s, g, slot, in, from);
		segment_forward(s, g, slot, from, to);
		if (i == last && to != out)
			memcpy(out, to, g->out_floats * sizeof(float));
	}
}

/* Pass over the numbers that dropouts of some of the model's layers take. */
static void
skip_layers(struct stage *s, int first, int count)
{
	torch_rng_skip(&s->rng,
	    model_dropout_words(s->model, first, count,
		s->config.micro_batch * s->team.parts));
}

/* In training each stage passes over the numbers of the others, so that the
   model's result does not depend on its stages. */
void
stage_forward(struct stage *s, int slot, const float *in, float *out)
{
	const struct stage_config *c = &s->config;
	const int end = c->first_layer + c->layer_count;

	assert(slot >= 0 && slot < c->depth);
	if (!c->training) {
		run_segments(s, slot, in, out);
		return;
	}
	skip_layers(s, 0, c->first_layer);
	if (c->recompute) {
		slot = 0;
		s->kept[s->forwards++ % c->depth] = s->rng;
	}
	run_segments(s, slot, in, out);
	skip_layers(s, end, s->model->layer_count - end);
}

/* Runs forward again for backward's data, with the same numbers; drops the
   output.  Micro-batches come back in the order in which they went. */
void
stage_recompute(struct stage *s, const float *in)
{
	const struct torch_rng rng = s->rng;

	assert(s->config.recompute);
	s->rng = s->kept[s->recomputed_count++ % s->config.depth];
	s->again = true;
	run_segments(s, 0, in, s->recomputed);
	s->again = false;
	s->rng = rng;
}

void
stage_record(struct stage *s, float *statistics)
{
	s->records = true;
	s->statistics = statistics;
}

struct torch_rng *
stage_rng(struct stage *s)
{
	return &s->rng;
}

void
stage_skip(struct stage *s, uint64_t micro_batches)
{
	torch_rng_skip(&s->rng,
	    micro_batches *
		model_dropout_words(s->model, 0, s->model->layer_count,
		    s->config.micro_batch * s->team.parts));
}

/* Return the floats of a segment's input. */
static size_t
input_floats(const struct stage *s, const struct segment *g, int input)
{
	return g->inputs[input] == -1 ?
	    stage_in_floats(s) :
	    s->plan.segments[g->inputs[input]].out_floats;
}

/* Return where the gradient of a segment's input goes; NULL: it is not
   needed. */
static float *
gradient_to(struct stage *s, const struct segment *g, int input,
    float *gradient_in)
{
	if (g->inputs[input] != -1)
		return s->between[s->plan.segments[g->inputs[input]].gradient];
	return s->config.input_gradient ? gradient_in : NULL;
}

/* Run one segment back.  Where another user of an input has set its gradient,
   this one's is added to it. */
static void
segment_back(struct stage *s, int index, int slot, const float *in,
    float *gradient_out, float *gradient_in)
{
	const struct segment *g = &s->plan.segments[index];
	const float *from[KERNEL_INPUTS_MAX];
	float *to[KERNEL_INPUTS_MAX], *gradient[KERNEL_INPUTS_MAX];
	size_t floats, added = 0;
	int k;

	inputs_of(s, g, slot, in, from);
	for (k = 0; k < g->input_count; k++) {
		to[k] = gradient[k] = gradient_to(s, g, k, gradient_in);
		if (to[k] == NULL || !g->adds[k])
			continue;
		to[k] = s->added + added;
		added += input_floats(s, g, k);
	}
	segment_backward(s, g, slot, from,
	    g->keeps_out ? stashed(s, index, slot) : NULL, gradient_out, to);
	for (k = 0; k < g->input_count; k++) {
		if (to[k] == gradient[k])
			continue;
		floats = input_floats(s, g, k);
		s->kernels->add(floats / (size_t)s->plan.lanes, gradient[k],
		    to[k], gradient[k]);
	}
}

/* Runs from the last segment to the first.  The model's first stage makes no
   gradient of its input. */
void
stage_backward(struct stage *s, int slot, const float *in, float *gradient_out,
    float *gradient_in)
{
	int i;

	assert(s->config.training && slot >= 0 && slot < s->config.depth);
	if (s->config.recompute)
		slot = 0;
	for (i = s->plan.segment_count - 1; i >= 0; i--) {
		const int from = s->plan.segments[i].gradient;

		segment_back(s, i, slot, in,
		    from == -1 ? gradient_out : s->between[from], gradient_in);
	}
}

/* Move state to the chip, update, move it back, a part at a time. */
static size_t
update_streamed(struct stage *s, const struct optimiser *o, long step,
    float scale, const struct trained *t)
{
	const int states = s->config.optimiser_states;
	const size_t end = t->first + t->count;
	size_t i, n, bytes, moved = 0;
	int k;

	for (i = t->first; i < end; i += n) {
		n = end - i;
		if (n > s->plan.stream_floats)
			n = s->plan.stream_floats;
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

static void
update_part(struct stage *s, const struct optimiser *o, long step, float scale,
    const struct trained *t)
{
	float *state[OPTIMISER_STATES_MAX];
	int k;

	for (k = 0; k < OPTIMISER_STATES_MAX; k++)
		state[k] = s->state[k] == NULL ? NULL : s->state[k] + t->first;
	optimiser_update(o, step, t->count, scale, s->gradients + t->first,
	    s->parameters + t->first, state);
}

/* Gradients are summed over micro-batches, so zero them after each update. */
size_t
stage_update(struct stage *s, const struct optimiser *o, long step, float scale)
{
	const struct trained *t = s->plan.trained;
	size_t moved = 0;
	int i;

	assert(optimiser_states(o) == s->config.optimiser_states);
	for (i = 0; i < s->plan.trained_count; i++, t++) {
		if (s->config.offload_optimiser)
			moved += update_streamed(s, o, step, scale, t);
		else
			update_part(s, o, step, scale, t);
	}
	memset(s->gradients, 0, s->plan.parameter_count * sizeof(float));
	return moved;
}
