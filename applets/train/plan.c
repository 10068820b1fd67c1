/*
 * From a model and options to what the engines are asked to do.
 */
#include "applets/train/parts.h"

/* The stages of the model's file, else a stage a block. */
static void
place_stages(const struct model_file *f, struct engine_config *c)
{
	int	i;

	c->stages = f->stage_count;
	for (i = 0; i < f->stage_count; i++) {
		c->stage_blocks[i] = f->stages[i].block_count;
		c->stage_ipu[i] = f->stages[i].ipu;
	}
	if (f->stage_count > 0)
		return;
	c->stages = f->model.block_count;
	for (i = 0; i < c->stages; i++) {
		c->stage_blocks[i] = 1;
		c->stage_ipu[i] = i;
	}
}

static struct engine_config
training_config(const struct session *s)
{
	const struct model_file	*f = s->file;
	struct engine_config	 c = {
		.model = &f->model,
		.kernels = s->kernels,
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

	place_stages(f, &c);
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

static int
make_schedule(struct schedule *s, const struct engine_config *c,
    struct error *e)
{
	struct schedule_config	config = {
		.strategy = c->strategy,
		.stages = c->stages,
		.training = c->training,
		.micro_batches = c->training ? c->gradient_accumulation :
		    c->device_iterations,
		.stage_ipu = c->stage_ipu
	};

	return schedule_init(s, &config, e);
}

int
plan(struct session *s, struct error *e)
{
	struct schedule	schedule;
	int		status;

	s->training = training_config(s);
	s->inference = inference_config(s);
	status = make_schedule(&schedule, &s->training, e);
	s->ipus = schedule.ipus;
	schedule_release(&schedule);
	if (status == 0) {
		status = make_schedule(&schedule, &s->inference, e);
		schedule_release(&schedule);
	}
	return status;
}

/* A row an IPU: F0, B0 and so on, a blank column where it waits. */
static void
dump_schedule(const struct engine_config *c, const char *name)
{
	struct schedule	s;
	int		i, ipu, column, width;

	if (make_schedule(&s, c, NULL) == -1)
		return;
	printf("%s: %d stages, %d micro-batches, %d columns\n", name,
	    c->stages, s.config.micro_batches, s.columns);
	for (ipu = 0; ipu < s.ipus; ipu++) {
		printf("IPU %-3d", ipu);
		for (column = i = 0; i < s.step_count; i++) {
			const struct step	*step = &s.steps[i];

			if (step->ipu != ipu || step->kind == STEP_UPDATE)
				continue;
			for (; column < step->column; column++)
				printf(" %-4s", ".");
			width = printf(" %c%d", step->kind == STEP_FORWARD ?
			    'F' : 'B', step->micro_batch);
			printf("%*s", 5 - width, "");
			column = step->column + 1;
		}
		for (; column < s.columns; column++)
			printf(" %-4s", ".");
		printf("%s\n", c->training ? " U" : "");
	}
	schedule_release(&s);
}

void
dump_schedules(const struct session *s)
{
	dump_schedule(&s->training, "training");
	dump_schedule(&s->inference, "inference");
}
