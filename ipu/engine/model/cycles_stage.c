/*
 * What the parts of a stage take, worked out from its layers; cycles.c puts
 * them in order.
 */
#include "ipu/engine/model/cycles_stage.h"

#include <math.h>

#include "ipu/engine/model/layer_cost.h"
#include "ipu/nn/stage_plan.h"

/* In whole cycles: at 24 bytes per cycle, 25 bytes take two. */
static int64_t
transfer(size_t bytes, double rate)
{
	return (int64_t)ceil((double)bytes / rate);
}

/*
 * Arithmetic on all tiles, exchange to get it there, starting it all.
 *
 * The tutorial's first convolution forward, 8 samples: 2 x 5,760 x 25 x 8 =
 * 2,304,000 flop over 1,472 tiles x 32 x 0.2 are 245 cycles; 210,448 bytes
 * over 1,472 x 4 are 36; 3 compute sets of 200 are 600: about 880.
 */
static double
cycles_stage_compute(const struct cycles_target *t, const struct layer_cost *c)
{
	if (c->compute_sets == 0)
		return 0;
	return c->flops / (t->tiles * t->flops_per_cycle * c->efficiency) +
	    (double)c->exchange_bytes / (t->tiles * t->exchange_bytes) +
	    c->compute_sets * t->start_cycles;
}

static double
layer_cycles(const struct cycles_target *t, const struct layer *l,
    enum layer_phase phase, int micro_batch)
{
	const struct layer_cost	c = layer_cost(l, phase, micro_batch);

	return cycles_stage_compute(t, &c);
}

/*
 * A ring over R replicas moves each gradient 2 (R - 1) / R times through an
 * IPU's links.
 *
 * Of the tutorial's 90,026 parameters with 4 replicas: 2 x 3/4 x 360,104 =
 * 540,156 bytes.  Source: Patarasuk and Yuan, Bandwidth optimal all-reduce
 * algorithms, 2009.
 */
static size_t
collective_bytes(const struct engine_config *c, size_t parameters)
{
	const double	r = c->total_replicas;

	return r <= 1 ? 0 : (size_t)ceil(2 * (r - 1) / r *
	    (double)parameters * sizeof(float));
}

/* Forward and backward of the layers, in cycles. */
static void
add_layers(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, const struct stage_plan *p, int stage)
{
	const bool	last = stage == c->stages - 1;
	double		forward = 0, backward = 0, loss;
	struct layer_cost cost;
	int		i;

	for (i = 0; i < p->layer_count; i++) {
		const struct layer	*l = p->layers[i];

		forward += layer_cycles(t, l, LAYER_FORWARD, c->micro_batch);
		backward += layer_cycles(t, l, LAYER_BACKWARD_WEIGHTS,
		    c->micro_batch);
		/* The model's first layer has nobody to give it to. */
		if (stage > 0 || i > 0)
			backward += layer_cycles(t, l, LAYER_BACKWARD_DATA,
			    c->micro_batch);
	}
	if (c->training && c->recompute && !last)
		s->recompute = (int64_t)ceil(forward);
	if (last) {
		const struct layer	*end = p->layers[p->layer_count - 1];

		cost = layer_cost_loss(model_shape_elements(end->out),
		    c->micro_batch, c->training);
		loss = cycles_stage_compute(t, &cost);
		forward += loss;
	}
	s->forward = (int64_t)ceil(forward);
	if (c->training)
		s->backward = (int64_t)ceil(backward);
}

/*
 * State that is off the chip comes from streaming memory and goes back: twice.
 */
static void
add_update(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, size_t parameters)
{
	const struct layer_cost	cost = layer_cost_update(&c->optimiser,
	    parameters);
	const size_t	state = (size_t)optimiser_states(&c->optimiser) *
	    parameters * sizeof(float);

	if (!c->training || parameters == 0)
		return;
	s->streamed_bytes = c->offload_optimiser ? 2 * state : 0;
	s->update = (int64_t)ceil(cycles_stage_compute(t, &cost)) +
	    transfer(s->streamed_bytes, t->streaming_bytes);
	s->collective_bytes = collective_bytes(c, parameters);
	s->collective = transfer(s->collective_bytes, t->link_bytes);
}

/*
 * Bytes at each end of the stage, without lanes that the host's kernels leave
 * empty.
 */
void
cycles_stage_init(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage)
{
	const bool	last = stage == c->stages - 1;
	struct stage_plan p;
	size_t		in, out;
	int		first, count;

	*s = (struct cycles_stage){ 0 };
	engine_config_stage_layers(c, stage, &first, &count);
	stage_plan(&p, c->model, first, count, c->micro_batch, 1);
	in = p.segments[0].in_floats * sizeof(float);
	out = p.segments[p.segment_count - 1].out_floats * sizeof(float);
	add_layers(s, c, t, &p, stage);
	add_update(s, c, t, p.parameter_count);
	if (stage == 0)
		s->host_in_bytes = in;
	if (last) {
		s->labels_bytes = c->training ? (size_t)c->micro_batch : 0;
		s->host_out_bytes = out + sizeof(float);
	} else {
		s->forward_bytes = out;
	}
	if (c->training && stage > 0)
		s->backward_bytes = in;
	s->host_in = transfer(s->host_in_bytes, t->host_bytes);
	s->labels_in = transfer(s->labels_bytes, t->host_bytes);
	s->host_out = transfer(s->host_out_bytes, t->host_bytes);
	s->send_forward = transfer(s->forward_bytes, t->link_bytes);
	s->send_backward = transfer(s->backward_bytes, t->link_bytes);
}
