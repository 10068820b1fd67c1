/*
 * What the parts of a stage take, worked out from its layers; cycles.c puts
 * them in order.
 */
#include "ipu/engine/model/operation_cost.h"

#include <math.h>

#include "ipu/nn/nn.h"

static double
layer_cycles(const struct cycles_target *t, const struct layer *l,
    enum operation_phase phase, int micro_batch)
{
	const struct operation_cost	c = layer_cost(l, phase, micro_batch);

	return cycles_parts_compute(t, &c);
}

/* Forward and backward of the layers, in cycles. */
static void
add_layers(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, const struct stage_plan *p, int stage)
{
	const bool	last = stage == c->stages - 1;
	double		forward = 0, backward = 0, loss;
	struct operation_cost cost;
	int		i;

	for (i = 0; i < p->layer_count; i++) {
		const struct layer	*l = p->layers[i];

		forward += layer_cycles(t, l, OPERATION_FORWARD,
		    c->micro_batch);
		backward += layer_cycles(t, l, OPERATION_BACKWARD_WEIGHTS,
		    c->micro_batch);
		/* The model's first layer has nobody to give it to. */
		if (stage > 0 || i > 0)
			backward += layer_cycles(t, l,
			    OPERATION_BACKWARD_DATA, c->micro_batch);
	}
	if (c->training && c->recompute && !last)
		s->recompute = (int64_t)ceil(forward);
	if (last) {
		const struct layer	*end = p->layers[p->layer_count - 1];

		cost = layer_cost_loss(model_shape_elements(end->out),
		    c->micro_batch, c->training);
		loss = cycles_parts_compute(t, &cost);
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
	const struct operation_cost	cost = layer_cost_update(&c->optimiser,
	    parameters);
	const size_t	state = (size_t)optimiser_states(&c->optimiser) *
	    parameters * sizeof(float);

	if (c->training && parameters > 0)
		cycles_parts_update(s, c, t, &cost,
		    c->offload_optimiser ? 2 * state : 0,
		    parameters * sizeof(float));
}

/*
 * Bytes at each end of the stage, without lanes that the host's kernels leave
 * empty.
 */
void
cycles_stage_init(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage)
{
	struct cycles_ends	ends;
	struct stage_plan	p;
	int			first, count;

	*s = (struct cycles_stage){ 0 };
	engine_config_stage_layers(c, stage, &first, &count);
	stage_plan(&p, c->model, first, count, c->micro_batch, 1);
	ends = (struct cycles_ends){
		.in = p.segments[0].in_floats * sizeof(float),
		.out = p.segments[p.segment_count - 1].out_floats *
		    sizeof(float),
		.labels = (size_t)c->micro_batch
	};
	ends.results = ends.out + sizeof(float);
	add_layers(s, c, t, &p, stage);
	add_update(s, c, t, p.parameter_count);
	cycles_parts_ends(s, c, t, stage, &ends);
}
