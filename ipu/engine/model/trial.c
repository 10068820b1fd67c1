/*
 * Plans a run in another way: the program's own checks in order, then both
 * models of the device.
 */
#include "ipu/engine/model/trial.h"

#include "ipu/engine/model/memory.h"

/* More micro-batches than this hardly change the time: filling and flushing the
   pipeline once is at most a hundredth or two of it. */
enum { MICRO_BATCHES_MAX = 4000 };

static long
call_samples(const struct engine_config *c)
{
	return (long)c->micro_batch * c->gradient_accumulation *
	    c->device_iterations;
}

/* Check that the samples suffice for a call; in training each replica takes its
   own. */
static int
check_data(const struct trial_run *r, const struct run_plan *p, struct error *e)
{
	const long train = call_samples(&p->training);
	const long test = call_samples(&p->inference);

	if (train > MODEL_COUNT_MAX || test > MODEL_COUNT_MAX)
		return error_set(e, "one call would take more than %d samples",
		    MODEL_COUNT_MAX);
	if ((r->train_samples > 0 &&
		train * p->training.total_replicas > r->train_samples) ||
	    (r->test_samples > 0 && test > r->test_samples))
		return error_set(e, "there are too few samples for one call");
	return 0;
}

/* Check that the check-point's order of samples stays the same. */
static int
check_resumed(const struct engine_config *before, const struct engine_config *c,
    struct error *e)
{
	if (before == NULL ||
	    (before->micro_batch == c->micro_batch &&
		before->gradient_accumulation == c->gradient_accumulation &&
		before->device_iterations == c->device_iterations))
		return 0;
	return error_set(e,
	    "the check-point is from a run with another order of data");
}

/* Find the fullest tile; -1 if the model does not fit. */
static int
trial_check_fit(const struct engine_config *c, const struct memory_target *chip,
    size_t *fullest, struct error *e)
{
	struct memory m;
	int status;

	memory_init(&m, c, chip);
	status = memory_report_check(&m, NULL, e);
	*fullest = memory_largest_tile(&m.ipus[memory_fullest_ipu(&m)]);
	memory_release(&m);
	return status;
}

static void
time_engine(struct trial *t, const struct engine_config *engine,
    const struct cycles_target *clock)
{
	struct engine_config c = *engine;
	int *count = c.training ? &c.gradient_accumulation :
				  &c.device_iterations;
	struct cycles cycles;
	double samples;

	if (*count > MICRO_BATCHES_MAX)
		*count = MICRO_BATCHES_MAX;
	samples = (double)c.micro_batch * *count;
	cycles_init(&cycles, &c, clock);
	t->cycles = (double)cycles.total / samples;
	t->update = (double)cycles.update / samples;
	cycles_release(&cycles);
}

double
trial_cycles(const struct engine_config *c, const struct cycles_target *clock)
{
	struct trial t;

	time_engine(&t, c, clock);
	return t.cycles;
}

int
trial_make(struct trial *t, const struct trial_run *r,
    const struct trial_device *device, const struct model_file *f,
    bool auto_round, bool training, struct error *e)
{
	const struct run_choices choices = { r->choices.script, auto_round };
	struct run_plan plan;
	size_t other;
	int ipus;

	if (run_plan_init(&plan, f, &r->base, &choices, e) != 0 ||
	    stages_reserve(plan.ipus * r->base.local_replicas, auto_round,
		&ipus, e) != 0 ||
	    check_data(r, &plan, e) != 0 ||
	    check_resumed(r->resumed, &plan.training, e) != 0 ||
	    trial_check_fit(run_plan_engine(&plan, training), &device->chip,
		&t->fullest_tile, e) != 0 ||
	    trial_check_fit(run_plan_engine(&plan, !training), &device->chip,
		&other, e) != 0)
		return -1;
	t->ipus = plan.ipus;
	time_engine(t, run_plan_engine(&plan, training), &device->clock);
	return 0;
}
