/*
 * Reads the document of an outline by tables of members, then checks it as a
 * whole; omitted values are filled in.  outline_host.c reads the measurements.
 */
#include "ipu/engine/outline/outline_file.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/job/job.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/outline/outline_fields.h"

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

/* Read the stages into the outline, which must have its other members.  -1:
   refused; the outline owns the part read so far. */
static int
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

/* Return an upper limit of a micro-batch's work, forward and backward, in flop;
   a byte counts as 64: over the slowest link it takes less time than that. */
static double
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

enum {
	COUNT_MAX = 1000000, /* as in a model file */
	SAMPLES_MAX = 1000000000,
	LOCAL_REPLICAS_MAX = 1024,
	STATES_MAX = 8,
	FORMAT = 1 /* the member "outline" */
};
#define IPU_BYTES_MAX 1099511627776.0 /* 1 TiB */
/* Limit per call: its cycles still fit an int64_t. */
#define WORK_MAX 1e21

/* PopTorch's phases run in sequence, like shards. */
static const char *const outline_strategies[] = { "pipelined", "interleaved",
	"sharded", "one-ipu", "phased", NULL };

/* Members not yet moved to the outline. */
struct outline_document {
	struct outline o;
	int format, strategy, mode, ipus;
	int replicas, local_replicas, first_replica;
	yyjson_val *optimiser, *off_chip, *proportions, *stages, *host;
};

#define AT(member) offsetof(struct outline_document, member)

