/*
 * Reads stages, their operations and their parameters, each by a table of
 * members, and fills in omitted values.
 */
#include "ipu/engine/outline/outline_fields.h"

#include "core/base/alloc.h"

#define FLOPS_MAX 1e18

/* A number that is not given. */
static const size_t not_given = (size_t)-1;

/* Limit per model, also of parameters. */
enum { OPERATIONS_MAX = 65536 };

struct stage_values {
	int ipu;
	size_t received_bytes, sent_bytes;
	yyjson_val *blocks, *operations;
};

#define STAGE(member) offsetof(struct stage_values, member)

static const struct outline_field stage_fields[] = {
	{ "ipu", OUTLINE_INT, true, STAGE(ipu), 0, SCHEDULE_IPUS_MAX - 1,
	    NULL },
	{ "blocks", OUTLINE_LIST, false, STAGE(blocks), 0, 0, NULL },
	{ "received_bytes", OUTLINE_BYTES, false, STAGE(received_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "sent_bytes", OUTLINE_BYTES, false, STAGE(sent_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "operations", OUTLINE_LIST, true, STAGE(operations), 0, 0, NULL },
	{ 0 },
};

struct operation_values {
	struct outline_operation op;
	bool leaves;
	yyjson_val *parameters;
};

#define OPERATION(member) offsetof(struct operation_values, member)

static const struct outline_field operation_fields[] = {
	{ "name", OUTLINE_LINE, true, OPERATION(op.name), 0, 0, NULL },
	{ "op", OUTLINE_LINE, true, OPERATION(op.op), 0, 0, NULL },
	{ "class", OUTLINE_CHOICE, false, OPERATION(op.class), 0, 0,
	    operation_class_words },
	{ "forward_flops", OUTLINE_REAL, false, OPERATION(op.forward_flops), 0,
	    FLOPS_MAX, NULL },
	{ "backward_flops", OUTLINE_REAL, false, OPERATION(op.backward_flops),
	    0, FLOPS_MAX, NULL },
	{ "input_bytes", OUTLINE_BYTES, false, OPERATION(op.input_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "output_bytes", OUTLINE_BYTES, false, OPERATION(op.output_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "saved_bytes", OUTLINE_BYTES, false, OPERATION(op.saved_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "live_bytes", OUTLINE_BYTES, false, OPERATION(op.live_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "leaves", OUTLINE_BOOL, false, OPERATION(leaves), 0, 0, NULL },
	{ "parameters", OUTLINE_LIST, false, OPERATION(parameters), 0, 0,
	    NULL },
	{ 0 },
};

struct parameter_values {
	struct outline_parameter p;
	bool trained;
};

#define PARAMETER(member) offsetof(struct parameter_values, member)

static const struct outline_field parameter_fields[] = {
	{ "name", OUTLINE_LINE, true, PARAMETER(p.name), 0, 0, NULL },
	{ "elements", OUTLINE_BYTES, true, PARAMETER(p.elements), 0,
	    OUTLINE_STAGES_BYTES_MAX / 8, NULL },
	{ "bytes", OUTLINE_BYTES, false, PARAMETER(p.bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "trained", OUTLINE_BOOL, false, PARAMETER(trained), 0, 0, NULL },
	{ "gradient_bytes", OUTLINE_BYTES, false, PARAMETER(p.gradient_bytes),
	    0, OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "state_bytes", OUTLINE_BYTES, false, PARAMETER(p.state_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ 0 },
};

/* The numbers read so far, in all stages. */
struct stages_reader {
	struct outline *o;
	size_t operations, parameters;
};

static int
count_more(size_t *count, size_t more, const char *what,
    const struct outline_place *at, struct error *e)
{
	*count += more;
	if (*count > OPERATIONS_MAX)
		return error_set(e, "%s: the model has more than %d %s",
		    at->text, OPERATIONS_MAX, what);
	return 0;
}

/* Read a parameter.  By default it is float32, and its gradient and each state
   are as large. */
static int
read_parameter(yyjson_val *from, const struct outline_place *at,
    struct outline_parameter *p, struct error *e)
{
	struct parameter_values v = { .p = { .bytes = not_given,
					  .gradient_bytes = not_given,
					  .state_bytes = not_given },
		.trained = true };

	if (outline_fields_read(from, at, parameter_fields, &v, e) != 0)
		return -1;
	if (v.p.bytes == not_given)
		v.p.bytes = 4 * v.p.elements;
	if (v.p.gradient_bytes == not_given || !v.trained)
		v.p.gradient_bytes = v.trained ? v.p.bytes : 0;
	if (v.p.state_bytes == not_given || !v.trained)
		v.p.state_bytes = v.trained ? v.p.bytes : 0;
	*p = v.p;
	return 0;
}

static int
read_parameters(struct stages_reader *r, yyjson_val *list,
    const struct outline_place *at, struct outline_operation *op,
    struct error *e)
{
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *from;

	if (yyjson_arr_size(list) == 0)
		return 0;
	if (count_more(&r->parameters, yyjson_arr_size(list), "parameters", at,
		e) != 0)
		return -1;
	op->parameters = xcalloc(yyjson_arr_size(list),
	    sizeof(*op->parameters));
	(void)yyjson_arr_iter_init(list, &iter);
	while ((from = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(at, "parameters",
		    (size_t)op->parameter_count);
		if (read_parameter(from, &place,
			&op->parameters[op->parameter_count++], e) != 0)
			return -1;
	}
	return 0;
}

/* Read an operation.  Its inputs and outputs are live while it computes, except
   an output that leaves the stage, which is counted there.  A view has
   neither. */
static int
read_operation(struct stages_reader *r, yyjson_val *from,
    const struct outline_place *at, struct outline_operation *op,
    struct error *e)
{
	struct operation_values v = { .op = { .class = -1,
					  .backward_flops = -1,
					  .live_bytes = not_given } };

	if (outline_fields_read(from, at, operation_fields, &v, e) != 0)
		return -1;
	if (v.op.class == -1)
		v.op.class = (int)operation_class_of(v.op.op);
	if (v.op.live_bytes == not_given)
		v.op.live_bytes = v.op.class == OPERATION_VIEW ?
		    0 :
		    v.op.input_bytes + (v.leaves ? 0 : v.op.output_bytes);
	*op = v.op;
	return read_parameters(r, v.parameters, at, op, e);
}

static int
read_blocks(yyjson_val *list, const struct outline_place *at,
    struct outline_stage *s, struct error *e)
{
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *from;

	if (yyjson_arr_size(list) == 0)
		return 0;
	s->blocks = xcalloc(yyjson_arr_size(list), sizeof(*s->blocks));
	(void)yyjson_arr_iter_init(list, &iter);
	while ((from = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(at, "blocks",
		    (size_t)s->block_count);
		s->blocks[s->block_count] = outline_fields_line(from, &place,
		    e);
		if (s->blocks[s->block_count++] == NULL)
			return -1;
	}
	return 0;
}

static int
read_operations(struct stages_reader *r, yyjson_val *list,
    const struct outline_place *at, struct outline_stage *s, struct error *e)
{
	const size_t count = yyjson_arr_size(list);
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *from;

	if (count == 0)
		return error_set(e, "%s: has no operation", at->text);
	if (count_more(&r->operations, count, "operations", at, e) != 0)
		return -1;
	s->operations = xcalloc(count, sizeof(*s->operations));
	(void)yyjson_arr_iter_init(list, &iter);
	while ((from = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(at, "operations",
		    (size_t)s->operation_count);
		if (read_operation(r, from, &place,
			&s->operations[s->operation_count++], e) != 0)
			return -1;
	}
	return 0;
}

/* Read a stage.  Its input is the previous stage's output, or for the first the
   host's. */
static int
read_stage(struct stages_reader *r, yyjson_val *from, int number, bool last,
    struct error *e)
{
	const struct outline_place root = { "" };
	const struct outline_place at = outline_fields_element(&root, "stages",
	    (size_t)number);
	struct outline *o = r->o;
	struct outline_stage *s = &o->stages[number];
	struct stage_values v = {
		.received_bytes = number == 0 ?
		    o->host_in_bytes :
		    o->stages[number - 1].sent_bytes,
		.sent_bytes = last ? o->host_out_bytes : 0,
	};

	if (outline_fields_read(from, &at, stage_fields, &v, e) != 0)
		return -1;
	s->ipu = v.ipu;
	s->received_bytes = v.received_bytes;
	s->sent_bytes = v.sent_bytes;
	if (read_blocks(v.blocks, &at, s, e) != 0)
		return -1;
	return read_operations(r, v.operations, &at, s, e);
}

int
outline_stages_read(struct outline *o, yyjson_val *stages, struct error *e)
{
	struct stages_reader r = { .o = o };
	const size_t count = yyjson_arr_size(stages);
	yyjson_arr_iter iter;
	yyjson_val *from;
	int i;

	if (count == 0 || count > SCHEDULE_STAGES_MAX)
		return error_set(e, "stages: must be 1 to %d, but are %zu",
		    SCHEDULE_STAGES_MAX, count);
	o->stages = xcalloc(count, sizeof(*o->stages));
	o->stage_count = (int)count;
	(void)yyjson_arr_iter_init(stages, &iter);
	for (i = 0; (from = yyjson_arr_iter_next(&iter)) != NULL; i++)
		if (read_stage(&r, from, i, i + 1 == (int)count, e) != 0)
			return -1;
	return 0;
}

/* A byte over the slowest link takes less time than 64 flop. */
double
outline_stages_work(const struct outline *o)
{
	double flops = 0,
	       bytes = (double)o->host_in_bytes + (double)o->labels_bytes +
	    (double)o->host_out_bytes;
	int s, i, k;

	for (s = 0; s < o->stage_count; s++) {
		const struct outline_stage *g = &o->stages[s];

		bytes += (double)g->received_bytes + (double)g->sent_bytes;
		for (i = 0; i < g->operation_count; i++) {
			const struct outline_operation *op = &g->operations[i];

			flops += op->forward_flops + op->backward_flops;
			bytes += (double)op->input_bytes +
			    (double)op->output_bytes + (double)op->saved_bytes;
			for (k = 0; k < op->parameter_count; k++)
				bytes += (double)op->parameters[k].bytes +
				    (double)op->parameters[k].gradient_bytes +
				    (double)op->parameters[k].state_bytes *
					o->states;
		}
	}
	return flops + 64 * bytes;
}
