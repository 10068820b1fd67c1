/*
 * The cycles of a stage's parts; cycles.c puts them in order.  First the
 * formulas of ipubox-device(7), then the layers of our own models, then the
 * operations of an outline.
 */
#include "ipu/engine/model/operation_cost.h"

#include <math.h>

/* Return whole cycles: at 24 bytes per cycle, 25 bytes take two. */
static int64_t
transfer(size_t bytes, double rate)
{
	return (int64_t)ceil((double)bytes / rate);
}

/*
 * Return the cycles of arithmetic on all tiles, of the exchange for it, and of
 * starting the compute sets.
 *
 * The tutorial's first convolution forward, 8 samples: 2 x 5,760 x 25 x 8 =
 * 2,304,000 flop over 1,472 tiles x 32 x 0.2 are 245 cycles; 210,448 bytes over
 * 1,472 x 4 are 36; 3 compute sets of 200 are 600: about 880.
 */
static double
compute(const struct cycles_target *t, const struct operation_cost *c)
{
	if (c->compute_sets == 0)
		return 0;
	return c->flops / (t->tiles * t->flops_per_cycle * c->efficiency) +
	    (double)c->exchange_bytes / (t->tiles * t->exchange_bytes) +
	    c->compute_sets * t->start_cycles;
}

/* Bytes of a micro-batch at the ends of a stage. */
struct ends {
	size_t in, out;		/* of the stage */
	size_t labels, results; /* of the model's last stage */
};

/* Set the traffic with the host and with other stages. */
static void
set_ends(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage, const struct ends *ends)
{
	if (stage == 0)
		s->host_in_bytes = ends->in;
	if (stage == c->stages - 1) {
		s->labels_bytes = c->training ? ends->labels : 0;
		s->host_out_bytes = ends->results;
	} else {
		s->forward_bytes = ends->out;
	}
	if (c->training && stage > 0)
		s->backward_bytes = ends->in;
	s->host_in = transfer(s->host_in_bytes, t->host_bytes);
	s->labels_in = transfer(s->labels_bytes, t->host_bytes);
	s->host_out = transfer(s->host_out_bytes, t->host_bytes);
	s->send_forward = transfer(s->forward_bytes, t->link_bytes);
	s->send_backward = transfer(s->backward_bytes, t->link_bytes);
}

/*
 * Return the bytes of a ring over R replicas, which moves each gradient 2 (R -
 * 1) / R times through an IPU's links.
 *
 * Of the tutorial's 90,026 parameters with 4 replicas: 2 x 3/4 x 360,104 =
 * 540,156 bytes.  Source: Patarasuk and Yuan, Bandwidth optimal all-reduce
 * algorithms, 2009.
 */
static size_t
collective_bytes(const struct engine_config *c, size_t gradients)
{
	const double r = c->total_replicas;

	return r <= 1 ? 0 : (size_t)ceil(2 * (r - 1) / r * (double)gradients);
}

/* Set the update's cycles: arithmetic, streaming memory, and the sum of the
   gradients over the replicas. */
static void
set_update(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, const struct operation_cost *cost,
    size_t streamed, size_t gradients)
{
	s->streamed_bytes = streamed;
	s->update = (int64_t)ceil(compute(t, cost)) +
	    transfer(streamed, t->streaming_bytes);
	s->collective_bytes = collective_bytes(c, gradients);
	s->collective = transfer(s->collective_bytes, t->link_bytes);
}

static double
layer_cycles(const struct cycles_target *t, const struct layer *l,
    enum operation_phase phase, int micro_batch)
{
	const struct operation_cost c = operation_cost_layer(l, phase,
	    micro_batch);

	return compute(t, &c);
}

/* Add forward and backward of the layers. */
static void
add_layers(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, const struct stage_plan *p, int stage)
{
	const bool last = stage == c->stages - 1;
	double forward = 0, backward = 0, loss;
	struct operation_cost cost;
	int i;

	for (i = 0; i < p->layer_count; i++) {
		const struct layer *l = p->layers[i];

		forward += layer_cycles(t, l, OPERATION_FORWARD,
		    c->micro_batch);
		backward += layer_cycles(t, l, OPERATION_BACKWARD_WEIGHTS,
		    c->micro_batch);
		/* The gradient of the model's input is not needed. */
		if (stage > 0 || i > 0)
			backward += layer_cycles(t, l, OPERATION_BACKWARD_DATA,
			    c->micro_batch);
	}
	if (c->training && c->recompute && !last)
		s->recompute = (int64_t)ceil(forward);
	if (last) {
		const struct layer *end = p->layers[p->layer_count - 1];

		cost = operation_cost_loss(layer_shape_elements(end->out),
		    c->micro_batch, c->training);
		loss = compute(t, &cost);
		forward += loss;
	}
	s->forward = (int64_t)ceil(forward);
	if (c->training)
		s->backward = (int64_t)ceil(backward);
}

