/*
 * Rules of a stage's memory that hold for all models.
 */
#include "ipu/engine/model/memory_layout.h"

struct memory_stage
memory_stage(struct memory_layout *l, int stage)
{
	return (struct memory_stage){ .layout = l,
		.stage = stage,
		.ipu = schedule_ipu(&l->schedule, stage),
		.last = stage == l->c->stages - 1 };
}

/* Return the name of a state, PyTorch's if it has one. */
static const char *
state_name(int index, int states)
{
	static const char *const names[] = { "moment1", "moment2", "state3",
		"state4", "state5", "state6", "state7", "state8" };

	return states == 1 ? "momentum" : names[index & 7];
}

/* Count bytes in streaming memory instead of on the chip. */
static void
put_off_chip(const struct memory_stage *s, size_t bytes)
{
	s->layout->m->ipus[s->ipu].streaming += bytes;
}

/* An untrained parameter has a state of 0 bytes. */
void
memory_stage_add_parameter(const struct memory_stage *s,
    const struct memory_parameter *p)
{
	struct memory_layout *l = s->layout;
	const struct engine_config *c = l->c;
	const struct outline *o = c->outline;
	int i;

	if (o != NULL && o->weights_off_chip)
		put_off_chip(s, p->bytes);
	else
		memory_layout_add(l, s->ipu, MEMORY_WEIGHTS, 1, p->bytes, "%s",
		    p->name);
	if (!c->training)
		return;
	if (o != NULL && o->accumulators_off_chip)
		put_off_chip(s, p->gradient_bytes);
	else
		memory_layout_add(l, s->ipu, MEMORY_GRADIENTS, 1,
		    p->gradient_bytes, "%.52s/gradient", p->name);
	if (c->offload_optimiser) {
		put_off_chip(s, (size_t)p->states * p->state_bytes);
		return;
	}
	for (i = 0; i < p->states; i++)
		memory_layout_add(l, s->ipu, MEMORY_OPTIMISER, 1,
		    p->state_bytes, "%.52s/%s", p->name,
		    state_name(i, p->states));
}

/*
 * The last stage runs backward at once and has no stash; with recomputation the
 * stash has only the stage's input.  Of an off-loaded stash only the
 * micro-batch in progress is on the chip.
 *
 * With four stages pipelined, a stash of stage 0 has 7 copies, one of stage 2
 * has 3.
 */
void
memory_stage_add_kept(const struct memory_stage *s, bool inner, size_t bytes,
    const char *name)
{
	const struct engine_config *c = s->layout->c;
	const bool stash = c->training && !s->last && !(inner && c->recompute);
	const int depth = schedule_stash_depth(&s->layout->schedule, s->stage);

	if (stash && c->outline != NULL && c->outline->activations_off_chip) {
		put_off_chip(s, (size_t)depth * bytes);
		memory_layout_add(s->layout, s->ipu, MEMORY_ACTIVATIONS, 1,
		    bytes, "%s", name);
		return;
	}
	memory_layout_add(s->layout, s->ipu,
	    stash ? MEMORY_STASH : MEMORY_ACTIVATIONS, stash ? depth : 1, bytes,
	    "%s", name);
}

/* A tensor that moves to another IPU is on both: an input is received in the
   stash, all others in a buffer.  Between stages of one IPU the tensors are not
   copied. */
void
memory_stage_add_ends(const struct memory_stage *s, const char *first,
    size_t in, const char *end, size_t out)
{
	struct memory_layout *l = s->layout;
	const bool before = s->stage > 0 &&
	    schedule_ipu(&l->schedule, s->stage - 1) != s->ipu;
	const bool sends = !s->last &&
	    schedule_ipu(&l->schedule, s->stage + 1) != s->ipu;
	const enum memory_kind kind = sends ?
	    MEMORY_EXCHANGE :
	    MEMORY_ACTIVATIONS;

	memory_layout_add(l, s->ipu, kind, 1, out, "%s/output", end);
	if (!l->c->training)
		return;
	memory_layout_add(l, s->ipu, kind, 1, out, "%s/output/gradient", end);
	if (s->stage > 0)
		memory_layout_add(l, s->ipu,
		    before ? MEMORY_EXCHANGE : MEMORY_ACTIVATIONS, 1, in,
		    "%s/input/gradient", first);
}

void
memory_stage_add_streams(const struct memory_stage *s, size_t in, size_t labels,
    size_t results, size_t state)
{
	struct memory_layout *l = s->layout;
	const struct engine_config *c = l->c;

	if (s->stage == 0)
		memory_layout_add(l, s->ipu, MEMORY_STREAMS, 1, in,
		    "stream/input");
	if (s->last && c->training)
		memory_layout_add(l, s->ipu, MEMORY_STREAMS, 1, labels,
		    "stream/labels");
	if (s->last)
		memory_layout_add(l, s->ipu, MEMORY_STREAMS, 1, results,
		    "stream/results");
	if (s->last && c->output_mode == OUTPUT_SUM)
		memory_layout_add(l, s->ipu, MEMORY_STREAMS, 1, results,
		    "stream/results/sum");
	if (c->training && c->offload_optimiser)
		memory_layout_add(l, s->ipu, MEMORY_STREAMS, 1, state,
		    "stage%d/stream/optimiser", s->stage);
}
