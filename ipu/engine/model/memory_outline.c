/*
 * An outline's stage on its IPU.  Tensors come in the order of memory.c:
 * parameters, kept, live, the ends, the streams.
 */
#include "ipu/engine/model/memory_layout.h"

#include <stdio.h>
#include <string.h>

enum {
	UNKNOWN_NAMED = 64,	 /* operations, each once */
	STREAM_BYTES_MAX = 16384 /* buffer of off-loaded state: as in
				    ipu/nn/stage_plan.c */
};

/* Such as "layer1/fc1/saved". */
struct outline_name {
	char text[sizeof(((struct memory_tensor *)0)->name)];
};

/* Build a name; if it is too long, cut its middle, not its end. */
static struct outline_name
outline_name(const char *name, const char *what)
{
	struct outline_name n;

	(void)snprintf(n.text, sizeof(n.text), "%.40s/%s", name, what);
	return n;
}

static void
add_all_parameters(const struct memory_stage *s, const struct outline *o,
    const struct outline_stage *from)
{
	const struct outline_parameter *p;
	int i, k;

	for (i = 0; i < from->operation_count; i++) {
		for (k = 0; k < from->operations[i].parameter_count; k++) {
			p = &from->operations[i].parameters[k];
			memory_stage_add_parameter(s,
			    &(const struct memory_parameter){ p->name, p->bytes,
				p->gradient_bytes, p->state_bytes, o->states });
		}
	}
}

static void
add_all_kept(const struct memory_stage *s, const struct outline_stage *from)
{
	const struct outline_operation *op;
	int i;

	memory_stage_add_kept(s, false, from->received_bytes,
	    outline_name(from->operations[0].name, "input").text);
	for (i = 0; s->layout->c->training && i < from->operation_count; i++) {
		op = &from->operations[i];
		memory_stage_add_kept(s, true, op->saved_bytes,
		    outline_name(op->name, "saved").text);
	}
}

/* The largest needs of any single operation. */
struct outline_live {
	size_t working;	 /* inputs and outputs */
	size_t operands; /* of a product, rearranged */
	size_t weights;	 /* from streaming memory */
	size_t state;	 /* buffer of the optimiser */
};

static void
keep_larger(size_t *most, size_t bytes)
{
	if (bytes > *most)
		*most = bytes;
}

static struct outline_live
largest_of(const struct outline *o, const struct outline_stage *from, int ipu)
{
	const struct outline_operation *op;
	struct outline_live live = { 0 };
	int i, k, parts;

	for (i = 0; i < from->operation_count; i++) {
		op = &from->operations[i];
		keep_larger(&live.working, op->live_bytes);
		keep_larger(&live.operands,
		    operation_cost_operands(o, ipu, op, &parts));
		keep_larger(&live.weights, outline_operation_weights(op));
		for (k = 0; k < op->parameter_count; k++)
			live.state += op->parameters[k].state_bytes;
	}
	if (live.state > STREAM_BYTES_MAX)
		live.state = STREAM_BYTES_MAX;
	return live;
}

static void
add_all_code(const struct memory_stage *s, const struct outline *o,
    const struct outline_stage *from)
{
	struct memory_layout *l = s->layout;
	const int phases = l->c->training ? OPERATION_PHASES : 1;
	struct operation_cost cost;
	int i, phase;

	for (i = 0; i < from->operation_count; i++) {
		for (phase = 0; phase < phases; phase++) {
			cost = operation_cost_outline(o, s->ipu,
			    &from->operations[i], (enum operation_phase)phase);
			memory_layout_add_code(l, s->ipu,
			    (enum operation_phase)phase, &cost);
		}
	}
	memory_layout_add_copies(l, s->ipu, l->c->training ? 4 : 2);
}

void
memory_outline_add(struct memory_layout *l, const struct outline *o, int stage)
{
	const struct memory_stage s = memory_stage(l, stage);
	const struct outline_stage *from = &o->stages[stage];
	const struct outline_live live = largest_of(o, from, s.ipu);
	const char *end;

	end = from->operations[from->operation_count - 1].name;
	add_all_parameters(&s, o, from);
	add_all_kept(&s, from);
	memory_layout_add(l, s.ipu, MEMORY_ACTIVATIONS, 1, live.working,
	    "stage%d/working", stage);
	memory_layout_add(l, s.ipu, MEMORY_ACTIVATIONS, 1, live.operands,
	    "stage%d/operands", stage);
	memory_stage_add_ends(&s, from->operations[0].name,
	    from->received_bytes, end, from->sent_bytes);
	memory_stage_add_streams(&s, o->host_in_bytes, o->labels_bytes,
	    o->host_out_bytes, (size_t)o->states * live.state);
	if (o->weights_off_chip)
		memory_layout_add(l, s.ipu, MEMORY_STREAMS, 1, live.weights,
		    "stage%d/stream/weights", stage);
	if (l->c->training && o->accumulators_off_chip)
		memory_layout_add(l, s.ipu, MEMORY_STREAMS, 1, live.weights,
		    "stage%d/stream/accumulators", stage);
	add_all_code(&s, o, from);
}

/* An unknown kind of operation and its count. */
struct unknown {
	const char *op;
	int count;
};

/* Count the operation under its name, or in *rest if the list is full. */
static void
note_unknown(struct unknown *list, int *count, int *rest, const char *op)
{
	int i;

	for (i = 0; i < *count; i++) {
		if (strcmp(list[i].op, op) == 0) {
			list[i].count++;
			return;
		}
	}
	if (*count == UNKNOWN_NAMED)
		(*rest)++;
	else
		list[(*count)++] = (struct unknown){ op, 1 };
}

void
memory_outline_note(struct memory *m, const struct outline *o)
{
	struct unknown list[UNKNOWN_NAMED];
	int count = 0, rest = 0, s, i;

	for (s = 0; s < o->stage_count; s++)
		for (i = 0; i < o->stages[s].operation_count; i++)
			if (o->stages[s].operations[i].class ==
			    OPERATION_UNKNOWN)
				note_unknown(list, &count, &rest,
				    o->stages[s].operations[i].op);
	for (i = 0; i < count; i++)
		strvec_addf(&m->notes,
		    "unknown operation %s (%d time%s): it is costed as an "
		    "elementwise one",
		    list[i].op, list[i].count, list[i].count == 1 ? "" : "s");
	if (rest > 0)
		strvec_addf(&m->notes, "%d more unknown operations", rest);
}