static const struct outline_field outline_members[] = {
	{ "outline", OUTLINE_INT, true, AT(format), 1, 1000, NULL },
	{ "name", OUTLINE_LINE, true, AT(o.name), 0, 0, NULL },
	{ "model", OUTLINE_LINE, false, AT(o.model), 0, 0, NULL },
	{ "program", OUTLINE_LINE, false, AT(o.program), 0, 0, NULL },
	{ "command", OUTLINE_TEXT, false, AT(o.command), 0, 0, NULL },
	{ "device", OUTLINE_LINE, false, AT(o.device), 0, 0, NULL },
	{ "interrupted", OUTLINE_LINE, false, AT(o.interrupted), 0, 0, NULL },
	{ "instance", OUTLINE_INT, false, AT(o.instance), 0, REPLICAS_MAX,
	    NULL },
	{ "training", OUTLINE_BOOL, true, AT(o.config.training), 0, 0, NULL },
	{ "strategy", OUTLINE_CHOICE, true, AT(strategy), 0, 0,
	    outline_strategies },
	{ "recompute", OUTLINE_BOOL, false, AT(o.config.recompute), 0, 0,
	    NULL },
	{ "micro_batch", OUTLINE_INT, true, AT(o.config.micro_batch), 1,
	    SAMPLES_MAX, NULL },
	{ "gradient_accumulation", OUTLINE_INT, false,
	    AT(o.config.gradient_accumulation), 1, COUNT_MAX, NULL },
	{ "device_iterations", OUTLINE_INT, false,
	    AT(o.config.device_iterations), 1, COUNT_MAX, NULL },
	{ "replicas", OUTLINE_INT, false, AT(replicas), 1, REPLICAS_MAX, NULL },
	{ "local_replicas", OUTLINE_INT, false, AT(local_replicas), 1,
	    LOCAL_REPLICAS_MAX, NULL },
	{ "first_replica", OUTLINE_INT, false, AT(first_replica), 0,
	    REPLICAS_MAX - 1, NULL },
	{ "ipus", OUTLINE_INT, false, AT(ipus), 1, SCHEDULE_IPUS_MAX, NULL },
	{ "clock_mhz", OUTLINE_REAL, false, AT(o.clock_mhz), 100, 10000, NULL },
	{ "ipu_bytes", OUTLINE_BYTES, false, AT(o.ipu_bytes), TILE_COUNT,
	    IPU_BYTES_MAX, NULL },
	{ "output_mode", OUTLINE_CHOICE, false, AT(mode), 0, 0,
	    model_file_output_mode_words },
	{ "output_return_period", OUTLINE_INT, false,
	    AT(o.config.output_return_period), 1, COUNT_MAX, NULL },
	{ "optimiser", OUTLINE_OBJECT, false, AT(optimiser), 0, 0, NULL },
	{ "off_chip", OUTLINE_OBJECT, false, AT(off_chip), 0, 0, NULL },
	{ "available_memory_proportion", OUTLINE_LIST, false, AT(proportions),
	    0, 0, NULL },
	{ "host_in_bytes", OUTLINE_BYTES, false, AT(o.host_in_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "labels_bytes", OUTLINE_BYTES, false, AT(o.labels_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "host_out_bytes", OUTLINE_BYTES, false, AT(o.host_out_bytes), 0,
	    OUTLINE_STAGES_BYTES_MAX, NULL },
	{ "stages", OUTLINE_LIST, true, AT(stages), 0, 0, NULL },
	{ "host", OUTLINE_OBJECT, false, AT(host), 0, 0, NULL },
	{ 0 },
};

static const struct outline_field outline_optimiser[] = {
	{ "name", OUTLINE_LINE, false, AT(o.optimiser), 0, 0, NULL },
	{ "states", OUTLINE_INT, true, AT(o.states), 0, STATES_MAX, NULL },
	{ 0 },
};

static const struct outline_field outline_off_chip[] = {
	{ "weights", OUTLINE_BOOL, false, AT(o.weights_off_chip), 0, 0, NULL },
	{ "activations", OUTLINE_BOOL, false, AT(o.activations_off_chip), 0, 0,
	    NULL },
	{ "accumulators", OUTLINE_BOOL, false, AT(o.accumulators_off_chip), 0,
	    0, NULL },
	{ "optimiser", OUTLINE_BOOL, false, AT(o.config.offload_optimiser), 0,
	    0, NULL },
	{ 0 },
};

static int
read_proportions(struct outline_document *d, struct error *e)
{
	const struct outline_place root = { "" };
	struct outline_place place;
	yyjson_arr_iter iter;
	yyjson_val *v;
	size_t i = 0;
	double n;

	if (yyjson_arr_size(d->proportions) > SCHEDULE_IPUS_MAX)
		return error_set(e,
		    "available_memory_proportion: must have at most %d IPUs",
		    SCHEDULE_IPUS_MAX);
	(void)yyjson_arr_iter_init(d->proportions, &iter);
	while ((v = yyjson_arr_iter_next(&iter)) != NULL) {
		place = outline_fields_element(&root,
		    "available_memory_proportion", i);
		n = yyjson_get_num(v);
		if (!yyjson_is_null(v) &&
		    (!yyjson_is_num(v) || !(n > 0 && n <= 1)))
			return error_set(e,
			    "%s: must be null or a number above 0, at most 1",
			    place.text);
		d->o.proportions[i++] = n;
	}
	return 0;
}

/* Set defaults and derived values. */
static int
set_defaults(struct outline_document *d, struct error *e)
{
	struct engine_config *c = &d->o.config;

	if (d->format != FORMAT)
		return error_set(e,
		    "outline: this ipubox reads format %d, not %d", FORMAT,
		    d->format);
	if (name_check("outline", d->o.name, e) != 0)
		return -1;
	if (d->o.model == NULL)
		d->o.model = d->o.name;
	c->strategy = d->strategy > STRATEGY_ONE_IPU ?
	    STRATEGY_SHARDED :
	    (enum strategy)d->strategy;
	c->output_mode = d->mode >= 0 ? (enum output_mode)d->mode :
	    c->training		      ? OUTPUT_FINAL :
					OUTPUT_ALL;
	c->total_replicas = d->replicas;
	c->first_replica = d->first_replica;
	c->local_replicas = d->local_replicas > 0 ?
	    d->local_replicas :
	    d->replicas - d->first_replica;
	if (c->local_replicas < 1 || c->local_replicas > LOCAL_REPLICAS_MAX ||
	    c->first_replica + c->local_replicas > c->total_replicas)
		return error_set(e,
		    "local_replicas: %d replicas from replica %d on are not "
		    "among %d, or are more than %d",
		    c->local_replicas, c->first_replica, c->total_replicas,
		    LOCAL_REPLICAS_MAX);
	if (!c->training && c->gradient_accumulation != 1)
		return error_set(e,
		    "gradient_accumulation: must be 1 in inference");
	return output_mode_check(c->output_mode, c->output_return_period,
	    c->gradient_accumulation * (long long)c->device_iterations >
		    COUNT_MAX ?
		COUNT_MAX :
		c->gradient_accumulation * c->device_iterations,
	    e);
}

/* Take the stages, all of which must be on the replica's IPUs. */
static int
take_stages(struct outline_document *d, struct error *e)
{
	struct outline *o = &d->o;
	struct engine_config *c = &o->config;
	int i, used = 1;

	for (i = 0; i < o->stage_count; i++) {
		c->stage_ipu[i] = o->stages[i].ipu;
		if (c->strategy != STRATEGY_ONE_IPU && c->stage_ipu[i] >= used)
			used = c->stage_ipu[i] + 1;
	}
	if (d->ipus > 0 && used > d->ipus)
		return error_set(e,
		    "stages: they are on %d IPUs, but 'ipus' is %d", used,
		    d->ipus);
	c->stages = o->stage_count;
	c->replica_ipus = d->ipus > 0 ? d->ipus : used;
	return 0;
}

/* Check the size of the schedule's table before it is allocated. */
static int
outline_check_schedule(const struct outline *o, struct error *e)
{
	const struct schedule_config config =
	    engine_config_schedule(&o->config);
	const double calls = (double)config.micro_batches *
	    (o->config.training ? o->config.device_iterations : 1);
	struct schedule schedule;
	int status;

	if ((double)config.micro_batches * config.stages * 2 >
	    OUTLINE_FILE_STEPS_MAX)
		return error_set(e,
		    "%s: %d micro-batches in %d stages are more than %d steps",
		    o->config.training ? "gradient_accumulation" :
					 "device_iterations",
		    config.micro_batches, config.stages,
		    OUTLINE_FILE_STEPS_MAX);
	if (calls * o->config.micro_batch * o->config.total_replicas >
	    SAMPLES_MAX)
		return error_set(e,
		    "micro_batch: a call takes more than %d samples",
		    SAMPLES_MAX);
	if (outline_stages_work(o) * calls > WORK_MAX)
		return error_set(e,
		    "stages: the operations or bytes of a call are too many to "
		    "count");
	status = schedule_init(&schedule, &config, e);
	schedule_release(&schedule);
	return status;
}

static int
outline_read_document(struct outline_document *d, yyjson_val *root,
    struct error *e)
{
	const struct outline_place none = { "" };
	const struct outline_place optimiser = { "optimiser" };
	const struct outline_place off_chip = { "off_chip" };

	if (outline_fields_read(root, &none, outline_members, d, e) != 0 ||
	    set_defaults(d, e) != 0)
		return -1;
	if (d->optimiser != NULL &&
	    outline_fields_read(d->optimiser, &optimiser, outline_optimiser, d,
		e) != 0)
		return -1;
	if (d->off_chip != NULL &&
	    outline_fields_read(d->off_chip, &off_chip, outline_off_chip, d,
		e) != 0)
		return -1;
	if (d->proportions != NULL && read_proportions(d, e) != 0)
		return -1;
	if (outline_stages_read(&d->o, d->stages, e) != 0 ||
	    take_stages(d, e) != 0 || outline_check_schedule(&d->o, e) != 0)
		return -1;
	return d->host == NULL ? 0 : outline_host_read(&d->o, d->host, e);
}

/* Points the configuration at the outline last, when that has its final
   address. */
int
outline_file_parse(struct outline *o, const char *text, size_t size,
    struct error *e)
{
	struct outline_document d = {
		.o = { .program = "",
		    .command = "",
		    .device = "",
		    .clock_mhz = 1330,
		    .config = { .gradient_accumulation = 1,
			.device_iterations = 1,
			.output_return_period = 1 } },
		.mode = -1,
		.replicas = 1
	};
	yyjson_read_err why;
	int status;

	d.o.document = yyjson_read_opts((char *)(uintptr_t)text, size, 0, NULL,
	    &why);
	if (d.o.document == NULL)
		status = error_set(e,
		    "the document is not valid JSON: %s at byte %zu", why.msg,
		    why.pos);
	else
		status = outline_read_document(&d,
		    yyjson_doc_get_root(d.o.document), e);
	*o = d.o;
	o->config.outline = o;
	return status;
}
