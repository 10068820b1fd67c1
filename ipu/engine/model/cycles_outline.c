/*
 * What the parts of an outline's stage take, operation by operation.
 */
#include "ipu/engine/model/cycles.h"

#include <math.h>

#include "ipu/engine/model/operation_cost.h"

double
cycles_outline_forward(const struct outline *o, const struct cycles_target *t,
    int ipu, const struct outline_operation *op)
{
	const struct operation_cost	c = operation_cost_outline(o, ipu, op,
	    OPERATION_FORWARD);

	return cycles_parts_compute(t, &c);
}

double
cycles_outline_backward(const struct outline *o,
    const struct cycles_target *t, int ipu, const struct outline_operation *op)
{
	const struct operation_cost	data = operation_cost_outline(o, ipu,
	    op, OPERATION_BACKWARD_DATA);
	const struct operation_cost	weights = operation_cost_outline(o,
	    ipu, op, OPERATION_BACKWARD_WEIGHTS);

	return cycles_parts_compute(t, &data) +
	    cycles_parts_compute(t, &weights);
}

/* Bytes of a stage that may be in streaming memory. */
struct outline_bytes {
	size_t	weights, gradients, state;
	size_t	saved;		/* of a micro-batch, inputs included */
	size_t	trained;	/* elements */
};

static struct outline_bytes
bytes_of(const struct outline *o, const struct outline_stage *s)
{
	struct outline_bytes	b = { .saved = s->received_bytes };
	const struct outline_parameter *p;
	int			i, k;

	for (i = 0; i < s->operation_count; i++) {
		if (!o->config.recompute)
			b.saved += s->operations[i].saved_bytes;
		for (k = 0; k < s->operations[i].parameter_count; k++) {
			p = &s->operations[i].parameters[k];
			b.weights += p->bytes;
			b.gradients += p->gradient_bytes;
			b.state += (size_t)o->states * p->state_bytes;
			if (p->gradient_bytes > 0)
				b.trained += p->elements;
		}
	}
	return b;
}

/*
 * What is off the chip comes and goes with each micro-batch, and is counted as
 * computing: weights come for forward and for backward, the stash goes behind
 * forward and comes before backward, gradients come for backward and go.  The
 * last stage has no stash.
 */
static void
add_streaming(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, const struct outline_bytes *b, bool last)
{
	const size_t	weights = o->weights_off_chip ? b->weights : 0;
	const size_t	saved = o->activations_off_chip && !last ?
	    b->saved : 0;
	const size_t	gradients = o->accumulators_off_chip ?
	    2 * b->gradients : 0;
	const bool	training = o->config.training;

	s->forward += cycles_parts_transfer(weights +
	    (training ? saved : 0), t->streaming_bytes);
	if (training)
		s->backward += cycles_parts_transfer(weights + saved +
		    gradients, t->streaming_bytes);
}

static void
outline_update(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, const struct outline_bytes *b)
{
	const struct operation_cost	cost = operation_cost_update(o->states,
	    b->trained);
	size_t	streamed = 0;

	if (!o->config.training || b->trained == 0)
		return;
	if (o->config.offload_optimiser)
		streamed += 2 * b->state;
	if (o->weights_off_chip)
		streamed += 2 * b->weights;
	if (o->accumulators_off_chip)
		streamed += 2 * b->gradients;
	cycles_parts_update(s, &o->config, t, &cost, streamed, b->gradients);
}

void
cycles_outline_init(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, int stage)
{
	const struct outline_stage	*from = &o->stages[stage];
	const struct schedule_config	 sc =
	    engine_config_schedule(&o->config);
	const int	ipu = schedule_ipu(&sc, stage);
	const bool	last = stage == o->stage_count - 1;
	const struct outline_bytes	 bytes = bytes_of(o, from);
	const struct cycles_ends	 ends = {
		.in = stage == 0 ? o->host_in_bytes : from->received_bytes,
		.out = from->sent_bytes,
		.labels = o->labels_bytes,
		.results = o->host_out_bytes
	};
	double		forward = 0, backward = 0;
	int		i;

	*s = (struct cycles_stage){ 0 };
	for (i = 0; i < from->operation_count; i++) {
		forward += cycles_outline_forward(o, t, ipu,
		    &from->operations[i]);
		backward += cycles_outline_backward(o, t, ipu,
		    &from->operations[i]);
	}
	s->forward = (int64_t)ceil(forward);
	if (o->config.training && o->config.recompute && !last)
		s->recompute = s->forward;
	if (o->config.training)
		s->backward = (int64_t)ceil(backward);
	add_streaming(s, o, t, &bytes, last);
	outline_update(s, o, t, &bytes);
	cycles_parts_ends(s, &o->config, t, stage, &ends);
}
