/*
 * The plan of a run: the configurations of the engines for training and
 * inference.
 */
#include "ipu/engine/model_file.h"

#include <string.h>

static struct engine_config
training_config(const struct model_file *f, const struct engine_config *base,
    const struct run_choices *choices)
{
	struct engine_config c = *base;

	c.model = &f->model;
	c.stages = f->stages.count;
	c.strategy = f->strategy;
	c.training = true;
	c.recompute = f->recompute;
	c.output_mode = f->output_mode;
	c.output_return_period = f->output_return_period;
	c.micro_batch = f->batch_size;
	c.gradient_accumulation = f->gradient_accumulation;
	c.device_iterations = f->device_iterations;
	c.optimiser = f->optimiser;
	c.loss = f->loss;
	c.offload_optimiser = f->offload_optimiser;
	c.mean = f->mean;
	c.deviation = f->deviation;
	memcpy(c.stage_blocks, f->stages.blocks, sizeof(c.stage_blocks));
	memcpy(c.stage_ipu, f->stages.ipu, sizeof(c.stage_ipu));
	if (choices->script && f->strategy == STRATEGY_SHARDED) {
		c.micro_batch *= c.gradient_accumulation;
		c.gradient_accumulation = 1;
	}
	return c;
}

/* Return the engine for inference: one replica, all results. */
static struct engine_config
inference_config(const struct model_file *f,
    const struct engine_config *training)
{
	struct engine_config c = *training;

	c.training = false;
	c.recompute = false;
	c.output_mode = OUTPUT_ALL;
	c.micro_batch = f->test_batch_size;
	c.device_iterations = model_file_test_count(f);
	c.gradient_accumulation = 1;
	c.local_replicas = c.total_replicas = 1;
	return c;
}

/* Make the schedule only to check it: PopTorch refuses one before it compiles
   anything. */
static int
check_schedule(const struct engine_config *c, int *ipus, struct error *e)
{
	const struct schedule_config config = engine_config_schedule(c);
	struct schedule schedule;
	const int status = schedule_init(&schedule, &config, e);

	*ipus = schedule.ipus;
	schedule_release(&schedule);
	return status;
}

int
run_plan_init(struct run_plan *p, const struct model_file *f,
    const struct engine_config *base, const struct run_choices *choices,
    struct error *e)
{
	const struct engine_config *c = &p->training;
	int used;

	p->training = training_config(f, base, choices);
	p->inference = inference_config(f, &p->training);
	if (stages_check(c->model, c->stages, c->stage_blocks, e) != 0 ||
	    check_schedule(c, &p->ipus, e) != 0)
		return -1;
	/* PopTorch reserves a power of two. */
	if (c->strategy != STRATEGY_ONE_IPU &&
	    stages_ipus(&f->stages, choices->auto_round, &p->ipus, e) != 0)
		return -1;
	p->training.replica_ipus = p->inference.replica_ipus = p->ipus;
	if (output_mode_check(c->output_mode, c->output_return_period,
		c->gradient_accumulation * c->device_iterations, e) != 0)
		return -1;
	return check_schedule(&p->inference, &used, e);
}

const struct engine_config *
run_plan_engine(const struct run_plan *p, bool training)
{
	return training ? &p->training : &p->inference;
}