/* Off-chip state comes from streaming memory and goes back: twice its bytes. */
static void
add_update(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, size_t parameters)
{
	const struct operation_cost cost =
	    operation_cost_update(optimiser_states(&c->optimiser), parameters);
	const size_t state = (size_t)optimiser_states(&c->optimiser) *
	    parameters * sizeof(float);

	if (c->training && parameters > 0)
		set_update(s, c, t, &cost, c->offload_optimiser ? 2 * state : 0,
		    parameters * sizeof(float));
}

/* Count the bytes at both ends without the empty lanes of the host's
   kernels. */
static void
init_own(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage)
{
	struct ends ends;
	struct stage_plan p;
	int first, count;

	engine_config_stage_layers(c, stage, &first, &count);
	stage_plan(&p, c->model, first, count, c->micro_batch, 1);
	ends = (struct ends){ .in = p.segments[0].in_floats * sizeof(float),
		.out = p.segments[p.segment_count - 1].out_floats *
		    sizeof(float),
		.labels = (size_t)c->micro_batch };
	ends.results = ends.out + sizeof(float);
	add_layers(s, c, t, &p, stage);
	add_update(s, c, t, p.parameter_count);
	set_ends(s, c, t, stage, &ends);
}

double
cycles_stage_forward(const struct outline *o, const struct cycles_target *t,
    int ipu, const struct outline_operation *op)
{
	const struct operation_cost c = operation_cost_outline(o, ipu, op,
	    OPERATION_FORWARD);

	return compute(t, &c);
}

double
cycles_stage_backward(const struct outline *o, const struct cycles_target *t,
    int ipu, const struct outline_operation *op)
{
	const struct operation_cost data = operation_cost_outline(o, ipu, op,
	    OPERATION_BACKWARD_DATA);
	const struct operation_cost weights = operation_cost_outline(o, ipu, op,
	    OPERATION_BACKWARD_WEIGHTS);

	return compute(t, &data) + compute(t, &weights);
}

/* Bytes of a stage that can be in streaming memory. */
struct outline_bytes {
	size_t weights, gradients, state;
	size_t saved;	/* per micro-batch, including inputs */
	size_t trained; /* elements */
};

static struct outline_bytes
bytes_of(const struct outline *o, const struct outline_stage *s)
{
	struct outline_bytes b = { .saved = s->received_bytes };
	const struct outline_parameter *p;
	int i, k;

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
 * Add the off-chip bytes of each micro-batch as computing: weights come for
 * forward and for backward, the stash goes out after forward and comes back for
 * backward, gradients come for backward and go back.  The last stage has no
 * stash.
 */
static void
add_streaming(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, const struct outline_bytes *b, bool last)
{
	const size_t weights = o->weights_off_chip ? b->weights : 0;
	const size_t saved = o->activations_off_chip && !last ? b->saved : 0;
	const size_t gradients = o->accumulators_off_chip ?
	    2 * b->gradients :
	    0;
	const bool training = o->config.training;

	s->forward += transfer(weights + (training ? saved : 0),
	    t->streaming_bytes);
	if (training)
		s->backward += transfer(weights + saved + gradients,
		    t->streaming_bytes);
}

static void
outline_update(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, const struct outline_bytes *b)
{
	const struct operation_cost cost = operation_cost_update(o->states,
	    b->trained);
	size_t streamed = 0;

	if (!o->config.training || b->trained == 0)
		return;
	if (o->config.offload_optimiser)
		streamed += 2 * b->state;
	if (o->weights_off_chip)
		streamed += 2 * b->weights;
	if (o->accumulators_off_chip)
		streamed += 2 * b->gradients;
	set_update(s, &o->config, t, &cost, streamed, b->gradients);
}

static void
init_outline(struct cycles_stage *s, const struct outline *o,
    const struct cycles_target *t, int stage)
{
	const struct outline_stage *from = &o->stages[stage];
	const struct schedule_config sc = engine_config_schedule(&o->config);
	const int ipu = schedule_ipu(&sc, stage);
	const bool last = stage == o->stage_count - 1;
	const struct outline_bytes bytes = bytes_of(o, from);
	const struct ends ends = {
		.in = stage == 0 ? o->host_in_bytes : from->received_bytes,
		.out = from->sent_bytes,
		.labels = o->labels_bytes,
		.results = o->host_out_bytes,
	};
	double forward = 0, backward = 0;
	int i;

	for (i = 0; i < from->operation_count; i++) {
		forward += cycles_stage_forward(o, t, ipu,
		    &from->operations[i]);
		backward += cycles_stage_backward(o, t, ipu,
		    &from->operations[i]);
	}
	s->forward = (int64_t)ceil(forward);
	if (o->config.training && o->config.recompute && !last)
		s->recompute = s->forward;
	if (o->config.training)
		s->backward = (int64_t)ceil(backward);
	add_streaming(s, o, t, &bytes, last);
	outline_update(s, o, t, &bytes);
	set_ends(s, &o->config, t, stage, &ends);
}

void
cycles_stage_init(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage)
{
	*s = (struct cycles_stage){ 0 };
	if (c->outline != NULL)
		init_outline(s, c->outline, t, stage);
	else
		init_own(s, c, t, stage);
}
