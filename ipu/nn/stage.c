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

/* Allocate the memory that only training needs. */
static void
make_training_memory(struct stage *s)
{
	int i;

	s->gradients = alloc_floats(s->plan.parameter_count);
	for (i = 0; i < 2; i++)
		s->between[i] = alloc_floats(s->plan.between_floats);
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
	if (config->recompute)
		s->recomputed = alloc_floats(stage_out_floats(s));
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
	free(s->between[0]);
	free(s->between[1]);
	free(s->recomputed);
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

/* Return the input of a segment after the first. */
static float *
stashed(const struct stage *s, int segment, int slot)
{
	return s->stash + (size_t)slot * s->plan.stash_floats +
	    s->plan.segments[segment].stash;
}

/*
 *	in -> segment 0 -> stash 1 -> segment 1 -> stash 2 -> ... -> out
 *
 * Each segment writes its output into the next one's place in the stash.
 */
void
stage_forward(struct stage *s, int slot, const float *in, float *out)
{
	const int last = s->plan.segment_count - 1;
	const float *from = in;
	float *to;
	int i;

	assert(slot >= 0 && slot < s->config.depth);
	if (s->config.recompute)
		slot = 0;
	for (i = 0; i <= last; i++) {
		to = i == last ? out : stashed(s, i + 1, slot);
		segment_forward(s, &s->plan.segments[i], slot, from, to);
		from = to;
	}
}

/* Runs forward again for backward's data; drops the output. */
void
stage_recompute(struct stage *s, const float *in)
{
	assert(s->config.recompute);
	stage_forward(s, 0, in, s->recomputed);
}

/* Runs from the last segment to the first; the gradient between two of them
   alternates between two buffers.  The model's first stage makes no gradient of
   its input. */
void
stage_backward(struct stage *s, int slot, const float *in, float *gradient_out,
    float *gradient_in)
{
	float *from = gradient_out, *to;
	int i;

	assert(s->config.training && slot >= 0 && slot < s->config.depth);
	if (s->config.recompute)
		slot = 0;
	for (i = s->plan.segment_count - 1; i >= 0; i--) {
		to = i > 0		     ? s->between[i % 2] :
		    s->config.input_gradient ? gradient_in :
					       NULL;
		segment_backward(s, &s->plan.segments[i], slot,
		    i > 0 ? stashed(s, i, slot) : in, from, to);
		from = to;
	}
}

/* Move state to the chip, update, move it back, a part at a time. */
static size_t
update_streamed(struct stage *s, const struct optimiser *o, long step,
    float scale)
{
	const int states = s->config.optimiser_states;
	size_t i, n, bytes, moved = 0;
	int k;

	for (i = 0; i < s->plan.parameter_count; i += n) {
		n = s->plan.parameter_count - i;
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

/* Gradients are summed over micro-batches, so zero them after each update. */
size_t
stage_update(struct stage *s, const struct optimiser *o, long step, float scale)
{
	size_t moved = 0;

	assert(optimiser_states(o) == s->config.optimiser_states);
	if (s->config.offload_optimiser)
		moved = update_streamed(s, o, step, scale);
	else
		optimiser_update(o, step, s->plan.parameter_count, scale,
		    s->gradients, s->parameters, s->state);
	memset(s->gradients, 0, s->plan.parameter_count * sizeof(float));
	return moved;
}
