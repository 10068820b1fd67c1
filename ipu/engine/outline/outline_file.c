/*
 * Reads the document of an outline by tables of members, then checks it as a
 * whole.  outline_stages.c reads the stages, outline_host.c the measurements.
 */
#include "ipu/engine/outline/outline_file.h"

#include <string.h>

#include "core/base/parse.h"
#include "core/job/job.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/outline/outline_fields.h"

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
