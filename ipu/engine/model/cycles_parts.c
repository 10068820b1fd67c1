/*
 * What the parts of any stage take.
 */
#include "ipu/engine/model/operation_cost.h"

#include <math.h>

/* In whole cycles: at 24 bytes per cycle, 25 bytes take two. */
int64_t
cycles_parts_transfer(size_t bytes, double rate)
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
double
cycles_parts_compute(const struct cycles_target *t,
    const struct operation_cost *c)
{
	if (c->compute_sets == 0)
		return 0;
	return c->flops / (t->tiles * t->flops_per_cycle * c->efficiency) +
	    (double)c->exchange_bytes / (t->tiles * t->exchange_bytes) +
	    c->compute_sets * t->start_cycles;
}

void
cycles_parts_ends(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, int stage, const struct cycles_ends *ends)
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
	s->host_in = cycles_parts_transfer(s->host_in_bytes, t->host_bytes);
	s->labels_in = cycles_parts_transfer(s->labels_bytes, t->host_bytes);
	s->host_out = cycles_parts_transfer(s->host_out_bytes, t->host_bytes);
	s->send_forward = cycles_parts_transfer(s->forward_bytes,
	    t->link_bytes);
	s->send_backward = cycles_parts_transfer(s->backward_bytes,
	    t->link_bytes);
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
collective_bytes(const struct engine_config *c, size_t gradients)
{
	const double	r = c->total_replicas;

	return r <= 1 ? 0 :
	    (size_t)ceil(2 * (r - 1) / r * (double)gradients);
}

void
cycles_parts_update(struct cycles_stage *s, const struct engine_config *c,
    const struct cycles_target *t, const struct operation_cost *cost,
    size_t streamed, size_t gradients)
{
	s->streamed_bytes = streamed;
	s->update = (int64_t)ceil(cycles_parts_compute(t, cost)) +
	    cycles_parts_transfer(streamed, t->streaming_bytes);
	s->collective_bytes = collective_bytes(c, gradients);
	s->collective = cycles_parts_transfer(s->collective_bytes,
	    t->link_bytes);
}
