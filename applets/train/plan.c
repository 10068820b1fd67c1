/*
 * From a model and options to what the engines are asked to do.
 */
#include <string.h>

#include "applets/train/session_internal.h"
#include "ipu/engine/schedule_view.h"

/*
 * The engine's configuration from the model file, as the command line has
 * changed it.
 */
static struct engine_config
training_config(const struct session *s)
{
	const struct model_file	*f = s->file;
	struct engine_config	 c = {
		.model = &f->model,
		.kernels = s->kernels,
		.stages = f->stages.count,
		.strategy = f->strategy,
		.training = true,
		.recompute = f->recompute,
		.output_mode = f->output_mode,
		.output_return_period = f->output_return_period,
		.micro_batch = f->batch_size,
		.gradient_accumulation = f->gradient_accumulation,
		.device_iterations = f->device_iterations,
		.local_replicas = s->popdist.num_local_replicas,
		.first_replica = s->popdist.replica_index_offset,
		.total_replicas = s->popdist.num_total_replicas,
		.optimiser = f->optimiser,
		.offload_optimiser = f->offload_optimiser,
		.mean = f->mean,
		.deviation = f->deviation,
		.trace = s->report.execution_profile,
		.attachment = &s->attachment
	};

	memcpy(c.stage_blocks, f->stages.blocks, sizeof(c.stage_blocks));
	memcpy(c.stage_ipu, f->stages.ipu, sizeof(c.stage_ipu));
	if (s->options->script && f->strategy == STRATEGY_SHARDED) {
		c.micro_batch *= c.gradient_accumulation;
		c.gradient_accumulation = 1;
	}
	return c;
}

/* One replica, and all results come back. */
static struct engine_config
inference_config(const struct session *s)
{
	const struct model_file	*f = s->file;
	struct engine_config	 c = training_config(s);

	c.training = false;
	c.recompute = false;
	c.output_mode = OUTPUT_ALL;
	c.micro_batch = f->test_batch_size;
	c.device_iterations = f->test_device_iterations > 0 ?
	    f->test_device_iterations :
	    f->device_iterations * f->gradient_accumulation;
	c.gradient_accumulation = 1;
	c.local_replicas = c.total_replicas = 1;
	return c;
}

/*
 * Both schedules are made once here, only to learn whether they can be:
 * PopTorch refuses a schedule before it compiles anything.
 */
int
plan_session(struct session *s, struct error *e)
{
	struct schedule_config	config;
	struct schedule		schedule;
	int			status;

	s->training = training_config(s);
	s->inference = inference_config(s);
	config = engine_config_schedule(&s->training);
	status = schedule_init(&schedule, &config, e);
	s->ipus = schedule.ipus;
	schedule_release(&schedule);
	/* PopTorch reserves a power of two of them. */
	if (status == 0 && s->training.strategy != STRATEGY_ONE_IPU)
		status = stages_ipus(&s->file->stages, false, &s->ipus, e);
	if (status != 0 || output_mode_check(s->training.output_mode,
	    s->training.output_return_period,
	    s->training.gradient_accumulation * s->training.device_iterations,
	    e) != 0)
		return -1;
	config = engine_config_schedule(&s->inference);
	status = schedule_init(&schedule, &config, e);
	schedule_release(&schedule);
	return status;
}

static void
dump_schedule(const struct engine_config *c, const char *name)
{
	struct schedule_config	config = engine_config_schedule(c);
	struct schedule		schedule;

	if (schedule_init(&schedule, &config, NULL) == 0) {
		printf("%s: %s, %d stages, %d micro-batches, %.1f %% used\n",
		    name, model_file_strategy_words[c->strategy], c->stages,
		    config.micro_batches,
		    100 * schedule_view_utilisation(&schedule, -1));
		schedule_view_print(&schedule, stdout);
	}
	schedule_release(&schedule);
}

void
plan_dump_schedules(const struct session *s)
{
	dump_schedule(&s->training, "training");
	putchar('\n');
	dump_schedule(&s->inference, "inference");
}
