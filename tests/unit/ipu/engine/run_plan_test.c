/* From a model file to both engines: what the script does, and refusals. */
#include <stdlib.h>
#include <string.h>

#include "ipu/engine/engine.h"
#include "tests/unit/tap.h"

static struct model_file file;

static int
plan(struct run_plan *p, bool script, bool auto_round, struct error *e)
{
	const struct engine_config base = { .local_replicas = 2,
		.total_replicas = 4,
		.first_replica = 2 };
	const struct run_choices choices = { script, auto_round };

	return run_plan_init(p, &file, &base, &choices, e);
}

static void
read_model(void)
{
	struct error e;

	if (model_file_builtin(&file, "mnist", &e) != 0)
		abort();
}

static void
test_engines(void)
{
	struct run_plan p;
	struct error e;

	read_model();
	is_int(plan(&p, true, false, &e), 0, "as the file has it");
	is_int(p.ipus, 4, "on four IPUs");
	is_int(p.training.micro_batch, 40, "samples");
	is_int(p.training.gradient_accumulation, 10, "micro-batches");
	is_int(p.training.total_replicas, 4, "replicas");
	is_int(p.training.first_replica, 2, "the first here");
	ok(run_plan_engine(&p, true) == &p.training &&
		run_plan_engine(&p, false) == &p.inference,
	    "each by its kind");
	ok(p.training.training && !p.inference.training, "which it has");
	is_int(p.inference.micro_batch, 8, "samples of the test");
	is_int(p.inference.device_iterations, 100, "micro-batches of it");
	is_int(p.inference.total_replicas, 1, "on one replica");
	ok(p.inference.output_mode == OUTPUT_ALL, "which returns all");
	file.strategy = STRATEGY_SHARDED;
	is_int(plan(&p, true, false, &e), 0, "the script, sharded");
	is_int(p.training.micro_batch, 400, "makes one large micro-batch");
	is_int(p.training.gradient_accumulation, 1, "of them");
	is_int(p.inference.device_iterations, 100, "but not of the test's");
	is_int(plan(&p, false, false, &e), 0, "another program");
	is_int(p.training.micro_batch, 40, "does not");
	file.test_device_iterations = 7;
	is_int(plan(&p, false, false, &e), 0, "a test of its own size");
	is_int(p.inference.device_iterations, 7, "has it");
}

static void
test_rounded(void)
{
	struct run_plan p;
	struct error e;

	read_model();
	if (stages_parse(&file.stages, &file.model, "B1/B2/B3,B4", &e) != 0)
		abort();
	is_int(plan(&p, false, false, &e), -1, "three IPUs");
	ok(strstr(e.text, "a minimum of 4") != NULL, "in PopTorch's words");
	is_int(plan(&p, false, true, &e), 0, "rounded up");
	is_int(p.ipus, 4, "to four");
	is_int(p.training.replica_ipus, 4, "which a replica has");
	is_int(p.inference.replica_ipus, 4, "in the test too");
	file.strategy = STRATEGY_ONE_IPU;
	is_int(plan(&p, false, false, &e), 0, "one needs no rounding");
	is_int(p.ipus, 1, "it is one");
}

static void
test_refused(void)
{
	struct run_plan p;
	struct error e;

	read_model();
	file.gradient_accumulation = 6;
	is_int(plan(&p, false, false, &e), -1, "six micro-batches");
	ok(strstr(e.text, "gradientAccumulation") != NULL, "are too few");
	file.gradient_accumulation = 7;
	file.test_device_iterations = 3;
	is_int(plan(&p, false, false, &e), -1, "three of the test");
	ok(strstr(e.text, "deviceIterations") != NULL, "are too few too");
	file.test_device_iterations = 4;
	file.output_mode = OUTPUT_EVERY_N;
	file.output_return_period = 0;
	is_int(plan(&p, false, false, &e), -1, "every 0th result");
}

int
main(void)
{
	test_engines();
	test_rounded();
	test_refused();
	return tap_done();
}
